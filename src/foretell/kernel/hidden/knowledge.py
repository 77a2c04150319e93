"""What one seat knows of the hands it does not see, as conditions on who may hold which card.

Everything is public but a little: which kinds a seat cannot hold (it played another where it would have had to play
one of them: `SHOWS` of the tables, voids and the French rule alike), the card that came for the Werewolf (X6), hands
seen in foresight (V4, V5), cards given and received (X7).

After a Juggler's pass, a hand is what it was, less one card, and one from the right neighbour.  So a void shown
before it holds for all of the hand but one card, and that one card must be of what the neighbour could hold.  Let a
seat's hand just after the pass be the cards it has played since and those it still holds; then either all of these
keep to what the seat had shown before, or exactly one does not and came from the right.  These cases exclude each
other, so a holding is counted once.  In the first case one of the cards must still be one that the neighbour can have
given: where no card played since shows that, it is left to a `Need`, which is looked at once the hands are dealt.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from foretell.cards import Card, Face
from foretell.engine.round import Phase
from foretell.engine.view import RoundView, View
from foretell.errors import NotAGame
from foretell.i18n import Term
from foretell.kernel.state import layout as at
from foretell.kernel.state.tables import COLOURS, Tables, face_number, kind_of
from foretell.rules import pass_after

__all__ = ["Case", "Knowledge", "Need", "Slot", "contradiction", "known_of"]


@dataclass(frozen=True, slots=True)
class Slot:
    """Room for some cards in a seat's hand; kinds in `barred` cannot be among them."""

    seat: int
    size: int
    barred: int
    only: int = -1  # a mask of kinds, for the one card that came from the right


@dataclass(frozen=True, slots=True)
class Need:
    """At least one of the cards dealt to this seat must be of these kinds."""

    seat: int
    kinds: int


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which the hidden hands can have come about; no holding fits two of them."""

    slots: tuple[Slot, ...]
    held: tuple[tuple[int, Card], ...]  # cards whose seat is certain
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The cards a seat does not see, and the cases of where they may be."""

    unseen: tuple[Card, ...]
    certain: dict[int, tuple[Card, ...]]  # hands that are seen, or remembered from foresight
    hidden: tuple[int, ...]  # the seats whose hands are not
    cases: tuple[Case, ...]


def contradiction(why: str) -> NotAGame:
    """A view that no deal can lead to; `why` is a key of the catalogue."""
    return NotAGame("view_contradicts", why=Term(f"kernel.{why}"))


@dataclass(slots=True)
class _Seat:
    """What has been seen of one seat."""

    before: int = 0  # kinds shown not to be held, before the pass
    after: int = 0  # and since
    played: list[Card] = field(default_factory=list)
    since: list[Card] = field(default_factory=list)  # played after the pass


def known_of(tables: Tables, seen: View) -> Knowledge:
    """What this seat knows; a view that no deal can lead to is refused, here or when the deals are counted."""
    now = seen.now
    if now is None:
        raise NotAGame("no_round_yet")
    seats = _seats(tables)
    passed_at = _passed_at(seen, now)
    _watch(tables, now, seats, passed_at)
    out = [card for seat in seats for card in (*seat.played, *seat.since)]
    certain: dict[int, tuple[Card, ...]] = {}
    if seen.seat is not None and now.hand is not None:
        certain[seen.seat] = now.hand
    for seat, dealt in enumerate(now.foreseen or ()):
        if dealt is not None:
            certain[seat] = tuple(card for card in dealt if card not in seats[seat].played)
    out += [card for hand in certain.values() for card in hand]
    if now.turned_up is not None and now.werewolf is None:
        out.append(now.turned_up)
    if now.werewolf is not None:
        out += [card for card in tables.deck if tables.words[at.WEREWOLVES] >> kind_of(card) & 1]
    if len(set(out)) < len(out):
        raise contradiction("card_twice")
    gone = set(out)
    unseen = tuple(card for card in tables.deck if card not in gone)
    hidden = tuple(seat for seat in range(tables.players) if seat not in certain)
    for seat, hand in certain.items():
        if len(hand) != now.hand_sizes[seat]:
            raise contradiction("hand_size")
        barred = seats[seat].after | (seats[seat].before if passed_at is None else 0)
        if any(barred >> kind_of(card) & 1 for card in hand):
            raise contradiction("holds_void")
    cases = tuple(_cases(tables, seen, now, seats, hidden, passed_at, set(unseen)))
    return Knowledge(unseen, certain, hidden, cases)


def _seats(tables: Tables) -> list[_Seat]:
    """At first: a Werewolf that nobody exchanged is in no hand, and in unicolor each has its own people's cards."""
    barred = int(tables.words[at.WEREWOLVES])
    return [_Seat(barred | _foreign(tables, seat)) for seat in range(tables.players)]


def _foreign(tables: Tables, seat: int) -> int:
    own = int(tables.words[at.OWN_CARDS])
    mine = tables.deck[seat * own : (seat + 1) * own] if own else tables.deck
    numbers = {kind_of(card) for card in mine}
    return sum(1 << kind for kind in range(at.KINDS) if kind not in numbers)


def _passed_at(seen: View, now: RoundView) -> int | None:
    """The place of the trick after which cards were passed, once all have passed."""
    last = len(now.tricks) - 1
    for place, trick in enumerate(now.tricks):
        if pass_after(trick.faces) is not None and place < now.hand_size - 1:
            return None if place == last and seen.phase == Phase.PASS else place
    return None


