"""What keeps a server well: bounds on how much anyone may ask, where from, and headers for browsers."""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

__all__ = [
    "Bucket",
    "Buckets",
    "Limits",
    "both_ways",
    "headers",
    "is_this_machine",
    "is_welcome",
    "whose",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is allowed; raised by the load generator alone."""

    messages: float = 20  # a second and socket
    message_burst: float = 80
    chats: float = 1
    chat_burst: float = 6
    unreadable: int = 20  # before a socket is closed
    queue: int = 256  # messages that wait for a slow reader
    queue_bytes: int = 2_000_000
    inbox: int = 100  # messages of one socket that wait for their table
    sockets: int = 5000
    sockets_per_address: int = 200
    requests: float = 20  # HTTP, a second and address
    request_burst: float = 100
    tables: float = 0.2  # new ones, a second and address
    table_burst: float = 20
    body: int = 64_000


class Bucket:
    """Fills with so many tokens a second, up to a burst; each thing asked for takes one."""

    __slots__ = ("_burst", "_last", "_left", "_now", "_rate")

    def __init__(
        self, rate: float, burst: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left, self._last = burst, now()

    def take(self) -> bool:
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._last) * self._rate)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """One for each address, of which only so many are remembered."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        bucket = self._buckets.pop(address, None) or Bucket(self._rate, self._burst)
        self._buckets[address] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket.take()


Client = tuple[str, int] | None
"""Who calls, as ASGI names them: address and port, or nobody."""


def _address(client: Client) -> IPv4Address | IPv6Address | None:
    """None where it is no address: a socket that is a file, or what a proxy calls unknown."""
    try:
        found = ip_address(client[0] if client else "")
    except ValueError:
        return None
    # how a socket for both kinds of addresses names the older kind
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def whose(client: Client) -> str:
    """What limits count by: of IPv6, the network, since each home and each rented machine has 2⁶⁴ addresses."""
    found = _address(client)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found.packed, 64), strict=False))
    return client[0] if found is None and client else str(found or "")


def is_this_machine(client: Client) -> bool:
    found = _address(client)
    return found is not None and found.is_loopback


def both_ways(addresses: str) -> str:
    """The same list, each IPv4 also as a socket for both kinds of addresses names it."""
    given = [one.strip() for one in addresses.split(",")]
    return ",".join([*given, *filter(None, map(_mapped, given))])


def _mapped(address: str) -> str | None:
    try:
        found = ip_network(address)
    except ValueError:  # a name, or "*"
        return None
    return f"::ffff:{found.network_address}/{found.prefixlen + 96}" if found.version == 4 else None


def is_welcome(origin: str | None, host: str | None, allowed: Iterable[str] = ()) -> bool:
    """Whether a page from `origin` may talk to us: our own, or one the host has named.

    A program that is no browser sends no Origin, and needs none: it holds no one else's cookies, and we use none.
    """
    if origin is None:
        return True
    if origin in set(allowed):
        return True
    try:
        found = urlsplit(origin)
    except ValueError:  # no address at all
        return False
    return found.scheme in ("http", "https") and host is not None and found.netloc == host


_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")


def headers(*, is_page: bool, host: str = "") -> dict[str, str]:
    """For every answer.  Scripts, styles and pictures come from ourselves alone; nobody may frame the page."""
    # Older Safari does not count our own sockets as 'self'.
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "connect-src": f"'self'{sockets}",
        "manifest-src": "'self'",
        "worker-src": "'self'",
        "media-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    if not is_page:
        policy = {"default-src": "'none'", "frame-ancestors": "'none'"}
    return {
        "content-security-policy": "; ".join(f"{key} {value}" for key, value in policy.items()),
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    }
