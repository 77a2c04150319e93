"""What one seat knows about the hands that it does not see, as conditions on who may hold which card.

- A seat that played one kind where it would have had to play another does not hold the other (RULED_OUT of the lookup
  tables; this covers both voids and the French rule).
- The card that was exchanged for the Werewolf is known (X6).
- Hands seen in foresight are remembered (V4, V5).
- A seat knows the card that it passed and the one that it received (X7).

A Juggler's pass takes one card out of each hand and adds one from the right neighbour.  So a void that a seat showed
before the pass may be broken by one card of its hand after the pass, and this card must be one that the neighbour could
hold.  (The hand after the pass consists of the cards played since and those still held.)  There are two cases, and no
holding belongs to both:

- No card breaks what the seat had shown.  Then one of its cards must still be one that the neighbour could give.  If no
  card played since can be that one, the case gets a `Need`, which is checked after the hands are dealt.
- Exactly one card breaks it, and it came from the right.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from foretell.cards import Card
from foretell.engine.round import Phase
from foretell.engine.view import RoundView, View
from foretell.errors import NotAGame
from foretell.i18n import Term
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state.card_numbers import COLOURS, face_number, kind_of
from foretell.kernel.state.from_engine import effects_of
from foretell.kernel.state.tables import Tables

__all__ = ["EVERY_KIND", "Case", "Knowledge", "Need", "Slot", "contradiction", "known_of"]

EVERY_KIND = (1 << codes.KINDS) - 1
"""The mask of all kinds."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Room for `size` cards in the hand of a seat; none of them can be of a kind in the mask `barred`."""

    seat: int
    size: int
    barred: int


@dataclass(frozen=True, slots=True)
class Need:
    """At least one of the cards dealt to this seat must be of these kinds."""

    seat: int
    kinds: int


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which the hidden hands could have come about; no holding fits two cases."""

    slots: tuple[Slot, ...]
    held: tuple[tuple[int, Card], ...]  # cards whose seat is certain
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The cards that a seat does not see, and the cases of where they may be."""

    unseen: tuple[Card, ...]
    # By seat: hands that are seen, or remembered from foresight.
    certain: dict[int, tuple[Card, ...]]
    hidden: tuple[int, ...]  # the other seats
    cases: tuple[Case, ...]


def contradiction(why: str) -> NotAGame:
    """The error for a view that no deal can lead to; `why` is a key of the catalogue."""
    return NotAGame("view_contradicts", why=Term(f"kernel.{why}"))


@dataclass(slots=True)
class _Seat:
    """What one seat has shown, before the Juggler's pass (or without one) and after it."""

    ruled_out_before: int  # a mask: kinds that it cannot have held
    ruled_out_after: int = 0
    played_before: list[Card] = field(default_factory=list)
    played_after: list[Card] = field(default_factory=list)

    @property
    def ruled_out(self) -> int:
        return self.ruled_out_before | self.ruled_out_after


def known_of(tables: Tables, seen: View) -> Knowledge:
    """What this seat knows.  A view that no deal can lead to is refused, here or when the deals are counted."""
    now = seen.now
    if now is None:
        raise NotAGame("no_round_yet")
    passed_at = _passed_at(tables, seen, now)
    seats = _watch_plays(tables, now, passed_at)
    certain: dict[int, tuple[Card, ...]] = {}
    if seen.seat is not None and now.hand is not None:
        certain[seen.seat] = now.hand
    for seat, dealt in enumerate(now.foreseen or ()):
        if dealt is not None:
            certain[seat] = tuple(card for card in dealt if card not in seats[seat].played_before)
    unseen = _unseen_cards(tables, now, seats, certain)
    _check_hands(now, seats, certain, passed_at)
    hidden = tuple(seat for seat in range(tables.players) if seat not in certain)
    cases = tuple(_cases(tables, seen, now, seats, hidden, passed_at, set(unseen)))
    return Knowledge(unseen, certain, hidden, cases)


