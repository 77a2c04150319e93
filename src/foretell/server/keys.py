"""Ids, codes and tokens.  A token is known to its holder alone: what is kept is its hash."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Keys", "hashed", "random_keys"]

# No 0 O 1 I L: a code is read out loud, and typed on a phone.
_CODE = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def hashed(token: str) -> str:
    """What is stored of a token.  It has 128 random bits, so a plain hash cannot be turned back."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Keys:
    """Where everything that must not be guessed comes from; a test brings its own."""

    id: Callable[[], str]
    code: Callable[[], str]
    token: Callable[[], str]
    secret: Callable[[], str]


random_keys = Keys(
    id=lambda: secrets.token_urlsafe(12),
    code=lambda: "".join(secrets.choice(_CODE) for _ in range(6)),
    token=lambda: secrets.token_urlsafe(24),
    secret=lambda: secrets.token_hex(32),
)
