"""Errors as messages of the protocol: a code, its values, and a sentence in the language of the receiver."""

from foretell.errors import ForetellError, NotAllowed
from foretell.i18n import Term, best_language
from foretell.server.logs import log
from foretell.server.wire import protocol as p

__all__ = ["error_from", "error_message"]


def error_message(error: ForetellError, language: str = "en") -> p.Error:
    """The error as a message.  Its values are numbers and texts, and contain nothing that the receiver may not know.

    A client chose the language: one that has no catalogue becomes English.  If the error cannot be put into words,
    or cannot be encoded, the message says that the server has failed.
    """
    try:
        found = _in_words(error, language)
        p.write(found)
    except Exception as failure:
        log.error("no sentence for an error", code=error.code, error=type(failure).__name__)
        return _in_words(NotAllowed("server_failed"), "en")
    return found


def _in_words(error: ForetellError, language: str) -> p.Error:
    values = {
        key: value if isinstance(value, int | float) else str(value)  # also turns a Term into text
        for key, value in error.values.items()
    }
    if error.rule is not None:
        values["rule"] = error.rule
    return p.Error(
        code=error.code,
        sentence=error.sentence(best_language([language])),
        rule=error.rule,
        values=values,
        terms=tuple(key for key, value in error.values.items() if isinstance(value, Term)),
    )


def error_from(error: p.Error) -> NotAllowed:
    """The error that a message describes; the reverse of `error_message`."""
    values = {
        key: Term(str(value)) if key in error.terms else value
        for key, value in error.values.items()
        if key != "rule"
    }
    return NotAllowed(error.code, rule=error.rule, **values)
