"""Trusted proxies in front of the server: they report the client's address, and the name that the client asked for."""

from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from foretell.server.network.addresses import with_mapped_ipv4
from foretell.server.network.asgi import Receive, Scope, Send

__all__ = ["FORWARDED_HOST", "IS_PROXIED", "BehindProxies"]

IS_PROXIED = "foretell.is_proxied"
"""In the scope: whether a trusted proxy reported the client's address."""

FORWARDED_HOST = "foretell.forwarded_host"
"""In the scope: the name that the client asked a trusted proxy for, if the proxy reports it."""


class BehindProxies:
    """An ASGI application that knows the clients behind trusted proxies, as uvicorn's own middleware does."""

    def __init__(self, app: Any, proxies: str) -> None:
        self.app = app
        self._app = ProxyHeadersMiddleware(app, with_mapped_ipv4(proxies))

    def trusts(self, address: str) -> bool:
        return address in self._app.trusted_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if scope["type"] != "lifespan" and client is not None and self.trusts(client[0]):
            names = {name for name, _ in scope["headers"]}
            scope[IS_PROXIED] = b"x-forwarded-for" in names
            if b"x-forwarded-host" in names:
                value = next(v for name, v in scope["headers"] if name == b"x-forwarded-host")
                scope[FORWARDED_HOST] = value.decode("latin-1").split(",")[-1].strip()
        await self._app(scope, receive, send)  # type: ignore[arg-type]
