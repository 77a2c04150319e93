"""Who sits where: a table's people as a value, and what each may change about it.

Each function answers with the state after it, or refuses with the reason.  None of them knows sockets or the store.
"""

from collections.abc import Callable, Container, Iterable
from typing import Any

import msgspec

from foretell.bots import BOTS
from foretell.errors import NotAllowed
from foretell.server.keys import Keys, hashed
from foretell.server.store.interface import Place, TableState
from foretell.server.wire import protocol as p
from foretell.server.wire import user_text

__all__ = [
    "CHANGES",
    "COMPANY",
    "distinct",
    "free_seats",
    "left",
    "new_table",
    "next_host",
    "people",
    "returned",
    "seat_of",
    "sits_down",
    "started",
    "with_place",
    "without_left",
]

Sits = Callable[[TableState, int, Any], TableState]


def _changed(state: TableState, **changes: Any) -> TableState:
    return msgspec.structs.replace(state, **changes)


def with_place(state: TableState, seat: int, **changes: Any) -> TableState:
    """The table with one seat changed."""
    place = msgspec.structs.replace(state.places[seat], **changes)
    return _put(state, seat, place)


def _put(state: TableState, seat: int, place: Place) -> TableState:
    return _changed(state, places=(*state.places[:seat], place, *state.places[seat + 1 :]))


def people(state: TableState) -> tuple[int, ...]:
    """Seats of persons who have not given theirs up."""
    return tuple(
        seat
        for seat, place in enumerate(state.places)
        if place.kind == "person" and not place.has_left
    )


def free_seats(state: TableState) -> tuple[int, ...]:
    """Where someone new may sit down: open seats first, then those given up in a game, then bots'."""
    seats = range(len(state.places))
    opened = [seat for seat in seats if state.places[seat].kind == "open"]
    left_ = [seat for seat in seats if state.places[seat].has_left]
    bots = [seat for seat in seats if state.places[seat].kind == "bot"]
    return (*opened, *left_, *bots)


def seat_of(state: TableState, token: str) -> int:
    """The seat that a token opens."""
    key = hashed(token)
    for seat, place in enumerate(state.places):
        if place.token == key:
            return seat
    raise NotAllowed("bad_token")


def known_level(level: str) -> str:
    if level not in BOTS:
        raise NotAllowed("unknown_level", level=level, allowed=", ".join(BOTS))
    return level


COMPANY = ("Merlin", "Morgana", "Ambrosius", "Nimue", "Taliesin", "Viviane")
"""What bots are called, in every language."""


def _bot(level: str, others: Iterable[str | None]) -> Place:
    """Called as nobody else is at the table."""
    taken = set(others)
    name = next((one for one in COMPANY if one not in taken), None) or distinct(COMPANY[0], taken)
    return Place(kind="bot", level=known_level(level), name=name, is_ready=True)


def _with_bot(state: TableState, seat: int, level: str) -> TableState:
    others = (place.name for n, place in enumerate(state.places) if n != seat)
    return _put(state, seat, _bot(level, others))


def new_table(ask: p.NewTable, keys: Keys, now: float) -> tuple[TableState, str]:
    """A table with its maker as host in the first seat, bots in the last ones; and the maker's token."""
    options = ask.options
    options.rules.seats(options.seats)
    if len(options.bots) >= options.seats:
        raise NotAllowed("too_many_bots", bots=len(options.bots), seats=options.seats)
    token = keys.token()
    maker = Place(
        kind="person",
        name=user_text.name(ask.name),
        token=hashed(token),
        word=user_text.word(ask.word),
        is_ready=True,
    )
    state = TableState(
        id=keys.id(),
        code=keys.code(),
        options=options,
        places=(maker, *(Place() for _ in range(options.seats - 1))),
        host=0,
        next_secret=keys.secret(),
        created=now,
        changed=now,
    )
    for seat, level in enumerate(options.bots, start=options.seats - len(options.bots)):
        state = _with_bot(state, seat, level)
    return state, token


