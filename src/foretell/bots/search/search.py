"""The search: every choice played out in many worlds, the worlds weighted by how well they explain what was seen.

Worlds come in batches.  After each, a choice that is clearly behind the best is given up, so that the time goes where
the question is open.  All chance comes from the seed, and so the same view and seed give the same choice; with a clock
the number of worlds depends on the machine.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp, sqrt
from random import Random
from threading import Event

from foretell.bots.search import rollout as ro
from foretell.bots.search import worlds as wo
from foretell.bots.search.bid_model import IS_CLOSE, LINE, close_line
from foretell.bots.search.habits import note_habits
from foretell.bots.search.one_card import one_card_bid
from foretell.bots.search.rollout import evaluate
from foretell.bots.search.situation import Candidate, Situation, situation
from foretell.bots.search.worlds import deal_worlds
from foretell.engine import Action, View
from foretell.errors import NotAGame
from foretell.i18n import Term
from foretell.kernel.backend.compiled import Floats, Ints, floats, ints, jit
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng

__all__ = ["Model", "Search", "Thought", "Weighed"]

Stop = Callable[[], bool]
INDIFFERENT = 0.35  # points that are not worth another thought
_NOTHING_HIDDEN = 24  # worlds that are enough where only the kinds of player are guessed


@dataclass(frozen=True, slots=True)
class Model:
    """How the other players are thought to bid and play."""

    spread: float = 0.22
    spread_each: float = 0.07
    heat: float = 0.05
    heat_each: float = 0.05
    odd_plays: float = 0.25
    trust: float = 1.0
    shift: float = -0.37
    shift_each: float = 0.137
    steep: float = 0.34
    of_share: float = -0.24
    of_bids: float = -0.012
    odd_counts: float = 0.2
    counters: float = 0.35
    odd_bids: float = 0.03

    def array(self) -> Floats:
        """What the worlds are weighed by; nothing is known of any one player."""
        x = floats(wo.MODEL)
        for place, name in enumerate(self.__slots__[: wo.COUNTS]):
            x[place] = getattr(self, name)
        for seat in range(6):
            x[wo.COUNTS + seat] = self.counters
            x[wo.ODDITY + seat] = self.odd_bids
        return x


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a choice came to: its value, its points with their error, and how often it took how many tricks."""

    choice: Candidate
    value: float
    points: float = 0.0
    error: float = 0.0  # of the points
    behind: float = 0.0  # how far they are behind the best choice's, in the same worlds
    behind_error: float = 0.0
    chance: float = 0.0  # that the bid is met
    tricks: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Thought:
    """All choices, the best first; how many worlds were played out, and how many they are worth by their weights."""

    weighed: tuple[Weighed, ...]
    worlds: int
    effective: float

    @property
    def best(self) -> Weighed:
        return self.weighed[0]


@dataclass(slots=True)
class _Tally:
    """What the worlds said so far."""

    values: Floats
    points: Floats
    tricks: Ints
    logs: Floats
    weights: Floats
    alive: Ints
    means: Floats
    errors: Floats
    done: int = 0
    effective: float = 0.0


