"""The catalogue of one language, and which languages there are."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from foretell.i18n import pseudo
from foretell.i18n.numbers import number_text, percent_text
from foretell.i18n.plurals import is_singular

__all__ = ["Catalogue", "Term", "catalogue", "languages", "listed", "own_texts"]

_FOLDER = "foretell.i18n"
_PARTS = ("", "handbook/")
"""The folders of a catalogue's files.  The page loads what is in a folder when it needs it (language.svelte.ts)."""


class Term(str):
    """A key of the catalogue used as a value, such as the name of a colour inside a longer sentence."""

    __slots__ = ()


class _Word(str):
    """A text that fills a placeholder.  One such as `{colour:object}` asks for another form, which a Term may have."""

    __slots__ = ("_forms",)
    _forms: Callable[[str], str | None]

    def __new__(cls, text: str, forms: Callable[[str], str | None]) -> "_Word":
        word = super().__new__(cls, text)
        word._forms = forms
        return word

    def __format__(self, form: str) -> str:
        return (self._forms(form) if form else None) or str(self)


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language, and how it writes numbers."""

    language: str
    texts: Mapping[str, str]

    def say(self, key: str, /, **values: object) -> str:
        """The text of `key` with its placeholders filled in; `count` chooses the plural form."""
        text = self.texts.get(key)
        if text is None and isinstance(count := values.get("count"), int):
            text = self.texts.get(f"{key}_{'one' if self.is_singular(count) else 'other'}")
        if text is None:
            raise KeyError(f"no text for {key!r} in {self.language}")
        return text.format_map({name: self._shown(value) for name, value in values.items()})

    def is_singular(self, count: int) -> bool:
        """Whether this number takes the form `one`."""
        return is_singular(self.language, count)

    def number(self, value: float, *, digits: int = 0, is_signed: bool = False) -> str:
        """A number as this language writes it, with so many decimals."""
        return number_text(self.language, value, digits=digits, is_signed=is_signed)

    def percent(self, share: float, *, digits: int = 0) -> str:
        """A share from 0 to 1 as a percentage."""
        return percent_text(self.language, share, digits=digits)

    def _shown(self, value: object) -> object:
        if isinstance(value, Term):
            return _Word(self.say(value), lambda form: self.texts.get(f"{value}.{form}"))
        return _Word(value, lambda _form: None) if isinstance(value, str) else value


def own_texts(language: str) -> dict[str, str]:
    """What the files of a language hold, complete or not.  In a browser only the page has the texts of the handbook."""
    texts: dict[str, str] = {}
    for part in _PARTS:
        file = files(_FOLDER).joinpath(f"{part}{language}.json")
        if not part or file.is_file():
            texts |= json.loads(file.read_text(encoding="utf-8"))
    return texts


@cache
def catalogue(language: str = "en") -> Catalogue:
    """The catalogue of a language; its file is read only once.

    A text that a translator has not written yet is said in English.  A test keeps such catalogues out of releases.
    """
    english = own_texts("en")
    if language == "en":
        return Catalogue(language, english)
    if language == pseudo.LANGUAGE:
        return Catalogue(language, pseudo.pseudo_texts(english))
    return Catalogue(language, english | own_texts(language))


def listed(names: Sequence[str], say: Callable[..., str]) -> str:
    """Names as a list in a sentence: "Ana, Rui and Eva"."""
    if len(names) < 2:
        return "".join(names)
    return say("list.and", first=", ".join(names[:-1]), last=names[-1])


@cache
def languages() -> tuple[str, ...]:
    """The languages that have a catalogue, English first; the pseudo-language too, if a developer wants it."""
    names = (entry.name for entry in files(_FOLDER).iterdir())
    found = sorted(name.removesuffix(".json") for name in names if name.endswith(".json"))
    extra = [pseudo.LANGUAGE] if pseudo.is_wanted() else []
    return ("en", *(language for language in found if language != "en"), *extra)
