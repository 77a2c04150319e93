"""The version of the rulings: what Foretell plays where the rulebooks leave something open (docs/rules.md).

A game keeps the version with which it was begun, because its log is replayed.  A change of the rulings that gives some
old log another result needs a new version.  The old one stays in PLAYED_VERSIONS as long as the engine plays it too;
games of other versions are refused.
"""

from foretell.errors import NotAllowed

__all__ = ["RULES_VERSION", "is_played", "refuse_unknown_version"]

RULES_VERSION = 1
"""The version of new games."""

PLAYED_VERSIONS = frozenset({1})
"""All versions that this program plays."""


def is_played(version: int) -> bool:
    """Whether this program plays this version."""
    return version in PLAYED_VERSIONS


def refuse_unknown_version(version: int) -> None:
    """Refuses a game whose rulings this program does not have, rather than play it by others."""
    if not is_played(version):
        played = ", ".join(map(str, sorted(PLAYED_VERSIONS)))
        raise NotAllowed("rules_version", version=version, played=played)
