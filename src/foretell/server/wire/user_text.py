"""Names, words and chat as others will see them."""

import re
import unicodedata

from foretell.deals import MOST_WORD
from foretell.errors import NotAllowed

__all__ = ["chat_text", "name", "word"]

MOST_NAME, MOST_CHAT = 24, 300

# Letters that only change how others are drawn, stacked high enough, paint over the neighbours' names.
_MOST_MARKS = 3

# Letters by their category, and yet nothing to be seen: a name of them would be no name.
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800")

# Marks that cannot be seen either: with one of them a name would look like someone else's and not be it.
_UNSEEN_MARKS = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")


_JOINER = "\u200d"


def _clean(text: str, most: int) -> str:
    """One line without control and direction signs, runs of spaces made one."""
    # Signs that cannot be seen go first: between a letter and its marks they would hide that these belong together.
    seen = (sign for place, sign in enumerate(text) if not _is_unseen(text, place))
    kept, marks = [], 0
    for sign in unicodedata.normalize("NFC", "".join(seen)):
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > _MOST_MARKS:
            continue
        is_gap = kind in ("Cc", "Zl", "Zp", "Zs") or sign in _INVISIBLE
        kept.append(" " if is_gap else sign)
    return re.sub(r" +", " ", "".join(kept)).strip()[:most].strip(f" {_JOINER}")


def _is_unseen(text: str, place: int) -> bool:
    """Signs without a shape, which turn the writing direction or hide; but not what joins two emoji into one."""
    kind = unicodedata.category(text[place])
    if kind in ("Cs", "Co", "Cn"):
        return True
    return kind == "Cf" and not (text[place] == _JOINER and _is_between_emoji(text, place))


def _is_between_emoji(text: str, place: int) -> bool:
    """The one before may end with a skin's tone or with a request for colours."""
    before, after = text[max(0, place - 1) : place], text[place + 1 : place + 2]
    if not before or not after or unicodedata.category(after) != "So":
        return False
    return before == "\ufe0f" or unicodedata.category(before) in ("So", "Sk")


def name(text: str) -> str:
    """A name to sit down with."""
    cleaned = _clean(_UNSEEN_MARKS.sub("", text), MOST_NAME)
    if not any(unicodedata.category(sign)[0] in "LNSP" for sign in cleaned):
        raise NotAllowed("bad_name", most=MOST_NAME)
    return cleaned


def chat_text(text: str) -> str:
    """A line of chat."""
    cleaned = _clean(text, MOST_CHAT)
    if not cleaned:
        raise NotAllowed("empty_chat")
    return cleaned


def word(text: str) -> str:
    """A word for the fair deals: it goes into a hash, so it is kept as it will be shown."""
    return _clean(text, MOST_WORD)
