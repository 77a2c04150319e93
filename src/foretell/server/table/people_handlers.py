"""Handlers for arriving, taking a seat, changing the table, leaving, and the timeouts of absent players.

They change the state with the functions of `seating` and `seat_changes`, store it, and tell everyone.
"""

from typing import Any

import msgspec

from foretell.errors import NotAllowed
from foretell.server.table import seating, table_messages
from foretell.server.table.beginning import draw_words, wait_for_words
from foretell.server.table.internal_messages import (
    ArrivalTimeout,
    Disconnected,
    HostTimeout,
    RematchTimeout,
)
from foretell.server.table.participants import Participant, SocketParticipant, required_seat
from foretell.server.table.seat_changes import CHANGES
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire import user_text

__all__ = [
    "arrival_timeout",
    "change",
    "disconnected",
    "hello",
    "host_timeout",
    "leave",
    "rematch_timeout",
    "take_seat",
]


async def hello(table: Table, participant: Participant, hello: p.Hello) -> None:
    seat = None if hello.token is None else seating.seat_of_token(table.state, hello.token)
    players = {place.name for place in table.state.places}
    name = None if hello.name is None else seating.distinct(user_text.name(hello.name), players)
    if seat is None:
        _refuse_too_many_spectators(table, participant)
    else:
        place = table.state.places[seat]
        if place.is_away or place.has_left or not place.has_come:
            await table.save(seating.returned(table.state, seat))
    participant.name, participant.language = name, hello.language
    table.presence.seat(participant, seat)
    _mark_present(table, seat)
    participant.answer(
        p.Welcome(
            id=hello.id,
            version=p.VERSION,
            seat=seat,
            table=table.info(),
            snapshot=table.snapshot(seat),
            chat=tuple(table.chat),
        )
    )
    table.tell_table(except_for=participant)
    _update_host_timer(table)
    _start_arrival_timers(table)
    table.schedule_turns()


def _refuse_too_many_spectators(table: Table, participant: Participant) -> None:
    """Refuses another spectator if there are many, or many from the same address.  Players always get in.

    Someone who wants to sit down is a spectator first.  So the first one from an address finds room for longer: a crowd
    from a few addresses cannot keep friends out.
    """
    services = table.services
    watching = [one.address for one in table.presence if one.seat is None and one != participant]
    own = watching.count(participant.address) if participant.address else 0
    most = services.most_spectators if own else 2 * services.most_spectators
    if len(watching) >= most or own >= services.most_spectators_per_address:
        raise NotAllowed("spectators_full", count=len(watching))


def _mark_present(table: Table, seat: int | None) -> None:
    table.inbox.stop_timer("sleep")
    if seat is not None:
        _forget_absence(table, seat)
        wait_for_words(table)


def _forget_absence(table: Table, seat: int) -> None:
    """Forgets how long this seat was without a connection: its player is here now, or is someone else."""
    table.gone_since.pop(seat, None)
    table.timed_out.discard(seat)
    table.inbox.stop_timer(_arrival_timer(seat))


def _arrival_timer(seat: int) -> str:
    return f"arrival {seat}"


def _start_arrival_timers(table: Table) -> None:
    """Starts a timer for each player who took a seat but never connected, perhaps before the table was asleep."""
    for seat in seating.people(table.state):
        if not table.state.places[seat].has_come:
            timeout = (Participant(), ArrivalTimeout(seat))
            left = _time_left(table, seat, table.services.timeouts.arrival)
            table.inbox.start_timer(_arrival_timer(seat), left, timeout)


def _update_host_timer(table: Table) -> None:
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


async def disconnected(table: Table, participant: Participant, _message: Disconnected) -> None:
    if participant not in table.presence:
        return
    table.presence.discard(participant)
    seat = participant.seat
    if seat is not None and seat not in table.presence.seats:
        table.gone_since[seat] = table.services.now()
        if table.state.phase == "over":
            # A rematch waits for a disconnected player only as long as a game would.
            table.inbox.start_timer(
                "rematch", table.services.timeouts.grace, (Participant(), RematchTimeout())
            )
    table.tell_table()
    _update_host_timer(table)
    table.schedule_turns()
    table.sleep_later_if_empty()


