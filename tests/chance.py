"""Random numbers for the server in a test: the same in every `make test`, different in every `make prove`.

Deals and bots' choices all follow from a game's secret (and the players' words), so a test that passes here does not
fail elsewhere because of a rare hand.  FORETELL_CHANCE=7 gives every test other games.
"""

import dataclasses
import os
from random import Random

from foretell.server.keys import Keys, random_keys

__all__ = ["chance", "keys_by_chance"]


def chance(name: str = "") -> Random:
    """Random numbers for the running test.  Child processes get the same: pytest puts the test's name in the environment."""
    if os.environ.get("FORETELL_PROVE"):
        return Random()
    test, _, _phase = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")
    return Random(f"{os.environ.get('FORETELL_CHANCE')}/{test}/{name}")


def keys_by_chance() -> Keys:
    """Ids and tokens as usual, secrets from the random numbers of the test."""
    secrets = chance("secrets")
    return dataclasses.replace(random_keys, secret=lambda: secrets.randbytes(32).hex())
