"""A strict referee for game records: a second reading of the rules, independent of the engine."""

from .referee import check
from .refusal import Refused

__all__ = ["Refused", "check"]
