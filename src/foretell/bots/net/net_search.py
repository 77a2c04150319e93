"""The search on top of the net: tries the actions that the net finds likely in many worlds, and plays each one out.

1. Worlds: the hidden hands are dealt again, all deals that fit what the seat knows being equally likely.
2. Weights: a world counts by the chance that the net, in the other seats, would have made the bids and plays seen.
   As many worlds as can be played out are drawn by these weights.
3. Playouts: every candidate is tried in the same worlds, and the net plays every seat to the end of the round.  A
   result is the seat's points less the mean of the others' points.
4. Choice: the net's favourite, unless another candidate is better by more than a part of the standard error.

The effort is a number of evaluations of the net and not a time, so the same view and seed give the same choice on
every machine; `seconds` is only an upper limit.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import fsum, sqrt
from random import Random
from threading import Event

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.encoding import kernel_action
from foretell.bots.net.evaluation import first_answer
from foretell.bots.net.from_view import seen_state
from foretell.bots.net.net_player import NetPlayer, net_arrays
from foretell.bots.net.playing_out import (
    UNLIKELY_UNIT,
    copy_world,
    evaluate_state,
    play_out_round,
    unlikely_bids,
    unlikely_plays,
)
from foretell.bots.net.weights import shipped
from foretell.bots.search.fallback import substitute
from foretell.engine import Action, View
from foretell.engine.round import Phase
from foretell.errors import NotAGame
from foretell.i18n import Term
from foretell.kernel.backend.compiled import IS_COMPILED, Ints, ints
from foretell.kernel.backend.exponentials import exp
from foretell.kernel.hidden.hidden_hands import Hidden, hidden_hands
from foretell.kernel.hidden.redealing import redeal
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.random_numbers import RNG_WORDS, below, seed_rng
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.kernel.state.turn_loop import step, take_turn

__all__ = ["LikelyAction", "NetSearch"]

Stop = Callable[[], bool]
_BATCH = 8  # worlds between two looks at the clock and at the results
_MOST_DEALT, _MOST_PLAYED_OUT = 2000, 500  # worlds
_ENOUGH = 12.0  # worlds of equal weight that the worlds drawn must be worth, if they can be
_LEAST_TRUST = 0.001
_NUMBERS = (1 << codes.WIZARD) - 1  # the kinds that are numbers of a colour
_BEHIND = 1.5  # standard errors behind the best after which a candidate is given up


@dataclass(frozen=True, slots=True)
class LikelyAction:
    """An action, and the chance that the net gives to it.  `actions` are the kernel's: a card and its declaration."""

    actions: tuple[int, ...]
    action: Action
    chance: float


@dataclass(frozen=True, slots=True)
class World:
    """A world to play out, and how often it was drawn."""

    state: Ints
    count: int


