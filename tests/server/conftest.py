"""Every test of the server runs in one asyncio loop, with a server and a database file of its own."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
