"""The search: plays out every candidate in many worlds, which are weighted by how well they explain what was seen.

Worlds come in batches.  After each batch, candidates that are clearly behind the best are given up, so that time is
spent on the close ones.  All randomness comes from the seed: the same view and seed give the same choice.  The number
of worlds depends on the machine only if there is a time limit.  In plain Python it may be smaller (`world_limit.py`).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from threading import Event

from foretell.bots.search import arrays
from foretell.bots.search.bid_model import close_line
from foretell.bots.search.fallback import substitute
from foretell.bots.search.habits import note_habits
from foretell.bots.search.one_card_round import one_card_bid
from foretell.bots.search.rollout import evaluate
from foretell.bots.search.situation import Candidate, Situation, situation
from foretell.bots.search.world_limit import world_limit
from foretell.bots.search.worlds import deal_worlds
from foretell.engine import Action, View
from foretell.errors import NotAGame
from foretell.i18n import Term
from foretell.kernel.backend.compiled import IS_COMPILED, Floats, Ints, floats, ints, jit
from foretell.kernel.backend.exponentials import exp
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng

__all__ = ["Model", "Search", "Thought", "Weighed"]

Stop = Callable[[], bool]
INDIFFERENT = 0.35  # a difference of points that is not worth another batch
_BATCH_AGAINST_THE_CLOCK = 4  # in plain Python a whole batch may take longer than the time limit
_NOTHING_HIDDEN = 24  # enough worlds if no card is hidden and only the kinds of player are unknown


@dataclass(frozen=True, slots=True)
class Model:
    """How the other players are expected to bid and play; `arrays.py` explains each number."""

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
        """The model as the array `x`, with the same values for every player."""
        x = floats(arrays.MODEL)
        for place, name in enumerate(self.__slots__[: arrays.COUNTS]):
            x[place] = getattr(self, name)
        for seat in range(6):
            x[arrays.COUNTS + seat] = self.counters
            x[arrays.ODDITY + seat] = self.odd_bids
        return x


@dataclass(frozen=True, slots=True)
class Weighed:
    """The result of one candidate.  All but `candidate` and `value` are filled in only by a thought with `keep_all`."""

    candidate: Candidate
    value: float  # what the search maximises
    points: float = 0.0  # of this round
    error: float = 0.0  # one standard error of the points
    behind: float = 0.0  # points behind the best candidate, in the same worlds
    behind_error: float = 0.0
    chance: float = 0.0  # that the bid is met
    tricks: tuple[float, ...] = ()  # the chance of taking 0, 1, 2, … tricks


@dataclass(frozen=True, slots=True)
class Thought:
    """All candidates, the best first; how many worlds were played out, and how many of equal weight say as much."""

    weighed: tuple[Weighed, ...]
    worlds: int
    effective: float

    @property
    def best(self) -> Weighed:
        return self.weighed[0]


class _Results:
    """The results so far; row c of an array belongs to candidate c."""

    def __init__(self, count: int, worlds: int) -> None:
        self.count, self.worlds = count, worlds
        self.values, self.points = floats(count * worlds), floats(count * worlds)
        self.tricks = ints(count * worlds)
        self.logs, self.weights = floats(worlds), floats(worlds)
        self.alive, self.means, self.errors = ints(count), floats(count), floats(count)
        for c in range(count):
            self.alive[c] = 1
        self.done = 0  # worlds played out
        self.effective = 0.0


@dataclass(frozen=True, slots=True)
class Search:
    """A bot that plays every candidate out in many worlds.  With `seconds`, `worlds` is an upper limit.

    It thinks without Python's global interpreter lock, one batch of worlds at a time.  `cancel` may be called from any
    thread: the thought under way, and any later one of this bot, ends with its current batch.
    """

    worlds: int = 400
    is_weighted: bool = True  # whether bids and plays say anything about hands
    knows_habits: bool = False  # whether the score sheet says anything about the others
    seconds: float | None = None
    of_mean: float = 0.5  # how much of the others' mean points is subtracted from its own
    of_win: float = 40.0  # what winning the game is worth in the last round, in points
    whim: float = 0.0  # how freely the imagined others choose among plays of similar cost
    model: Model = field(default_factory=Model)
    is_close: bool = False  # whether the close line is used for bids (`bid_model.py`)
    batch: int = 32
    is_limited: bool = (
        not IS_COMPILED
    )  # whether it takes fewer worlds where a choice would take long
    cancelled: Event = field(default_factory=Event, compare=False, repr=False)

    def cancel(self) -> None:
        """Ends all thinking of this bot."""
        self.cancelled.set()

    def __reduce__(self) -> tuple[object, ...]:
        # The event holds a lock, which cannot be sent to another process.
        values = (getattr(self, name) for name in self.__slots__ if name != "cancelled")
        return type(self), tuple(values)

    def choose(self, view: View, random: Random, *, stop: Stop | None = None) -> Action:
        """One of `view.legal`.  `stop` is called between batches; once it returns True, the best so far is chosen."""
        seed = random.getrandbits(60)
        if len(view.legal) == 1:
            return view.legal[0]
        instead = substitute(view)
        if instead is not None:
            return instead.choose(view, random)
        exact_bid = one_card_bid(view, self.model.array() if self.is_weighted else None)
        if exact_bid is not None:
            return exact_bid
        actions = self.think(view, seed, stop=stop).best.candidate.actions
        return actions[seed % len(actions)] if len(actions) > 1 else actions[0]

    def think(
        self, view: View, seed: int, *, stop: Stop | None = None, keep_all: bool = False
    ) -> Thought:
        """The result of each candidate; with `keep_all` none is given up."""
        now = situation(view)
        ends = None if self.seconds is None else time.perf_counter() + self.seconds
        x, a = self._model_of(view, now), self._aim(view)
        worlds = self.worlds if now.hidden.knowledge.hidden else min(self.worlds, _NOTHING_HIDDEN)
        batch = self.batch
        if self.is_limited:
            worlds = world_limit(view, now, worlds, self.seconds)
            batch = batch if self.seconds is None else _BATCH_AGAINST_THE_CLOCK
        results = _Results(len(now.candidates), worlds)
        actions, declared = ints(results.count), ints(results.count)
        for c, candidate in enumerate(now.candidates):
            actions[c], declared[c] = candidate.kind, candidate.declared
        rng, w, s0 = ints(RNG_WORDS), ints(worlds * arrays.WORLD), ints(in_state.SIZE)
        seed_rng(rng, seed, 0)
        for place in range(in_state.SIZE):
            s0[place] = now.state[place]
        state, snapshot, j, by, c_of = now.scratch
        while results.done < worlds:
            upto = min(worlds, results.done + batch)
            if not deal_worlds(
                now.t, now.m, now.f, now.counting, now.i, x, s0, rng, *now.hidden.arrays, w,
                results.logs, results.done, upto, 64, snapshot, j, by, c_of,
            ):  # fmt: skip
                raise NotAGame("view_contradicts", why=Term("kernel.no_deal"))
            evaluate(
                now.t, now.m, now.f, now.counting, now.i, x, a, now.state, state, now.out, now.lying, w,
                results.done, upto, actions, declared, results.alive, results.count, worlds,
                results.values, results.points, results.tricks, j, rng,
            )  # fmt: skip
            results.done = upto
            results.effective = weigh_worlds(results.logs, results.weights, upto, x[arrays.TRUST])
            left = compare(
                results.values, results.weights, results.alive, results.count, worlds, upto,
                0.0 if keep_all else 2.0, results.means, results.errors,
            )  # fmt: skip
            batch = min(batch * 2, 128)
            is_decided = left == 1 and not keep_all
            is_stopped = self.cancelled.is_set() or (stop is not None and stop())
            if is_decided or is_stopped or (ends is not None and time.perf_counter() > ends):
                break
        return _full_thought(now, results) if keep_all else _thought(now, results)

    def _model_of(self, view: View, now: Situation) -> Floats:
        """How this search models the others at this table."""
        x = self.model.array()
        if self.is_close and now.is_plain:
            _use_close_line(view.seats, int(now.state[in_state.HAND_SIZE]), x)
        if self.knows_habits:
            note_habits(view, x)
        if not self.is_weighted:
            _know_nothing(now, x)
        return x

    def _aim(self, view: View) -> Floats:
        """What is maximised: points above the others' mean; in the last rounds of a game winning counts as well."""
        a = floats(arrays.AIM)
        a[arrays.OF_MEAN], a[arrays.WHIM] = self.of_mean, self.whim
        left = len(view.numbers) - 1 - len(view.sheet)
        if left < 3:
            a[arrays.OF_WIN] = self.of_win / (1 + left)
            a[arrays.SCALE] = 0.0 if left == 0 else 25.0 * sqrt(left)
        return a


