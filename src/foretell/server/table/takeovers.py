"""Taking over a seat in a running game: the newcomer waits for the next deal, and until then a bot plays.

Whoever got a seat at once would see a hand in the middle of its round, could leave, take the next seat, and so see one
hand after another.  A newcomer is the `successor` of a place.  The successor is stored with the table, so a restart
does not make anyone's seat active early.
"""

from msgspec.structs import replace

from foretell.server.store.interface import Place, TableState
from foretell.server.table.seating import changed, distinct, names_but, with_new_place, with_place

__all__ = [
    "arrived",
    "claimed",
    "has_successors",
    "taken_over",
    "waiting_seat",
    "without_successor",
]


def claimed(state: TableState, seat: int, person: Place) -> TableState:
    """The table after someone has asked for a seat in a running game.

    The token of a player who left this seat is void: somebody else holds the seat now.  The words of a game are fixed
    before its first deal, and no word is kept for the next game, so the person's word does not count.
    """
    successor = replace(person, word="")
    return with_place(state, seat, successor=successor, token=None, key=None)


def waiting_seat(state: TableState, token_hash: str) -> int | None:
    """The seat that the person with this token gets with the next deal."""
    for seat, place in enumerate(state.places):
        if place.successor is not None and place.successor.token == token_hash:
            return seat
    return None


def arrived(state: TableState, seat: int) -> TableState:
    """The table after someone who asked for a seat by HTTP has connected."""
    successor = state.places[seat].successor
    assert successor is not None
    return with_place(state, seat, successor=replace(successor, has_come=True))


def without_successor(state: TableState, seat: int) -> TableState:
    """The table after someone has given up the seat they waited for, or has lost it."""
    return with_place(state, seat, successor=None)


def has_successors(state: TableState) -> bool:
    return any(place.successor is not None for place in state.places)


def taken_over(state: TableState, *, is_over: bool) -> TableState:
    """The table at the next deal, or at the end of the game: everyone who waited has their seat.

    At a deal, someone who has never connected goes on waiting, and the bot goes on playing.
    """
    for seat, place in enumerate(state.places):
        successor = place.successor
        if successor is None or not (successor.has_come or is_over):
            continue
        # The name was free when it was chosen.  A bot may have got it since.
        name = distinct(successor.name or "", names_but(state, seat))
        person = replace(successor, name=name, level=place.level)
        state = with_new_place(state, seat, person)
        if state.host is None:
            state = changed(state, host=seat)
    return state
