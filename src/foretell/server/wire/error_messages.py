"""Errors as they travel: a code, values and a sentence in the language of whoever reads it."""

from foretell.errors import ForetellError, NotAllowed
from foretell.i18n import Term, catalogue, languages
from foretell.server.wire import protocol as p

__all__ = ["error_from", "error_message"]

_LANGUAGES = frozenset(languages())


def error_message(error: ForetellError, language: str = "en") -> p.Error:
    """The error as it travels.  Its values are plain, and hold nothing the receiver may not know."""
    values = {
        key: value if isinstance(value, int | float) else str(value)  # a Term becomes a plain text
        for key, value in error.values.items()
    }
    if error.rule is not None:
        values["rule"] = error.rule
    # The language came from outside: only one that exists becomes a file's name.
    spoken = (
        language
        if language in _LANGUAGES and catalogue(language).has(f"error.{error.code}")
        else "en"
    )
    return p.Error(
        code=error.code,
        sentence=error.sentence(spoken),
        rule=error.rule,
        values=values,
        terms=tuple(key for key, value in error.values.items() if isinstance(value, Term)),
    )


def error_from(error: p.Error) -> NotAllowed:
    """The error as it was before it travelled; the reverse of `error_message`."""
    values = {
        key: Term(str(value)) if key in error.terms else value
        for key, value in error.values.items()
        if key != "rule"
    }
    return NotAllowed(error.code, rule=error.rule, **values)
