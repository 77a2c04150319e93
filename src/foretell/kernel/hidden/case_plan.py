"""The order in which one case of hidden hands is dealt; `redealing` explains the steps.

A card is a number here: at first its place in `Knowledge.unseen`, and once `order` is made, its place in `order`.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import comb, factorial, prod
from typing import NamedTuple

from foretell.kernel.backend.exponentials import exp, log
from foretell.kernel.hidden.knowledge import Case, Knowledge, Slot
from foretell.kernel.hidden.plan_layout import MOST_CLASSES
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.tables import Tables

__all__ = ["CasePlan", "Odds"]

Odds = Sequence[Sequence[float]]


class _Stretch(NamedTuple):
    """A run of cards in `order` that the same classes may hold."""

    classes: int  # a mask
    start: int
    length: int


class _Draw(NamedTuple):
    """Step 1: a class draws `drawn` cards from a stretch."""

    class_number: int
    start: int
    length: int
    drawn: int


class CasePlan:
    """One case: the classes of its hands, the order of its cards, and what each step deals."""

    def __init__(self, tables: Tables, knowledge: Knowledge, case: Case, odds: Odds | None) -> None:
        self.case, self.odds = case, odds
        place = {card: number for number, card in enumerate(knowledge.unseen)}
        certain = {card for _, card in case.held}
        self.kinds = [kind_of(card) for card in knowledge.unseen]
        # V6: in unicolor each seat has cards of its own, and the Wizards of two seats differ only by their owner.
        own = int(tables.words[in_lookup.OWN_CARDS])
        owner = {card: number // own for number, card in enumerate(tables.deck)} if own else {}
        self.owners = [owner.get(card) for card in knowledge.unseen]
        self.pool = [place[card] for card in knowledge.unseen if card not in certain]
        self.slots = [slot for slot in case.slots if slot.size > 0]
        self.stock = len(self.pool) - sum(slot.size for slot in self.slots)
        self.is_possible = (
            len(certain) == len(case.held)
            and all(card in place for card in certain)
            and all(slot.size >= 0 for slot in case.slots)
            and self.stock >= 0
        )
        if self.is_possible:
            self._find_classes()
        if self.is_possible:
            self._find_order()
            self._find_draws()
            self._find_rest()

    def _may_hold(self, slot: Slot, card: int) -> bool:
        is_own = self.owners[card] is None or self.owners[card] == slot.seat
        return is_own and not slot.barred >> self.kinds[card] & 1

    def odds_of(self, seat: int, card: int) -> float:
        """The odds that this seat holds this unseen card."""
        return 1.0 if self.odds is None else self.odds[seat][self.kinds[card]]

    def _find_classes(self) -> None:
        """Puts slots with the same conditions and odds into one class; slots without any form the free class."""
        dealt = [
            card for card in self.pool if any(self._may_hold(slot, card) for slot in self.slots)
        ]
        self.stock -= len(self.pool) - len(dealt)  # a card that nobody may hold is in the stock
        self.is_possible &= self.stock >= 0
        classes: dict[tuple[tuple[bool, float], ...], list[Slot]] = {}
        for slot in self.slots:
            row = tuple(
                (self._may_hold(slot, card), self.odds_of(slot.seat, card)) for card in dealt
            )
            classes.setdefault(row, []).append(slot)
        self.free = classes.pop(tuple((True, 1.0) for _ in dealt), [])
        self.classes = list(classes.values())
        self.sizes = [sum(slot.size for slot in slots) for slots in self.classes]
        self.classes_for = {
            card: sum(
                1 << number
                for number, (slot, *_) in enumerate(self.classes)
                if self._may_hold(slot, card)
            )
            for card in dealt
        }
        self.is_possible &= len(self.classes) <= MOST_CLASSES
        self.has_free = self.stock + sum(slot.size for slot in self.free) > 0

    def _find_order(self) -> None:
        """Orders the cards so that those for the same classes, with the same odds, are neighbours.

        Cards that most classes may hold come first.
        """

        def group(card: int) -> tuple[object, ...]:
            mask = self.classes_for[card]
            odds: tuple[float, ...] = ()
            if self.odds is not None:
                odds = tuple(self.odds_of(slots[0].seat, card) for slots in self.classes)
            return (-mask.bit_count(), mask, odds)

        self.order = sorted(self.classes_for, key=group)
        self.stretches: list[_Stretch] = []
        for place, card in enumerate(self.order):
            mask = self.classes_for[card]
            if self.stretches and self.stretches[-1].classes == mask:
                last = self.stretches[-1]
                self.stretches[-1] = last._replace(length=last.length + 1)
            else:
                self.stretches.append(_Stretch(mask, place, 1))

    def _find_draws(self) -> None:
        """Step 1: finds classes that can draw at random, since it makes no difference to the other classes."""
        self.draws: list[_Draw] = []
        self.counted = list(range(len(self.classes)))  # the classes that are left for step 2
        self.ways_of_draws = 1
        found = self.odds is None
        while found:
            found = False
            for number in self.counted:
                others = sum(1 << other for other in self.counted if other != number)
                mine = [one for one in self.stretches if one.classes >> number & 1]
                is_alike = len({one.classes & others for one in mine}) == 1
                is_joined = all(a.start + a.length == b.start for a, b in pairwise(mine))
                if is_alike and is_joined:
                    self._draw_first(number, mine)
                    found = True
                    break

    def _draw_first(self, number: int, mine: Sequence[_Stretch]) -> None:
        start, length = mine[0].start, sum(one.length for one in mine)
        size = self.sizes[number]
        self.counted.remove(number)
        if size > length:
            self.is_possible = False
            return
        self.draws.append(_Draw(number, start, length, size))
        self.ways_of_draws *= comb(length, size)
        # The cards that were not drawn remain for the others.
        self.stretches = [one for one in self.stretches if one not in mine]
        self.stretches.append(_Stretch(mine[0].classes, start + size, length - size))
        self.stretches.sort(key=lambda one: one.start)

    def _find_rest(self) -> None:
        """Steps 2 and 3: separates the cards for all classes, for some classes and for the free class alone."""
        everyone = sum(1 << number for number in self.counted)
        stretches = [
            one._replace(classes=one.classes & everyone) for one in self.stretches if one.length > 0
        ]
        for_all = [one for one in stretches if self.odds is None and one.classes == everyone]
        longest = max(for_all, key=lambda one: one.length, default=_Stretch(0, 0, 0))
        self.for_anyone = longest.start, longest.length
        self.restricted: list[tuple[int, int]] = []  # a place in the order, and a mask of classes
        self.free_only: list[int] = []
        for one in stretches:
            if one == longest:
                continue
            for place in range(one.start, one.start + one.length):
                if one.classes == 0:
                    self.free_only.append(place)
                else:
                    self.restricted.append((place, one.classes))
        if self.free_only and not self.has_free:
            self.is_possible = False
        self.shortfalls = 1
        self.strides = []
        for number in self.counted:
            self.strides.append(self.shortfalls)
            self.shortfalls *= self.sizes[number] + 1

    def ways_besides_counting(self) -> int:
        """The ways to draw in step 1 and to split the cards of each class among its hands."""
        ways = self.ways_of_draws
        for slots in (*self.classes, [*self.free, Slot(-1, self.stock, 0)]):
            ways *= _ways_to_split(slot.size for slot in slots)
        return ways

    def is_trial_quicker(self, log_ways: float) -> bool:
        """Whether dealing at random until a deal fits draws fewer cards than counting would look at."""
        has_owners = any(owner is not None for owner in self.owners)
        if self.odds is not None or not self.restricted or has_owners:
            return False
        sizes = [*(slot.size for slot in self.slots), self.stock]
        log_all = log(float(_ways_to_split(sizes)))
        return sum(sizes[:-1]) / exp(log_ways - log_all) < 3 * len(self.restricted)


def _ways_to_split(sizes: Iterable[int]) -> int:
    """The ways to split cards into hands of these sizes; whole, so that they are the same on every machine."""
    split = tuple(sizes)
    return factorial(sum(split)) // prod(factorial(size) for size in split)
