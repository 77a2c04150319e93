"""Who has come to a table and who has not: the timers of absent players and hosts, and telling everyone about it."""

from typing import Literal

from foretell.server.table.beginning import wait_for_words
from foretell.server.table.internal_messages import ArrivalTimeout, HostTimeout
from foretell.server.table.participants import Participant
from foretell.server.table.table import Table, arrival_timer
from foretell.server.wire import protocol as p

__all__ = [
    "make_spectators",
    "mark_present",
    "start_arrival_timers",
    "tell_seats",
    "update_host_timer",
]


def mark_present(table: Table, seat: int | None) -> None:
    """Called when someone connects: to a seat, or as a spectator if it is None."""
    table.inbox.stop_timer("sleep")
    if seat is not None:
        table.forget_absence(seat)
        wait_for_words(table)


def start_arrival_timers(table: Table) -> None:
    """Starts a timer for each person who took a seat but never connected, perhaps before the table was asleep."""
    for seat, place in enumerate(table.state.places):
        person = place.successor or place
        if person.kind == "person" and not person.has_left and not person.has_come:
            timeout = (Participant(), ArrivalTimeout(seat))
            left = _time_left(table, seat, table.services.timeouts.arrival)
            table.inbox.start_timer(arrival_timer(seat), left, timeout)


def update_host_timer(table: Table) -> None:
    """Starts a timer if the host is not connected, and stops it otherwise.

    A host may leave before anyone else arrives, be missing when the table wakes up, or never have connected at all.
    """
    host = table.state.host
    if host is None or host in table.presence.seats:
        table.inbox.stop_timer("host")
    else:
        left = _time_left(table, host, table.services.timeouts.host)
        table.inbox.start_timer("host", left, (Participant(), HostTimeout()))


def _time_left(table: Table, seat: int, timeout: float) -> float:
    """The seconds left of a timeout that began when the player of this seat disconnected."""
    now = table.services.now()
    left = table.gone_since.setdefault(seat, now) + timeout - now
    return min(max(left, 0.0), timeout)  # the machine's clock may have been set


def tell_seats(table: Table) -> None:
    """Tells everyone after players have changed seats: the table, and the game with the new names and seats."""
    table.tell_table()
    update_host_timer(table)
    if table.playing is not None:
        table.tell_game()


def make_spectators(table: Table, seat: int, reason: Literal["removed", "taken"]) -> None:
    """Makes everyone who is connected to this seat, or waits for it, a spectator, and tells them why."""
    table.forget_absence(seat)
    for one in table.presence.move(seat, None):
        one.is_removed = reason == "removed"
        one.deliver(p.write(p.Removed(reason=reason)))
