"""Compares a translation with the English catalogue: what a translator still has to do, and what looks wrong."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields

__all__ = ["Findings", "compared", "placeholders"]

_PLACEHOLDER = re.compile(r"(?<!{){(\w+)(?:![rsa])?(?::\w+)?}(?!})")
_LONG = 1.6  # times the English text, for texts in which every word has its room
_ROOMY = 20  # characters: shorter texts may double
# The same in English, by nature: names, and texts with little but placeholders.
_LETTERS = re.compile(r"[^\W\d_]{4,}")


def placeholders(text: str) -> set[str]:
    """The names in braces; the form that a placeholder asks for (`{colour:object}`) is the translator's choice."""
    return set(_PLACEHOLDER.findall(text))


@dataclass(frozen=True)
class Findings:
    """The keys of the texts that need a look.  The first three are errors, the others are hints."""

    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    other_placeholders: tuple[str, ...]
    same_as_english: tuple[str, ...]
    long: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        return not (self.missing or self.unknown or self.other_placeholders)

    def by_kind(self) -> dict[str, tuple[str, ...]]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def compared(english: Mapping[str, str], own: Mapping[str, str]) -> Findings:
    """What differs between the English texts and a translation of them."""
    both = [key for key in english if key in own]
    return Findings(
        missing=tuple(key for key in english if key not in own),
        unknown=tuple(key for key in own if key not in english),
        other_placeholders=tuple(
            key for key in both if placeholders(english[key]) != placeholders(own[key])
        ),
        same_as_english=tuple(
            key
            for key in both
            if english[key] == own[key] and _LETTERS.search(_PLACEHOLDER.sub("", own[key]))
        ),
        long=tuple(key for key in both if len(own[key]) > max(_LONG * len(english[key]), _ROOMY)),
    )
