"""A View prepared for the search: the state, what is hidden, the plays to explain, and the candidates."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from foretell.bots.search import arrays
from foretell.bots.search.heuristic_tables import masks, worth_tables
from foretell.bots.simple.counting import kernel_words
from foretell.cards import Colour
from foretell.engine import Action, View
from foretell.engine.round import Phase
from foretell.errors import NotAGame
from foretell.kernel.backend.compiled import ONE, Floats, Ints, floats, ints, jit
from foretell.kernel.hidden.hidden_hands import Hidden, hidden_hands
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.kernel.state.turn_loop import give, open_trick, play_face, take_turn
from foretell.rules import Rules

__all__ = ["Candidate", "Situation", "situation"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action to try: as the kernel's action and declaration, and as all legal actions that are equivalent to it."""

    kind: int
    declared: int  # the number of the declaration; -1 if there is none
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that a search works on; `arrays.py` describes the arrays."""

    tables: Tables
    hidden: Hidden
    t: Ints  # the lookup tables
    m: Ints
    f: Floats
    counting: Ints
    i: Ints
    state: Ints
    out: int  # the mask of kinds that are neither played nor turned up
    lying: int  # how many cards these are
    candidates: tuple[Candidate, ...]
    scratch: tuple[Ints, Ints, Floats, Floats, Floats]

    @property
    def is_plain(self) -> bool:
        """Whether this is the common deck, without special cards."""
        return self.tables.peoples is None and not any(card.is_special for card in self.tables.deck)


def situation(seen: View) -> Situation:
    """The situation of this view; refuses a view that asks its seat nothing."""
    now, me = seen.now, seen.seat
    if now is None or me is None or not seen.legal:
        raise NotAGame("nothing_asked")
    tables = compile_rules(seen.rules, seen.seats, seen.peoples)
    lookup = tables.words
    hidden = hidden_hands(seen, tables=tables)
    m, f, i = masks(tables), worth_tables(), ints(arrays.INFO)
    state = hidden.state
    take_turn(lookup, state, me)
    _note_table(seen, tables, hidden, i)
    snapshot = ints(in_state.SIZE)
    _take_snapshots(lookup, state, i, snapshot)
    i[arrays.STEPS] = 8 + max(now.hand_sizes) // 2
    out, lying = int(i[arrays.OUT_FIRST]), int(i[arrays.LYING_FIRST])
    for seat in range(tables.players):
        out &= ~int(i[arrays.PLAYED + seat]) | (3 << codes.WIZARD)
    lying -= int(state[in_state.FACES_PLAYED])
    scratch = (ints(in_state.SIZE), snapshot, floats(64), floats(16), floats(8))
    candidates = _candidates(seen, out)
    counting = _counting_words(tables.rules, tables.players, tables.peoples)
    return Situation(
        tables, hidden, lookup, m, f, counting, i, state, out, lying, candidates, scratch
    )


def _note_table(seen: View, tables: Tables, hidden: Hidden, i: Ints) -> None:
    """Fills in what is known about the cards, the bids and the plays so far."""
    now = seen.now
    assert now is not None
    n, lookup = tables.players, tables.words
    i[arrays.ME] = seen.seat or 0
    out = 0
    for card in tables.deck:
        out |= 1 << kind_of(card)
    i[arrays.LYING_FIRST] = len(tables.deck) - (now.turned_up is not None)
    if now.turned_up is not None and now.werewolf is None and kind_of(now.turned_up) < codes.WIZARD:
        out &= ~(1 << kind_of(now.turned_up))
    i[arrays.OUT_FIRST] = out
    is_bidding = seen.phase in (Phase.BID, Phase.TRUMP)
    saw_own = not seen.rules.sight.is_foresight(now.number)
    everything = (1 << (now.hand_size + 1)) - 1
    earlier: list[int] = []
    for turn in range(n):
        seat = (now.dealer + 1 + turn) % n
        made = now.bids[seat]
        is_hidden = seat in hidden.knowledge.hidden
        i[arrays.OPEN_BIDS + seat] = everything
        if made is not None:
            if not lookup[in_lookup.BIDS_AT_ONCE]:
                these = seen.rules.bidding.open_bids(now.hand_size, earlier, n)
                i[arrays.OPEN_BIDS + seat] = sum(1 << bid for bid in these)
                i[arrays.ABOVE + seat] = 100 * (sum(earlier) * n - turn * now.hand_size) // n
                earlier.append(made)
            if seat != seen.seat and is_hidden and saw_own:
                i[arrays.BIDDERS] |= 1 << seat
        elif not is_bidding:
            i[arrays.UNTOLD] |= 1 << seat
    for trick in (*now.tricks, *((now.trick,) if now.trick is not None else ())):
        for turn, face in enumerate(trick.faces):
            seat, kind = (trick.leader + turn) % n, kind_of(face.card)
            i[arrays.PLAYED + seat] |= 1 << kind
            i[arrays.PLAYED_COPIES + seat] += lookup[in_lookup.COPIES_OF_KIND + kind]
    _note_barred(seen, hidden, i)


def _note_barred(seen: View, hidden: Hidden, i: Ints) -> None:
    """Fills in what each seat cannot hold; cards may be swapped if there are no other conditions on hidden hands."""
    (case, *others) = hidden.cases
    seats = [slot.seat for slot in case.slots]
    certain = {card for hand in hidden.knowledge.certain.values() for card in hand}
    is_plain = (
        not others
        and not case.needs
        and len(set(seats)) == len(seats)
        and all(card in certain for _, card in case.held)
        and seen.peoples is None
    )
    i[arrays.CAN_SWAP] = int(is_plain and bool(hidden.knowledge.unseen) and bool(seats))
    for slot in case.slots:
        i[arrays.BARRED + slot.seat] = slot.barred & ((1 << codes.KINDS) - 1)


@lru_cache(maxsize=64)
def _counting_words(rules: Rules, players: int, peoples: tuple[Colour, ...] | None) -> Ints:
    """The counting bot for the kernel's plain policy, made once for each rule set."""
    return kernel_words(compile_rules(rules, players, peoples))


