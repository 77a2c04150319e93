"""How messages from players change the seats and settings of a table: one function for each kind of message.

Each function returns the new state, or refuses with a reason.
"""

from collections.abc import Callable
from typing import Any

from foretell.deals import commitment
from foretell.errors import NotAllowed
from foretell.server.store.interface import Place, TableState
from foretell.server.table.seating import (
    changed,
    existing_place,
    known_level,
    people,
    returned,
    with_bot,
    with_new_place,
    with_place,
)
from foretell.server.wire import protocol as p
from foretell.server.wire import user_text

__all__ = ["CHANGES"]

Change = Callable[[TableState, int, Any], TableState]
"""Called with the table, the seat of the player who asks, and the message."""


def _refuse_unless_host(state: TableState, seat: int) -> None:
    if state.host != seat:
        raise NotAllowed("not_host")


def _refuse_unless_gathering(state: TableState) -> None:
    if state.phase == "playing":
        raise NotAllowed("already_started")


def _refuse_unless_person(state: TableState, seat: int) -> None:
    if existing_place(state, seat).kind != "person":
        raise NotAllowed("nobody_there", seat=seat)


def _ready(state: TableState, seat: int, ask: p.Ready) -> TableState:
    """A player who is ready, or no longer ready, is not away any more."""
    _refuse_unless_gathering(state)
    return with_place(returned(state, seat), seat, is_ready=ask.is_ready)


def _word(state: TableState, seat: int, ask: p.SayWord) -> TableState:
    _refuse_unless_gathering(state)
    return with_place(state, seat, word=user_text.word(ask.word), word_hash=None)


def _word_hash(state: TableState, seat: int, ask: p.SealWord) -> TableState:
    """The hash of a word that this player reveals when the game starts.  It belongs to one secret of the server."""
    _refuse_unless_gathering(state)
    if ask.commit != commitment(bytes.fromhex(state.next_secret)):
        raise NotAllowed("old_commit")
    return with_place(state, seat, word="", word_hash=ask.hash)


def _sit(state: TableState, seat: int, ask: p.Sit) -> TableState:
    _refuse_unless_gathering(state)
    if existing_place(state, ask.seat).kind != "open":
        raise NotAllowed("seat_taken", seat=ask.seat)
    moved = with_new_place(with_new_place(state, ask.seat, state.places[seat]), seat, Place())
    rematch = tuple(sorted(ask.seat if one == seat else one for one in state.rematch))
    moved = changed(moved, rematch=rematch)
    return changed(moved, host=ask.seat) if state.host == seat else moved


def _fill(state: TableState, seat: int, ask: p.Fill) -> TableState:
    _refuse_unless_host(state, seat)
    place = existing_place(state, ask.seat)
    is_free = place.has_left and place.successor is None
    if place.kind == "person" and not is_free:
        raise NotAllowed("seat_taken", seat=ask.seat)
    if place.kind == "bot":
        return with_place(state, ask.seat, level=known_level(ask.level))
    return with_bot(state, ask.seat, ask.level)


def _empty(state: TableState, seat: int, ask: p.Empty) -> TableState:
    _refuse_unless_host(state, seat)
    _refuse_unless_gathering(state)
    if existing_place(state, ask.seat).kind != "bot":
        raise NotAllowed("no_bot_there", seat=ask.seat)
    return with_new_place(state, ask.seat, Place())


def _mute(state: TableState, seat: int, ask: p.Mute) -> TableState:
    _refuse_unless_host(state, seat)
    if ask.seat is None:
        return changed(state, are_spectators_muted=ask.is_muted)
    _refuse_unless_person(state, ask.seat)
    return with_place(state, ask.seat, is_muted=ask.is_muted)


def _pass_host(state: TableState, seat: int, ask: p.PassHost) -> TableState:
    _refuse_unless_host(state, seat)
    existing_place(state, ask.seat)
    if ask.seat not in people(state):
        raise NotAllowed("nobody_there", seat=ask.seat)
    return changed(state, host=ask.seat)


def _options(state: TableState, seat: int, ask: p.ChangeOptions) -> TableState:
    """Seats are added and removed at the end; a person's seat cannot be removed.  New rules need everyone's consent."""
    _refuse_unless_host(state, seat)
    _refuse_unless_gathering(state)
    options = ask.options
    options.rules.seats(options.seats)
    places = state.places
    taken = sum(place.kind == "person" for place in places)
    if taken > options.seats:
        raise NotAllowed("people_need_seats", people=taken, seats=options.seats)
    for last, place in enumerate(places[options.seats :], start=options.seats):
        if place.kind == "person":
            raise NotAllowed("seat_taken", seat=last)
    if len(places) != options.seats and state.phase == "over":
        # The last game had another number of seats, so it can no longer be shown at this table.
        state = changed(state, phase="gathering", game=None, rematch=())
    places = places[: options.seats] + (Place(),) * (options.seats - len(places))
    are_rules_new = options.rules != state.options.rules
    state = changed(state, options=options, places=places)
    return _nobody_ready(state) if are_rules_new else state


def _nobody_ready(state: TableState) -> TableState:
    """Nobody has agreed to this game yet, except the host, who chose the rules."""
    for seat in people(state):
        state = with_place(state, seat, is_ready=seat == state.host)
    return changed(state, rematch=())


def _away(state: TableState, seat: int, ask: p.Away) -> TableState:
    """For the player who asks, or for another one who does not act, so that no table waits for ever.

    Whether that player has kept the table waiting for long enough is decided before (`people_handlers`).  Between games
    that may be the host: then the player who asks becomes the host.
    """
    away = seat if ask.seat is None else ask.seat
    _refuse_unless_person(state, away)
    if away == state.host and away != seat and state.phase != "playing":
        state = changed(state, host=seat)
    return with_place(state, away, is_away=True)


def _back(state: TableState, seat: int, _ask: p.Back) -> TableState:
    return returned(state, seat)


def _rematch(state: TableState, seat: int, _ask: p.Rematch) -> TableState:
    if state.phase != "over":
        raise NotAllowed("not_over")
    # A player who was away at the end of the last game is back now.
    return changed(returned(state, seat), rematch=tuple(sorted({*state.rematch, seat})))


CHANGES: dict[type, Change] = {
    p.Ready: _ready,
    p.SayWord: _word,
    p.SealWord: _word_hash,
    p.Sit: _sit,
    p.Fill: _fill,
    p.Empty: _empty,
    p.Mute: _mute,
    p.PassHost: _pass_host,
    p.ChangeOptions: _options,
    p.Away: _away,
    p.Back: _back,
    p.Rematch: _rematch,
}
"""The function for each message that changes the table but not the game."""