class _Table:
    """What one choice works on: the rules, the state that the seat sees, and arrays of its own."""

    def __init__(self, view: View) -> None:
        self.tables: Tables = compile_rules(view.rules, view.seats, view.peoples)
        self.lookup = self.tables.words
        self.arrays = net_arrays(shipped(), self.tables)
        self.state = seen_state(self.tables, view)
        self.seat = int(self.state[in_state.TURN])
        self.room, self.past = ints(in_state.SIZE), ints(in_state.SIZE)

    def candidates(self, view: View, least: float, most: int) -> list[LikelyAction]:
        """The likely actions, the likeliest first."""
        chances: dict[tuple[int, ...], float] = {}
        for kind, chance in self._chances(self.state).items():
            copy_world(self.state, self.room)
            step(self.lookup, self.room, kind)
            if self.room[in_state.PHASE] == codes.DECLARING:
                for declared, part in self._chances(self.room).items():
                    chances[kind, declared] = chance * part
            else:
                chances[kind,] = chance
        meant: dict[tuple[int, ...], Action] = {}
        for action in view.legal:
            meant.setdefault(kernel_actions(action), action)
        found = [
            LikelyAction(actions, meant[actions], chance) for actions, chance in chances.items()
        ]
        found.sort(key=lambda one: -one.chance)
        kept: list[LikelyAction] = []
        between = self._cards_between() if view.phase == Phase.PLAY else 0
        for one in found:
            if not any(_are_alike(one, other, between) for other in kept):
                kept.append(one)
        return [one for one in kept[:most] if one.chance >= least] or kept[:1]

    def _cards_between(self) -> int:
        """The kinds that may lie between two cards of the hand in rank: those that another seat may still play."""
        lookup, state = self.lookup, self.state
        if lookup[in_lookup.OWN_CARDS]:
            return _NUMBERS  # V6: cards of other colours rank between two of one colour
        gone = int(state[in_state.HAND + self.seat])
        for place in range(int(state[in_state.FACES_PLAYED] - state[in_state.ACTED])):
            gone |= 1 << lookup[in_lookup.KIND_OF_FACE + state[in_state.HISTORY + place]]
        return _NUMBERS & ~gone

    def _chances(self, state: Ints) -> dict[int, float]:
        """The net's chance of each of the kernel's actions."""
        evaluate_state(self.lookup, state, *self.arrays)
        scratch, words, _, _, desk = self.arrays
        start = in_net.ANSWERS + first_answer(int(state[in_state.PHASE]))
        legal = int(words[in_view.LEGAL])
        allowed = [answer for answer in range(codes.KINDS) if legal >> answer & 1]
        top = max(desk[start + answer] for answer in allowed)
        parts = [exp((desk[start + answer] - top) / in_net.ANSWER_UNIT) for answer in allowed]
        total = fsum(parts)
        return {
            kernel_action(state, scratch, answer): part / total
            for answer, part in zip(allowed, parts, strict=True)
        }

    def value(self, candidate: LikelyAction, world: Ints) -> int:
        """What it is worth to take this action in this world.

        This is the points of the seat less the mean of the others', times the number of the others: a whole number.
        """
        copy_world(world, self.room)
        for action in candidate.actions:
            step(self.lookup, self.room, action)
        play_out_round(self.lookup, self.room, *self.arrays)
        first, players = in_state.ROUND_POINTS, self.tables.players
        points = self.room[first : first + players]
        return int(players * points[self.seat] - sum(points))


def _are_alike(one: LikelyAction, other: LikelyAction, between: int) -> bool:
    """Whether two plays amount to the same: neighbouring numbers of a colour, with no other card between them."""
    low, high = sorted((one.actions[0], other.actions[0]))
    is_number = high < codes.WIZARD and low // 13 == high // 13
    return is_number and between > 0 and not between & ((1 << high) - (1 << low))


class _Trials:
    """What each candidate was worth in the worlds played out so far.  The first one is the net's favourite."""

    def __init__(self, candidates: list[LikelyAction]) -> None:
        self.alive = list(range(len(candidates)))
        self.values: list[list[int]] = [[] for _ in candidates]
        self.counts: list[int] = []

    def mean_and_error(self, one: int, other: int = 0) -> tuple[float, float]:
        """How far one candidate is ahead of another, and the standard error of that.

        All sums are of whole numbers, so that they are the same on every machine.
        """
        by = [a - b for a, b in zip(self.values[one], self.values[other], strict=True)]
        total = sum(self.counts)
        ahead = sum(each * count for each, count in zip(by, self.counts, strict=True))
        spread = sum(
            (count * (each * total - ahead)) ** 2
            for each, count in zip(by, self.counts, strict=True)
        )
        return ahead / total, sqrt(spread) / total**2

    def give_up_worse(self) -> None:
        """Goes on without the candidates that are behind the best, so that more worlds are left for the others."""
        best = max(self.alive, key=lambda one: self.mean_and_error(one, self.alive[0])[0])
        kept = []
        for one in self.alive:
            mean, error = self.mean_and_error(one, best)
            if one == best or mean >= -_BEHIND * error:
                kept.append(one)
        self.alive = kept

    def best(self, certainty: float) -> int:
        """The candidate to choose: the likeliest one left, unless another is ahead by `certainty` standard errors."""
        first = chosen = self.alive[0]
        most = 0.0
        for one in self.alive[1:]:
            mean, error = self.mean_and_error(one, first)
            if mean > most and mean > certainty * error:
                most, chosen = mean, one
        return chosen