def _watch(tables: Tables, now: RoundView, seats: list[_Seat], passed_at: int | None) -> None:
    """Goes through every play and notes what it shows."""
    t = tables.words
    trump = COLOURS.index(now.trump)
    tricks = list(now.tricks) + ([now.trick] if now.trick is not None else [])
    for place, trick in enumerate(tricks):
        demand = at.UNDECIDED
        is_since = passed_at is not None and place > passed_at
        for turn, face in enumerate(trick.faces):
            seat = seats[(trick.leader + turn) % tables.players]
            if (seat.after if is_since else seat.before) >> _kind(face) & 1:
                raise contradiction("plays_void")
            shows = int(t[at.SHOWS + (demand * at.TRUMPS + trump) * at.KINDS + _kind(face)])
            if is_since:
                seat.since.append(face.card)
                seat.after |= shows
            else:
                seat.played.append(face.card)
                seat.before |= shows
            if demand == at.UNDECIDED:
                demand = int(t[at.DEMANDED_BY + face_number(face)])


def _kind(face: Face) -> int:
    return kind_of(face.card)


def _cases(
    tables: Tables,
    seen: View,
    now: RoundView,
    seats: Sequence[_Seat],
    hidden: Sequence[int],
    passed_at: int | None,
    unseen: set[Card],
) -> Iterator[Case]:
    wolf, up = now.werewolf, now.turned_up
    # X6: the card that came for the Werewolf is in the holder's hand until it is played, or passed on.
    tracked = up if wolf is not None and up in unseen else None
    if tracked is not None and wolf is not None and seats[wolf].before >> kind_of(tracked) & 1:
        return
    if passed_at is None:
        held = () if tracked is None or wolf is None else ((wolf, tracked),)
        slots = [
            Slot(
                seat, now.hand_sizes[seat] - (seat == wolf and bool(held)), _all_barred(seats[seat])
            )
            for seat in hidden
        ]
        yield Case(tuple(slots), held)
        return
    places: list[int | None] = [None]
    if tracked is not None and wolf is not None:
        left = (wolf + 1) % tables.players
        places = [seat for seat in (wolf, left) if seat in hidden]
    for place in places:
        pass_of = _Pass(tables, seen, now, seats, tracked, place)
        for parts in product(*(list(pass_of.options(seat)) for seat in hidden)):
            yield Case(
                tuple(slot for part in parts for slot in part.slots),
                tuple(held for part in parts for held in part.held),
                tuple(need for part in parts for need in part.needs),
            )


def _all_barred(seat: _Seat) -> int:
    return seat.before | seat.after


@dataclass(frozen=True, slots=True)
class _Pass:
    """The cases of one hand after the pass, if the card for the Werewolf is now with `place`."""

    tables: Tables
    seen: View
    now: RoundView
    seats: Sequence[_Seat]
    tracked: Card | None
    place: int | None

    def options(self, seat: int) -> Iterator[Case]:
        one = self.seats[seat]
        giver = (seat - 1) % self.tables.players
        size = self.now.hand_sizes[seat]
        received = self._received(seat, giver)
        foreign = [card for card in one.since if one.before >> kind_of(card) & 1]
        held: tuple[tuple[int, Card], ...] = ()
        if self.tracked is not None and self.place == seat:
            held = ((seat, self.tracked),)
        if received is not None and received not in one.since and (seat, received) not in held:
            held += ((seat, received),)
        if any(one.after >> kind_of(card) & 1 for _, card in held):
            return
        slot = Slot(seat, size - len(held), one.before | one.after)
        if received is not None:
            if all(card is received for card in foreign):
                yield Case((slot,), held)
            return
        if len(foreign) > 1:
            return
        given = ~self.seats[giver].before  # what the neighbour could give
        if foreign:
            if given >> kind_of(foreign[0]) & 1:
                yield Case((slot,), held)
            return
        # Nothing since is foreign.  Either nothing in hand is, and some card is one that the neighbour could give ...
        came = self._may_have_come(seat, one.since)
        shown = any(given >> kind_of(card) & 1 for card in came)
        yield Case((slot,), held, () if shown else (Need(seat, given & _EVERY_KIND),))
        # ... or one card is, and it came from the neighbour.
        only = given & one.before & ~one.after & ~_foreign(self.tables, seat) & _EVERY_KIND
        if slot.size > 0 and only:
            rest = Slot(seat, slot.size - 1, slot.barred)
            yield Case((rest, Slot(seat, 1, ~only & _EVERY_KIND, only)), held)

    def _received(self, seat: int, giver: int) -> Card | None:
        """The card that this seat is known to have received: from the viewer, or the one for the Werewolf."""
        if giver == self.seen.seat and self.now.passes:
            return self.now.passes[-1].gave
        up = self.now.turned_up
        if giver == self.now.werewolf and up is not None:
            passed_on = up in self.seats[seat].since or (self.tracked is up and self.place == seat)
            return up if passed_on else None
        return None

    def _may_have_come(self, seat: int, since: Iterable[Card]) -> list[Card]:
        """Cards played since that can have been the one received: not the one that came for the Werewolf."""
        own = self.now.turned_up if seat == self.now.werewolf else None
        return [card for card in since if card is not own]


_EVERY_KIND = (1 << at.KINDS) - 1
