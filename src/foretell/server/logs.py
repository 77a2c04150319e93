"""Structured logs: one JSON object a line on standard error.  Never a name, a token, a card or a message's text."""

import logging
import sys

import structlog

__all__ = ["set_up_logs"]


def set_up_logs(level: str = "warning") -> None:
    """For a server process; a library that is imported logs nothing by itself."""
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
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
    root.setLevel(number)


def _without_text(
    _logger: object, _name: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    found = event.pop("exc_info", None)
    if isinstance(found, tuple) and found[0] is not None:
        event["error"] = found[0].__name__
    return event