@dataclass(frozen=True, slots=True)
class Search:
    """A bot that thinks in worlds.  `seconds` is a clock: then `worlds` is the most it will use.

    It thinks without the interpreter's lock, a batch of worlds at a time.  `cancel` may be called from any thread: the
    thought under way, and any later one of this bot, ends with the batch it is in.
    """

    worlds: int = 400
    is_weighted: bool = True
    knows_habits: bool = False  # whether the score sheet tells how the others bid
    seconds: float | None = None
    of_mean: float = 0.5
    of_win: float = 40.0
    slips: float = 0.0  # the part of plays in which the others, as imagined, do anything
    whim: float = 0.0  # how freely they choose among plays that cost about as little
    model: Model = field(default_factory=Model)
    is_close: bool = False  # whether bids are read, and foreseen, by what a hand is made of
    batch: int = 32
    cancelled: Event = field(default_factory=Event, compare=False, repr=False)

    def cancel(self) -> None:
        """Ends all thinking of this bot."""
        self.cancelled.set()

    def __reduce__(self) -> tuple[object, ...]:
        # A lock does not travel to another process.
        values = (getattr(self, name) for name in self.__slots__ if name != "cancelled")
        return type(self), tuple(values)

    def choose(self, view: View, random: Random, *, stop: Stop | None = None) -> Action:
        """One of `view.legal`.  `stop` is asked between batches; once it says so, the best so far is the answer."""
        seed = random.getrandbits(60)
        if len(view.legal) == 1:
            return view.legal[0]
        counted = one_card_bid(view, self.model.array() if self.is_weighted else None)
        if counted is not None:
            return counted
        thought = self.think(view, seed, stop=stop)
        actions = thought.best.choice.actions
        return actions[seed % len(actions)] if len(actions) > 1 else actions[0]

    def think(
        self, view: View, seed: int, *, stop: Stop | None = None, keep_all: bool = False
    ) -> Thought:
        """What each choice comes to; with `keep_all` none is given up."""
        now = situation(view)
        ends = None if self.seconds is None else time.perf_counter() + self.seconds
        x, a = self.model.array(), self._aim(view)
        if self.is_close and now.is_plain:
            _look_closely(view.seats, int(now.state[in_state.HAND_SIZE]), x)
        if self.knows_habits:
            note_habits(view, x)
        if not self.is_weighted:
            _know_nothing(now, x)
        worlds = self.worlds if now.hidden.knowledge.hidden else min(self.worlds, _NOTHING_HIDDEN)
        count = len(now.choices)
        tally = _Tally(
            floats(count * worlds),
            floats(count * worlds),
            ints(count * worlds),
            floats(worlds),
            floats(worlds),
            ints(count),
            floats(count),
            floats(count),
        )
        for c in range(count):
            tally.alive[c] = 1
        actions, words = ints(count), ints(count)
        for c, choice in enumerate(now.choices):
            actions[c], words[c] = choice.kind, choice.word
        rng, w, s0 = ints(RNG_WORDS), ints(worlds * wo.WORLD), ints(in_state.SIZE)
        seed_rng(rng, seed, 0)
        for place in range(in_state.SIZE):
            s0[place] = now.state[place]
        state, shot, j, by, c_of = now.scratch
        batch = self.batch
        while tally.done < worlds:
            upto = min(worlds, tally.done + batch)
            if not deal_worlds(
                now.t, now.m, now.f, now.i, x, s0, rng, *now.hidden.arrays, w, tally.logs,
                tally.done, upto, 64, shot, j, by, c_of,
            ):  # fmt: skip
                raise NotAGame("view_contradicts", why=Term("kernel.no_deal"))
            evaluate(
                now.t, now.m, now.f, now.i, x, a, now.state, state, now.out, now.lying, w, tally.done, upto,
                actions, words, tally.alive, count, worlds, tally.values, tally.points, tally.tricks, j, rng,
            )  # fmt: skip
            tally.done = upto
            tally.effective = weigh_worlds(tally.logs, tally.weights, upto, x[wo.TRUST])
            left = compare(
                tally.values, tally.weights, tally.alive, count, worlds, upto,
                0.0 if keep_all else 2.0, tally.means, tally.errors,
            )  # fmt: skip
            batch = min(batch * 2, 128)
            if left == 1 and not keep_all:
                break
            if self.cancelled.is_set() or (stop is not None and stop()):
                break
            if ends is not None and time.perf_counter() > ends:
                break
        return _told(now, tally, worlds, in_full=keep_all)

    def _aim(self, view: View) -> Floats:
        """Points above the others' mean; towards the end of the game the victory counts, too."""
        a = floats(ro.AIM)
        assert view.now is not None
        a[ro.OF_MEAN], a[ro.SLIPS], a[ro.WHIM] = self.of_mean, self.slips, self.whim
        left = len(view.numbers) - 1 - len(view.sheet)
        if left < 3:
            a[ro.OF_WIN] = self.of_win / (1 + left)
            a[ro.SCALE] = 0.0 if left == 0 else 25.0 * sqrt(left)
        return a


def _look_closely(players: int, cards: int, x: Floats) -> None:
    """Reads and foresees bids by what hands are made of."""
    line, x[wo.SPREAD] = close_line(players, cards)
    x[wo.SPREAD_EACH] = 0.0
    x[IS_CLOSE] = 1.0
    for place, number in enumerate(line):
        x[LINE + place] = number


