"""From what a seat knows to deals of the hands it does not see: uniform over all that fit, or weighted.

    hidden = hidden_hands(view)              counts the ways once
    hidden.deal(random_seed)                 cards, for the engine
    redeal(t, s, g, *hidden.arrays)          in a compiled loop, on a copy of `hidden.state`

A holding is an assignment of the unseen cards, each of the four Wizards a card of its own, to the hidden hands; the
rest is the stock.  With `odds[seat][kind]` a holding's chance is the product of the odds of its cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, lgamma, log

from foretell.cards import Card
from foretell.engine.view import View
from foretell.kernel.backend.compiled import Floats, Ints, floats, ints
from foretell.kernel.hidden import redealing as form
from foretell.kernel.hidden.knowledge import Case, Knowledge, Slot, contradiction, known_of
from foretell.kernel.state import layout as at
from foretell.kernel.state.chance import CHANCE, seed_chance
from foretell.kernel.state.convert import state_of_view
from foretell.kernel.state.tables import Tables, compile_rules, kind_of

__all__ = ["Hidden", "hidden_hands"]

Odds = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Hidden:
    """The hands that a seat does not see, ready to be dealt again and again."""

    tables: Tables
    knowledge: Knowledge
    cases: tuple[Case, ...]  # those that can be dealt
    state: Ints  # as seen; hidden hands are empty
    h: Ints
    f: Floats
    b: Ints

    @property
    def arrays(self) -> tuple[Ints, Floats, Ints]:
        """What `redeal` takes; each thread wants a `b` of its own."""
        return self.h, self.f, self.b

    def deal(self, seed: int, number: int = 0) -> tuple[tuple[Card, ...], ...]:
        """Every seat's hand: those that are seen, and hidden ones dealt anew."""
        s, g = ints(at.STATE), ints(CHANCE)
        for place in range(at.STATE):
            s[place] = self.state[place]
        seed_chance(g, seed, number)
        return self.next_deal(s, g)

    def next_deal(self, s: Ints, g: Ints) -> tuple[tuple[Card, ...], ...]:
        """The same with a state and a stream of chance of one's own; the state is given the hands too."""
        for place in range(len(self.knowledge.unseen)):
            self.b[form.OWNER + place] = self.tables.players  # the stock, unless it is dealt
        if not form.redeal(self.tables.words, s, g, self.h, self.f, self.b):
            raise contradiction("no_deal")
        hands: list[list[Card]] = [[] for _ in range(self.tables.players)]
        for seat, held in self.knowledge.certain.items():
            hands[seat] += held
        for place, card in enumerate(self.knowledge.unseen):
            owner = self.b[form.OWNER + place]
            if owner < self.tables.players:
                hands[owner].append(card)
        for seat, card in self.cases[self.b[form.DEALT]].held:
            hands[seat].append(card)
        return tuple(tuple(sorted(hand, key=lambda card: card.index)) for hand in hands)


def hidden_hands(seen: View, *, tables: Tables | None = None, odds: Odds | None = None) -> Hidden:
    """All that this seat knows, counted; a view that contradicts itself is refused."""
    tables = tables or compile_rules(seen.rules, seen.seats, seen.peoples)
    knowledge = known_of(tables, seen)
    hands = [knowledge.certain.get(seat) for seat in range(tables.players)]
    state = state_of_view(tables, seen, hands)
    plans = [_Plan(tables, knowledge, case, odds) for case in knowledge.cases]
    plans = [plan for plan in plans if plan.is_open]
    h, f, weights = _written(tables, knowledge, plans)
    if not any(weights):
        raise contradiction("no_deal")
    total = 0.0
    for number, one in enumerate(weights):
        total += one
        f[h[form.ODDS_AT] + number] = total / sum(weights)
    cases = tuple(plan.case for plan in plans)
    return Hidden(tables, knowledge, cases, state, h, f, ints(form.SCRATCH))


