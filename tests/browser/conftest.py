"""Tables run on asyncio, as in a browser."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
