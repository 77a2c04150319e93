"""How often a proof by numbers is repeated: a little with `make test`, much with `make prove`."""

import os

TIMES = 30 if os.environ.get("FORETELL_PROVE") else 1
