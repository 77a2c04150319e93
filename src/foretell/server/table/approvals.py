"""People who have asked the host for a seat and wait for an answer.  They are spectators meanwhile.

Requests are not stored: after a restart a client asks again.
"""

import secrets
from collections.abc import Iterator

from msgspec import Struct

from foretell.errors import NotAllowed
from foretell.server.table.admission import Newcomer
from foretell.server.table.participants import Participant
from foretell.server.wire import protocol as p

__all__ = ["Asker", "Requests"]

_MOST = 12  # that may wait at one table
_MOST_FROM_ADDRESS = 3


class Asker(Struct):
    """Someone who has asked for a seat, and the connection that gets the answer."""

    request: int
    newcomer: Newcomer
    participant: Participant


class Requests:
    """The requests that the host has not answered yet."""

    def __init__(self) -> None:
        self._askers: dict[int, Asker] = {}
        # A number from before a restart must not name somebody else afterwards.
        self._last = secrets.randbelow(2**40)

    def __iter__(self) -> Iterator[Asker]:
        return iter(tuple(self._askers.values()))

    def add(self, newcomer: Newcomer, participant: Participant) -> Asker:
        """A new request, or the one that this participant has made already."""
        found = self.of(participant)
        if found is None:
            same = [one for one in self if one.participant.address == participant.address]
            if len(self._askers) >= _MOST or len(same) >= _MOST_FROM_ADDRESS:
                raise NotAllowed("too_many_asking")
            self._last += 1
            found = self._askers[self._last] = Asker(self._last, newcomer, participant)
        found.newcomer = newcomer
        return found

    def of(self, participant: Participant) -> Asker | None:
        """The request of this connection, or of an earlier one of the same browser."""
        for one in self:
            is_same_browser = participant.key is not None and one.participant.key == participant.key
            if one.participant is participant or is_same_browser:
                return one
        return None

    def remove(self, request: int) -> Asker | None:
        return self._askers.pop(request, None)

    def put_back(self, asker: Asker) -> None:
        """A request whose answer could not be stored waits again, where it was."""
        self._askers = dict(sorted({**self._askers, asker.request: asker}.items()))

    def listed(self) -> tuple[p.SeatRequest, ...]:
        """The requests as everyone at the table sees them."""
        return tuple(
            p.SeatRequest(request=one.request, name=one.newcomer.name, seat=one.newcomer.seat)
            for one in self
        )
