"""A pseudo-language for developers: English with accents and doubled vowels, two fifths longer, as translations can be.

A text that stays plain is written in the code instead of the catalogue; a text that is cut would be cut in German.
`FORETELL_PSEUDO=1 foretell --lang en-XA` speaks it in the terminal.  The page never offers it; its tests put it in the
place of English.
"""

import os
import re
from collections.abc import Mapping

__all__ = ["LANGUAGE", "is_wanted", "pseudo_text", "pseudo_texts"]

LANGUAGE = "en-XA"  # the usual tag for accented English

_ACCENTS = str.maketrans("AEIOUYaeiouycnsz", "ÅÉÎÕÛÝåéîõûýçñšž")
_VOWEL = re.compile("[aeiou]")
# Placeholders, options of commands and codes in capitals stay as they are.
_KEPT = re.compile(r"(\{[^}]*\}|--[\w-]+|\b[A-Z]{3,}\b)")


def is_wanted() -> bool:
    return os.environ.get("FORETELL_PSEUDO") == "1"


def pseudo_text(text: str) -> str:
    """The text with accents on its letters, and every vowel doubled."""
    return "".join(
        part if _KEPT.fullmatch(part) else _VOWEL.sub(r"\g<0>\g<0>", part).translate(_ACCENTS)
        for part in _KEPT.split(text)
    )


def pseudo_texts(english: Mapping[str, str]) -> dict[str, str]:
    """The whole catalogue.  Words that people type stay as they are, or nobody could type them."""
    return {key: text if ".word." in key else pseudo_text(text) for key, text in english.items()}