@dataclass(frozen=True, slots=True)
class NetSearch:
    """A bot that tries what the net finds likely.  In plain Python, where the net is slow, it plays as the net alone.

    `cancel` may be called from any thread: the thought under way, and any later one of this bot, ends soon.
    """

    evaluations: int = 12000  # how often the net is asked for a choice, about
    seconds: float = 0.45  # checked between batches, so a choice takes about 0.5 at most
    least_chance: float = 0.01  # of an action that is tried
    most_candidates: int = 5
    certainty: float = 0.25  # standard errors by which an action must be ahead of the favourite
    bid_certainty: float = (
        1.5  # the same for bids, whose differences are small and whose errors are large
    )
    for_weights: float = 0.75  # the share of the evaluations that weigh worlds; 0: all count alike
    is_searching: bool = IS_COMPILED
    cancelled: Event = field(default_factory=Event, compare=False, repr=False)

    def cancel(self) -> None:
        """Ends all thinking of this bot."""
        self.cancelled.set()

    def __reduce__(self) -> tuple[object, ...]:
        # The event holds a lock, which cannot be sent to another process.
        values = (getattr(self, name) for name in self.__slots__ if name != "cancelled")
        return type(self), tuple(values)

    def choose(self, view: View, random: Random, *, stop: Stop | None = None) -> Action:
        """One of `view.legal`.  `stop` is called now and then; once it returns True, the best so far is chosen."""
        seed = random.getrandbits(60)
        if len(view.legal) == 1:
            return view.legal[0]
        if not self.is_searching:
            return NetPlayer().choose(view, random)
        instead = substitute(view)
        if instead is not None:
            return instead.choose(view, random)
        table = _Table(view)
        candidates = table.candidates(view, self.least_chance, self.most_candidates)
        if len(candidates) == 1:
            return candidates[0].action
        ends = time.perf_counter() + self.seconds

        def is_late() -> bool:
            is_stopped = self.cancelled.is_set() or (stop is not None and stop())
            return is_stopped or time.perf_counter() > ends

        effort = _Effort(table, self.evaluations, self.for_weights)
        results = _Trials(candidates)
        for number, world in enumerate(self._worlds(view, table, effort, seed, is_late)):
            for one in results.alive:
                results.values[one].append(table.value(candidates[one], world.state))
                effort.left -= effort.of_playout
            results.counts.append(world.count)
            if number % _BATCH == _BATCH - 1:
                results.give_up_worse()
                if len(results.alive) == 1 or effort.left < 0 or is_late():
                    break
        is_bid = table.state[in_state.PHASE] == codes.BIDDING
        return candidates[results.best(self.bid_certainty if is_bid else self.certainty)].action

    def _worlds(
        self, view: View, table: _Table, effort: "_Effort", seed: int, is_late: Callable[[], bool]
    ) -> list[World]:
        """The worlds to play out, in random order, drawn by their weights: first by the bids, then by the plays."""
        hidden = hidden_hands(view, tables=table.tables)
        take_turn(table.lookup, hidden.state, table.seat)
        rng = ints(RNG_WORDS)
        seed_rng(rng, seed, 0)
        if not hidden.knowledge.unseen:
            return [World(_dealt(table, hidden, rng), 1)]
        made: list[World] = []
        costs: list[int] = []
        for number in range(effort.dealt):
            world = _dealt(table, hidden, rng)
            made.append(World(world, 1))
            cost = 0
            if effort.bids or effort.guesses_bids:
                cost = unlikely_bids(table.lookup, world, *table.arrays, table.past)
            costs.append(cost if effort.bids else 0)
            if number % _BATCH == 0 and is_late():
                break
        if effort.plays:
            made, costs = _drawn(made, costs, effort.kept, _fraction(rng)), []
            for number, one in enumerate(made):
                costs.append(unlikely_plays(table.lookup, one.state, *table.arrays, table.past))
                if number % _BATCH == 0 and is_late():
                    made = made[: number + 1]
                    break
        return _drawn(made, costs, effort.played_out, _fraction(rng))


