"""Handlers for arriving, changing the table, losing the connection, and the timeouts of absent players.

They change the state with the functions of `seating` and `seat_changes`, store it, and tell everyone.  Taking and
leaving seats is in `seat_handlers`.
"""

from math import ceil
from typing import Any

import msgspec

from foretell.errors import NotAllowed
from foretell.server.keys import hashed, hashed_at
from foretell.server.table import admission, seating, takeovers
from foretell.server.table.arrivals import (
    mark_present,
    start_arrival_timers,
    tell_seats,
    update_host_timer,
)
from foretell.server.table.beginning import draw_words
from foretell.server.table.internal_messages import (
    Disconnected,
    HostTimeout,
    RematchTimeout,
    RequestTimeout,
)
from foretell.server.table.participants import Participant, required_seat
from foretell.server.table.seat_changes import CHANGES
from foretell.server.table.seat_handlers import connect_to_seat
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire import user_text

__all__ = ["change", "disconnected", "hello", "host_timeout", "rematch_timeout"]


async def hello(table: Table, participant: Participant, hello: p.Hello) -> None:
    players = {place.name for place in table.state.places}
    name = None if hello.name is None else seating.distinct(user_text.name(hello.name), players)
    participant.name, participant.language, participant.key = name, hello.language, hello.key
    if hello.token is None:
        key = hashed_at(table.state.id, hello.key)
        address = hashed_at(table.state.id, participant.address)
        admission.refuse_whoever_was_removed(table.state, key, address)
        _refuse_too_many_spectators(table, participant)
        table.presence.seat(participant, None)
        mark_present(table, None)
    else:
        token_hash = hashed(hello.token)
        waiting = takeovers.waiting_seat(table.state, token_hash)
        seat = seating.seat_of_token(table.state, hello.token) if waiting is None else waiting
        await connect_to_seat(table, participant, seat, token_hash, is_waiting=waiting is not None)
    request = table.requests.of(participant)
    if request is not None:
        request.participant = participant
        table.inbox.stop_timer(_request_timer(request.request))
    table.schedule_turns()  # before the welcome, whose clocks follow from it
    participant.answer(
        p.Welcome(
            id=hello.id,
            version=p.VERSION,
            seat=participant.seat,
            table=table.info(),
            snapshot=table.snapshot(participant.seat),
            chat=tuple(table.chat),
            next_seat=participant.next_seat,
            request=None if request is None else request.request,
        )
    )
    table.tell_table(except_for=participant)
    update_host_timer(table)
    start_arrival_timers(table)


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


def _request_timer(request: int) -> str:
    return f"request {request}"


async def disconnected(table: Table, participant: Participant, _message: Disconnected) -> None:
    if participant not in table.presence:
        return
    table.presence.discard(participant)
    seat, request = participant.seat, table.requests.of(participant)
    if request is not None and request.participant is participant:
        timeout = (Participant(), RequestTimeout(request.request))
        name = _request_timer(request.request)
        table.inbox.start_timer(name, table.services.timeouts.grace, timeout)
    if seat is not None and seat not in table.presence.seats:
        table.gone_since[seat] = table.services.now()
        if table.state.phase == "over":
            # A rematch waits for a disconnected player only as long as a game would.
            table.inbox.start_timer(
                "rematch", table.services.timeouts.grace, (Participant(), RematchTimeout())
            )
    table.tell_table()
    update_host_timer(table)
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
    if isinstance(ask, p.Away):
        _refuse_unless_kept_waiting(table, seat, ask)
    state = CHANGES[type(ask)](table.state, seat, ask)
    await table.save(state)
    if state.game is None:
        table.playing = None
    if isinstance(ask, p.Sit):
        table.presence.move(seat, ask.seat)
        table.forget_absence(seat)
        mark_present(table, ask.seat)
    elif isinstance(ask, p.Fill | p.Empty):
        table.forget_absence(ask.seat)
    if isinstance(ask, p.Sit | p.Fill | p.Empty):
        tell_seats(table)
    else:
        table.tell_table()
        update_host_timer(table)
    if isinstance(ask, p.Rematch | p.Away):
        await _begin_rematch_if_all_agree(table)
    table.schedule_turns()
    participant.answer(p.Done(id=ask.id))


def _refuse_unless_kept_waiting(table: Table, seat: int, ask: p.Away) -> None:
    """Lets the host send anyone away, and everyone else only a player who has kept the table waiting for long."""
    if ask.seat in (None, seat) or seat == table.state.host:
        return
    playing, left = table.playing, table.services.timeouts.patience
    if table.state.phase != "playing":
        waiting = table.patience.left_between_games(table.state, table.presence.seats)
        left = waiting.get(ask.seat, left * 1000) / 1000
    elif table.state.options.clock_s is not None:
        raise NotAllowed("not_host")  # the clock decides
    elif playing is not None and ask.seat in playing.awaited:
        left = table.patience.left_ms(playing) / 1000
    if left > 0:
        raise NotAllowed("not_kept_waiting", count=ceil(left))


async def rematch_timeout(
    table: Table, _participant: Participant, _message: RematchTimeout
) -> None:
    await _begin_rematch_if_all_agree(table)


async def _begin_rematch_if_all_agree(table: Table) -> None:
    """Begins the next game if every player who is there has asked for it.  Nobody waits for a player who is away."""
    connected, state = table.presence.seats, table.state
    there = [seat for seat in seating.people(state) if not state.places[seat].is_away]
    here = [seat for seat in there if seat in connected]
    if state.phase == "over" and here and set(here) <= set(state.rematch):
        await draw_words(table, seating.started(state, table.services.stand_in))
