"""How many seats each network address holds at all tables of this process, so that nobody can occupy them all."""

from collections import OrderedDict
from collections.abc import Callable

from foretell.errors import NotAllowed

__all__ = ["SeatHolders"]

# Addresses of this machine, in the form of `rate_limit_key`.  Behind a proxy that says nothing about its clients,
# everyone has one of them.
_THIS_MACHINE = frozenset({"", "127.0.0.1", "::/64"})
_MOST_ADDRESSES = 10_000  # that are remembered


class SeatHolders:
    """The seats of each address.  A seat counts as long as its table is in memory and its token is valid.

    The store has only hashes of addresses, which differ at every table.  So after a restart, or when a table wakes up,
    a seat counts again from the moment when its player says hello.
    """

    def __init__(self, most: int = 40) -> None:
        self._most = most
        # For the table and the token of each seat, a function that says whether the address still holds it.
        self._seats: OrderedDict[str, dict[tuple[str, str], Callable[[], bool]]] = OrderedDict()

    def refuse_if_full(self, address: str | None) -> None:
        """Refuses one more seat for an address that holds too many."""
        if address is None or address in _THIS_MACHINE:
            return
        held = {seat: one for seat, one in self._seats.get(address, {}).items() if one()}
        self._seats[address] = held
        if len(held) >= self._most:
            raise NotAllowed("too_many_seats", count=len(held))

    def add(self, address: str | None, seat: tuple[str, str], is_held: Callable[[], bool]) -> None:
        """Counts a seat, given as its table and its token, once."""
        if address is None or address in _THIS_MACHINE:
            return
        self._seats.setdefault(address, {})[seat] = is_held
        self._seats.move_to_end(address)
        if len(self._seats) > _MOST_ADDRESSES:
            self._seats.popitem(last=False)
