"""What every table needs from the outside: the store, the clock, keys, bots' threads; and how patient it is."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from foretell.server.bot_threads import BotThreads
from foretell.server.coach.advice import Adviser
from foretell.server.coach.advice_cache import AdviceCache
from foretell.server.game.live_game import DealingOf, fair_dealing
from foretell.server.keys import Keys, random_keys
from foretell.server.metrics import Metrics
from foretell.server.store.interface import Store
from foretell.server.table.bus import Bus, LocalBus

__all__ = ["Services", "Timeouts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long is waited for what, in seconds."""

    grace: float = 20  # after the last socket of a player is gone, before a bot plays
    host: float = 60  # before the host's role passes on
    arrival: float = 60  # before a seat in a game is free again whose new player never came
    sleep: float = 60  # before a table with nobody at it leaves memory
    thought: float = 30  # before a bot is taken to be stuck
    hello: float = 10  # before a socket that says nothing is closed


@dataclass(slots=True, kw_only=True)
class Services:
    """Shared by all tables of a process."""

    store: Store
    bus: Bus = field(default_factory=LocalBus)
    bot_threads: BotThreads = field(default_factory=BotThreads)
    keys: Keys = random_keys
    now: Callable[[], float] = time.time
    dealing: DealingOf = fair_dealing
    timeouts: Timeouts = field(default_factory=Timeouts)
    metrics: Metrics = field(default_factory=Metrics)
    stand_in: str = "counting"  # the bot that plays for who is away
    coach: Adviser | None = None
    advice_cache: AdviceCache = field(default_factory=AdviceCache)
