"""Every limit of the server, in one place.  docs/hosting.md has the same list, with what happens at each limit.

A family of six behind one router, each with two tabs and a phone that reconnects, never reaches the limits for one
address: `tests/server/test_family.py` plays such a game as fast as programs can.  Many customers of a mobile
network share one IPv4 address; for them the host can raise the limits (`foretell serve --limit per_address=10`).
"""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from foretell.errors import NotAllowed
from foretell.server.network.budgets import Budget

__all__ = ["AddressBudgets", "Limits", "limits_from"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much clients may do.  Rates are per second; a burst is how much may come at once."""

    # For each socket
    messages: float = 20
    message_burst: float = 80
    chats: float = 1  # and emotes
    chat_burst: float = 6
    unreadable: int = 20  # messages, before the socket is closed
    queue: int = 256  # messages that wait for a slow client
    queue_bytes: int = 2_000_000
    inbox: int = 100  # messages of one socket that wait for the table

    # For each address: IPv4, or the /64 network of IPv6
    per_address: float = 1  # all rates, bursts and numbers for an address are multiplied by this
    per_network: float = 16  # the /48 network around an IPv6 address may do this many times as much
    sockets_per_address: int = 200
    requests_at_once: int = 200  # HTTP connections that are open
    connections: float = 20  # new ones, for HTTP or for a socket
    connection_burst: float = 400
    requests: float = 60  # HTTP, files of the page too
    request_burst: float = 1000
    address_messages: float = 50
    address_message_burst: float = 1200
    address_chats: float = 6
    address_chat_burst: float = 60
    hellos: float = 5  # and subscriptions to the list of tables
    hello_burst: float = 250
    failures: float = 1 / 30  # unknown tables and wrong tokens
    failure_burst: float = 20
    joins: float = 0.5
    join_burst: float = 60
    tables: float = 0.2  # new ones
    table_burst: float = 20
    games: float = 0.2  # started, rematches too
    game_burst: float = 30
    replays: float = 4  # summaries and rounds of finished games, and of records that are sent
    replay_burst: float = 160
    reviews: float = 1 / 30  # of different games or records
    review_burst: float = 20
    thinking: float = 0.5  # seconds of the coach's thinking, per second
    thinking_burst: float = 240
    bot_thinking: float = 1  # seconds of bots' thinking, per second
    bot_thinking_burst: float = 600

    # For each table
    spectators: int = 100
    spectators_per_address: int = 20

    # For the whole server
    sockets: int = 5000
    body: int = 64_000  # bytes of an HTTP request
    # Failures of all addresses together.  Above this, one failure of an address counts as ten.
    all_failures: float = 5
    all_failure_burst: float = 300


@dataclass(frozen=True, slots=True)
class AddressBudgets:
    """The budgets of each address."""

    connections: Budget
    requests: Budget
    messages: Budget
    chats: Budget
    hellos: Budget
    failures: Budget
    joins: Budget
    tables: Budget
    games: Budget
    replays: Budget
    reviews: Budget
    thinking: Budget
    bot_thinking: Budget

    @classmethod
    def of(cls, limits: Limits) -> "AddressBudgets":
        def budget(name: str, rate: float, burst: float) -> Budget:
            return Budget(name, rate * limits.per_address, burst * limits.per_address)

        return cls(
            connections=budget("connections", limits.connections, limits.connection_burst),
            requests=budget("requests", limits.requests, limits.request_burst),
            messages=budget("messages", limits.address_messages, limits.address_message_burst),
            chats=budget("chats", limits.address_chats, limits.address_chat_burst),
            hellos=budget("hellos", limits.hellos, limits.hello_burst),
            failures=budget("failures", limits.failures, limits.failure_burst),
            joins=budget("joins", limits.joins, limits.join_burst),
            tables=budget("tables", limits.tables, limits.table_burst),
            games=budget("games", limits.games, limits.game_burst),
            replays=budget("replays", limits.replays, limits.replay_burst),
            reviews=budget("reviews", limits.reviews, limits.review_burst),
            thinking=budget("thinking", limits.thinking, limits.thinking_burst),
            bot_thinking=budget("bot_thinking", limits.bot_thinking, limits.bot_thinking_burst),
        )


def limits_from(texts: Iterable[str]) -> Limits:
    """The limits with the changes of `--limit NAME=NUMBER`."""
    is_whole = {one.name: one.type is int for one in dataclasses.fields(Limits)}
    changes: dict[str, Any] = {}
    for text in texts:
        name, _, number = text.partition("=")
        name = name.strip().replace("-", "_")
        if name not in is_whole:
            raise NotAllowed("unknown_limit", name=name, allowed=", ".join(is_whole))
        try:
            value = float(number)
        except ValueError:
            value = 0.0
        if not 0 < value < 1e12:
            raise NotAllowed("bad_limit", name=name, number=number.strip())
        changes[name] = max(1, int(value)) if is_whole[name] else value
    return Limits(**changes)
