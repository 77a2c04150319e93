"""The search on top of the net: tries the actions that the net finds likely in many worlds, and plays each one out.

1. Worlds: the hidden hands are drawn by the belief net, which was trained to say where the hidden cards are, given all
   that a seat has seen (`belief_drawing`).
2. Playouts: every candidate is tried in the same worlds, and the net plays every seat to the end of the round.  A
   result is the seat's points less the mean of the others' points.
3. Choice: the best candidate.  A lead over the net's favourite counts less, the larger its error is: before anything is
   tried, leads are taken to be a normal variable.

The effort is a number of evaluations of the net and not a time, so the same view and seed give the same choice on
every machine; `seconds` is only an upper limit.
"""

import time
from dataclasses import dataclass
from random import Random

from foretell.bots.net import net_layout as in_net
from foretell.bots.net.beliefs import Beliefs, can_believe
from foretell.bots.net.cancelling import Cancellable, Stop
from foretell.bots.net.candidates import LikelyAction, Position
from foretell.bots.net.fallback import substitute
from foretell.bots.net.leads import PRIOR, expected, mean
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
    """What each candidate was worth in the worlds played out so far.  The first one is the net's favourite."""

    def __init__(
        self, position: Position, candidates: list[LikelyAction], prior: float = PRIOR
    ) -> None:
        self.position, self.candidates, self.prior = position, candidates, prior
        self.alive = list(range(len(candidates)))
        self.values: list[list[int]] = [[] for _ in candidates]

    def lead(self, one: int, other: int = 0) -> tuple[float, float]:
        """How far one candidate is ahead of another, in points, and the standard error of that.

        Only worlds count in which both were tried.
        """
        by = [a - b for a, b in zip(self.values[one], self.values[other], strict=False)]
        others = self.position.tables.players - 1
        lead, error = mean(by)
        return lead / others, error / others

    def give_up_worse(self) -> None:
        """Goes on without the candidates that are behind the best, so that more worlds are left for the others."""
        best = max(self.alive, key=lambda one: self.lead(one, self.alive[0])[0])
        kept = []
        for one in self.alive:
            lead, deviation = self.expected(one, best)
            if one == best or lead > -_BEHIND * deviation:
                kept.append(one)
        self.alive = kept

    def expected(self, one: int, other: int = 0) -> tuple[float, float]:
        """The lead of one candidate over another that has to be expected after the trials, and its deviation.

        Before the trials, leads are expected to be 0 with a standard deviation of `prior`.
        """
        lead, error = self.lead(one, other)
        return expected(lead, error, self.prior)

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

    evaluations: int = 8000  # how often the net is asked for a choice, about
    seconds: float = 0.45  # looked at after every world, so a choice takes less than 0.5
    least_chance: float = 0.01  # of an action that is tried
    most_candidates: int = 5
    prior: float = PRIOR  # the standard deviation of true leads over the favourite, in points
    least_lead: float = 1.0  # points by which an action must be ahead of the favourite
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
        """Plays the likely actions out until the effort or the time is spent, or only one candidate is left."""
        ends = time.perf_counter() + self.seconds
        position = Position(view)
        candidates = position.candidates(view, self.least_chance, self.most_candidates)
        trials = Trials(position, candidates, self.prior)
        if len(trials.alive) == 1:
            return trials
        worlds = Worlds(view, position, self.steps, seed)
        state, spent = position.state, 0
        cards = position.tables.players * state[in_state.HAND_SIZE] - state[in_state.FACES_PLAYED]
        of_playout = max(1, int(cards) * 3 // 4)
        number = 0
        while len(trials.alive) > 1 and (number < _AT_LEAST or spent < self.evaluations):
            world = worlds.next()
            for one in trials.alive:
                trials.values[one].append(position.value(trials.candidates[one], world))
            spent += worlds.of_world + of_playout * len(trials.alive)
            number += 1
            if worlds.is_certain:
                break
            if number >= _FEWEST and number % _BATCH == 0:
                trials.give_up_worse()
            if number >= _AT_LEAST and (self.is_stopped(stop) or time.perf_counter() > ends):
                break
        return trials
