"""Who has which seat at a table, connected or not.  The state is an immutable value.

Each function returns the new state, or refuses with a reason.  None of them knows about connections or the store.
`seat_changes` handles the changes that players ask for; `presence` knows who is connected.
"""

from collections.abc import Container, Iterable
from typing import Any

import msgspec

from foretell.bots import BOTS
from foretell.errors import NotAllowed
from foretell.server.keys import Keys, hashed, hashed_at, token_from_key
from foretell.server.store.interface import Place, TableState
from foretell.server.wire import protocol as p
from foretell.server.wire import user_text

__all__ = [
    "BOT_NAMES",
    "changed",
    "distinct",
    "existing_place",
    "free_seats",
    "known_level",
    "left",
    "names_but",
    "new_table",
    "next_host",
    "people",
    "returned",
    "seat_for_newcomer",
    "seat_of_token",
    "seated",
    "started",
    "vacated",
    "with_bot",
    "with_new_place",
    "with_place",
    "without_left",
]


def changed(state: TableState, **changes: Any) -> TableState:
    """The table with other values in some of its fields."""
    return msgspec.structs.replace(state, **changes)


def with_place(state: TableState, seat: int, **changes: Any) -> TableState:
    """The table with other values in some fields of one seat."""
    place = msgspec.structs.replace(state.places[seat], **changes)
    return with_new_place(state, seat, place)


def with_new_place(state: TableState, seat: int, place: Place) -> TableState:
    """The table with another person, another bot or nobody in one seat."""
    return changed(state, places=(*state.places[:seat], place, *state.places[seat + 1 :]))


def existing_place(state: TableState, seat: int) -> Place:
    """A seat by its number; refuses a number that the table does not have."""
    if seat >= len(state.places):
        raise NotAllowed("no_seat", seat=seat, most=len(state.places) - 1)
    return state.places[seat]


def people(state: TableState) -> tuple[int, ...]:
    """The seats of all people except those who have left during the game."""
    return tuple(
        seat
        for seat, place in enumerate(state.places)
        if place.kind == "person" and not place.has_left
    )


def free_seats(state: TableState) -> tuple[int, ...]:
    """The seats that a new player may take: open ones first, then those of players who left, then those of bots.

    A seat that somebody else gets with the next deal is not free.
    """
    seats = [seat for seat, place in enumerate(state.places) if place.successor is None]
    opened = [seat for seat in seats if state.places[seat].kind == "open"]
    left_ = [seat for seat in seats if state.places[seat].has_left]
    bots = [seat for seat in seats if state.places[seat].kind == "bot"]
    return (*opened, *left_, *bots)


def seat_of_token(state: TableState, token: str) -> int:
    """The seat to which a token belongs."""
    token_hash = hashed(token)
    for seat, place in enumerate(state.places):
        if place.token == token_hash:
            return seat
    raise NotAllowed("bad_token")


def known_level(level: str) -> str:
    """The level itself; refuses one that does not exist."""
    if level not in BOTS:
        raise NotAllowed("unknown_level", level=level, allowed=", ".join(BOTS))
    return level


BOT_NAMES = ("Merlin", "Morgana", "Ambrosius", "Nimue", "Taliesin", "Viviane")
"""The names of bots, in every language: all players at a table, and its record, mean the same one by a name."""


def names_but(state: TableState, seat: int) -> set[str | None]:
    """The names of everyone at the table, except in this seat; also of those who get a seat with the next deal."""
    others = [place for n, place in enumerate(state.places) if n != seat]
    return {place.name for place in others} | {
        place.successor.name for place in others if place.successor is not None
    }


def with_bot(state: TableState, seat: int, level: str) -> TableState:
    """The table with a bot in one seat.  Nobody else at the table has the name of the bot."""
    taken = names_but(state, seat)
    name = next((one for one in BOT_NAMES if one not in taken), None)
    name = name or distinct(BOT_NAMES[0], taken)
    bot = Place(kind="bot", level=known_level(level), name=name, is_ready=True)
    return with_new_place(state, seat, bot)


def level_of_bots(state: TableState) -> str | None:
    """The level that most bots at this table have; None if there are no bots."""
    levels = [place.level for place in state.places if place.kind == "bot"]
    return max(levels, key=levels.count, default=None)