class _Effort:
    """How many worlds are dealt, kept after a look at the bids, and drawn for playouts, within the evaluations.

    `left` are the evaluations for playouts.  Worlds are drawn as if all playouts were of the last two candidates.
    """

    def __init__(self, table: _Table, evaluations: int, for_weights: float) -> None:
        state, players = table.state, table.tables.players
        played = int(state[in_state.FACES_PLAYED])
        self.of_playout = max(1, (players * int(state[in_state.HAND_SIZE]) - played) * 3 // 4)
        phase, seats = int(state[in_state.PHASE]), range(players)
        made = sum(state[in_state.BID + seat] >= 0 for seat in seats if seat != table.seat)
        # After a pass (X7) the hands before it are not known, and before the trump is named nothing was seen.
        has_passed = any(state[in_state.PASSED_KIND + seat] >= 0 for seat in seats)
        is_silent = has_passed or phase == codes.NAMING_TRUMP
        self.bids = 0 if is_silent else players - 1 if phase > codes.BIDDING else made
        self.plays = 0 if is_silent else (played - played // players) * 3 // 4
        if not for_weights:
            self.bids = self.plays = 0
        if not self.plays:
            for_weights *= 0.4  # there is less to explain, and playouts are longer
        # V3: each world needs the bids that the seat has not seen.
        self.guesses_bids = phase > codes.BIDDING and made < players - 1
        self.left = int((1.0 - for_weights) * evaluations)
        most = max(_BATCH, min(self.left // (2 * self.of_playout), _MOST_PLAYED_OUT))
        self.played_out = self.dealt = self.kept = most
        if self.bids:
            share = for_weights * evaluations / (2 if self.plays else 1)
            self.dealt = max(most, min(int(share / self.bids), _MOST_DEALT))
        if self.plays:
            share = for_weights * evaluations / 2
            self.kept = max(most, min(int(share / self.plays), self.dealt))


def _fraction(rng: Ints) -> float:
    """A random number from 0 up to, but not including, 1."""
    return below(rng, in_net.LOTS) / in_net.LOTS


def _dealt(table: _Table, hidden: Hidden, rng: Ints) -> Ints:
    """A world in which the hidden hands are dealt at random."""
    world = ints(in_state.SIZE)
    copy_world(hidden.state, world)
    if not redeal(table.lookup, world, rng, *hidden.arrays):
        raise NotAGame("view_contradicts", why=Term("kernel.no_deal"))
    desk = table.arrays[-1]
    for seat in range(table.tables.players):
        desk[in_net.LOT + seat] = below(rng, in_net.LOTS)
    return world


def _drawn(made: list[World], costs: list[int], most: int, start: float) -> list[World]:
    """Draws worlds by their weights: a world with k times the mean weight is drawn about k times."""
    weights = _tempered(made, costs, _ENOUGH)
    step_size = fsum(weights) / most
    reached = start * step_size
    total = 0.0
    found = []
    for one, weight in zip(made, weights, strict=True):
        total += weight
        count = 0
        while reached < total:
            reached += step_size
            count += 1
        if count:
            found.append(World(one.state, count))
    return found


def _tempered(made: list[World], costs: list[int], enough: float) -> list[float]:
    """The weights of worlds, made more equal until they are worth `enough` worlds of equal weight.

    Without this a few worlds that explain everything would decide alone, and their errors would not show.
    """
    least, trust = min(costs), 1.0
    enough = min(enough, len(made) / 2)
    while True:
        weights = [
            one.count * exp(trust * (least - cost) / UNLIKELY_UNIT)
            for one, cost in zip(made, costs, strict=True)
        ]
        is_worth = fsum(weights) ** 2 / fsum(weight * weight for weight in weights)
        if is_worth >= enough or trust < _LEAST_TRUST:
            return weights
        trust *= 0.8
