"""The search on top of the net: tries the actions that the net finds likely in many worlds.

1. Worlds: the hidden hands are drawn by the belief net, which was trained to say where the hidden cards are, given all
   that a seat has seen (`belief_drawing`).
2. Values: every candidate is tried in the same worlds, and the value net, which is shown all hands, says what the round
   will bring: the seat's points less the mean of the others' points.  This is quick, but not quite right.
3. Playouts: in these worlds, one after another, and then in new ones, the net plays every seat to the end of the round.
4. Choice: the best candidate.  A lead over the net's favourite is expected to be a share of what the value net says.  A
   lead in playouts corrects this, and counts less, the larger its error is (`leads`).

The effort is a number of evaluations of the net and not a time, so the same view and seed give the same choice on
every machine; `seconds` is only an upper limit.
"""

import time
from collections import deque
from dataclasses import dataclass
from math import sqrt
from random import Random

from foretell.bots.net import net_layout as in_net
from foretell.bots.net.beliefs import Beliefs, can_believe
from foretell.bots.net.cancelling import Cancellable, Stop
from foretell.bots.net.candidates import POINT, LikelyAction, Position
from foretell.bots.net.fallback import substitute
from foretell.bots.net.leads import PRIORS, Prior, expected, mean, part_of_round
from foretell.bots.net.net_player import NetPlayer
from foretell.bots.net.playing_out import copy_world, draw_secret_bids
from foretell.engine import Action, View
from foretell.errors import NotAGame
from foretell.i18n import Term
from foretell.kernel.backend.compiled import IS_COMPILED, Ints, ints
from foretell.kernel.hidden.hidden_hands import hidden_hands
from foretell.kernel.hidden.redealing import redeal
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS, below, seed_rng
from foretell.kernel.state.turn_loop import take_turn

__all__ = ["NetSearch", "Trials", "Worlds"]

_AT_LEAST = 8  # worlds, whatever the time and the effort
_BATCH = 8  # worlds between two looks at the results
_FEWEST = 48  # worlds after which a candidate may be given up: fewer say little about the error
_BEHIND = 2.0  # standard deviations behind the best after which a candidate is given up
_OF_STEP = 3  # a step of the belief net takes as long as so many evaluations of the net
_UNKNOWN = 1e6  # the error of a mean of nothing, in points
_OF_VALUE = 0.5  # the same for one answer of the value net


class Worlds:
    """Deals of the hidden hands, one after another: by the belief net, or else all that fit are equally likely."""

    def __init__(self, view: View, position: Position, steps: int, seed: int) -> None:
        self.position = position
        self.hidden = hidden_hands(view, tables=position.tables)
        take_turn(position.lookup, self.hidden.state, position.seat)
        self.rng = ints(RNG_WORDS)
        seed_rng(self.rng, seed, 0)
        self.beliefs = None
        if steps and can_believe(self.hidden):
            self.beliefs = Beliefs(self.hidden, position.state, steps)
        state, seats = position.state, range(position.tables.players)
        # V3: each world needs the bids that the seat has not seen.
        is_after_bids = state[in_state.PHASE] > codes.BIDDING
        self.bids_to_draw = sum(is_after_bids and state[in_state.BID + seat] < 0 for seat in seats)
        self.is_certain = not self.hidden.knowledge.hidden and not self.bids_to_draw
        # What a world costs, in evaluations of the net; the first step of each moment is done once.
        of_beliefs = _OF_STEP * (steps - 1) if self.beliefs is not None else 0
        self.of_world = of_beliefs + self.bids_to_draw

    def next(self) -> Ints:
        """A new world: a state with a hand for every seat."""
        position = self.position
        world = ints(in_state.SIZE)
        copy_world(self.hidden.state, world)
        if self.beliefs is not None:
            self.beliefs.deal(world, self.rng)
        elif not redeal(position.lookup, world, self.rng, *self.hidden.arrays):
            raise NotAGame("view_contradicts", why=Term("kernel.no_deal"))
        if self.bids_to_draw:
            for seat in range(position.tables.players):
                position.arrays.desk[in_net.LOT + seat] = below(self.rng, in_net.LOTS)
            draw_secret_bids(position.lookup, world, *position.arrays, position.past)
        return world