@jit
def _take_snapshots(lookup: Ints, state: Ints, i: Ints, r: Ints) -> None:
    """Goes through the plays so far, and takes a snapshot of the state before each play of another seat."""
    n = lookup[in_lookup.PLAYERS]
    for place in range(in_state.SIZE_FOR_PLAY):
        r[place] = state[place]
    for seat in range(n):
        r[in_state.TRICKS_WON + seat] = 0
    r[in_state.TRICKS_LEFT] = state[in_state.HAND_SIZE]
    r[in_state.FACES_PLAYED] = 0
    r[in_state.CLOUD_SEAT] = codes.NOBODY
    r[in_state.PHASE] = codes.PLAYING
    r[in_state.LEADER] = state[in_state.DEALER] + 1 if state[in_state.DEALER] + 1 < n else 0
    r[in_state.TURN] = r[in_state.LEADER]
    open_trick(r)
    out = i[arrays.OUT_FIRST]
    lying = i[arrays.LYING_FIRST]
    snapshots = 0
    for place in range(state[in_state.FACES_PLAYED]):
        face = state[in_state.HISTORY + place]
        kind = lookup[in_lookup.KIND_OF_FACE + face]
        seat = r[in_state.TURN]
        if seat != i[arrays.ME]:
            start = arrays.SNAPSHOTS_AT + snapshots * arrays.SNAPSHOT
            for word in range(in_state.SIZE_FOR_PLAY):
                i[start + word] = r[word]
            i[start + arrays.SNAP_OUT] = out
            i[start + arrays.SNAP_LYING] = lying
            i[start + arrays.SNAP_KIND] = kind
            snapshots += 1
        give(lookup, r, seat, kind)
        play_face(lookup, r, kind, face)
        if kind < codes.WIZARD:
            out &= ~(ONE << kind)
        lying -= 1
        if r[in_state.PHASE] == codes.PASSING:
            # X7: the hands before the pass cannot be reconstructed from the cards held now and those played since.
            snapshots = 0
            r[in_state.PHASE] = codes.PLAYING
            r[in_state.TURN] = r[in_state.LEADER]
    i[arrays.SNAPSHOTS] = snapshots
    for snapshot in range(snapshots - 1, -1, -1):
        start = arrays.SNAPSHOTS_AT + snapshot * arrays.SNAPSHOT
        kind = i[start + arrays.SNAP_KIND]
        i[start + arrays.SNAP_LATER] = ONE << kind
        i[start + arrays.SNAP_LATER_COPIES] = lookup[in_lookup.COPIES_OF_KIND + kind]
        for later in range(snapshot + 1, snapshots):
            then = arrays.SNAPSHOTS_AT + later * arrays.SNAPSHOT
            if i[then + in_state.TURN] == i[start + in_state.TURN]:
                i[start + arrays.SNAP_LATER] |= i[then + arrays.SNAP_LATER]
                i[start + arrays.SNAP_LATER_COPIES] += i[then + arrays.SNAP_LATER_COPIES]
                break


def _candidates(seen: View, out: int) -> tuple[Candidate, ...]:
    """The legal actions, with equivalent ones grouped together: two Wizards, or neighbouring numbers of a colour."""
    found: dict[tuple[int, ...], list[Action]] = {}
    for one in seen.legal:
        found.setdefault(kernel_actions(one), []).append(one)
    # V6: in unicolor numbers are not grouped, since cards of the other colours rank between two of them.
    if seen.phase == Phase.PLAY and seen.now is not None and seen.peoples is None:
        lying = out
        if seen.now.trick is not None:
            for face in seen.now.trick.faces:
                lying |= 1 << kind_of(face.card)
        for card in seen.hand:
            lying &= ~(1 << kind_of(card))
        numbers = sorted(key[0] for key in found if key[0] < codes.WIZARD)
        for low, high in pairwise(numbers):
            between = (1 << high) - (1 << low)
            if low // 13 == high // 13 and not lying & between:
                found[(high,)] += found.pop((low,))
    return tuple(
        Candidate(key[0], key[1] if len(key) > 1 else -1, tuple(actions))
        for key, actions in sorted(found.items())
    )
