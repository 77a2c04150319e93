"""How each language writes numbers: its decimal sign, its thousands, its percent sign.

The page asks the browser (`Intl.NumberFormat`); a test compares the two.
"""

from dataclasses import dataclass

__all__ = ["number_text", "percent_text"]

_NO_BREAK = "\N{NO-BREAK SPACE}"
_NARROW_NO_BREAK = "\N{NARROW NO-BREAK SPACE}"
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class _Style:
    decimal: str
    thousands: str
    before_percent: str = ""


_STYLES = {
    "en": _Style(".", ","),
    "pt": _Style(",", _NO_BREAK),
    "es": _Style(",", ".", _NO_BREAK),
    "hu": _Style(",", _NO_BREAK),
    "pt-BR": _Style(",", "."),
    "fr": _Style(",", _NARROW_NO_BREAK, _NO_BREAK),
    "de": _Style(",", ".", _NO_BREAK),
}


def number_text(language: str, value: float, *, digits: int = 0, is_signed: bool = False) -> str:
    """A number with so many decimals; from 10,000 on the thousands are set apart.  `is_signed` also shows a plus."""
    style = _style(language)
    whole, _, decimals = f"{abs(value):.{digits}f}".partition(".")
    if len(whole) > 4:
        whole = f"{int(whole):,}".replace(",", style.thousands)
    written = f"{whole}{style.decimal}{decimals}" if decimals else whole
    if not written.strip(f"0{style.decimal}"):
        return written  # no sign before a zero, even if it was rounded
    if value < 0:
        return f"{_MINUS}{written}"
    return f"+{written}" if is_signed else written


def percent_text(language: str, share: float, *, digits: int = 0) -> str:
    """A share from 0 to 1 as a percentage."""
    return f"{number_text(language, 100 * share, digits=digits)}{_style(language).before_percent}%"


def _style(language: str) -> _Style:
    return _STYLES.get(language, _STYLES["en"])
