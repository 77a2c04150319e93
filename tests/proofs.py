"""How often tests with a count are repeated: once in `make test`, more often in `make prove`."""

import os

TIMES = 30 if os.environ.get("FORETELL_PROVE") else 1
