"""Coming, sitting down, changing things, leaving: what a table does about its people."""

from typing import Any

import msgspec

from foretell.errors import NotAllowed
from foretell.server.table import seating, table_messages
from foretell.server.table.internal_messages import (
    ArrivalTimeout,
    Disconnected,
    HostTimeout,
    RematchTimeout,
)
from foretell.server.table.participants import Participant, SocketParticipant, seat_of
from foretell.server.table.play_handlers import begin
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire import user_text

__all__ = ["change", "hello", "host_gone", "leave", "never_came", "play_again", "take_seat", "went"]


async def hello(table: Table, participant: Participant, hello: p.Hello) -> None:
    seat = None if hello.token is None else seating.seat_of(table.state, hello.token)
    players = {place.name for place in table.state.places}
    name = None if hello.name is None else seating.distinct(user_text.name(hello.name), players)
    if seat is not None:
        place = table.state.places[seat]
        if place.is_away or place.has_left or not place.has_come:
            await table.keep(seating.returned(table.state, seat))
    participant.name, participant.language = name, hello.language
    table.presence.seat(participant, seat)
    _present(table, seat)
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
    table.tell_table(but=participant)
    _mind_host(table)
    _mind_arrivals(table)
    table.arrange()


def _present(table: Table, seat: int | None) -> None:
    table.inbox.stop_timer("sleep")
    if seat is not None:
        _forget(table, seat)


def _forget(table: Table, seat: int) -> None:
    """Nothing that was known of who sat here holds for who sits here now."""
    table.gone.pop(seat, None)
    table.lapsed.discard(seat)
    table.inbox.stop_timer(_arrival(seat))


def _arrival(seat: int) -> str:
    """The name of the bell that rings for who never came."""
    return f"arrival {seat}"


def _mind_arrivals(table: Table) -> None:
    """Sees to it that a bell runs for everyone who has taken a seat and was never here; also after the table slept."""
    patience, now = table.services.timeouts.arrival, table.services.now()
    for seat in seating.people(table.state):
        if not table.state.places[seat].has_come:
            left = table.gone.setdefault(seat, now) + patience - now
            bell = (Participant(), ArrivalTimeout(seat))
            table.inbox.start_timer(_arrival(seat), min(max(left, 0.0), patience), bell)


def _mind_host(table: Table) -> None:
    """Sees to it that a host who is not here has a bell running, whatever came first: a host may leave before anyone
    else is there, not be back when the table wakes, or never have come at all.
    """
    host, patience, now = table.state.host, table.services.timeouts.host, table.services.now()
    if host is None or host in table.presence.seats:
        table.inbox.stop_timer("host")
        return
    left = table.gone.setdefault(host, now) + patience - now
    table.inbox.start_timer("host", min(max(left, 0.0), patience), (Participant(), HostTimeout()))


async def went(table: Table, participant: Participant, _letter: Disconnected) -> None:
    if participant not in table.presence:
        return
    table.presence.discard(participant)
    seat = participant.seat
    if seat is not None and seat not in table.presence.seats:
        table.gone[seat] = table.services.now()
        if table.state.phase == "over":
            # Those who want to play again wait no longer for who is gone than a game would.
            table.inbox.start_timer(
                "rematch", table.services.timeouts.grace, (Participant(), RematchTimeout())
            )
    table.tell_table()
    _mind_host(table)
    table.arrange()
    table.rest_unless_visited()


async def host_gone(table: Table, _guest: Participant, _letter: HostTimeout) -> None:
    connected = table.presence.seats
    others = [seat for seat in seating.people(table.state) if seat in connected]
    if table.state.host not in connected and others:
        host = seating.next_host(table.state, others)
        await table.keep(msgspec.structs.replace(table.state, host=host))
        table.tell_table()


async def change(table: Table, participant: Participant, ask: Any) -> None:
    """Everything in `seating.CHANGES`."""
    seat = seat_of(participant)
    state = seating.CHANGES[type(ask)](table.state, seat, ask)
    await table.keep(state)
    if state.game is None:
        table.playing = None
    if isinstance(ask, p.Sit):
        table.presence.move(seat, ask.seat)
        _forget(table, seat)
        _present(table, ask.seat)
    elif isinstance(ask, p.Remove | p.Fill | p.Empty):
        _unseat(table, ask.seat, "removed")
    if isinstance(ask, p.Sit | p.Remove | p.Fill | p.Empty):
        _tell_seats(table)
    else:
        table.tell_table()
        _mind_host(table)
    if isinstance(ask, p.Rematch):
        await _again_if_all_want(table)
    elif isinstance(ask, p.Remove):
        table.post(Participant(), RematchTimeout())  # the others may have waited for this one alone
    table.arrange()
    participant.answer(p.Done(id=ask.id))


async def play_again(table: Table, _guest: Participant, _letter: RematchTimeout) -> None:
    await _again_if_all_want(table)


async def _again_if_all_want(table: Table) -> None:
    """The next game, once everyone who is here has asked for it."""
    connected, state = table.presence.seats, table.state
    here = [seat for seat in seating.people(state) if seat in connected]
    if state.phase == "over" and here and set(here) <= set(state.rematch):
        await begin(table, seating.started(state, table.services.stand_in))


def _tell_seats(table: Table) -> None:
    """Someone sits elsewhere, or no more: the table, and the game as it is seen from there, by the names of now."""
    table.tell_table()
    _mind_host(table)
    if table.playing is not None:
        table.tell_game()


def _unseat(table: Table, seat: int, reason: Any) -> None:
    """Whoever sat here looks on from now."""
    _forget(table, seat)
    for one in table.presence.move(seat, None):
        one.deliver(p.write(p.Removed(reason=reason)))


async def take_seat(table: Table, participant: Participant, ask: p.TakeSeat) -> None:
    """By socket from a spectator, or by HTTP from someone who will say hello next."""
    if participant.seat is not None:
        raise NotAllowed("already_seated", seat=participant.seat)
    if isinstance(participant, SocketParticipant) and participant not in table.presence:
        raise NotAllowed("no_hello")  # its hello was refused: it would sit here and hear nothing
    token = table.services.keys.token()
    state, seat = seating.sits_down(table.state, ask, token, is_here=participant in table.presence)
    await table.keep(state)
    _unseat(table, seat, "taken")
    if participant in table.presence:
        table.presence.seat(participant, seat)
        _present(table, seat)
    else:
        table.gone[seat] = table.services.now()
        _mind_arrivals(table)
    _tell_seats(table)
    table.arrange()
    participant.answer(table_messages.seated(table.state, seat, token, ask.id))


async def never_came(table: Table, _guest: Participant, bell: ArrivalTimeout) -> None:
    """A seat in a game is not kept for who took it by HTTP and was never here: someone else may play instead of the
    bot.  Should they come after all, the key still opens it.  Before a game the host sees to it.
    """
    seat, state = bell.seat, table.state
    is_kept = state.phase == "playing" and seat in seating.people(state)
    if is_kept and not state.places[seat].has_come:  # a hello may have been faster than the bell
        await table.keep(seating.left(state, seat, table.presence.seats))
        _tell_seats(table)
        table.arrange()


async def leave(table: Table, participant: Participant, ask: p.Leave) -> None:
    seat = seat_of(participant)
    await table.keep(seating.left(table.state, seat, table.presence.seats - {seat}))
    table.presence.move(seat, None)
    _tell_seats(table)
    table.post(Participant(), RematchTimeout())  # the others may have waited for this one alone
    table.arrange()
    participant.answer(p.Done(id=ask.id))
