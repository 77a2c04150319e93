"""Who is connected to a table now, and in which seat.  Every message to them is sent from here.

Who has which seat, connected or not, is in `seating`.
"""

from collections.abc import Callable, Iterator, Mapping

from foretell.server.logs import log
from foretell.server.table.participants import Participant
from foretell.server.wire import protocol as p

__all__ = ["Presence"]


class Presence:
    """The participants that are connected.  A seat may have several connections; a spectator has no seat.

    `seats` are the seats with a connection.  `places` also contains None if there are spectators.  Only this class
    changes the seat of a participant.
    """

    def __init__(self) -> None:
        self._participants: set[Participant] = set()
        self.seats: frozenset[int] = frozenset()
        self.places: frozenset[int | None] = frozenset()

    def __iter__(self) -> Iterator[Participant]:
        return iter(self._participants)

    def __bool__(self) -> bool:
        return bool(self._participants)

    def __contains__(self, participant: Participant) -> bool:
        return participant in self._participants

    def seat(self, participant: Participant, seat: int | None) -> None:
        """Puts a new or known participant into this seat, or among the spectators if it is None."""
        participant.seat = seat
        self._participants.add(participant)
        self._count()

    def discard(self, participant: Participant) -> None:
        self._participants.discard(participant)
        self._count()

    def _count(self) -> None:
        self.places = frozenset(participant.seat for participant in self._participants)
        self.seats = frozenset(seat for seat in self.places if seat is not None)

    @property
    def spectators(self) -> int:
        return sum(participant.seat is None for participant in self._participants)

    def move(self, old: int, new: int | None) -> list[Participant]:
        """Moves everyone in a seat to another one, or to the spectators; returns those who were moved."""
        moved = [participant for participant in self._participants if participant.seat == old]
        for participant in moved:
            participant.seat = new
        self._count()
        return moved

    def tell(self, message: p.FromServer) -> None:
        """Sends the same message to everyone."""
        text = p.write(message)
        self.tell_texts(dict.fromkeys(self.places, text))

    def tell_each(
        self, make: Callable[[int | None], p.FromServer], *, except_for: Participant | None = None
    ) -> None:
        """Sends everyone the message for their seat.  It is made and encoded once for each seat."""
        self.tell_texts({seat: p.write(make(seat)) for seat in self.places}, except_for=except_for)

    def tell_texts(
        self, texts: Mapping[int | None, bytes], *, except_for: Participant | None = None
    ) -> None:
        """Sends everyone the encoded message for their seat.  If one cannot be reached, the others still are."""
        for participant in self._participants:
            if participant is except_for:
                continue
            try:
                participant.deliver(texts[participant.seat])
            except Exception as error:
                log.error("message not delivered", error=type(error).__name__)
