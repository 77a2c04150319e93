"""Everyone at a table, and the one door through which it speaks to them."""

from collections.abc import Callable, Iterator

from foretell.server.table.participants import Participant
from foretell.server.wire import protocol as p

__all__ = ["Presence"]


class Presence:
    """Who is connected, and in which seat.  A seat may have several connections; a spectator has no seat.

    `seats` are the seats with a connection, `places` the same with None if there are spectators.  A participant's seat
    is changed here and nowhere else.
    """

    def __init__(self) -> None:
        self._guests: set[Participant] = set()
        self.seats: frozenset[int] = frozenset()
        self.places: frozenset[int | None] = frozenset()

    def __iter__(self) -> Iterator[Participant]:
        return iter(self._guests)

    def __bool__(self) -> bool:
        return bool(self._guests)

    def __contains__(self, participant: Participant) -> bool:
        return participant in self._guests

    def seat(self, participant: Participant, seat: int | None) -> None:
        """Someone is here, in this seat or looking on; new, or from another place."""
        participant.seat = seat
        self._guests.add(participant)
        self._count()

    def discard(self, participant: Participant) -> None:
        self._guests.discard(participant)
        self._count()

    def _count(self) -> None:
        self.places = frozenset(participant.seat for participant in self._guests)
        self.seats = frozenset(seat for seat in self.places if seat is not None)

    @property
    def spectators(self) -> int:
        return sum(participant.seat is None for participant in self._guests)

    def move(self, old: int, new: int | None) -> list[Participant]:
        """Who was in one seat is in another now, or looks on; who they are."""
        moved = [participant for participant in self._guests if participant.seat == old]
        for participant in moved:
            participant.seat = new
        self._count()
        return moved

    def tell(self, message: p.FromServer) -> None:
        """The same to all."""
        text = p.write(message)
        for participant in self._guests:
            participant.deliver(text)

    def tell_each(
        self, make: Callable[[int | None], p.FromServer], *, but: Participant | None = None
    ) -> None:
        """To each what its seat may know; made and written once for each seat."""
        texts: dict[int | None, bytes] = {}
        for participant in self._guests:
            if participant is but:
                continue
            if participant.seat not in texts:
                texts[participant.seat] = p.write(make(participant.seat))
            participant.deliver(texts[participant.seat])
