"""What one choice of the search works on: the actions to try, and what each of them is worth in a world."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net import value_layout as in_value
from foretell.bots.net.encoding import kernel_action
from foretell.bots.net.evaluation import first_answer
from foretell.bots.net.from_view import seen_state
from foretell.bots.net.net_player import NetArrays, net_arrays
from foretell.bots.net.playing_out import copy_world, evaluate_state, foresee, play_tricks
from foretell.bots.net.weights import shipped, shipped_small, shipped_value
from foretell.engine import Action, View
from foretell.engine.round import Phase
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.backend.exponentials import exp
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.kernel.state.turn_loop import is_round_over, step

__all__ = ["POINT", "Candidate", "Position"]

POINT = 64
"""What an action is worth is a whole number: so many are one point, times the number of the other seats."""

_NUMBERS = (1 << codes.WIZARD) - 1  # the kinds that are numbers of a colour


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action, and the chance that the net gives to it.  `actions` are the kernel's: a card and its declaration.

    `alike` are all legal actions that amount to the same, such as two Wizards or neighbouring cards of a colour.
    """

    actions: tuple[int, ...]
    chance: float
    alike: tuple[Action, ...]

    @property
    def action(self) -> Action:
        return self.alike[0]


class Position:
    """What one choice works on: the rules, the state that the seat sees, and arrays of its own."""

    def __init__(self, view: View) -> None:
        self.tables: Tables = compile_rules(view.rules, view.seats, view.peoples)
        self.lookup = self.tables.words
        self.arrays = net_arrays(shipped(), self.tables)
        self.state = seen_state(self.tables, view)
        self.seat = int(self.state[in_state.TURN])
        self.room, self.past = ints(in_state.SIZE), ints(in_state.SIZE)

    @cached_property
    def quick(self) -> NetArrays:
        """The arrays of the small net.  Only the coach asks it, and a browser loads it for that alone."""
        return net_arrays(shipped_small(), self.tables)

    @cached_property
    def all_seeing(self) -> NetArrays:
        """The arrays of the value net."""
        return net_arrays(shipped_value(), self.tables)

    def candidates(self, view: View, least: float, most: int) -> list[Candidate]:
        """The actions to which the net gives at least this chance, the likeliest first."""
        chances: dict[tuple[int, ...], float] = {}
        for kind, chance in self._chances(self.state).items():
            copy_world(self.state, self.room)
            step(self.lookup, self.room, kind)
            if self.room[in_state.PHASE] == codes.DECLARING:
                for declared, part in self._chances(self.room).items():
                    chances[kind, declared] = chance * part
            else:
                chances[kind,] = chance
        meant: dict[tuple[int, ...], list[Action]] = {}
        for action in view.legal:
            meant.setdefault(kernel_actions(action), []).append(action)
        found = [
            Candidate(actions, chance, tuple(meant[actions])) for actions, chance in chances.items()
        ]
        found.sort(key=lambda one: -one.chance)
        kept: list[Candidate] = []
        between = self._cards_between() if view.phase == Phase.PLAY else 0
        for one in found:
            same = (place for place, other in enumerate(kept) if _are_alike(one, other, between))
            place = next(same, None)
            if place is None:
                kept.append(one)
            else:
                kept[place] = replace(kept[place], alike=kept[place].alike + one.alike)
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
        desk = self.arrays.desk
        start = in_net.ANSWERS + first_answer(int(state[in_state.PHASE]))
        legal = int(self.arrays.words[in_view.LEGAL])
        allowed = [answer for answer in range(codes.KINDS) if legal >> answer & 1]
        top = max(desk[start + answer] for answer in allowed)
        parts = [exp((desk[start + answer] - top) / in_net.ANSWER_UNIT) for answer in allowed]
        total = fsum(parts)
        return {
            kernel_action(state, self.arrays.scratch, answer): part / total
            for answer, part in zip(allowed, parts, strict=True)
        }

    def _take(self, candidate: Candidate, world: Ints) -> None:
        """`room` is this world after this action."""
        copy_world(world, self.room)
        for action in candidate.actions:
            step(self.lookup, self.room, action)

    def play_out(self, candidate: Candidate, world: Ints, *, is_quick: bool) -> None:
        """Takes this action in this world; the net, or the small one, plays on.  `room` has the end of the round."""
        self._take(candidate, world)
        play_tricks(self.lookup, self.room, *(self.quick if is_quick else self.arrays), 0)

    def outcome(self, candidate: Candidate, world: Ints) -> int:
        """What this action brings in this world if the net plays on: the points of the seat less the others' mean."""
        self.play_out(candidate, world, is_quick=False)
        return self._brought()

    def value(self, candidate: Candidate, world: Ints, tricks: int) -> int:
        """The same, but the net plays only until so many tricks are over; the value net says what the rest brings."""
        self._take(candidate, world)
        left = max(0, int(world[in_state.TRICKS_LEFT]) - tricks)
        play_tricks(self.lookup, self.room, *self.arrays, left)
        if not is_round_over(self.room):
            foresee(self.lookup, self.room, *self.all_seeing)
        return self._brought() if is_round_over(self.room) else self._foreseen()

    def _foreseen(self) -> int:
        """What the value net has just said that the round in `room` will bring."""
        players = self.tables.players
        place = (self.seat - int(self.room[in_state.TURN])) % players
        answer = int(self.all_seeing.desk[in_net.ANSWERS + in_value.REWARD + place])
        unit = in_value.REWARD_UNIT * (2 * players + int(self.room[in_state.HAND_SIZE]))
        worth = answer * unit * (players - 1) * POINT
        one = players * in_net.ANSWER_UNIT
        return (2 * worth + one) // (2 * one)

    def _brought(self) -> int:
        """What the round that ended in `room` has brought."""
        first, players = in_state.ROUND_POINTS, self.tables.players
        points = self.room[first : first + players]
        return int(players * points[self.seat] - sum(points)) * POINT


def _are_alike(one: Candidate, other: Candidate, between: int) -> bool:
    """Whether two plays amount to the same: neighbouring numbers of a colour, with no other card between them."""
    low, high = sorted((one.actions[0], other.actions[0]))
    is_number = high < codes.WIZARD and low // 13 == high // 13
    return is_number and between > 0 and not between & ((1 << high) - (1 << low))
