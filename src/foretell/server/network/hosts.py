"""Which names of this server a browser may use: the check against DNS rebinding.

An attacker owns a name, shows a page under it, and then lets the name point to an address in the visitor's own network.
To the browser that page and our server are now the same site.  But the browser still sends the attacker's name as
`Host`, which no script can change.  So a name is refused unless the attacker cannot own it:

- an IP address, which needs no DNS; localhost;
- a name without a dot (`raspberrypi`), or under a domain that nobody can register (`raspberrypi.local`);
- the name of this machine, and the names that the host of the server gives (`--host-name`).

A browser that connects to us directly sends our port in `Host`, unless it is the default port.  So a name with another
port came through a proxy.  It is accepted from a trusted proxy that reports the client's address: the proxy has
decided which names it serves.  Only the names that were given are accepted from a proxy if there are any.

Programs that are not browsers may send any `Host`, and an address of their choice anyway.
"""

import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

__all__ = ["Hosts", "is_origin_allowed"]

_PRIVATE_DOMAINS = (
    ".localhost",  # RFC 6761
    ".local",  # RFC 6762: multicast DNS, in this network only
    ".home.arpa",  # RFC 8375
    ".internal",  # reserved by ICANN for private use
    ".lan",
    ".home",
    ".localdomain",
)
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?")
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(:(?P<port>\d{1,5}))?")


class Hosts:
    """The names under which this server may be reached."""

    def __init__(self, names: Iterable[str] = (), origins: Iterable[str] = ()) -> None:
        given = {_bare(name) for name in names}
        given |= {urlsplit(origin).hostname or "" for origin in origins}
        self._given = frozenset(given - {""})
        self._own = _bare(socket.gethostname())

    def is_allowed(self, host: str | None, *, port: int | None = None, is_proxied: bool) -> bool:
        """Whether a request with this `Host` is answered.  `port` is the one on which we listen."""
        if host is None:
            return True  # no browser: they always send one
        found = _HOST.fullmatch(host.strip())
        if found is None:
            return False
        name = _bare(found["name"])
        if name in self._given or name == self._own or _cannot_be_owned(name):
            return True
        came_through_proxy = is_proxied and int(found["port"] or 0) != port and port != 80
        return came_through_proxy and not self._given and _NAME.fullmatch(name) is not None


def _bare(name: str) -> str:
    return name.strip().rstrip(".").lower()


def _cannot_be_owned(name: str) -> bool:
    """Whether nobody can register this name in the public DNS."""
    if name.startswith("["):
        return True
    if _NAME.fullmatch(name) is None:
        return False
    if "." not in name or name.endswith(_PRIVATE_DOMAINS):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


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
