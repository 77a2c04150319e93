"""How many examples Hypothesis tries: few in `make test`, the same ones each time; many in `make prove`."""

import os

from hypothesis import HealthCheck, settings

# One example may play a whole game, so slow examples are normal.
_PATIENT = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile(
    "test", max_examples=200, deadline=None, derandomize=True, suppress_health_check=_PATIENT
)
settings.register_profile(
    "prove", max_examples=3000, deadline=None, suppress_health_check=_PATIENT, print_blob=True
)
settings.load_profile("prove" if os.environ.get("FORETELL_PROVE") else "test")
