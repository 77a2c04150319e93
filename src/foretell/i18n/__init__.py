"""Every sentence that people read comes from a catalogue: one flat JSON file for each language, in this folder.

Keys are dotted (`error.must_follow`), values are texts with `{placeholders}`.  A text that depends on a number has one
entry for each plural form, with the suffixes that i18next uses: `tricks_one`, `tricks_other`; the number is called
`count`.  The page reads the same files, so they hold nothing that only Python understands.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Catalogue", "Term", "catalogue", "languages", "listed"]


class Term(str):
    """A key of the catalogue used as a value, such as the name of a colour inside a longer sentence."""

    __slots__ = ()


# CLDR: in French and Brazilian Portuguese 0 is singular.
_ZERO_IS_SINGULAR = frozenset({"fr", "pt-BR"})


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language."""

    language: str
    texts: Mapping[str, str]

    def say(self, key: str, /, **values: object) -> str:
        """The text of `key` with its placeholders filled in; `count` chooses the plural form."""
        text = self.texts.get(key)
        if text is None and "count" in values:
            text = self.texts.get(f"{key}_{self._plural(values['count'])}")
        if text is None:
            raise KeyError(f"no text for {key!r} in {self.language}")
        return text.format_map({name: self._shown(value) for name, value in values.items()})

    def has(self, key: str) -> bool:
        return key in self.texts

    def _shown(self, value: object) -> object:
        return self.say(value) if isinstance(value, Term) else value

    def _plural(self, count: object) -> str:
        is_one = count in (0, 1) if self.language in _ZERO_IS_SINGULAR else count == 1
        return "one" if is_one else "other"


@cache
def catalogue(language: str = "en") -> Catalogue:
    """The catalogue of a language; its file is read only once."""
    text = files(__name__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    return Catalogue(language, json.loads(text))


def listed(names: Sequence[str], say: Callable[..., str]) -> str:
    """Names as a list in a sentence: "Ana, Rui and Eva"."""
    if len(names) < 2:
        return "".join(names)
    return say("list.and", first=", ".join(names[:-1]), last=names[-1])


def languages() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))
