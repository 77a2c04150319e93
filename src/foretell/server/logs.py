"""The log of tables and servers.  It never contains names, tokens, cards or messages."""

import logging

__all__ = ["FIELDS", "log"]

FIELDS = "foretell_fields"
"""The attribute of a log record that has its values."""


class _Log:
    """Events with values.  It uses Python's logging, so a program with tables of its own decides what is logged."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def error(self, event: str, **fields: object) -> None:
        self._logger.error(event, extra={FIELDS: fields})

    def warning(self, event: str, **fields: object) -> None:
        self._logger.warning(event, extra={FIELDS: fields})

    def info(self, event: str, **fields: object) -> None:
        self._logger.info(event, extra={FIELDS: fields})


log = _Log("foretell.server")
