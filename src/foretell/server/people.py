"""Coming, sitting down, changing things, leaving: what a table does about its people."""

from typing import Any

import msgspec

from foretell.errors import NotAllowed
from foretell.server import protocol as p
from foretell.server import seating, telling, texts
from foretell.server.guests import Guest, Visitor, seat_of
from foretell.server.letters import ArrivalBell, Gone, HostBell, RematchBell
from foretell.server.moves import begin
from foretell.server.table import Table

__all__ = ["change", "hello", "host_gone", "leave", "never_came", "play_again", "take_seat", "went"]


async def hello(table: Table, guest: Guest, hello: p.Hello) -> None:
    seat = None if hello.token is None else seating.seat_of(table.state, hello.token)
    players = {place.name for place in table.state.places}
    name = None if hello.name is None else seating.distinct(texts.name(hello.name), players)
    if seat is not None:
        place = table.state.places[seat]
        if place.is_away or place.has_left or not place.has_come:
            await table.keep(seating.returned(table.state, seat))
    guest.name, guest.language = name, hello.language
    table.guests.seat(guest, seat)
    _present(table, seat)
    guest.answer(
        p.Welcome(
            id=hello.id,
            version=p.VERSION,
            seat=seat,
            table=table.info(),
            snapshot=table.snapshot(seat),
            chat=tuple(table.chat),
        )
    )
    table.tell_table(but=guest)
    _mind_host(table)
    _mind_arrivals(table)
    table.arrange()


def _present(table: Table, seat: int | None) -> None:
    table.inbox.hush("sleep")
    if seat is not None:
        _forget(table, seat)


def _forget(table: Table, seat: int) -> None:
    """Nothing that was known of who sat here holds for who sits here now."""
    table.gone.pop(seat, None)
    table.lapsed.discard(seat)
    table.inbox.hush(_arrival(seat))


def _arrival(seat: int) -> str:
    """The name of the bell that rings for who never came."""
    return f"arrival {seat}"


def _mind_arrivals(table: Table) -> None:
    """Sees to it that a bell runs for everyone who has taken a seat and was never here; also after the table slept."""
    patience, now = table.house.patience.arrival, table.house.now()
    for seat in seating.people(table.state):
        if not table.state.places[seat].has_come:
            left = table.gone.setdefault(seat, now) + patience - now
            bell = (Guest(), ArrivalBell(seat))
            table.inbox.ring(_arrival(seat), min(max(left, 0.0), patience), bell)


def _mind_host(table: Table) -> None:
    """Sees to it that a host who is not here has a bell running, whatever came first: a host may leave before anyone
    else is there, not be back when the table wakes, or never have come at all.
    """
    host, patience, now = table.state.host, table.house.patience.host, table.house.now()
    if host is None or host in table.guests.seats:
        table.inbox.hush("host")
        return
    left = table.gone.setdefault(host, now) + patience - now
    table.inbox.ring("host", min(max(left, 0.0), patience), (Guest(), HostBell()))


async def went(table: Table, guest: Guest, _letter: Gone) -> None:
    if guest not in table.guests:
        return
    table.guests.discard(guest)
    seat = guest.seat
    if seat is not None and seat not in table.guests.seats:
        table.gone[seat] = table.house.now()
        if table.state.phase == "over":
            # Those who want to play again wait no longer for who is gone than a game would.
            table.inbox.ring("rematch", table.house.patience.grace, (Guest(), RematchBell()))
    table.tell_table()
    _mind_host(table)
    table.arrange()
    table.rest_unless_visited()


async def host_gone(table: Table, _guest: Guest, _letter: HostBell) -> None:
    connected = table.guests.seats
    others = [seat for seat in seating.people(table.state) if seat in connected]
    if table.state.host not in connected and others:
        host = seating.next_host(table.state, others)
        await table.keep(msgspec.structs.replace(table.state, host=host))
        table.tell_table()


async def change(table: Table, guest: Guest, ask: Any) -> None:
    """Everything in `seating.CHANGES`."""
    seat = seat_of(guest)
    state = seating.CHANGES[type(ask)](table.state, seat, ask)
    await table.keep(state)
    if state.game is None:
        table.playing = None
    if isinstance(ask, p.Sit):
        table.guests.move(seat, ask.seat)
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
        table.post(Guest(), RematchBell())  # the others may have waited for this one alone
    table.arrange()
    guest.answer(p.Done(id=ask.id))


async def play_again(table: Table, _guest: Guest, _letter: RematchBell) -> None:
    await _again_if_all_want(table)


async def _again_if_all_want(table: Table) -> None:
    """The next game, once everyone who is here has asked for it."""
    connected, state = table.guests.seats, table.state
    here = [seat for seat in seating.people(state) if seat in connected]
    if state.phase == "over" and here and set(here) <= set(state.rematch):
        await begin(table, seating.started(state, table.house.stand_in))


def _tell_seats(table: Table) -> None:
    """Someone sits elsewhere, or no more: the table, and the game as it is seen from there, by the names of now."""
    table.tell_table()
    _mind_host(table)
    if table.playing is not None:
        table.tell_game(())


def _unseat(table: Table, seat: int, reason: Any) -> None:
    """Whoever sat here looks on from now."""
    _forget(table, seat)
    for one in table.guests.move(seat, None):
        one.deliver(p.write(p.Removed(reason=reason)))


async def take_seat(table: Table, guest: Guest, ask: p.TakeSeat) -> None:
    """By socket from a spectator, or by HTTP from someone who will say hello next."""
    if guest.seat is not None:
        raise NotAllowed("already_seated", seat=guest.seat)
    if isinstance(guest, Visitor) and guest not in table.guests:
        raise NotAllowed("no_hello")  # its hello was refused: it would sit here and hear nothing
    token = table.house.keys.token()
    state, seat = seating.sits_down(table.state, ask, token, is_here=guest in table.guests)
    await table.keep(state)
    _unseat(table, seat, "taken")
    if guest in table.guests:
        table.guests.seat(guest, seat)
        _present(table, seat)
    else:
        table.gone[seat] = table.house.now()
        _mind_arrivals(table)
    _tell_seats(table)
    table.arrange()
    guest.answer(telling.seated(table.state, seat, token, ask.id))


async def never_came(table: Table, _guest: Guest, bell: ArrivalBell) -> None:
    """A seat in a game is not kept for who took it by HTTP and was never here: someone else may play instead of the
    bot.  Should they come after all, the key still opens it.  Before a game the host sees to it.
    """
    seat, state = bell.seat, table.state
    is_kept = state.phase == "playing" and seat in seating.people(state)
    if is_kept and not state.places[seat].has_come:  # a hello may have been faster than the bell
        await table.keep(seating.left(state, seat, table.guests.seats))
        _tell_seats(table)
        table.arrange()


async def leave(table: Table, guest: Guest, ask: p.Leave) -> None:
    seat = seat_of(guest)
    await table.keep(seating.left(table.state, seat, table.guests.seats - {seat}))
    table.guests.move(seat, None)
    _tell_seats(table)
    table.post(Guest(), RematchBell())  # the others may have waited for this one alone
    table.arrange()
    guest.answer(p.Done(id=ask.id))
