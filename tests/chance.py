"""Where a test's server takes its chance from: in `make test` the same in every run, in `make prove` new each time.

Deals and bots' choices all follow from a game's secret (and the players' words), so a test that passes does not fail
elsewhere by a rare hand.  FORETELL_CHANCE=7 gives every test other games.
"""

import dataclasses
import os
from random import Random

from foretell.server.keys import Keys, random_keys

__all__ = ["chance", "keys_by_chance"]


def chance(name: str = "") -> Random:
    """The running test's own; pytest leaves its name to the programs that it starts, too."""
    if os.environ.get("FORETELL_PROVE"):
        return Random()
    test, _, _phase = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")
    return Random(f"{os.environ.get('FORETELL_CHANCE')}/{test}/{name}")


def keys_by_chance() -> Keys:
    """Ids and tokens as always, secrets by the test's chance."""
    secrets = chance("secrets")
    return dataclasses.replace(random_keys, secret=lambda: secrets.randbytes(32).hex())