def sits_down(
    state: TableState, ask: p.TakeSeat | p.Join, token: str, *, is_here: bool
) -> tuple[TableState, int]:
    """Someone new: in an open seat, or in a bot's; the seat's new key is `token`."""
    free = free_seats(state)
    if ask.seat is not None and ask.seat >= len(state.places):
        raise NotAllowed("no_seat", seat=ask.seat, most=len(state.places) - 1)
    if not free:
        raise NotAllowed("table_full")
    seat = free[0] if ask.seat is None else ask.seat
    if seat not in free:
        raise NotAllowed("seat_taken", seat=seat)
    others = {place.name for n, place in enumerate(state.places) if n != seat}
    name = distinct(user_text.name(ask.name), others)
    old = state.places[seat]
    place = Place(
        kind="person",
        name=name,
        token=hashed(token),
        # Once cards are dealt the words are fixed; this one will count in the next game.
        word=user_text.word(ask.word),
        level=old.level,
        has_come=is_here,
    )
    state = _put(state, seat, place)
    return (_changed(state, host=seat) if state.host is None else state), seat


def distinct(name: str, others: Container[str | None]) -> str:
    """The name itself, or the next one like it that nobody else has."""
    while name in others:
        name = _another(name)
    return name


def _another(name: str) -> str:
    """Ana, Ana 2, Ana 3: no one can pass for someone else."""
    stem, _, number = name.rpartition(" ")
    if stem and number.isascii() and number.isdecimal():
        return f"{stem[: user_text.MOST_NAME - 3]} {int(number) % 98 + 1}"
    return f"{name[: user_text.MOST_NAME - 2]} 2"


def left(state: TableState, seat: int, present: Iterable[int]) -> TableState:
    """Before a game the seat is open again; in one a bot plays on, and the old key still opens it."""
    if state.phase == "playing":
        state = with_place(state, seat, has_left=True, is_away=True)
    else:
        state = _put(state, seat, Place())
        state = _changed(state, rematch=tuple(s for s in state.rematch if s != seat))
    return _changed(state, host=next_host(state, present)) if state.host == seat else state


def returned(state: TableState, seat: int) -> TableState:
    """Who was away, or had left, has the seat again."""
    state = with_place(state, seat, is_away=False, has_left=False, has_come=True)
    return _changed(state, host=seat) if state.host is None else state


def without_left(state: TableState) -> TableState:
    """After a game the seats that were given up are open."""
    places = tuple(Place() if place.has_left else place for place in state.places)
    return _changed(state, places=places)


def next_host(state: TableState, present: Iterable[int]) -> int | None:
    """The next person clockwise from the host: who is present before who is not."""
    persons = people(state)
    there = [seat for seat in persons if seat in set(present)] or list(persons)
    start = -1 if state.host is None else state.host
    size = len(state.places)
    return min(there, key=lambda seat: (seat - start - 1) % size, default=None)


def started(state: TableState, level: str | None) -> TableState:
    """The table with every seat taken, about to play."""
    if state.phase == "playing":
        raise NotAllowed("already_started")
    for seat, place in enumerate(state.places):
        if place.kind != "open":
            continue
        if level is None:
            raise NotAllowed("open_seats", count=sum(one.kind == "open" for one in state.places))
        state = _with_bot(state, seat, level)
    return _changed(state, phase="playing", rematch=())


# What one message changes, by its type


def _refuse_unless_host(state: TableState, seat: int) -> None:
    if state.host != seat:
        raise NotAllowed("not_host")


def _refuse_unless_gathering(state: TableState) -> None:
    if state.phase == "playing":
        raise NotAllowed("already_started")


def _existing(state: TableState, seat: int) -> Place:
    if seat >= len(state.places):
        raise NotAllowed("no_seat", seat=seat, most=len(state.places) - 1)
    return state.places[seat]


def _refuse_unless_person(state: TableState, seat: int) -> None:
    if _existing(state, seat).kind != "person":
        raise NotAllowed("nobody_there", seat=seat)


def _ready(state: TableState, seat: int, ask: p.Ready) -> TableState:
    """Whoever says so is here, whatever they said before."""
    _refuse_unless_gathering(state)
    return with_place(returned(state, seat), seat, is_ready=ask.is_ready)


def _word(state: TableState, seat: int, ask: p.SayWord) -> TableState:
    _refuse_unless_gathering(state)
    return with_place(state, seat, word=user_text.word(ask.word))


