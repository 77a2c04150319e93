"""The addresses of clients: what rate limits count by, which clients are on this machine, which proxies are trusted."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

__all__ = [
    "Client",
    "Network",
    "is_in",
    "is_this_machine",
    "networks",
    "networks_in",
    "with_mapped_ipv4",
]

Client = tuple[str, int] | None
"""The client as ASGI names it: address and port, or None."""

Network = IPv4Network | IPv6Network


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """An IP address.  None if there is none: a Unix socket has no address, and a proxy may say "unknown"."""
    try:
        found = ip_address(host)
    except ValueError:
        return None
    # A socket for IPv4 and IPv6 shows an IPv4 address as ::ffff:192.0.2.1.
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def networks(client: Client) -> tuple[str, ...]:
    """What rate limits count by.

    For IPv4 this is the address.  An IPv6 address stands for its /64 network, since even one home has a whole network
    of that size.  Around it is a /48, which one customer may have as well.  Another process, and whoever pays for
    thinking, may name a client by its /64: that means the same.
    """
    return _networks(client[0] if client else "")


@lru_cache(maxsize=4096)
def _networks(host: str) -> tuple[str, ...]:
    found = _address(host.removesuffix("/64"))
    if isinstance(found, IPv6Address):
        return tuple(str(IPv6Network((found.packed, bits), strict=False)) for bits in (64, 48))
    return (host[:64] if found is None else str(found),)


def is_this_machine(client: Client) -> bool:
    """Whether the client runs on the same machine as the server."""
    found = _address(client[0] if client else "")
    return found is not None and found.is_loopback


def networks_in(text: str) -> tuple[Network, ...]:
    """The networks in a list such as `10.0.0.9, 10.1.0.0/16`; raises ValueError."""
    given = (one.strip() for one in text.split(","))
    return tuple(ip_network(one, strict=False) for one in given if one)


def is_in(client: Client, found: Iterable[Network]) -> bool:
    """Whether the client's address is in one of these networks."""
    address = _address(client[0] if client else "")
    return address is not None and any(address in network for network in found)


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