def _passed_at(tables: Tables, seen: View, now: RoundView) -> int | None:
    """The number of the trick after which cards were passed, once all seats have passed."""
    last = len(now.tricks) - 1
    for place, trick in enumerate(now.tricks):
        if effects_of(tables, trick.faces) & codes.JUGGLES and place < now.hand_size - 1:
            return None if place == last and seen.phase == Phase.PASS else place
    return None


def _watch_plays(tables: Tables, now: RoundView, passed_at: int | None) -> list[_Seat]:
    """Goes through all plays and notes what each of them shows.

    A Werewolf that nobody exchanged is in no hand, so it is ruled out from the beginning.
    """
    lookup = tables.words
    werewolf = int(lookup[in_lookup.MUST_BE_EXCHANGED])
    seats = [_Seat(werewolf | _never_dealt_to(tables, seat)) for seat in range(tables.players)]
    trump = COLOURS.index(now.trump)
    tricks = list(now.tricks) + ([now.trick] if now.trick is not None else [])
    for place, trick in enumerate(tricks):
        demand = codes.UNDECIDED
        is_after = passed_at is not None and place > passed_at
        for turn, face in enumerate(trick.faces):
            seat = seats[(trick.leader + turn) % tables.players]
            kind = kind_of(face.card)
            if (seat.ruled_out_after if is_after else seat.ruled_out_before) >> kind & 1:
                raise contradiction("plays_void")
            row = in_lookup.RULED_OUT + (demand * codes.TRUMPS + trump) * codes.KINDS
            if is_after:
                seat.played_after.append(face.card)
                seat.ruled_out_after |= int(lookup[row + kind])
            else:
                seat.played_before.append(face.card)
                seat.ruled_out_before |= int(lookup[row + kind])
            if demand == codes.UNDECIDED:
                demand = int(lookup[in_lookup.DEMAND_OF_FACE + face_number(face)])
    return seats


def _never_dealt_to(tables: Tables, seat: int) -> int:
    """V6: in unicolor a seat gets cards of its own people only.  A mask of the other kinds."""
    own = int(tables.words[in_lookup.OWN_CARDS])
    mine = tables.deck[seat * own : (seat + 1) * own] if own else tables.deck
    kinds = {kind_of(card) for card in mine}
    return sum(1 << kind for kind in range(codes.KINDS) if kind not in kinds)


def _check_hands(
    now: RoundView,
    seats: Sequence[_Seat],
    certain: dict[int, tuple[Card, ...]],
    passed_at: int | None,
) -> None:
    """Refuses a hand of the wrong size, or with a card that was ruled out."""
    for seat, hand in certain.items():
        if len(hand) != now.hand_sizes[seat]:
            raise contradiction("hand_size")
        one = seats[seat]
        barred = one.ruled_out if passed_at is None else one.ruled_out_after
        if any(barred >> kind_of(card) & 1 for card in hand):
            raise contradiction("holds_void")


def _unseen_cards(
    tables: Tables,
    now: RoundView,
    seats: Sequence[_Seat],
    certain: dict[int, tuple[Card, ...]],
) -> tuple[Card, ...]:
    """All cards but those that were played, turned up or exchanged, and those in hands that are seen."""
    seen = [card for seat in seats for card in (*seat.played_before, *seat.played_after)]
    seen += [card for hand in certain.values() for card in hand]
    if now.turned_up is not None and now.werewolf is None:
        seen.append(now.turned_up)
    if now.werewolf is not None:
        exchanged = tables.words[in_lookup.MUST_BE_EXCHANGED]
        seen += [card for card in tables.deck if exchanged >> kind_of(card) & 1]
    if len(set(seen)) < len(seen):
        raise contradiction("card_twice")
    gone = set(seen)
    return tuple(card for card in tables.deck if card not in gone)


