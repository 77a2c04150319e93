"""How far Hypothesis looks: a little with `make test`, far with `make prove`; in CI the same examples each time."""

import os

from hypothesis import HealthCheck, settings

# A whole game may lie behind one example: slow is normal here, and no reason to give up on it.
_PATIENT = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile(
    "test", max_examples=200, deadline=None, derandomize=True, suppress_health_check=_PATIENT
)
settings.register_profile(
    "prove", max_examples=3000, deadline=None, suppress_health_check=_PATIENT, print_blob=True
)
settings.load_profile("prove" if os.environ.get("FORETELL_PROVE") else "test")