async def host_timeout(table: Table, _participant: Participant, _message: HostTimeout) -> None:
    connected = table.presence.seats
    others = [seat for seat in seating.people(table.state) if seat in connected]
    if table.state.host not in connected and others:
        host = seating.next_host(table.state, others)
        await table.save(msgspec.structs.replace(table.state, host=host))
        table.tell_table()


async def change(table: Table, participant: Participant, ask: Any) -> None:
    """Handles every message in `seat_changes.CHANGES`."""
    seat = required_seat(participant)
    state = CHANGES[type(ask)](table.state, seat, ask)
    await table.save(state)
    if state.game is None:
        table.playing = None
    if isinstance(ask, p.Sit):
        table.presence.move(seat, ask.seat)
        _forget_absence(table, seat)
        _mark_present(table, ask.seat)
    elif isinstance(ask, p.Remove | p.Fill | p.Empty):
        _make_spectators(table, ask.seat, "removed")
    if isinstance(ask, p.Sit | p.Remove | p.Fill | p.Empty):
        _tell_seats(table)
    else:
        table.tell_table()
        _update_host_timer(table)
    if isinstance(ask, p.Rematch):
        await _begin_rematch_if_all_agree(table)
    elif isinstance(ask, p.Remove):
        table.post(Participant(), RematchTimeout())  # perhaps only this player was missing
    table.schedule_turns()
    participant.answer(p.Done(id=ask.id))


async def rematch_timeout(
    table: Table, _participant: Participant, _message: RematchTimeout
) -> None:
    await _begin_rematch_if_all_agree(table)


async def _begin_rematch_if_all_agree(table: Table) -> None:
    """Begins the next game if every player who is connected has asked for it."""
    connected, state = table.presence.seats, table.state
    here = [seat for seat in seating.people(state) if seat in connected]
    if state.phase == "over" and here and set(here) <= set(state.rematch):
        await draw_words(table, seating.started(state, table.services.stand_in))


def _tell_seats(table: Table) -> None:
    """Tells everyone after players have changed seats: the table, and the game with the new names and seats."""
    table.tell_table()
    _update_host_timer(table)
    if table.playing is not None:
        table.tell_game()


def _make_spectators(table: Table, seat: int, reason: Any) -> None:
    """Makes everyone who is connected to this seat a spectator, and tells them why."""
    _forget_absence(table, seat)
    for one in table.presence.move(seat, None):
        one.deliver(p.write(p.Removed(reason=reason)))


async def take_seat(table: Table, participant: Participant, ask: p.TakeSeat) -> None:
    """Gives a seat to a spectator, or to someone who asks by HTTP and connects afterwards."""
    if participant.seat is not None:
        raise NotAllowed("already_seated", seat=participant.seat)
    is_here = participant in table.presence
    if isinstance(participant, SocketParticipant) and not is_here:
        raise NotAllowed("no_hello")  # its hello was refused, so it would receive no messages
    token = table.services.keys.token()
    state, seat = seating.joined(table.state, ask, token, is_here=is_here)
    await table.save(state)
    _make_spectators(table, seat, "taken")
    if is_here:
        table.presence.seat(participant, seat)
        _mark_present(table, seat)
    else:
        table.gone_since[seat] = table.services.now()
        _start_arrival_timers(table)
    _tell_seats(table)
    table.schedule_turns()
    participant.answer(table_messages.seated(table.state, seat, token, ask.id))


async def arrival_timeout(table: Table, _participant: Participant, timeout: ArrivalTimeout) -> None:
    """Frees a seat in a game if the player who took it by HTTP never connected.

    Then someone else can play instead of the bot.  The token stays valid until that happens.  Before a game there is no
    hurry: the host can remove the player.
    """
    seat, state = timeout.seat, table.state
    is_taken = state.phase == "playing" and seat in seating.people(state)
    # The player may have connected in the meantime.
    if is_taken and not state.places[seat].has_come:
        await table.save(seating.left(state, seat, table.presence.seats))
        _tell_seats(table)
        table.schedule_turns()


async def leave(table: Table, participant: Participant, ask: p.Leave) -> None:
    seat = required_seat(participant)
    await table.save(seating.left(table.state, seat, table.presence.seats - {seat}))
    table.presence.move(seat, None)
    _tell_seats(table)
    table.post(Participant(), RematchTimeout())  # perhaps only this player was missing
    table.schedule_turns()
    participant.answer(p.Done(id=ask.id))