class Trials:
    """What each candidate was worth in the worlds tried so far.  The first one is the net's favourite."""

    def __init__(
        self, position: Position, candidates: list[LikelyAction], prior: Prior = PRIORS[1]
    ) -> None:
        self.position, self.candidates, self.prior = position, candidates, prior
        self.alive = list(range(len(candidates)))
        self.foreseen: list[list[int]] = [[] for _ in candidates]  # by the value net
        self.values: list[list[int]] = [[] for _ in candidates]  # by playouts

    def foresee(self, world: Ints) -> None:
        """Asks the value net what each candidate will bring in this world."""
        for one in self.alive:
            self.foreseen[one].append(self.position.foreseen(self.candidates[one], world))

    def play_out(self, world: Ints) -> None:
        """Plays each candidate out in this world."""
        for one in self.alive:
            self.values[one].append(self.position.value(self.candidates[one], world))

    def lead(self, one: int, other: int = 0) -> tuple[float, float]:
        """How far one candidate was ahead of another in playouts, in points, and the standard error of that.

        Only worlds count in which both were tried.
        """
        return self._lead(self.values, one, other)

    def foreseen_lead(self, one: int, other: int = 0) -> tuple[float, float]:
        """The same by the value net, whose own error does not count."""
        return self._lead(self.foreseen, one, other)

    def _lead(self, values: list[list[int]], one: int, other: int) -> tuple[float, float]:
        by = [a - b for a, b in zip(values[one], values[other], strict=False)]
        if not by:
            return 0.0, _UNKNOWN
        others = (self.position.tables.players - 1) * POINT
        lead, error = mean(by)
        return lead / others, error / others

    def give_up_worse(self) -> None:
        """Goes on without the candidates that are behind the best, so that more worlds are left for the others."""
        best = max(self.alive, key=lambda one: self.expected(one, self.alive[0])[0])
        kept = []
        for one in self.alive:
            lead, deviation = self.expected(one, best)
            if one == best or lead > -_BEHIND * deviation:
                kept.append(one)
        self.alive = kept

    def expected(self, one: int, other: int = 0) -> tuple[float, float]:
        """The lead of one candidate over another that has to be expected after the trials, and its deviation.

        Before the playouts, it is expected to be a share of what the value net says (`Prior`).
        """
        around, deviation = 0.0, self.prior.at_table(self.position.tables.players)
        if self.foreseen[one]:
            lead, error = self.foreseen_lead(one, other)
            around, error = self.prior.share * lead, self.prior.share * error
            deviation = sqrt(deviation * deviation + error * error)
        return expected(*self.lead(one, other), deviation, around)

    def best(self, least_lead: float) -> int:
        """The candidate to choose: the favourite, unless another is expected to be ahead by `least_lead` points."""
        chosen, most = self.alive[0], 0.0
        for one in self.alive[1:]:
            lead, _ = self.expected(one, self.alive[0])
            if lead > most and lead > least_lead:
                chosen, most = one, lead
        return chosen


@dataclass(frozen=True, slots=True)
class NetSearch(Cancellable):
    """A bot that tries what the net finds likely.  In plain Python, where the net is slow, it plays as `net` does."""

    evaluations: int = 14000  # how often the net is asked for a choice, about
    seconds: float = 0.45  # looked at after every world, so a choice takes less than 0.5
    least_chance: float = 0.01  # of an action that is tried
    most_candidates: int = 5
    least_lead: float = 1.0  # points by which an action must be ahead of the favourite
    foreseen: int = 96  # worlds in which the value net is asked before any playout; 0: in none
    steps: int = 4  # in which the belief net draws a world; 0: deals that fit are equally likely
    is_searching: bool = IS_COMPILED

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
        trials = self.think(view, seed, stop=stop)
        return trials.candidates[trials.best(self.least_lead)].action

    def think(self, view: View, seed: int, *, stop: Stop | None = None) -> Trials:
        """Tries the likely actions until the effort or the time is spent, or only one candidate is left."""
        ends = time.perf_counter() + self.seconds
        position = Position(view)
        candidates = position.candidates(view, self.least_chance, self.most_candidates)
        state, spent = position.state, 0.0
        part = part_of_round(
            state[in_state.PHASE], state[in_state.HAND_SIZE], state[in_state.TRICKS_LEFT]
        )
        trials = Trials(position, candidates, PRIORS[part])
        if len(trials.alive) == 1:
            return trials
        worlds = Worlds(view, position, self.steps, seed)
        is_foreseeing = self.foreseen > 0 and not worlds.is_certain
        cards = position.tables.players * state[in_state.HAND_SIZE] - state[in_state.FACES_PLAYED]
        of_playout = max(1, int(cards) * 3 // 4)
        waiting: deque[Ints] = deque()  # worlds that were foreseen, and not played out yet

        def is_ended() -> bool:
            return self.is_stopped(stop) or time.perf_counter() > ends

        def new_world() -> None:
            nonlocal spent
            waiting.append(worlds.next())
            spent += worlds.of_world
            if is_foreseeing:
                trials.foresee(waiting[-1])
                spent += _OF_VALUE * len(trials.alive)

        if is_foreseeing:
            while len(waiting) < self.foreseen and (
                len(waiting) < _AT_LEAST or 2 * spent < self.evaluations
            ):
                new_world()
                if len(waiting) >= _AT_LEAST and is_ended():
                    return trials
            trials.give_up_worse()
        number = 0
        while len(trials.alive) > 1 and (number < _AT_LEAST or spent < self.evaluations):
            if not waiting:
                new_world()
            trials.play_out(waiting.popleft())
            spent += of_playout * len(trials.alive)
            number += 1
            if worlds.is_certain:
                break
            if number >= _FEWEST and number % _BATCH == 0:
                trials.give_up_worse()
            if number >= _AT_LEAST and is_ended():
                break
        return trials
