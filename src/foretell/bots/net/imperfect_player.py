"""A player that asks the net as a weaker person would: it forgets, it overlooks, and it is not sure.

Nothing is drawn from all legal actions.  Its mistakes are those that people make:

    memory      played cards are forgotten, and who has run out of a colour
    hearing     the bids of the others are not considered, neither when it bids nor when it plays
    optimism    it bids too high
    eagerness   tricks are taken where they can be taken, needed or not: Wizards and trumps are spent too early
    doubt       of several sensible actions, it does not see which one is best

What is sensible is decided by the net with everything in sight.  So the player makes mistakes, but plays no nonsense.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.encoding import kernel_action, observe
from foretell.bots.net.evaluation import evaluate_net, first_answer
from foretell.bots.net.fallback import substitute
from foretell.bots.net.from_view import seen_state
from foretell.bots.net.net_player import NetArrays, net_arrays
from foretell.bots.net.weights import Weights, shipped_small
from foretell.engine import Action, View
from foretell.kernel.backend.compiled import Ints
from foretell.kernel.backend.exponentials import exp
from foretell.kernel.state import codes, turn_loop
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.tables import compile_rules

__all__ = ["EVERY_CARD", "NO_CARD", "WIZARDS", "ImperfectPlayer"]

EVERY_CARD, WIZARDS, NO_CARD = 1, 14, 15
"""For `remembers_from`; WIZARDS also stands for Jesters and special cards."""

# A bid that is one trick off is much farther from the best one, in the net's answers, than another card is.  So the
# sense of bids is wider, but in small rounds not so wide that a lone Wizard is taken to lose its trick.
_SENSE_OF_BIDS = 3.0
_MOST_SENSE_OF_BIDS, _MORE_FOR_EACH_CARD = 7.0, 1.5
# In rules where bids are made at once and stay secret, the net is not shown the bids of the others.
_UNHEARD = 1 << in_view.RULES_BIDS_AT_ONCE | 1 << in_view.RULES_SECRET
_COPIES = ((1 << in_view.COPY_BITS) - 1) << in_view.TALLY_PLAYED_COPIES
_VOIDS = ((1 << (in_view.SEAT_WINS - in_view.SEAT_VOID)) - 1) << in_view.SEAT_VOID


@dataclass(frozen=True, slots=True)
class ImperfectPlayer:
    """A net with these faults.  The same view and seed give the same choice on every machine.

    The last four are in units of the net's answers.  In the median, the small net's second best bid is 3 below the best
    one and the worst bid 34; the second best of several cards is 1.7 below, and the worst card 8.
    """

    net: Callable[[], Weights] = shipped_small
    remembers_from: int = EVERY_CARD  # the lowest number that it remembers once its trick is over
    hears_bids: bool = True
    optimism: float = 0.0  # added to the answer of a bid, for each trick
    eagerness: float = 0.0  # added to the answer of a card that takes the trick as it lies
    doubt: float = 0.5  # an action this far behind is chosen e times less often
    sense: float = 2.0  # an action farther behind the best one than this is nonsense

    def choose(self, view: View, random: Random) -> Action:
        if len(view.legal) == 1:
            return view.legal[0]
        instead = substitute(view)
        if instead is not None:
            return instead.choose(view, random)
        tables = compile_rules(view.rules, view.seats, view.peoples)
        state, arrays = seen_state(tables, view), net_arrays(self.net(), tables)
        chosen: tuple[int, ...] = (self.answer(tables.words, state, arrays, random),)
        if state[in_state.PHASE] == codes.PLAYING:
            turn_loop.step(tables.words, state, chosen[0])
            if state[in_state.PHASE] == codes.DECLARING:
                chosen += (self.answer(tables.words, state, arrays, random),)
        return next(action for action in view.legal if kernel_actions(action) == chosen)

    def answer(self, lookup: Ints, state: Ints, arrays: NetArrays, random: Random) -> int:
        """The kernel's action that the player chooses for the seat on turn."""
        actions, likings = self._liked(lookup, state, arrays)
        return actions[self._drawn(likings, random)] if likings else actions[0]

    def chances(self, view: View) -> dict[int, float]:
        """How likely the player takes each action of the kernel that it finds sensible."""
        tables = compile_rules(view.rules, view.seats, view.peoples)
        arrays = net_arrays(self.net(), tables)
        actions, likings = self._liked(tables.words, seen_state(tables, view), arrays)
        shares = self._shares(likings or [0.0])
        return {one: share / sum(shares) for one, share in zip(actions, shares, strict=True)}

    def _liked(self, lookup: Ints, state: Ints, arrays: NetArrays) -> tuple[list[int], list[float]]:
        """The sensible actions of the kernel for the seat on turn, and how much each is liked.

        Where only one action is allowed there is nothing to like.
        """
        scratch, words, desk = arrays.scratch, arrays.words, arrays.desk
        phase = state[in_state.PHASE]
        start = in_net.ANSWERS + first_answer(phase)
        observe(lookup, state, desk[in_net.TRAITS], scratch, words)
        legal = int(words[in_view.LEGAL])
        if not legal & (legal - 1):
            return [kernel_action(state, scratch, legal.bit_length() - 1)], []
        evaluate_net(words, arrays.wide, arrays.narrow, desk)
        allowed = [one for one in range(codes.KINDS) if legal >> one & 1]
        sense = self.sense
        if phase == codes.BIDDING:
            most = _MOST_SENSE_OF_BIDS + _MORE_FOR_EACH_CARD * state[in_state.HAND_SIZE]
            sense = min(_SENSE_OF_BIDS * sense, most)
        least = max(desk[start + one] for one in allowed) - sense * in_net.ANSWER_UNIT
        sensible = [one for one in allowed if desk[start + one] >= least]
        if not self.hears_bids:
            observe(lookup, state, desk[in_net.TRAITS] | _UNHEARD, scratch, words)
        self._forget(words)
        evaluate_net(words, arrays.wide, arrays.narrow, desk)
        likings = [desk[start + one] / in_net.ANSWER_UNIT for one in sensible]
        for place, one in enumerate(sensible):
            if phase == codes.BIDDING:
                likings[place] += self.optimism * one
            elif phase == codes.PLAYING:
                likings[place] += self.eagerness * (words[in_view.TAKES] >> one & 1)
        return [kernel_action(state, scratch, one) for one in sensible], likings

    def _forget(self, words: Ints) -> None:
        """Takes what is forgotten out of the observation.  The trick on the table is in sight."""
        if self.remembers_from == EVERY_CARD:
            return
        numbers = (1 << 13) - (1 << min(13, self.remembers_from - 1))
        kept = words[in_view.TRICK] | sum(numbers << 13 * colour for colour in range(4))
        if self.remembers_from <= WIZARDS:
            kept |= (1 << codes.KINDS) - (1 << codes.WIZARD)
        for place in range(codes.SEATS):
            words[in_view.PLAYED + place] &= kept
            words[in_view.SEAT + place] &= ~_VOIDS
            if self.remembers_from > WIZARDS:
                words[in_view.TALLY + place] &= ~_COPIES

    def _shares(self, likings: list[float]) -> list[float]:
        """How often each is chosen, as shares of no particular whole."""
        top = max(likings)
        return [exp((liking - top) / self.doubt) for liking in likings]

    def _drawn(self, likings: list[float], random: Random) -> int:
        """A place in the list, drawn by how much each is liked."""
        shares = self._shares(likings)
        total = 0.0
        for (
            share
        ) in shares:  # in a fixed order, and not by `sum`, which newer Pythons do more exactly
            total += share
        rest, place = random.random() * total, 0
        while place < len(shares) - 1 and rest >= shares[place]:
            rest -= shares[place]
            place += 1
        return place
