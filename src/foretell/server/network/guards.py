"""What protects the server: rate limits, the check of a page's origin, and security headers for browsers."""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

__all__ = [
    "Bucket",
    "Buckets",
    "Limits",
    "is_origin_allowed",
    "is_this_machine",
    "rate_limit_key",
    "security_headers",
    "with_mapped_ipv4",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one client may do.  Only tests and benchmarks use other values."""

    messages: float = 20  # per second, for each socket
    message_burst: float = 80
    chats: float = 1
    chat_burst: float = 6
    unreadable: int = 20  # messages, before the socket is closed
    queue: int = 256  # messages that wait for a slow client
    queue_bytes: int = 2_000_000
    inbox: int = 100  # messages of one socket that wait for the table
    sockets: int = 5000
    sockets_per_address: int = 200
    requests: float = 20  # HTTP, per second, for each address
    request_burst: float = 100
    tables: float = 0.2  # new ones, per second, for each address
    table_burst: float = 20
    body: int = 64_000  # bytes of an HTTP request


class Bucket:
    """A token bucket: it gains `rate` tokens a second, holds at most `burst`, and each request takes one."""

    __slots__ = ("_burst", "_last", "_left", "_now", "_rate")

    def __init__(
        self, rate: float, burst: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left, self._last = burst, now()

    def take(self) -> bool:
        """Takes a token, and says whether there was one."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._last) * self._rate)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address.  It remembers the `most` addresses that were seen last."""

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
"""The client as ASGI names it: address and port, or None."""


def _address(client: Client) -> IPv4Address | IPv6Address | None:
    """The client's IP address.  None if there is none: a Unix socket has no address, and a proxy may say "unknown"."""
    try:
        found = ip_address(client[0] if client else "")
    except ValueError:
        return None
    # A socket for IPv4 and IPv6 shows an IPv4 address as ::ffff:192.0.2.1.
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def rate_limit_key(client: Client) -> str:
    """What rate limits count by: an IPv4 address, or the /64 network of an IPv6 address, which one person owns."""
    found = _address(client)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found.packed, 64), strict=False))
    return client[0] if found is None and client else str(found or "")


def is_this_machine(client: Client) -> bool:
    """Whether the client runs on the same machine as the server."""
    found = _address(client)
    return found is not None and found.is_loopback


def with_mapped_ipv4(addresses: str) -> str:
    """The list, with each IPv4 address also in its IPv6 form, which a socket for both kinds of address shows."""
    given = [one.strip() for one in addresses.split(",")]
    return ",".join([*given, *filter(None, map(_mapped, given))])


def _mapped(address: str) -> str | None:
    try:
        found = ip_network(address)
    except ValueError:  # a name, or "*"
        return None
    return f"::ffff:{found.network_address}/{found.prefixlen + 96}" if found.version == 4 else None


def is_origin_allowed(origin: str | None, host: str | None, allowed: Iterable[str] = ()) -> bool:
    """Whether a page from `origin` may use this server: the server's own page, or one that `--origin` names.

    Only browsers send an Origin, so every other program is allowed.  The check keeps pages of other sites from using
    this server through their visitors' browsers.
    """
    if origin is None:
        return True
    if origin in set(allowed):
        return True
    try:
        found = urlsplit(origin)
    except ValueError:  # not a URL
        return False
    return found.scheme in ("http", "https") and host is not None and found.netloc == host


_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")


def security_headers(
    *, is_page: bool, host: str = "", inline: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The headers of every response.  A page may load files from this server only, and no site may frame it.

    `inline` has the hashes of the script and style that are written in the page itself, by directive.
    """
    # Older versions of Safari do not count the server's own sockets as 'self'.
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
    for directive, hashes in (inline or {}).items():
        policy[directive] += hashes
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
