"""The types of an ASGI application, which ASGI itself describes only in words."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

__all__ = ["Receive", "Scope", "Send"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
