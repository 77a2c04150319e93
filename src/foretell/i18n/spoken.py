"""The language that this process speaks to the person at its terminal.

The command line chooses it once, before anything is said (`--lang`, or the terminal's own language).  The server does
not use it for players: each of them has a language of their own.
"""

from foretell.i18n.catalogues import Catalogue, catalogue

__all__ = ["say", "speak", "texts"]

_spoken = "en"


def speak(language: str) -> None:
    """From now on `say` speaks this language."""
    global _spoken  # noqa: PLW0603 - one process, one terminal
    _spoken = language


def texts() -> Catalogue:
    """The catalogue of the language that is spoken."""
    return catalogue(_spoken)


def say(key: str, /, **values: object) -> str:
    """A text in the language that is spoken; see `Catalogue.say`."""
    return texts().say(key, **values)
