"""A pseudo-language for developers: English with accents, and a third longer, as translations often are.

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
_KEPT = re.compile(r"(\{[^}]*\}|--[\w-]+|\\b)")
_PADDING = " lorem ipsum dolor sit amet consetetur sadipscing elitr".translate(_ACCENTS) * 9


def is_wanted() -> bool:
    return os.environ.get("FORETELL_PSEUDO") == "1"


def pseudo_text(text: str) -> str:
    """The text with accents, followed by enough extra words to make it a third longer.  Placeholders stay."""
    parts = [
        part if _KEPT.fullmatch(part) else part.translate(_ACCENTS) for part in _KEPT.split(text)
    ]
    extra = sum(character.isalpha() for character in _KEPT.sub("", text)) // 3
    return "".join(parts) + _PADDING[: extra + 1].rstrip() if extra else "".join(parts)


def pseudo_texts(english: Mapping[str, str]) -> dict[str, str]:
    """The whole catalogue.  Words that people type stay as they are, or nobody could type them."""
    return {key: text if ".word." in key else pseudo_text(text) for key, text in english.items()}
