"""The width of a text in a terminal, and shortening a text to a width.

Chinese, Japanese and Korean characters and most emoji take two cells, accents none.  Characters that belong together
(a letter and its accent, an emoji and its skin colour, a family made of four emoji, a flag) are never separated.
"""

import unicodedata
from collections.abc import Iterator

__all__ = ["fit", "is_invisible", "is_unsafe", "shown", "width"]

_JOINER, _EMOJI_FORM = "\u200d", "\ufe0f"
_NO_CELL = ("Mn", "Me", "Cf")
_SKINS = range(0x1F3FB, 0x1F3FF + 1)
_FLAG_LETTERS = range(0x1F1E6, 0x1F1FF + 1)
_DIRECTIONS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
_HANGUL_TAILS = range(0x1160, 0x11FF + 1)


def width(text: str) -> int:
    """The number of cells that the text takes."""
    return sum(map(_cells, _clusters(shown(text))))


def is_invisible(text: str) -> bool:
    """Whether nothing of the text can be seen: it is empty, or all of it would join the character before it."""
    return not width(text)


def fit(text: str, cells: int) -> str:
    """The text in exactly so many cells: padded with spaces, or shortened, with `…` at its end."""
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
    """The text without characters that could control the terminal, change the direction of the line, or join the
    character before it.
    """
    text = unicodedata.normalize("NFC", text)
    while text and _joins(" ", text[0]):
        text = text[1:]
    return "".join("�" if is_unsafe(character) else character for character in text)


def is_unsafe(character: str) -> bool:
    """Whether a character could control the terminal or change the direction of the text."""
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or (
        unicodedata.bidirectional(character) in _DIRECTIONS
    )


def _clusters(text: str) -> Iterator[str]:
    cluster = ""
    for character in text:
        if cluster and not _joins(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _joins(cluster: str, character: str) -> bool:
    """Whether a character is shown as one with those before it."""
    code = ord(character)
    is_flag_so_far = len(cluster) == 1 and ord(cluster) in _FLAG_LETTERS
    return (
        unicodedata.category(character) in _NO_CELL
        or code in _HANGUL_TAILS
        or (code in _SKINS and unicodedata.category(cluster[0]) == "So")
        or (is_flag_so_far and code in _FLAG_LETTERS)
        or (cluster[-1] == _JOINER and unicodedata.category(character) == "So")
    )


def _cells(cluster: str) -> int:
    first = cluster[0]
    is_wide = unicodedata.east_asian_width(first) in ("W", "F")
    if is_wide or _EMOJI_FORM in cluster or (ord(first) in _FLAG_LETTERS and len(cluster) > 1):
        return 2
    return 1
