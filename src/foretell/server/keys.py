"""Ids, codes, tokens and secrets.  Only a player knows their token: the server stores its hash."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Keys", "hashed", "random_keys"]

# Without 0 O 1 I L, which are easy to confuse: people read a code aloud, or type it on a phone.
_CODE = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

# The code of a private table is its only key.  31 ** 10 codes are so many that nobody finds one by trying:
# docs/hosting.md has the numbers.
_CODE_LENGTH = 10


def hashed(token: str) -> str:
    """The hash that is stored instead of a token.  A token has 192 random bits, so nobody can find it from the hash."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Keys:
    """The functions that make everything nobody may be able to guess.  Tests use their own."""

    id: Callable[[], str]
    code: Callable[[], str]
    token: Callable[[], str]
    secret: Callable[[], str]


random_keys = Keys(
    id=lambda: secrets.token_urlsafe(12),
    code=lambda: "".join(secrets.choice(_CODE) for _ in range(_CODE_LENGTH)),
    token=lambda: secrets.token_urlsafe(24),
    secret=lambda: secrets.token_hex(32),
)
