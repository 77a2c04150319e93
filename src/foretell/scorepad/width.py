"""How wide a text stands in a terminal, and how to cut it to a width.

A terminal gives Chinese, Japanese, Korean and most emoji two cells, accents none.  What belongs together (a letter and
its accent, an emoji and its skin, a family joined from four people, a flag) is never cut apart.
"""

import unicodedata
from collections.abc import Iterator

__all__ = ["fit", "is_unsafe", "shown", "width"]

_JOINER, _EMOJI_FORM = "\u200d", "\ufe0f"
_NO_CELL = ("Mn", "Me", "Cf")
_SKINS = range(0x1F3FB, 0x1F3FF + 1)
_FLAG_LETTERS = range(0x1F1E6, 0x1F1FF + 1)
_TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
_HANGUL_TAILS = range(0x1160, 0x11FF + 1)


def width(text: str) -> int:
    """The cells that the text takes."""
    return sum(map(_cells, _clusters(shown(text))))


def fit(text: str, cells: int) -> str:
    """The text in exactly so many cells: filled up with spaces, or cut, which a `…` tells."""
    text = shown(text)
    if width(text) > cells:
        kept, room = "", cells - 1
        for cluster in _clusters(text):
            room -= _cells(cluster)
            if room < 0:
                break
            kept += cluster
        text = kept.rstrip() + "…"
    return text + " " * (cells - width(text))


def shown(text: str) -> str:
    """Without what could move the cursor, colour the screen, turn the line around, or join what stands before it."""
    text = unicodedata.normalize("NFC", text)
    while text and _joins(" ", text[0]):
        text = text[1:]
    return "".join("�" if is_unsafe(sign) else sign for sign in text)


def is_unsafe(sign: str) -> bool:
    """Whether a sign could do more than stand in its place."""
    return unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or (
        unicodedata.bidirectional(sign) in _TURNS
    )


def _clusters(text: str) -> Iterator[str]:
    cluster = ""
    for sign in text:
        if cluster and not _joins(cluster, sign):
            yield cluster
            cluster = ""
        cluster += sign
    if cluster:
        yield cluster


def _joins(cluster: str, sign: str) -> bool:
    """Whether a sign is shown as one with what came before it."""
    code = ord(sign)
    is_flag_so_far = len(cluster) == 1 and ord(cluster) in _FLAG_LETTERS
    return (
        unicodedata.category(sign) in _NO_CELL
        or code in _HANGUL_TAILS
        or (code in _SKINS and unicodedata.category(cluster[0]) == "So")
        or (is_flag_so_far and code in _FLAG_LETTERS)
        or (cluster[-1] == _JOINER and unicodedata.category(sign) == "So")
    )


def _cells(cluster: str) -> int:
    first = cluster[0]
    is_wide = unicodedata.east_asian_width(first) in ("W", "F")
    if is_wide or _EMOJI_FORM in cluster or (ord(first) in _FLAG_LETTERS and len(cluster) > 1):
        return 2
    return 1
