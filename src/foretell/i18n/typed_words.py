"""Words that people type: in the language that is spoken, with or without accents, in small or large letters."""

import unicodedata
from collections.abc import Callable, Iterable

__all__ = ["plainly_typed", "typed_words"]


def plainly_typed(text: str) -> str:
    """The text in small letters and without accents: not every keyboard has them."""
    apart = unicodedata.normalize("NFD", text.strip().casefold())
    return "".join(one for one in apart if not unicodedata.combining(one))


def typed_words(name: Callable[[str], str], words: Iterable[str]) -> dict[str, str]:
    """The words by what they are called in the language (`name`); look up what `plainly_typed` returns."""
    return {plainly_typed(name(word)): word for word in words}
