"""A server's log: one JSON object per line on standard error."""

import logging
import sys

import structlog

from foretell.server.logs import FIELDS

__all__ = ["set_up_logs"]


def set_up_logs(level: str = "warning") -> None:
    """Sets up logging for a server process."""
    number = logging.getLevelNamesMapping()[level.upper()]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                _with_fields,
                structlog.stdlib.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _without_exception_text,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.getLogger("uvicorn.error").addFilter(_is_about_us)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Our own loggers use the level that was asked for.  Libraries use at least "warning": at lower levels some of them
    # log whole messages.
    root.setLevel(max(number, logging.WARNING))
    logging.getLogger("foretell").setLevel(number)


# What uvicorn says about clients that speak no HTTP.  Anyone could fill the log with it.
_ABOUT_CLIENTS = (
    "Invalid HTTP request received.",
    "Invalid UTF-8 sequence received from client.",
    "Unsupported upgrade request.",
)


def _is_about_us(record: logging.LogRecord) -> bool:
    return record.msg not in _ABOUT_CLIENTS


def _with_fields(
    _logger: object, _name: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    return {**getattr(event["_record"], FIELDS, {}), **event}


def _without_exception_text(
    _logger: object, _name: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Logs only the type of an exception: its text may contain what a client sent."""
    found = event.pop("exc_info", None)
    if isinstance(found, tuple) and found[0] is not None:
        event["error"] = found[0].__name__
    return event
