"""Who may take a seat: one seat for each browser, few for each address, none for someone whom the host has removed.

A browser key is a random secret that a page keeps and sends.  Neither it nor an address proves who somebody is.
`docs/protocol.md` says what follows from that.  Each function works on the stored state; keys and addresses are
hashes.
"""

from collections.abc import Iterator

import msgspec

from foretell.errors import NotAllowed
from foretell.server.keys import Keys, hashed, hashed_at, token_from_key
from foretell.server.store.interface import Place, RemovedPerson, TableState
from foretell.server.table.participants import Participant
from foretell.server.table.seating import changed, with_place
from foretell.server.wire import protocol as p
from foretell.server.wire import user_text

__all__ = [
    "Newcomer",
    "allowed_back",
    "held_seat",
    "left_seat",
    "needs_approval",
    "newcomer",
    "refuse_too_many",
    "refuse_whoever_was_removed",
    "with_removed",
    "without_seats_left_by",
]

_MOST_SEATS = 3  # at one table, for one address; the host's address may have all
_MOST_REMOVED = 20  # people whom one table remembers


class Newcomer(msgspec.Struct, frozen=True, kw_only=True):
    """Someone who wants a seat.  `seat` is None if any will do."""

    name: str
    seat: int | None
    word: str
    token: str
    key: str | None
    address: str | None

    def place(self, *, is_here: bool) -> Place:
        """The seat as it is stored once it is theirs; `is_here` says whether they are connected already."""
        return Place(
            kind="person",
            name=self.name,
            token=hashed(self.token),
            word=self.word,
            key=self.key,
            address=self.address,
            has_come=is_here,
        )


def newcomer(table: str, participant: Participant, ask: p.TakeSeat, keys: Keys) -> Newcomer:
    """The participant as someone who wants a seat.  The same browser always gets the same token."""
    key = participant.key
    return Newcomer(
        name=user_text.name(ask.name),
        seat=ask.seat,
        word=user_text.word(ask.word),
        token=keys.token() if key is None else token_from_key(table, key),
        key=hashed_at(table, key),
        address=hashed_at(table, participant.address),
    )


def held_seat(state: TableState, key: str | None) -> int | None:
    """The seat that this browser has, or gets with the next deal.  It gets no other."""
    for seat, place in enumerate(state.places):
        for person in (None if place.has_left else place, place.successor):
            if key is not None and person is not None and person.key == key:
                return seat
    return None


def left_seat(state: TableState, key: str | None) -> int | None:
    """The seat that this browser has left during the game, and that nobody else has taken."""
    for seat, place in enumerate(state.places):
        if key is not None and place.has_left and place.key == key:
            return seat
    return None


def _holders(state: TableState) -> Iterator[Place]:
    """Everyone who has a seat or waits for one, except those who have left."""
    for place in state.places:
        if place.kind == "person" and not place.has_left:
            yield place
        if place.successor is not None:
            yield place.successor


def refuse_too_many(state: TableState, address: str | None) -> None:
    """Refuses one more seat for an address that has several, so that one person cannot occupy a public table.

    People who are at the host's home may take every seat.
    """
    host = None if state.host is None else state.places[state.host].address
    taken = sum(address is not None and one.address == address for one in _holders(state))
    if taken >= _MOST_SEATS and address != host:
        raise NotAllowed("too_many_seats", count=taken)


def needs_approval(state: TableState, address: str | None) -> bool:
    """Whether the host has to agree.

    That is so if the table wants it; and in a running game, if someone at the same address plays already: only a
    person can say whether the newcomer is somebody else.
    """
    if state.options.approval and state.host is not None:
        return True
    is_known = any(address is not None and one.address == address for one in _holders(state))
    return state.phase == "playing" and is_known


def without_seats_left_by(state: TableState, someone: Newcomer) -> TableState:
    """The table where this browser and this address cannot return to a seat that they left during the game.

    With an old seat and a new one they would see two hands of the next round.
    """
    for seat, place in enumerate(state.places):
        if place.has_left and _is_same(place, someone.key, someone.address):
            state = with_place(state, seat, token=None, key=None)
    return state


def refuse_whoever_was_removed(state: TableState, key: str | None, address: str | None) -> None:
    """Refuses someone whom the host has removed, whether they want a seat or to watch."""
    key = _keyless(address) if key is None else key
    if any(_is_same(one, key, address) for one in state.removed):
        raise NotAllowed("removed_by_host")


def _keyless(address: str | None) -> str | None:
    """What stands for the key of someone who sends none: whoever is at this address and sends none either."""
    return None if address is None else hashed(f"no key\n{address}")[:32]


def _is_same(one: Place | RemovedPerson, key: str | None, address: str | None) -> bool:
    """Whether someone has this browser or this address, as far as they are known."""
    is_same_browser = key is not None and one.key == key
    return is_same_browser or (address is not None and one.address == address)


def with_removed(state: TableState, person: Place) -> TableState:
    """The table, which remembers someone whom the host has removed.

    It remembers the address only if nobody else at the table has the same.  Otherwise it knows the person by their key,
    or by sending none from this address.
    """
    is_shared = any(one.address == person.address for one in _holders(state))
    one = RemovedPerson(
        name=person.name or "",
        key=person.key or _keyless(person.address),
        address=None if is_shared else person.address,
    )
    if one.key is None and one.address is None:
        return state  # nothing to know them by
    return changed(state, removed=(*state.removed, one)[-_MOST_REMOVED:])


def allowed_back(state: TableState, name: str) -> TableState:
    """The table after the host has allowed people of this name to come back."""
    left = tuple(one for one in state.removed if one.name != name)
    if left == state.removed:
        raise NotAllowed("nobody_removed", name=name)
    return changed(state, removed=left)
