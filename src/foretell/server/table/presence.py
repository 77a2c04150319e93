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

    `seats` are the seats with a connection.  `places` also contains None if there are spectators.  `next_seats` are the
    seats for which a spectator waits until the next deal.  Only this class changes the seat of a participant.
    """

    def __init__(self) -> None:
        self._participants: set[Participant] = set()
        self.seats: frozenset[int] = frozenset()
        self.places: frozenset[int | None] = frozenset()
        self.next_seats: frozenset[int] = frozenset()

    def __iter__(self) -> Iterator[Participant]:
        return iter(self._participants)

    def __bool__(self) -> bool:
        return bool(self._participants)

    def __contains__(self, participant: Participant) -> bool:
        return participant in self._participants

    def seat(
        self, participant: Participant, seat: int | None, *, next_seat: int | None = None
    ) -> None:
        """Puts a new or known participant into this seat, or among the spectators if it is None.

        `next_seat` is the seat for which a spectator waits.
        """
        participant.seat, participant.next_seat = seat, next_seat
        self._participants.add(participant)
        self._count()

    def discard(self, participant: Participant) -> None:
        self._participants.discard(participant)
        self._count()

    def _count(self) -> None:
        self.places = frozenset(participant.seat for participant in self._participants)
        self.seats = frozenset(seat for seat in self.places if seat is not None)
        waiting = (participant.next_seat for participant in self._participants)
        self.next_seats = frozenset(seat for seat in waiting if seat is not None)

    def address_of_one(self, host: int | None) -> str | None:
        """The network address of the host, if connected; otherwise of the first player.  None if nobody is here.

        It pays for what bots think at this table.
        """
        seated = [one for one in self._participants if one.seat is not None]
        payer = min(seated, key=lambda one: (one.seat != host, one.seat), default=None)
        return None if payer is None else payer.address

    @property
    def spectators(self) -> int:
        return sum(participant.seat is None for participant in self._participants)

    def move(self, old: int, new: int | None) -> list[Participant]:
        """Moves everyone in a seat to another one, or to the spectators; returns those who were moved.

        Whoever waits for the old seat no longer does.
        """
        moved = [one for one in self._participants if old in (one.seat, one.next_seat)]
        for participant in moved:
            participant.seat, participant.next_seat = new, None
        self._count()
        return moved

    def tell(self, message: p.FromServer) -> None:
        """Sends the same message to everyone."""
        text = p.write(message)
        self.tell_texts(dict.fromkeys(self.places, text))

    def tell_each(
        self,
        make: Callable[[int | None, int | None], p.FromServer],
        *,
        except_for: Participant | None = None,
    ) -> None:
        """Sends everyone the message for their seat, and for the seat that they get with the next deal.

        It is made and encoded once for each such pair.
        """
        texts: dict[tuple[int | None, int | None], bytes] = {}
        for participant in self._participants:
            if participant is except_for:
                continue
            seats = participant.seat, participant.next_seat
            if seats not in texts:
                texts[seats] = p.write(make(*seats))
            _deliver(participant, texts[seats])

    def tell_texts(self, texts: Mapping[int | None, bytes]) -> None:
        """Sends everyone the encoded message for their seat."""
        for participant in self._participants:
            try:  # as in `_deliver`: every move comes here
                participant.deliver(texts[participant.seat])
            except Exception as error:
                log.error("message not delivered", error=type(error).__name__)


def _deliver(participant: Participant, text: bytes) -> None:
    """Sends a message.  If this participant cannot be reached, the others still are."""
    try:
        participant.deliver(text)
    except Exception as error:
        log.error("message not delivered", error=type(error).__name__)