def _use_close_line(players: int, cards: int, x: Floats) -> None:
    """Sets the model to use the close line for bids."""
    line, x[arrays.SPREAD] = close_line(players, cards)
    x[arrays.SPREAD_EACH] = 0.0
    x[arrays.IS_CLOSE] = 1.0
    for place, number in enumerate(line):
        x[arrays.LINE + place] = number


def _know_nothing(now: Situation, x: Floats) -> None:
    """Sets the model so that all worlds have the same weight and every player follows the heuristic."""
    now.i[arrays.BIDDERS] = 0
    now.i[arrays.CAN_SWAP] = 0
    now.i[arrays.SNAPSHOTS] = 0
    for seat in range(6):
        x[arrays.COUNTS + seat] = 0.0


@jit
def weigh_worlds(logs: Floats, weights: Floats, done: int, trust: float) -> float:
    """Turns logarithms into weights; returns how many worlds of equal weight would say as much (the effective number).

    Weights are made more equal until this number is 30 % of the worlds, so that a few worlds do not decide alone.
    """
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
    """Computes weighted means; gives up candidates `patience` standard errors behind the best (0: gives up none).

    Returns how many candidates are left, or 1 if those left are so close to each other that it does not matter.
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
        errors[c] = sqrt(squares) / total
        if gap > patience * errors[c] + 0.05:
            alive[c] = 0
            left -= 1
        else:
            most = max(most, gap + errors[c])
    return 1 if patience > 0.0 and most < INDIFFERENT else left


def _order(results: _Results) -> list[int]:
    """The candidates still alive, by value; then those that were given up, by the value that they had."""
    return sorted(
        range(results.count), key=lambda c: (-int(results.alive[c]), -float(results.means[c]))
    )


def _thought(now: Situation, results: _Results) -> Thought:
    weighed = [Weighed(now.candidates[c], float(results.means[c])) for c in _order(results)]
    return Thought(tuple(weighed), results.done, results.effective)


def _full_thought(now: Situation, results: _Results) -> Thought:
    order, worlds, done = _order(results), results.worlds, results.done
    total = sum(float(results.weights[number]) for number in range(done))
    parts = [float(results.weights[number]) / total for number in range(done)]
    rows = {
        c: [float(results.points[c * worlds + number]) for number in range(done)] for c in order
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
            tricks[int(results.tricks[c * worlds + number])] += part
        # S1, S2: only a bid that is met scores more than 0.
        chance = sum(part for part, x in zip(parts, rows[c], strict=True) if x > 0)
        value = float(results.means[c])
        weighed.append(
            Weighed(
                now.candidates[c], value, points, error, behind, behind_error, chance, tuple(tricks)
            )
        )
    return Thought(tuple(weighed), done, results.effective)


def _mean(parts: list[float], values: list[float]) -> tuple[float, float]:
    """The weighted mean and its standard error."""
    mean = sum(part * value for part, value in zip(parts, values, strict=True))
    squares = sum((part * (value - mean)) ** 2 for part, value in zip(parts, values, strict=True))
    return mean, sqrt(squares)
