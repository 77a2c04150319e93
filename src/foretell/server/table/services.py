"""What all tables of a process share: the store, the clock, the timeouts, the threads for bots and so on.

Nothing here belongs to a single table.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from foretell.server.coach.advice import Adviser
from foretell.server.coach.advice_cache import AdviceCache
from foretell.server.game.live_game import DealingOf, fair_dealing
from foretell.server.keys import Keys, random_keys
from foretell.server.metrics import Metrics
from foretell.server.store.interface import Store, TableState
from foretell.server.table.pauses import table_pause
from foretell.server.table.seat_holders import SeatHolders
from foretell.server.thinking import Thinkers, Thinking
from foretell.server.wakeups import Wakeups

__all__ = ["Services", "Timeouts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long a table waits, in seconds."""

    grace: float = 20  # for a disconnected player, before a bot plays
    host: float = 60  # for a disconnected host, before another player becomes the host
    arrival: float = 60  # for a player who took a seat by HTTP, before the seat is free again
    reveal: float = 3  # for the words of a game that is about to begin, before hashes replace them
    sleep: float = 60  # with nobody at the table, before it is removed from memory
    thought: float = 30  # for a bot, before it counts as stuck
    patience: float = 120  # for a decision without a clock, before any player may let a bot make it
    hello: float = 10  # for the first message of a socket, before it is closed


def _bot_threads() -> Thinkers:
    from foretell.server.bot_threads import BotThreads  # noqa: PLC0415 (a browser has no threads)

    return BotThreads()


@dataclass(slots=True, kw_only=True)
class Services:
    """Shared by all tables of a process."""

    store: Store
    bot_threads: Thinkers = field(default_factory=_bot_threads)
    wakeups: Wakeups = field(default_factory=Wakeups)
    keys: Keys = random_keys
    now: Callable[[], float] = time.time
    dealing: DealingOf = fair_dealing
    timeouts: Timeouts = field(default_factory=Timeouts)
    metrics: Metrics = field(default_factory=Metrics)
    stand_in: str = "counting"  # the level of the bot that plays for an absent player
    pause_of: Callable[[TableState], float] = table_pause  # of the bots at a table, in seconds
    pause_random: Random = field(default_factory=Random)  # for the pauses of bots
    coach: Adviser | None = None
    seat_holders: SeatHolders = field(default_factory=SeatHolders)
    advice_cache: AdviceCache = field(default_factory=AdviceCache)
    most_spectators: int = 100  # at one table
    most_spectators_per_address: int = 20  # at one table
    # Called with an address and the seconds that the coach has thought for it.
    on_thought: Callable[[str | None, float], None] = lambda _address, _seconds: None
    # The same for bots, and whether their time for an address is used up.
    on_bot_thought: Callable[[str | None, float], None] = lambda _address, _seconds: None
    is_bot_time_used_up: Callable[[str | None], bool] = lambda _address: False

    def __post_init__(self) -> None:
        self.bot_threads.on_start = self.wakeups.on_start = self.metrics.waited

    def urgency(self, payer: str | None, *, are_people_here: bool) -> Thinking:
        """How urgent it is that a bot thinks at a table for which this address pays."""
        is_urgent = are_people_here and not self.is_bot_time_used_up(payer)
        return Thinking.FOR_PEOPLE if is_urgent else Thinking.FOR_ABSENT

    def close_threads(self) -> None:
        """Drops all work that waits for a thread."""
        self.bot_threads.close()
        self.wakeups.close()
