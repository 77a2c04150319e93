"""Each test of the server runs in an asyncio loop, with its own server and its own database file."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