def _know_nothing(now: Situation, x: Floats) -> None:
    """Uniform worlds, all players taken for the policy."""
    now.i[wo.BIDDERS] = 0
    now.i[wo.CAN_SWAP] = 0
    now.i[wo.SHOTS] = 0
    for seat in range(6):
        x[wo.COUNTS + seat] = 0.0


@jit
def weigh_worlds(logs: Floats, weights: Floats, done: int, trust: float) -> float:
    """Weights out of logarithms, tempered so that no few worlds decide alone; returns how many worlds that is worth."""
    most = logs[0]
    for number in range(done):
        most = max(most, logs[number])
    effective = 0.0
    for _ in range(12):
        total = 0.0
        squares = 0.0
        for number in range(done):
            weight = exp((logs[number] - most) * trust)
            weights[number] = weight
            total += weight
            squares += weight * weight
        effective = total * total / squares
        if effective > 0.3 * done:
            break
        trust *= 0.7
    return effective


@jit
def compare(
    values: Floats,
    weights: Floats,
    alive: Ints,
    count: int,
    worlds: int,
    done: int,
    patience: float,
    means: Floats,
    errors: Floats,
) -> int:
    """Weighted means; gives up what is `patience` errors of the difference behind the best (0: nothing).

    Returns how many choices are left; 1 also where none of those left can be much behind, so that it does not matter.
    """
    total = 0.0
    for number in range(done):
        total += weights[number]
    best = -1
    for c in range(count):
        if alive[c] == 1:
            mean = 0.0
            for number in range(done):
                mean += weights[number] * values[c * worlds + number]
            means[c] = mean / total
            if best < 0 or means[c] > means[best]:
                best = c
    left = 0
    most = 0.0
    for c in range(count):
        if alive[c] == 0:
            continue
        left += 1
        if c == best or patience == 0.0:
            continue
        squares = 0.0
        gap = means[best] - means[c]
        for number in range(done):
            off = values[best * worlds + number] - values[c * worlds + number] - gap
            squares += weights[number] * weights[number] * off * off
        errors[c] = squares**0.5 / total
        if gap > patience * errors[c] + 0.05:
            alive[c] = 0
            left -= 1
        else:
            most = max(most, gap + errors[c])
    return 1 if patience > 0.0 and most < INDIFFERENT else left


def _told(now: Situation, tally: _Tally, worlds: int, *, in_full: bool) -> Thought:
    """The living choices by value, then those given up, by what they had."""
    order = sorted(
        range(len(now.choices)), key=lambda c: (-int(tally.alive[c]), -float(tally.means[c]))
    )
    if not in_full:
        weighed = [Weighed(now.choices[c], float(tally.means[c])) for c in order]
        return Thought(tuple(weighed), tally.done, tally.effective)
    total = sum(float(tally.weights[number]) for number in range(tally.done))
    parts = [float(tally.weights[number]) / total for number in range(tally.done)]
    rows = {
        c: [float(tally.points[c * worlds + number]) for number in range(tally.done)] for c in order
    }
    best = max(order, key=lambda c: sum(p * x for p, x in zip(parts, rows[c], strict=True)))
    weighed = []
    for c in order:
        points, error = _mean(parts, rows[c])
        behind, behind_error = _mean(
            parts, [b - x for b, x in zip(rows[best], rows[c], strict=True)]
        )
        tricks = [0.0] * (int(now.state[in_state.HAND_SIZE]) + 1)
        for number, part in enumerate(parts):
            tricks[int(tally.tricks[c * worlds + number])] += part
        # S1, S2: only a bid that is met scores above nothing.
        chance = sum(part for part, x in zip(parts, rows[c], strict=True) if x > 0)
        value = float(tally.means[c])
        weighed.append(
            Weighed(
                now.choices[c], value, points, error, behind, behind_error, chance, tuple(tricks)
            )
        )
    return Thought(tuple(weighed), tally.done, tally.effective)


def _mean(parts: list[float], values: list[float]) -> tuple[float, float]:
    """The weighted mean and its error."""
    mean = sum(part * value for part, value in zip(parts, values, strict=True))
    squares = sum((part * (value - mean)) ** 2 for part, value in zip(parts, values, strict=True))
    return mean, sqrt(squares)
