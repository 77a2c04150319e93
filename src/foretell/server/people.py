"""Coming, sitting down, changing things, leaving: what a table does about its people."""

from typing import Any

import msgspec

from foretell.errors import NotAllowed
from foretell.server import protocol as p
from foretell.server import seating, telling, texts
from foretell.server.guests import Guest, seat_of
from foretell.server.letters import Gone, HostBell
from foretell.server.moves import begin
from foretell.server.table import Table

__all__ = ["change", "hello", "host_gone", "leave", "take_seat", "went"]


async def hello(table: Table, guest: Guest, hello: p.Hello) -> None:
    seat = None if hello.token is None else seating.seat_of(table.state, hello.token)
    players = {place.name for place in table.state.places}
    name = None if hello.name is None else seating.distinct(texts.name(hello.name), players)
    if seat is not None:
        place = table.state.places[seat]
        if place.is_away or place.has_left:
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
    table.arrange()


def _present(table: Table, seat: int | None) -> None:
    table.inbox.hush("sleep")
    if seat is not None:
        table.gone.pop(seat, None)
        table.lapsed.discard(seat)
        if seat == table.state.host:
            table.inbox.hush("host")


async def went(table: Table, guest: Guest, _letter: Gone) -> None:
    if guest not in table.guests:
        return
    table.guests.discard(guest)
    seat = guest.seat
    if seat is not None and seat not in table.guests.seats:
        table.gone[seat] = table.house.now()
        if seat == table.state.host:
            table.inbox.ring("host", table.house.patience.host, (Guest(), HostBell()))
    table.tell_table()
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
    if isinstance(ask, p.Sit):
        table.guests.move(seat, ask.seat)
    elif isinstance(ask, p.Remove | p.Fill | p.Empty):
        _unseat(table, ask.seat, "removed")
    table.tell_table()
    if isinstance(ask, p.Rematch) and _all_want_another(table):
        await begin(table, seating.started(table.state, table.house.stand_in))
    table.arrange()
    guest.answer(p.Done(id=ask.id))


def _all_want_another(table: Table) -> bool:
    connected = table.guests.seats
    here = [s for s in seating.people(table.state) if s in connected]
    return all(seat in table.state.rematch for seat in here)


def _unseat(table: Table, seat: int, reason: Any) -> None:
    """Whoever sat here looks on from now."""
    table.gone.pop(seat, None)
    table.lapsed.discard(seat)
    for one in table.guests.move(seat, None):
        one.deliver(p.write(p.Removed(reason=reason)))


async def take_seat(table: Table, guest: Guest, ask: p.TakeSeat) -> None:
    """By socket from a spectator, or by HTTP from someone who will say hello next."""
    if guest.seat is not None:
        raise NotAllowed("already_seated", seat=guest.seat)
    token = table.house.keys.token()
    state, seat = seating.sits_down(table.state, ask, token)
    await table.keep(state)
    _unseat(table, seat, "taken")
    if guest in table.guests:
        table.guests.seat(guest, seat)
        _present(table, seat)
    else:
        table.gone[seat] = table.house.now()
    table.tell_table()
    if table.playing is not None:
        table.tell_game(())
    table.arrange()
    guest.answer(telling.seated(table.state, seat, token, ask.id))


async def leave(table: Table, guest: Guest, ask: p.Leave) -> None:
    seat = seat_of(guest)
    await table.keep(seating.left(table.state, seat, table.guests.seats - {seat}))
    table.guests.move(seat, None)
    table.tell_table()
    if table.playing is not None:
        table.tell_game(())
    table.arrange()
    guest.answer(p.Done(id=ask.id))
