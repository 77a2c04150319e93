"""What every table needs from the outside: the store, the clock, keys, bots' threads; and how patient it is."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from foretell.engine import View
from foretell.server.bus import Bus, LocalBus
from foretell.server.keys import Keys, random_keys
from foretell.server.metrics import Metrics
from foretell.server.playing import DealingOf, fair_dealing
from foretell.server.protocol import Advice
from foretell.server.questions import Questions
from foretell.server.store import Store
from foretell.server.thinking import Thinkers

__all__ = ["Adviser", "House", "Patience"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long is waited for what, in seconds."""

    grace: float = 20  # after the last socket of a player is gone, before a bot plays
    host: float = 60  # before the host's role passes on
    arrival: float = 60  # before a seat in a game is free again whose new player never came
    sleep: float = 60  # before a table with nobody at it leaves memory
    thought: float = 30  # before a bot is taken to be stuck
    hello: float = 10  # before a socket that says nothing is closed


class Adviser(Protocol):
    """The coach, seen from the server: what it thinks of each legal action."""

    def advise(self, view: View) -> tuple[Advice, ...]: ...


@dataclass(slots=True, kw_only=True)
class House:
    """Shared by all tables of a process."""

    store: Store
    bus: Bus = field(default_factory=LocalBus)
    thinkers: Thinkers = field(default_factory=Thinkers)
    keys: Keys = random_keys
    now: Callable[[], float] = time.time
    dealing: DealingOf = fair_dealing
    patience: Patience = field(default_factory=Patience)
    metrics: Metrics = field(default_factory=Metrics)
    stand_in: str = "counting"  # the bot that plays for who is away
    coach: Adviser | None = None
    questions: Questions = field(default_factory=Questions)
