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


def _clean(text: str, most: int) -> str:
    """One line without control and direction signs, runs of spaces made one."""
    text = unicodedata.normalize("NFC", text)
    kept, marks = [], 0
    for sign in text:
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > _MOST_MARKS:
            continue
        if kind in ("Cc", "Zl", "Zp", "Zs") or sign in _INVISIBLE:
            kept.append(" ")
        elif kind in ("Cs", "Co", "Cn") or (kind == "Cf" and sign != "\u200d"):
            continue  # \u200d joins emoji; other format signs turn the writing direction or hide
        else:
            kept.append(sign)
    return re.sub(r" +", " ", "".join(kept)).strip()[:most].strip()


def name(text: str) -> str:
    """A name to sit down with."""
    cleaned = _clean(_UNSEEN_MARKS.sub("", text).replace("\u200d", ""), MOST_NAME)
    if not any(unicodedata.category(sign)[0] in "LNSP" for sign in cleaned):
        raise NotAllowed("bad_name", most=MOST_NAME)
    return cleaned


def chat_text(text: str) -> str:
    """A line of chat."""
    cleaned = _clean(text, MOST_CHAT)
    if not cleaned.replace("\u200d", ""):
        raise NotAllowed("empty_chat")
    return cleaned


def word(text: str) -> str:
    """A word for the fair deals: it goes into a hash, so it is kept as it will be shown."""
    return _clean(text, MOST_WORD)
