"""The same database server and event loop as for the tests of the server."""

from server.conftest import anyio_backend, database_server

__all__ = ["anyio_backend", "database_server"]
