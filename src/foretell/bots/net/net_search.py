"""The search on top of the net: tries all actions in many worlds.

1. Worlds: the hidden hands are drawn by the belief net, which was trained to say where the hidden cards are, given all
   that a seat has seen (`belief_drawing`).
2. Trials: every candidate is tried in the same worlds.  The net plays every seat for a few tricks; then the value net,
   which is shown all hands, says what the round will bring: the seat's points less the mean of the others' points.
   By then it is clear what an action has led to, and chance has changed little else.
3. Choice: the best candidate.  A lead over the net's favourite counts less, the larger its error is (`leads`).

The effort is a number of evaluations of the net and not a time, so the same view and seed give the same choice on
every machine; `seconds` is only an upper limit.
"""

import time
from dataclasses import dataclass
from random import Random

from foretell.bots.net import net_layout as in_net
from foretell.bots.net.beliefs import Beliefs, can_believe
from foretell.bots.net.cancelling import Cancellable, Stop
from foretell.bots.net.candidates import POINT, Candidate, Position
from foretell.bots.net.fallback import substitute
from foretell.bots.net.leads import DEVIATIONS, expected, mean, part_of_round
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
_FEWEST = 32  # worlds after which a candidate may be given up: fewer say little about the error
_BEHIND = 2.0  # standard deviations behind the best after which a candidate is given up
_OF_STEP = 3  # a step of the belief net takes as long as so many evaluations of the net
_UNKNOWN = 1e6  # the error of a mean of nothing, in points
_OF_VALUE = 1  # the same for one answer of the value net, at the end of a trial


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
    """What each candidate was worth in the worlds tried so far.  The first one is the net's favourite.

    `deviation` is that of true leads over the favourite, in points, before anything is tried.
    """

    def __init__(self, position: Position, candidates: list[Candidate], deviation: float) -> None:
        self.position, self.candidates, self.deviation = position, candidates, deviation
        self.alive = list(range(len(candidates)))
        self.values: list[list[int]] = [[] for _ in candidates]

    def add(self, world: Ints, tricks: int) -> None:
        """Tries each candidate in this world; the net plays so many tricks."""
        for one in self.alive:
            self.values[one].append(self.position.value(self.candidates[one], world, tricks))

    def lead(self, one: int, other: int = 0) -> tuple[float, float]:
        """How far one candidate was ahead of another, in points, and the standard error of that.

        Only worlds count in which both were tried.
        """
        by = [a - b for a, b in zip(self.values[one], self.values[other], strict=False)]
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
        """The lead of one candidate over another that has to be expected after the trials, and its deviation."""
        return expected(*self.lead(one, other), self.deviation)

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
    """A bot that tries its actions out.  In plain Python, where the net is slow, it plays as `net` does."""

    evaluations: int = 12500  # how often the net is asked for a choice, about
    seconds: float = 0.45  # looked at after every world, so a choice takes less than 0.5
    least_chance: float = 0.0  # of an action that is tried; unlikely ones are often as good
    most_candidates: int = 9
    least_lead: float = 1.0  # points by which an action must be ahead of the favourite
    cards: int = 16  # played in a trial, about, before the value net is asked
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
        """Tries the actions until the effort or the time is spent, or only one candidate is left."""
        ends = time.perf_counter() + self.seconds
        position = Position(view)
        candidates = position.candidates(view, self.least_chance, self.most_candidates)
        state, spent = position.state, 0
        size, left = int(state[in_state.HAND_SIZE]), int(state[in_state.TRICKS_LEFT])
        part, players = part_of_round(state[in_state.PHASE], size, left), position.tables.players
        # With more players, a trick more or less is shared by more.
        trials = Trials(position, candidates, DEVIATIONS[part] * 4.0 / players)
        if len(trials.alive) == 1:
            return trials
        worlds = Worlds(view, position, self.steps, seed)
        tricks = min(left, -(-self.cards // players))
        decisions = players * tricks - int(state[in_state.ACTED])
        of_trial = max(1, decisions * 3 // 4) + (_OF_VALUE if left > tricks else 0)
        number = 0
        while len(trials.alive) > 1 and (number < _AT_LEAST or spent < self.evaluations):
            trials.add(worlds.next(), tricks)
            spent += worlds.of_world + of_trial * len(trials.alive)
            number += 1
            if worlds.is_certain:
                break
            if number >= _FEWEST and number % _BATCH == 0:
                trials.give_up_worse()
            if number >= _AT_LEAST and (self.is_stopped(stop) or time.perf_counter() > ends):
                break
        return trials
