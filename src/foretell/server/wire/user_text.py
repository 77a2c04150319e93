"""Cleans what players type: names, words for the fair deals, and chat."""

import re
import unicodedata

from foretell.deals import MOST_WORD
from foretell.errors import NotAllowed

__all__ = ["chat_text", "name", "word"]

MOST_NAME, MOST_CHAT = 24, 300

# Combining marks can be stacked.  Too many on one letter would cover the names above and below.
_MOST_MARKS = 3

# Unicode counts these as letters or symbols, but they are invisible.  A name of nothing else would look empty.
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800")

# Invisible marks: with one of them, a name could look the same as another player's name.
_INVISIBLE_MARKS = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")


_JOINER = "\u200d"


def _clean(text: str, most: int) -> str:
    """The text as one line of at most `most` characters, with single spaces and without invisible characters."""
    # Invisible characters go first: between a letter and its marks, they would keep NFC from joining the two.
    visible = (one for index, one in enumerate(text) if not _is_invisible(text, index))
    kept, marks = [], 0
    for character in unicodedata.normalize("NFC", "".join(visible)):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > _MOST_MARKS:
            continue
        is_gap = kind in ("Cc", "Zl", "Zp", "Zs") or character in _INVISIBLE
        kept.append(" " if is_gap else character)
    return re.sub(r" +", " ", "".join(kept)).strip()[:most].strip(f" {_JOINER}")


def _is_invisible(text: str, index: int) -> bool:
    """Whether a character is not shown itself, or changes the writing direction.  A joiner between emoji is kept."""
    kind = unicodedata.category(text[index])
    if kind in ("Cs", "Co", "Cn"):
        return True
    return kind == "Cf" and not (text[index] == _JOINER and _is_between_emoji(text, index))


def _is_between_emoji(text: str, index: int) -> bool:
    """Whether emoji stand on both sides.  The first may end with a skin tone or a variation selector."""
    before, after = text[max(0, index - 1) : index], text[index + 1 : index + 2]
    if not before or not after or unicodedata.category(after) != "So":
        return False
    return before == "\ufe0f" or unicodedata.category(before) in ("So", "Sk")


def name(text: str) -> str:
    """A player's or spectator's name, cleaned; refuses one with nothing to see."""
    cleaned = _clean(_INVISIBLE_MARKS.sub("", text), MOST_NAME)
    if not any(unicodedata.category(one)[0] in "LNSP" for one in cleaned):
        raise NotAllowed("bad_name", most=MOST_NAME)
    return cleaned


def chat_text(text: str) -> str:
    """A chat message, cleaned; refuses an empty one."""
    cleaned = _clean(text, MOST_CHAT)
    if not cleaned:
        raise NotAllowed("empty_chat")
    return cleaned


def word(text: str) -> str:
    """A word for the fair deals, cleaned.  It goes into a hash, so it is stored exactly as it will be shown."""
    return _clean(text, MOST_WORD)
