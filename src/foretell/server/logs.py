"""Structured logs: one JSON object a line on standard error.  Never a name, a token, a card or a message's text."""

import logging
import sys

import structlog

__all__ = ["log", "set_up_logs"]

_SHARED: list[structlog.typing.Processor] = [
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]

# Through Python's own logging: a program that uses our tables without a server decides itself what it shows.
log: structlog.stdlib.BoundLogger = structlog.wrap_logger(
    logging.getLogger("foretell.server"),
    processors=[
        structlog.stdlib.filter_by_level,
        *_SHARED,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    wrapper_class=structlog.stdlib.BoundLogger,
)


def set_up_logs(level: str = "warning") -> None:
    """For a server process."""
    number = logging.getLevelNamesMapping()[level.upper()]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                # An exception's text may hold what a client sent: its kind is enough.
                _without_text,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Ours as loud as was asked for.  What we stand on writes down whole messages when it tells all it does.
    root.setLevel(max(number, logging.WARNING))
    logging.getLogger("foretell").setLevel(number)


def _without_text(
    _logger: object, _name: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    found = event.pop("exc_info", None)
    if isinstance(found, tuple) and found[0] is not None:
        event["error"] = found[0].__name__
    return event
