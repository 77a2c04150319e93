"""Ids, codes, tokens and secrets.  Only a player knows their token: the server stores its hash."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Keys", "hashed", "hashed_at", "random_keys", "token_from_key"]

# Without 0 O 1 I L, which are easy to confuse: people read a code aloud, or type it on a phone.
_CODE = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

# The code of a private table is its only key.  31 ** 10 codes are so many that nobody finds one by trying:
# docs/hosting.md has the numbers.
_CODE_LENGTH = 10


def hashed(token: str) -> str:
    """The hash that is stored instead of a token.  A token has 192 random bits, so nobody can find it from the hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def hashed_at(table: str, text: str | None) -> str | None:
    """A hash of a browser key or an address that differs at every table, so that nobody can be followed around."""
    return None if text is None else hashed(f"{table}\n{text}")[:32]


def token_from_key(table: str, key: str) -> str:
    """The token that a browser with this key gets at this table, however often it asks.

    So an answer that was lost can be given again, although the server stores only hashes.  The key must be as secret
    and as random as a token.
    """
    return hashed(f"token\n{table}\n{key}")[:48]


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