def new_table(
    ask: p.NewTable, keys: Keys, now: float, address: str | None = None
) -> tuple[TableState, str]:
    """A new table, and the token of its maker, who is the host and has the first seat.  Bots have the last seats."""
    options = ask.options
    options.rules.seats(options.seats)
    if len(options.bots) >= options.seats:
        raise NotAllowed("too_many_bots", bots=len(options.bots), seats=options.seats)
    table = keys.id()
    token = keys.token() if ask.key is None else token_from_key(table, ask.key)
    maker = Place(
        kind="person",
        name=user_text.name(ask.name),
        token=hashed(token),
        word=user_text.word(ask.word),
        key=hashed_at(table, ask.key),
        address=hashed_at(table, address),
        is_ready=True,
    )
    state = TableState(
        id=table,
        code=keys.code(),
        options=options,
        places=(maker, *(Place() for _ in range(options.seats - 1))),
        host=0,
        next_secret=keys.secret(),
        created=now,
        changed=now,
    )
    for seat, level in enumerate(options.bots, start=options.seats - len(options.bots)):
        state = with_bot(state, seat, level)
    return state, token


def seat_for_newcomer(state: TableState, wanted: int | None) -> int:
    """The seat that a newcomer gets: the one they want, or the first free one."""
    free = free_seats(state)
    if wanted is not None:
        existing_place(state, wanted)
    if not free:
        raise NotAllowed("table_full")
    seat = free[0] if wanted is None else wanted
    if seat not in free:
        raise NotAllowed("seat_taken", seat=seat)
    return seat


def seated(state: TableState, seat: int, person: Place) -> TableState:
    """The table with a new player, while no game is played."""
    person = msgspec.structs.replace(person, level=state.places[seat].level)
    state = with_new_place(state, seat, person)
    return changed(state, host=seat) if state.host is None else state


def distinct(name: str, others: Container[str | None]) -> str:
    """The name itself, or a similar one if someone else has it."""
    while name in others:
        name = _another(name)
    return name


def _another(name: str) -> str:
    """Ana 2 for Ana, Ana 3 for Ana 2, so that nobody can pretend to be someone else."""
    stem, _, number = name.rpartition(" ")
    if stem and number.isascii() and number.isdecimal():
        return f"{stem[: user_text.MOST_NAME - 3]} {int(number) % 98 + 1}"
    return f"{name[: user_text.MOST_NAME - 2]} 2"


def left(state: TableState, seat: int, present: Iterable[int]) -> TableState:
    """The table after a player has left.

    In a game a bot plays for them, and their token stays valid until someone takes the seat.
    """
    is_playing = state.phase == "playing"
    state = (
        with_place(state, seat, has_left=True, is_away=True) if is_playing else vacated(state, seat)
    )
    return changed(state, host=next_host(state, present)) if state.host == seat else state


def vacated(state: TableState, seat: int) -> TableState:
    """The table without the person in this seat.  If they took it from a bot, the bot is back, at its own level."""
    level = state.places[seat].level
    state = with_new_place(state, seat, Place())
    state = changed(state, rematch=tuple(one for one in state.rematch if one != seat))
    return state if level is None else with_bot(state, seat, level)


def returned(state: TableState, seat: int) -> TableState:
    """The table after a player who was away, or had left, is back."""
    state = with_place(state, seat, is_away=False, has_left=False, has_come=True)
    return changed(state, host=seat) if state.host is None else state


def without_left(state: TableState) -> TableState:
    """The table after a game: the seats of players who left are open, or have their bot again."""
    for seat, place in enumerate(state.places):
        if place.has_left:
            state = vacated(state, seat)
    return state


def next_host(state: TableState, present: Iterable[int]) -> int | None:
    """The next person clockwise from the host; one who is present, if there is anyone."""
    persons = people(state)
    candidates = [seat for seat in persons if seat in set(present)] or list(persons)
    start = -1 if state.host is None else state.host
    size = len(state.places)
    return min(candidates, key=lambda seat: (seat - start - 1) % size, default=None)


def started(state: TableState, level: str | None) -> TableState:
    """The table when a game begins: bots of this level fill the open seats."""
    if state.phase == "playing":
        raise NotAllowed("already_started")
    for seat, place in enumerate(state.places):
        if place.kind != "open":
            continue
        if level is None:
            raise NotAllowed("open_seats", count=sum(one.kind == "open" for one in state.places))
        state = with_bot(state, seat, level)
    return changed(state, phase="playing", rematch=())