class _Plan:
    """One case in the order of `redeal`: classes, what each step deals, and how many ways there are."""

    def __init__(self, tables: Tables, knowledge: Knowledge, case: Case, odds: Odds | None) -> None:
        self.case, self.odds = case, odds
        self.seats = tables.players
        place = {card: number for number, card in enumerate(knowledge.unseen)}
        certain = {card for _, card in case.held}
        self.kinds = [kind_of(card) for card in knowledge.unseen]
        # V6: a card of one's own; Wizards and Jesters are told apart by it alone.
        own = int(tables.words[at.OWN_CARDS])
        whose = {card: number // own for number, card in enumerate(tables.deck)} if own else {}
        self.owners = [whose.get(card) for card in knowledge.unseen]
        self.pool = [place[card] for card in knowledge.unseen if card not in certain]
        self.is_open = len(certain) == len(case.held) and all(card in place for card in certain)
        slots = self.slots = [slot for slot in case.slots if slot.size > 0]
        if any(slot.size < 0 for slot in case.slots):
            self.is_open = False
        self.stock = len(self.pool) - sum(slot.size for slot in slots)
        self.is_open &= self.stock >= 0
        if self.is_open:
            self._classify(slots)
        if self.is_open:
            self._order()
            self._peel()
            self._rest()

    def _holds(self, slot: Slot, card: int) -> bool:
        may = self.owners[card] is None or self.owners[card] == slot.seat
        return may and not slot.barred >> self.kinds[card] & 1

    def _odds(self, seat: int, card: int) -> float:
        return 1.0 if self.odds is None else self.odds[seat][self.kinds[card]]

    def _classify(self, slots: Sequence[Slot]) -> None:
        """Slots with the same conditions and odds are one class; those with none are free, as the stock is."""
        dealt = [c for c in self.pool if any(self._holds(slot, c) for slot in slots)]
        self.stock -= len(self.pool) - len(dealt)  # what nobody may hold lies there
        self.is_open &= self.stock >= 0
        classes: dict[tuple[tuple[bool, float], ...], list[Slot]] = {}
        for slot in slots:
            row = tuple((self._holds(slot, card), self._odds(slot.seat, card)) for card in dealt)
            classes.setdefault(row, []).append(slot)
        free_row = tuple((True, 1.0) for _ in dealt)
        self.free = classes.pop(free_row, [])
        self.classes = list(classes.values())
        self.sizes = [sum(slot.size for slot in slots) for slots in self.classes]
        self.may = {
            card: sum(
                1 << number
                for number, (slot, *_) in enumerate(self.classes)
                if self._holds(slot, card)
            )
            for card in dealt
        }
        self.is_open &= len(self.classes) <= form.MOST_CLASSES
        self.has_free = self.stock + sum(slot.size for slot in self.free) > 0

    def _order(self) -> None:
        """Cards alike for all classes side by side, those that most may hold first; odds tell cards apart too."""

        def alike(card: int) -> tuple[object, ...]:
            odds = (
                ()
                if self.odds is None
                else tuple(self._odds(c[0].seat, card) for c in self.classes)
            )
            return (-self.may[card].bit_count(), self.may[card], odds)

        self.order = sorted(self.may, key=alike)
        self.spans: list[tuple[int, int, int]] = []  # mask of classes, start, length
        for place, card in enumerate(self.order):
            mask = self.may[card]
            if self.spans and self.spans[-1][0] == mask:
                _, start, length = self.spans[-1]
                self.spans[-1] = (mask, start, length + 1)
            else:
                self.spans.append((mask, place, 1))

    def _peel(self) -> None:
        """Classes that can draw first, because the cards they may hold are all alike for the others."""
        self.peels: list[tuple[int, int, int, int]] = []
        self.counted = list(range(len(self.classes)))
        self.peeled_ways = 0.0  # as a logarithm
        found = self.odds is None
        while found:
            found = False
            for number in self.counted:
                others = sum(1 << other for other in self.counted if other != number)
                mine = [span for span in self.spans if span[0] >> number & 1]
                views = {span[0] & others for span in mine}
                joined = all(a[1] + a[2] == b[1] for a, b in pairwise(mine))
                if len(views) == 1 and joined:
                    self._draw_first(number, mine)
                    found = True
                    break

    def _draw_first(self, number: int, mine: Sequence[tuple[int, int, int]]) -> None:
        start, length = mine[0][1], sum(span[2] for span in mine)
        size = self.sizes[number]
        self.counted.remove(number)
        if size > length:
            self.is_open = False
            return
        self.peels.append((number, start, length, size))
        self.peeled_ways += _log_choose(length, size)
        self.spans = [span for span in self.spans if span not in mine]
        self.spans.append((mine[0][0], start + size, length - size))
        self.spans.sort(key=lambda span: span[1])

    def _rest(self) -> None:
        """What is left: a stretch for everyone, cards open to some, and those for the free class alone."""
        everyone = sum(1 << number for number in self.counted)
        spans = [(span[0] & everyone, span[1], span[2]) for span in self.spans if span[2] > 0]
        for_all = [span for span in spans if self.odds is None and span[0] == everyone]
        longest = max(for_all, key=lambda span: span[2], default=(0, 0, 0))
        self.for_all = longest[1:]
        self.open: list[tuple[int, int]] = []
        self.alone: list[int] = []
        for mask, start, length in spans:
            if (mask, start, length) == longest:
                continue
            for place in range(start, start + length):
                if mask == 0:
                    self.alone.append(place)
                else:
                    self.open.append((place, mask))
        if self.alone and not self.has_free:
            self.is_open = False
        self.states = 1
        self.strides = []
        for number in self.counted:
            self.strides.append(self.states)
            self.states *= self.sizes[number] + 1

    def splits(self) -> float:
        """The logarithm of the ways in which classes share their cards out among their hands."""
        ways = self.peeled_ways
        for slots in (*self.classes, [*self.free, Slot(-1, self.stock, 0)]):
            ways += lgamma(sum(slot.size for slot in slots) + 1)
            ways -= sum(lgamma(slot.size + 1) for slot in slots)
        return ways

    def is_quick(self, ways: float) -> bool:
        """Whether to deal at random until it fits: if that draws fewer cards than there are to be counted."""
        if self.odds is not None or not self.open or any(own is not None for own in self.owners):
            return False
        sizes = [*(slot.size for slot in self.slots), self.stock]
        every = lgamma(len(self.order) + 1) - sum(lgamma(size + 1) for size in sizes)
        return sum(sizes[:-1]) / exp(ways - every) < 3 * len(self.open)


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _written(
    tables: Tables, knowledge: Knowledge, plans: Sequence[_Plan]
) -> tuple[Ints, Floats, list[float]]:
    """All cases as arrays, their ways counted, and the weight of each."""
    words: list[int] = [0] * (form.CASE_AT + len(plans))
    weights: list[float] = []
    words[form.CASES] = len(plans)
    words[form.UNSEEN] = len(knowledge.unseen)
    words[form.STOCK] = tables.players
    words[form.HIDDEN] = len(knowledge.hidden)
    words[form.HIDDEN_AT] = _added(words, knowledge.hidden)
    words[form.KINDS_AT] = _added(words, [kind_of(card) for card in knowledge.unseen])
    words[form.ODDS_AT] = 0
    room = len(plans)
    for number, plan in enumerate(plans):
        words[form.CASE_AT + number], room = _record(words, plan, room)
    h, f = ints(len(words)), floats(room)
    for place, word in enumerate(words):
        h[place] = word
    for number, plan in enumerate(plans):
        _write_odds(h, f, plan, h[form.CASE_AT + number])
        ways = form.count_ways(h, f, number)
        weights.append(log(ways) + plan.splits() if ways > 0 else float("-inf"))
        if ways > 0 and plan.is_quick(weights[-1]):
            h[h[form.CASE_AT + number] + form.QUICK] = len(plan.slots)
    most = max(weights, default=float("-inf"))
    if most == float("-inf"):
        return h, f, []
    return h, f, [exp(weight - most) for weight in weights]


def _added(words: list[int], more: Sequence[int]) -> int:
    start = len(words)
    words.extend(int(word) for word in more)
    return start


def _record(words: list[int], plan: _Plan, room: int) -> tuple[int, int]:
    """Appends a case; returns where it begins, and where the next one's weights do."""
    r = _added(words, [0] * form.RECORD)
    bits = {number: bit for bit, number in enumerate(plan.counted)}
    opened = [
        (place, sum(1 << bits[n] for n in plan.counted if mask >> n & 1) | _free_bit(plan))
        for place, mask in plan.open
    ]
    counted = [
        word
        for number, stride in zip(plan.counted, plan.strides, strict=True)
        for word in (number, plan.sizes[number], stride)
    ]
    groups = [*plan.classes, plan.free]
    slots = [
        (len(group), _added(words, [w for slot in group for w in (slot.seat, slot.size)]))
        for group in groups
    ]
    after = sum(plan.for_all)
    entries = {
        form.CLASSES: len(plan.classes),
        form.ALL_START: plan.for_all[0],
        form.ALL_COUNT: plan.for_all[1],
        form.OPEN: len(opened),
        form.OPEN_AT: _added(words, [word for pair in opened for word in pair]),
        form.STATES: plan.states,
        form.COUNTED: len(plan.counted),
        form.COUNTED_AT: _added(words, counted),
        form.PEELS: len(plan.peels),
        form.PEELS_AT: _added(words, [word for peel in plan.peels for word in peel]),
        form.REST: len(plan.alone),
        form.REST_AT: _added(words, plan.alone),
        form.SPLITS_AT: _added(words, [word for pair in slots for word in pair]),
        form.NEEDS: len(plan.case.needs),
        form.NEEDS_AT: _added(words, [w for one in plan.case.needs for w in (one.seat, one.kinds)]),
        form.HELD: len(plan.case.held),
        form.HELD_AT: _added(
            words, [w for seat, card in plan.case.held for w in (seat, kind_of(card))]
        ),
        form.CARDS: len(plan.order),
        form.CARDS_AT: _added(words, plan.order),
        form.IN_PLACE: int(
            not opened and plan.alone == list(range(after, after + len(plan.alone)))
        ),
        form.WAYS_AT: room,
        form.QUICK_AT: _added(words, [w for slot in plan.slots for w in _written_slot(slot)]),
    }
    room += (len(opened) + 1) * plan.states
    entries[form.WEIGHTS_AT] = -1 if plan.odds is None else room
    if plan.odds is not None:
        room += len(opened) * (len(plan.counted) + 1)
    for place, word in entries.items():
        words[r + place] = word
    return r, room


def _written_slot(slot: Slot) -> tuple[int, int, int]:
    return slot.seat, slot.size, slot.barred & ((1 << at.KINDS) - 1)


def _free_bit(plan: _Plan) -> int:
    return int(plan.has_free) << form.FREE_BIT


def _write_odds(h: Ints, f: Floats, plan: _Plan, r: int) -> None:
    if plan.odds is None:
        return
    width = len(plan.counted) + 1
    for row, (place, _) in enumerate(plan.open):
        card = plan.order[place]
        for bit, number in enumerate(plan.counted):
            seat = plan.classes[number][0].seat
            f[h[r + form.WEIGHTS_AT] + row * width + bit] = plan._odds(seat, card)
        f[h[r + form.WEIGHTS_AT] + row * width + width - 1] = 1.0
