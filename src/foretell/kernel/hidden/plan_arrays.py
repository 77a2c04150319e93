"""Writes case plans into the two arrays that `redealing` works on: `plan`, laid out as in `plan_layout`, and `ways`."""

from collections.abc import Iterable, Sequence
from itertools import accumulate

from foretell.kernel.backend.compiled import Floats, Ints, floats, ints
from foretell.kernel.backend.exponentials import exp, log
from foretell.kernel.hidden import plan_layout as in_plan
from foretell.kernel.hidden.case_plan import CasePlan
from foretell.kernel.hidden.knowledge import EVERY_KIND, Knowledge
from foretell.kernel.hidden.redealing import count_ways
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.tables import Tables

__all__ = ["plan_arrays"]

_NO_WAY = float("-inf")


def plan_arrays(
    tables: Tables, knowledge: Knowledge, plans: Sequence[CasePlan]
) -> tuple[Ints, Floats] | None:
    """`plan` and `ways`, with all ways counted; None if there is no way to deal any of the cases."""
    words = _Words(in_plan.RECORDS_AT + len(plans))
    words[in_plan.CASES] = len(plans)
    words[in_plan.UNSEEN] = len(knowledge.unseen)
    words[in_plan.STOCK] = tables.players
    words[in_plan.HIDDEN_SEATS] = len(knowledge.hidden)
    words[in_plan.HIDDEN_SEATS_AT] = words.added(knowledge.hidden)
    words[in_plan.KINDS_AT] = words.added(kind_of(card) for card in knowledge.unseen)
    words[in_plan.CASE_ODDS_AT] = 0
    size_of_ways = len(plans)
    for number, one in enumerate(plans):
        record, more = _add_record(words, one, size_of_ways)
        words[in_plan.RECORDS_AT + number] = record
        size_of_ways += more
    plan, ways = ints(len(words)), floats(size_of_ways)
    for place, word in enumerate(words):
        plan[place] = word
    log_weights = [_count(plan, ways, number, one) for number, one in enumerate(plans)]
    most = max(log_weights, default=_NO_WAY)
    if most == _NO_WAY:
        return None
    weights = [exp(weight - most) for weight in log_weights]
    # Not by `sum`, which newer Pythons do more exactly.
    so_far = list(accumulate(weights))
    for number, weight in enumerate(so_far):
        ways[plan[in_plan.CASE_ODDS_AT] + number] = weight / so_far[-1]
    return plan, ways


class _Words(list[int]):
    """The words of a plan while it is written."""

    def __init__(self, size: int) -> None:
        super().__init__([0] * size)

    def added(self, more: Iterable[int]) -> int:
        """Appends these words; returns where they begin."""
        start = len(self)
        self.extend(int(word) for word in more)
        return start

    def add_list(self, count: int, where: int, entries: Sequence[Sequence[int]]) -> None:
        """Appends a list; writes its length to the word `count`, and its start to the word `where`."""
        self[count] = len(entries)
        self[where] = self.added(word for entry in entries for word in entry)


def _add_record(words: _Words, one: CasePlan, start_of_ways: int) -> tuple[int, int]:
    """Appends the record of a case; returns where it begins and how many words it needs in `ways`."""
    record = words.added([0] * in_plan.RECORD_SIZE)
    words[record + in_plan.CLASSES] = len(one.classes)
    words[record + in_plan.ANYONE_START], words[record + in_plan.ANYONE_COUNT] = one.for_anyone
    words[record + in_plan.SHORTFALLS] = one.shortfalls
    after = sum(one.for_anyone)
    is_together = one.free_only == list(range(after, after + len(one.free_only)))
    words[record + in_plan.FREE_IS_TOGETHER] = int(is_together and not one.restricted)
    counted = [
        (number, one.sizes[number], stride)
        for number, stride in zip(one.counted, one.strides, strict=True)
    ]
    splits = [
        (len(slots), words.added(word for slot in slots for word in (slot.seat, slot.size)))
        for slots in (*one.classes, one.free)
    ]
    words[record + in_plan.SPLITS_AT] = words.added(word for split in splits for word in split)

    def add_list(count: int, where: int, entries: Sequence[Sequence[int]]) -> None:
        words.add_list(record + count, record + where, entries)

    case = one.case
    add_list(in_plan.CARDS, in_plan.CARDS_AT, [[card] for card in one.order])
    add_list(in_plan.DRAWS, in_plan.DRAWS_AT, one.draws)
    add_list(in_plan.RESTRICTED, in_plan.RESTRICTED_AT, _restricted(one))
    add_list(in_plan.COUNTED, in_plan.COUNTED_AT, counted)
    add_list(in_plan.FREE_ONLY, in_plan.FREE_ONLY_AT, [[place] for place in one.free_only])
    add_list(in_plan.NEEDS, in_plan.NEEDS_AT, [(need.seat, need.kinds) for need in case.needs])
    add_list(in_plan.HELD, in_plan.HELD_AT, [(seat, kind_of(card)) for seat, card in case.held])
    trial = [(slot.seat, slot.size, slot.barred & EVERY_KIND) for slot in one.slots]
    add_list(in_plan.TRIAL_SLOTS, in_plan.TRIAL_SLOTS_AT, trial)
    words[record + in_plan.TRIAL_SLOTS] = 0  # until it is known whether dealing by trial is quicker

    size = (len(one.restricted) + 1) * one.shortfalls
    words[record + in_plan.WAYS_AT] = start_of_ways
    words[record + in_plan.WEIGHTS_AT] = -1
    if one.odds is not None:
        words[record + in_plan.WEIGHTS_AT] = start_of_ways + size
        size += len(one.restricted) * (len(one.counted) + 1)
    return record, size


def _restricted(one: CasePlan) -> list[tuple[int, int]]:
    """The cards of step 2 with their masks: bit k of a mask is the k-th counted class, FREE_BIT the free class."""
    free = int(one.has_free) << in_plan.FREE_BIT
    return [
        (place, free | sum(1 << bit for bit, n in enumerate(one.counted) if mask >> n & 1))
        for place, mask in one.restricted
    ]


def _count(plan: Ints, ways: Floats, number: int, one: CasePlan) -> float:
    """Counts the ways to deal a case, as a logarithm, and decides how it is dealt."""
    record = plan[in_plan.RECORDS_AT + number]
    _write_odds(ways, plan[record + in_plan.WEIGHTS_AT], one)
    counted = count_ways(plan, ways, number)
    if counted <= 0:
        return _NO_WAY
    log_ways = log(counted) + log(float(one.ways_besides_counting()))
    if one.is_trial_quicker(log_ways):
        plan[record + in_plan.TRIAL_SLOTS] = len(one.slots)
    return log_ways


def _write_odds(ways: Floats, start: int, one: CasePlan) -> None:
    if one.odds is None:
        return
    width = len(one.counted) + 1
    for row, (place, _) in enumerate(one.restricted):
        card = one.order[place]
        for column, number in enumerate(one.counted):
            seat = one.classes[number][0].seat
            ways[start + row * width + column] = one.odds_of(seat, card)
        ways[start + row * width + width - 1] = 1.0  # the free class
