"""Handlers for taking a seat, asking the host for one, leaving, and being removed.

`admission` decides who may have a seat, `takeovers` when they get it, and `approvals` keeps the requests to the host.
"""

import weakref

from msgspec.structs import replace

from foretell.errors import NotAllowed
from foretell.server.keys import hashed, hashed_at
from foretell.server.store.interface import TableState
from foretell.server.table import admission, seating, table_messages, takeovers
from foretell.server.table.admission import Newcomer
from foretell.server.table.approvals import Asker
from foretell.server.table.arrivals import (
    make_spectators,
    mark_present,
    start_arrival_timers,
    tell_seats,
    update_host_timer,
)
from foretell.server.table.internal_messages import ArrivalTimeout, RematchTimeout, RequestTimeout
from foretell.server.table.participants import Participant, SocketParticipant, required_seat
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p

__all__ = [
    "allow_back",
    "answer_request",
    "arrival_timeout",
    "connect_to_seat",
    "leave",
    "remove",
    "request_timeout",
    "take_seat",
]


async def take_seat(table: Table, participant: Participant, ask: p.TakeSeat) -> None:
    """Gives a seat to a spectator, or to someone who asks by HTTP and connects afterwards."""
    seat = participant.next_seat if participant.seat is None else participant.seat
    if seat is not None:
        raise NotAllowed("already_seated", seat=seat)
    is_here = participant in table.presence
    if isinstance(participant, SocketParticipant) and not is_here:
        raise NotAllowed("no_hello")  # its hello was refused, so it would receive no messages
    services = table.services
    newcomer = admission.newcomer(table.state.id, participant, ask, services.keys)
    own = admission.held_seat(table.state, newcomer.key)
    left = admission.left_seat(table.state, newcomer.key)
    if own is None and ask.seat in (None, left):
        own = left
    if own is not None:
        await _give_back(table, participant, own, newcomer, ask.id)
        return
    if participant.is_removed:
        raise NotAllowed("removed_by_host")
    admission.refuse_whoever_was_removed(table.state, newcomer.key, newcomer.address)
    seating.seat_for_newcomer(table.state, newcomer.seat)  # refuses a seat that is not free
    admission.refuse_too_many(table.state, newcomer.address)
    services.seat_holders.refuse_if_full(participant.address)
    if not admission.needs_approval(table.state, newcomer.address):
        participant.answer(await _seat(table, participant, newcomer, ask.id))
    elif is_here and table.state.host is not None:
        asker = table.requests.add(newcomer, participant)
        table.tell_table()
        participant.answer(p.Requested(id=ask.id, request=asker.request))
    else:
        raise NotAllowed("approval_needed")


async def _give_back(
    table: Table, participant: Participant, seat: int, newcomer: Newcomer, id_: int
) -> None:
    """Answers a browser that has this seat already, or waits for it: a request that was sent twice is one seat."""
    token_hash = hashed(newcomer.token)
    is_waiting = takeovers.waiting_seat(table.state, token_hash) == seat
    if participant in table.presence:
        await connect_to_seat(table, participant, seat, token_hash, is_waiting=is_waiting)
        tell_seats(table)
    elif table.state.places[seat].has_left and not is_waiting:
        await table.save(seating.returned(table.state, seat))
        table.gone_since[seat] = table.services.now()
        tell_seats(table)
    table.schedule_turns()
    participant.answer(
        table_messages.seated(table.state, seat, newcomer.token, id_, from_next_deal=is_waiting)
    )


async def connect_to_seat(
    table: Table, participant: Participant, seat: int, token_hash: str, *, is_waiting: bool
) -> None:
    """Connects someone to their seat, or to the seat that they get with the next deal."""
    place = table.state.places[seat]
    person = place.successor if is_waiting and place.successor is not None else place
    _count_seat_again(table, participant, seat, token_hash, person.address)
    if is_waiting:
        if place.successor is not None and not place.successor.has_come:
            await table.save(takeovers.arrived(table.state, seat))
        wait_for_seat(table, participant, seat, token_hash)
        return
    if place.is_away or place.has_left or not place.has_come:
        await table.save(seating.returned(table.state, seat))
    table.presence.seat(participant, seat)
    mark_present(table, seat)


def wait_for_seat(table: Table, participant: Participant, seat: int, token_hash: str) -> None:
    """Makes someone a spectator who gets this seat with the next deal."""
    successor = table.state.places[seat].successor
    participant.token_hash = token_hash
    participant.name = None if successor is None else successor.name
    table.presence.seat(participant, None, next_seat=seat)
    mark_present(table, seat)


async def _seat(
    table: Table, participant: Participant, newcomer: Newcomer, id_: int | None
) -> p.Seated:
    """Gives a free seat to a newcomer: at once, or in a running game with the next deal."""
    is_here = participant in table.presence
    seat = seating.seat_for_newcomer(table.state, newcomer.seat)
    state = admission.without_seats_left_by(table.state, newcomer)
    name = seating.distinct(newcomer.name, seating.names_but(state, seat))
    person = replace(newcomer.place(is_here=is_here), name=name)
    is_playing = state.phase == "playing"
    state = (takeovers.claimed if is_playing else seating.seated)(state, seat, person)
    await table.save(state)
    token_hash = hashed(newcomer.token)
    _count_seat(table, participant, token_hash)
    if is_here and is_playing:
        wait_for_seat(table, participant, seat, token_hash)
    elif is_here:
        make_spectators(table, seat, "taken")
        table.presence.seat(participant, seat)
        mark_present(table, seat)
    else:
        table.gone_since[seat] = table.services.now()
        start_arrival_timers(table)
    if is_playing:
        table.tell_table()  # nothing changes in the game before the next deal
    else:
        tell_seats(table)
    table.schedule_turns()
    return table_messages.seated(table.state, seat, newcomer.token, id_, from_next_deal=is_playing)