def _sit(state: TableState, seat: int, ask: p.Sit) -> TableState:
    _refuse_unless_gathering(state)
    if _existing(state, ask.seat).kind != "open":
        raise NotAllowed("seat_taken", seat=ask.seat)
    moved = _put(_put(state, ask.seat, state.places[seat]), seat, Place())
    wishes = tuple(sorted(ask.seat if one == seat else one for one in state.rematch))
    moved = _changed(moved, rematch=wishes)
    return _changed(moved, host=ask.seat) if state.host == seat else moved


def _fill(state: TableState, seat: int, ask: p.Fill) -> TableState:
    _refuse_unless_host(state, seat)
    place = _existing(state, ask.seat)
    if place.kind == "person" and not place.has_left:
        raise NotAllowed("seat_taken", seat=ask.seat)
    if place.kind == "bot":
        return with_place(state, ask.seat, level=known_level(ask.level))
    return _with_bot(state, ask.seat, ask.level)


def _empty(state: TableState, seat: int, ask: p.Empty) -> TableState:
    _refuse_unless_host(state, seat)
    _refuse_unless_gathering(state)
    if _existing(state, ask.seat).kind != "bot":
        raise NotAllowed("no_bot_there", seat=ask.seat)
    return _put(state, ask.seat, Place())


def _remove(state: TableState, seat: int, ask: p.Remove) -> TableState:
    _refuse_unless_host(state, seat)
    _refuse_unless_gathering(state)
    _refuse_unless_person(state, ask.seat)
    if ask.seat == seat:  # there is `leave` for that
        raise NotAllowed("nobody_there", seat=seat)
    state = _put(state, ask.seat, Place())
    return _changed(state, rematch=tuple(s for s in state.rematch if s != ask.seat))


def _mute(state: TableState, seat: int, ask: p.Mute) -> TableState:
    _refuse_unless_host(state, seat)
    if ask.seat is None:
        return _changed(state, are_spectators_muted=ask.is_muted)
    _refuse_unless_person(state, ask.seat)
    return with_place(state, ask.seat, is_muted=ask.is_muted)


def _pass_host(state: TableState, seat: int, ask: p.PassHost) -> TableState:
    _refuse_unless_host(state, seat)
    _existing(state, ask.seat)
    if ask.seat not in people(state):
        raise NotAllowed("nobody_there", seat=ask.seat)
    return _changed(state, host=ask.seat)


def _options(state: TableState, seat: int, ask: p.ChangeOptions) -> TableState:
    """More seats are added at the end; fewer go only where nobody sits.  Who agreed to other rules is asked anew."""
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
        # The last game had other seats: what was seen of it from each is no longer anyone's.
        state = _changed(state, phase="gathering", game=None, rematch=())
    places = places[: options.seats] + (Place(),) * (options.seats - len(places))
    are_rules_new = options.rules != state.options.rules
    state = _changed(state, options=options, places=places)
    return _asked_anew(state) if are_rules_new else state


def _asked_anew(state: TableState) -> TableState:
    """Nobody has agreed to this game yet, but the host, who made it so."""
    for seat in people(state):
        state = with_place(state, seat, is_ready=seat == state.host)
    return _changed(state, rematch=())


def _away(state: TableState, seat: int, ask: p.Away) -> TableState:
    """Said by oneself, or by the host of someone who does not answer: no game waits for ever."""
    away = seat if ask.seat is None else ask.seat
    if away != seat:
        _refuse_unless_host(state, seat)
        _refuse_unless_person(state, away)
    return with_place(state, away, is_away=True)


def _back(state: TableState, seat: int, _ask: p.Back) -> TableState:
    return returned(state, seat)


def _rematch(state: TableState, seat: int, _ask: p.Rematch) -> TableState:
    if state.phase != "over":
        raise NotAllowed("not_over")
    # Who was away when the last game ended is not away now.
    return _changed(returned(state, seat), rematch=tuple(sorted({*state.rematch, seat})))


CHANGES: dict[type, Sits] = {
    p.Ready: _ready,
    p.SayWord: _word,
    p.Sit: _sit,
    p.Fill: _fill,
    p.Empty: _empty,
    p.Remove: _remove,
    p.Mute: _mute,
    p.PassHost: _pass_host,
    p.ChangeOptions: _options,
    p.Away: _away,
    p.Back: _back,
    p.Rematch: _rematch,
}
"""Messages that change who sits where and how, and nothing of the game."""
