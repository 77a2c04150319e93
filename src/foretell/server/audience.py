"""Everyone at a table, and the one door through which it speaks to them."""

from collections.abc import Callable, Iterator

from foretell.server import protocol as p
from foretell.server.guests import Guest

__all__ = ["Audience"]


class Audience:
    """Guests and the seats they have; a seat may have several, spectators have none.

    `seats` are those with someone on the line, `places` the same and None where someone looks on.  A guest's seat is
    changed here and nowhere else.
    """

    def __init__(self) -> None:
        self._guests: set[Guest] = set()
        self.seats: frozenset[int] = frozenset()
        self.places: frozenset[int | None] = frozenset()

    def __iter__(self) -> Iterator[Guest]:
        return iter(self._guests)

    def __bool__(self) -> bool:
        return bool(self._guests)

    def __contains__(self, guest: Guest) -> bool:
        return guest in self._guests

    def seat(self, guest: Guest, seat: int | None) -> None:
        """Someone is here, in this seat or looking on; new, or from another place."""
        guest.seat = seat
        self._guests.add(guest)
        self._count()

    def discard(self, guest: Guest) -> None:
        self._guests.discard(guest)
        self._count()

    def _count(self) -> None:
        self.places = frozenset(guest.seat for guest in self._guests)
        self.seats = frozenset(seat for seat in self.places if seat is not None)

    @property
    def spectators(self) -> int:
        return sum(guest.seat is None for guest in self._guests)

    def move(self, old: int, new: int | None) -> list[Guest]:
        """Who was in one seat is in another now, or looks on; who they are."""
        moved = [guest for guest in self._guests if guest.seat == old]
        for guest in moved:
            guest.seat = new
        self._count()
        return moved

    def tell(self, message: p.FromServer) -> None:
        """The same to all."""
        text = p.write(message)
        for guest in self._guests:
            guest.deliver(text)

    def tell_each(
        self, make: Callable[[int | None], p.FromServer], *, but: Guest | None = None
    ) -> None:
        """To each what its seat may know; made and written once for each seat."""
        texts: dict[int | None, bytes] = {}
        for guest in self._guests:
            if guest is but:
                continue
            if guest.seat not in texts:
                texts[guest.seat] = p.write(make(guest.seat))
            guest.deliver(texts[guest.seat])