def _count_seat(table: Table, participant: Participant, token_hash: str) -> None:
    """Counts the seat among those of the participant's address, as long as the table is in memory."""
    known = weakref.ref(table)

    def is_held() -> bool:
        found = known()
        if found is None or found.is_asleep:
            return False
        return token_hash in {token for token, _seat in found.state.tokens()}

    seat = table.state.id, token_hash
    table.services.seat_holders.add(participant.address, seat, is_held)


def _count_seat_again(
    table: Table, participant: Participant, seat: int, token_hash: str, address: str | None
) -> None:
    """Counts the seat of a player who is back where they took it, unless it is the host of the table."""
    is_same = address is not None and address == hashed_at(table.state.id, participant.address)
    if is_same and seat != table.state.host:
        _count_seat(table, participant, token_hash)


async def answer_request(table: Table, participant: Participant, ask: p.AnswerRequest) -> None:
    """The host says yes or no to someone who wants to sit down."""
    _refuse_unless_host(table.state, participant)
    asker = table.requests.remove(ask.request)
    if asker is None or not _still_wants_a_seat(table, asker):
        table.tell_table()
        raise NotAllowed("nobody_asks")
    if ask.is_admitted:
        try:
            seated = await _seat(table, asker.participant, asker.newcomer, None)
        except NotAllowed:
            table.tell_table()  # the request is gone: the seat that was asked for is taken
            asker.participant.deliver(p.write(p.Declined()))
            raise
        except BaseException:
            table.requests.put_back(asker)  # nothing was stored, so the host can answer again
            raise
        asker.participant.deliver(p.write(seated))
    else:
        asker.participant.deliver(p.write(p.Declined()))
        table.tell_table()
    participant.answer(p.Done(id=ask.id))


def _still_wants_a_seat(table: Table, asker: Asker) -> bool:
    """Whether someone who asked is here, and they have not got a seat in another way since.

    They may have come back with the token of a seat.
    """
    participant = asker.participant
    is_seated = participant.seat is not None or participant.next_seat is not None
    has_seat = is_seated or admission.held_seat(table.state, asker.newcomer.key) is not None
    return participant in table.presence and not has_seat


async def request_timeout(table: Table, _participant: Participant, timeout: RequestTimeout) -> None:
    """Drops the request of someone who has been gone for long."""
    for one in table.requests:
        if one.request == timeout.request and one.participant not in table.presence:
            table.requests.remove(one.request)
            table.tell_table()


def _refuse_unless_host(state: TableState, participant: Participant) -> None:
    if required_seat(participant) != state.host:
        raise NotAllowed("not_host")


async def remove(table: Table, participant: Participant, ask: p.Remove) -> None:
    """Removes a player, or someone who is about to get a seat.  In a game, a bot plays on at once."""
    state = table.state
    _refuse_unless_host(state, participant)
    place = seating.existing_place(state, ask.seat)
    if place.successor is not None:
        person, state = place.successor, takeovers.without_successor(state, ask.seat)
    elif place.kind == "person" and ask.seat != participant.seat:
        person = place
        if state.phase == "playing":
            level = place.level or seating.level_of_bots(state) or table.services.stand_in
            state = seating.with_bot(state, ask.seat, level)
        else:
            state = seating.vacated(state, ask.seat)
    else:  # hosts use `leave` for themselves
        raise NotAllowed("nobody_there", seat=ask.seat)
    await table.save(admission.with_removed(state, person))
    make_spectators(table, ask.seat, "removed")
    tell_seats(table)
    table.post(Participant(), RematchTimeout())  # perhaps only this player was missing
    table.schedule_turns()
    participant.answer(p.Done(id=ask.id))


async def allow_back(table: Table, participant: Participant, ask: p.AllowBack) -> None:
    _refuse_unless_host(table.state, participant)
    await table.save(admission.allowed_back(table.state, ask.name))
    table.tell_table()
    participant.answer(p.Done(id=ask.id))


async def arrival_timeout(table: Table, _participant: Participant, timeout: ArrivalTimeout) -> None:
    """Frees a seat if the person who took it by HTTP never connected.

    In a game the token of a player stays valid until someone else takes the seat.
    """
    seat, state = timeout.seat, table.state
    if seat >= len(state.places):
        return  # the table has fewer seats now
    successor = state.places[seat].successor
    # The person may have connected in the meantime.
    if successor is not None and not successor.has_come:
        await table.save(takeovers.without_successor(state, seat))
    elif seat in seating.people(state) and not state.places[seat].has_come:
        await table.save(seating.left(state, seat, table.presence.seats))
        table.forget_absence(seat)
    else:
        return
    tell_seats(table)
    table.schedule_turns()


async def leave(table: Table, participant: Participant, ask: p.Leave) -> None:
    """Gives up a seat, or stops waiting for one."""
    request = table.requests.of(participant)
    if participant.next_seat is not None:
        await table.save(takeovers.without_successor(table.state, participant.next_seat))
        table.settle_waiting()
        table.tell_table()
    elif request is not None:
        table.requests.remove(request.request)
        table.tell_table()
    else:
        seat = required_seat(participant)
        await table.save(seating.left(table.state, seat, table.presence.seats - {seat}))
        table.presence.move(seat, None)
        tell_seats(table)
        table.post(Participant(), RematchTimeout())  # perhaps only this player was missing
    update_host_timer(table)
    table.schedule_turns()
    participant.answer(p.Done(id=ask.id))