def _cases(
    tables: Tables,
    seen: View,
    now: RoundView,
    seats: Sequence[_Seat],
    hidden: Sequence[int],
    passed_at: int | None,
    unseen: set[Card],
) -> Iterator[Case]:
    """The ways in which the hidden hands could have come about: one, or several after a pass."""
    holder, turned_up = now.werewolf, now.turned_up
    # X6: the card that was exchanged for the Werewolf is with its holder until it is played or passed on.
    exchanged = turned_up if holder is not None and turned_up in unseen else None
    if exchanged is None or holder is None:
        places: list[int | None] = [None]
    elif seats[holder].ruled_out_before >> kind_of(exchanged) & 1:
        return
    else:
        places = [holder]
        if passed_at is not None:
            left = (holder + 1) % tables.players
            places = [seat for seat in (holder, left) if seat in hidden]
    for place in places:
        held = () if exchanged is None or place is None else ((place, exchanged),)
        if passed_at is None:
            slots = [
                Slot(seat, now.hand_sizes[seat] - (seat == place), seats[seat].ruled_out)
                for seat in hidden
            ]
            yield Case(tuple(slots), held)
            continue
        after = _AfterPass(tables, seen, now, seats, held)
        for parts in product(*(list(after.cases(seat)) for seat in hidden)):
            yield Case(
                tuple(slot for part in parts for slot in part.slots),
                tuple(card for part in parts for card in part.held),
                tuple(need for part in parts for need in part.needs),
            )


@dataclass(frozen=True, slots=True)
class _AfterPass:
    """The cases of single hands after a pass."""

    tables: Tables
    seen: View
    now: RoundView
    seats: Sequence[_Seat]
    # The card that was exchanged for the Werewolf, with the seat that is assumed to hold it now; may be empty.
    exchanged: tuple[tuple[int, Card], ...]

    def cases(self, seat: int) -> Iterator[Case]:
        """The ways in which the hand of this seat could have come about."""
        one = self.seats[seat]
        giver = (seat - 1) % self.tables.players
        received = self._received(seat, giver)
        # Cards played after the pass that the seat did not hold before: they came with the pass.
        new = [card for card in one.played_after if one.ruled_out_before >> kind_of(card) & 1]
        held = tuple(pair for pair in self.exchanged if pair[0] == seat)
        if (
            received is not None
            and received not in one.played_after
            and (seat, received) not in held
        ):
            held += ((seat, received),)
        if any(one.ruled_out_after >> kind_of(card) & 1 for _, card in held):
            return
        slot = Slot(seat, self.now.hand_sizes[seat] - len(held), one.ruled_out)
        if received is not None:
            if all(card is received for card in new):
                yield Case((slot,), held)
            return
        if len(new) > 1:
            return
        could_give = ~self.seats[giver].ruled_out_before
        if new:
            if could_give >> kind_of(new[0]) & 1:
                yield Case((slot,), held)
            return
        # No card played since was new.  Either no card in hand is new: then the giver could give one of the old ones.
        is_explained = any(could_give >> kind_of(card) & 1 for card in self._candidates(seat))
        yield Case((slot,), held, () if is_explained else (Need(seat, could_give & EVERY_KIND),))
        # Or one card in hand is new, and it came from the giver.
        came = could_give & one.ruled_out_before & ~one.ruled_out_after
        came &= ~_never_dealt_to(self.tables, seat) & EVERY_KIND
        if slot.size > 0 and came:
            rest = Slot(seat, slot.size - 1, slot.barred)
            yield Case((rest, Slot(seat, 1, ~came & EVERY_KIND)), held)

    def _received(self, seat: int, giver: int) -> Card | None:
        """The card that this seat received, if known: the viewer passed it, or it was exchanged for the Werewolf."""
        if giver == self.seen.seat and self.now.passes:
            return self.now.passes[-1].gave
        turned_up = self.now.turned_up
        if giver == self.now.werewolf and turned_up is not None:
            is_played = turned_up in self.seats[seat].played_after
            return turned_up if is_played or (seat, turned_up) in self.exchanged else None
        return None

    def _candidates(self, seat: int) -> list[Card]:
        """The cards played since the pass that can be the one received; the card exchanged for the Werewolf cannot."""
        exchanged = self.now.turned_up if seat == self.now.werewolf else None
        return [card for card in self.seats[seat].played_after if card is not exchanged]
