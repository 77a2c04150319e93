"""An example step by step: what the table looks like after each event of a game that the engine plays."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from foretell.cards import Card, Colour, Face
from foretell.engine import Bid, Event, Game, Play, Round, Trick, awaited_seats, legal_actions
from foretell.engine.events import BidsShown, GameOver, Played, RoundDealt, RoundScored
from foretell.engine.round_state import with_value
from foretell.handbook.examples import Example

__all__ = ["Asked", "Laid", "Step", "steps"]


class Asked(Struct, frozen=True, omit_defaults=True):
    """The seat whose turn it is, and what it may do: the cards that it may play, or the bids that are open."""

    seat: int
    cards: tuple[Card, ...] | UnsetType = UNSET
    bids: tuple[int, ...] | UnsetType = UNSET


class Laid(Struct, frozen=True):
    """A card of the trick on the table."""

    seat: int
    face: Face


class Step(Struct, frozen=True, omit_defaults=True):
    """The table, with all hands open, and the event that led to it."""

    event: Event | None
    hands: tuple[tuple[Card, ...], ...]
    turned_up: Card | None
    trump: Colour | None
    bids: tuple[int | None, ...]
    won: tuple[int, ...]
    trick: tuple[Laid, ...]
    winner: int | None = None  # of the complete trick on the table
    asked: Asked | None = None


def steps(example: Example) -> list[Step]:
    """What is shown of an example: the table before the moves that are shown, and after each event of those."""
    game, events = example.begun()
    for move in example.moves[: example.hidden]:
        game, _ = example.moved(game, move)
    shown = [_step(game)] if example.hidden else list(_after(example, game, events))
    for move in example.moves[example.hidden :]:
        game, events = example.moved(game, move)
        shown += _after(example, game, events)
    return shown


def _after(example: Example, game: Game, events: tuple[Event, ...]) -> Iterator[Step]:
    """One step for each event that the example is about."""
    left_out = {BidsShown, GameOver} | (set() if example.is_scored else {RoundScored})
    told = [event for event in events if type(event) not in left_out]
    for event in told:
        step = replace(_step(game), event=event)
        # The events of one move have happened at once: the table is set back to where it was after the first.
        if event is not told[-1]:
            step = _set_back(replace(step, asked=None), game)
        yield step


def _step(game: Game) -> Step:
    """The table as it is now."""
    now = _now(game)
    trick = now.trick if now.trick is not None and now.trick.faces else None
    if trick is None and now.tricks and now.tricks[-1].passed is None:
        trick = now.tricks[
            -1
        ]  # it stays on the table until the next one begins, or until cards are passed
    return Step(
        event=None,
        hands=now.hands,
        turned_up=now.exchange.card if now.exchange else now.deal.turned_up,
        trump=now.trump,
        bids=now.bids if now.change is None else now.final_bids,
        won=now.won,
        trick=() if trick is None else _laid(trick, now.seats),
        winner=None if trick is None else trick.winner,
        asked=_asked(game),
    )


def _laid(trick: Trick, seats: int) -> tuple[Laid, ...]:
    return tuple(
        Laid((trick.leader + place) % seats, face) for place, face in enumerate(trick.faces)
    )


def _set_back(step: Step, game: Game) -> Step:
    """The step as it was before the other events of the same move."""
    now = _now(game)
    if isinstance(step.event, RoundDealt):  # X6: nothing is exchanged yet, and no trump is settled
        return replace(step, hands=now.deal.hands, turned_up=now.deal.turned_up, trump=None)
    if isinstance(step.event, Played) and step.winner is not None:  # nobody has taken the trick yet
        won = with_value(step.won, step.winner, step.won[step.winner] - 1)
        return replace(step, winner=None, won=won)
    return step


def _now(game: Game) -> Round:
    assert game.now is not None
    return game.now


def _asked(game: Game) -> Asked | None:
    """None if nobody is asked, or if several are at the same time."""
    if len(awaited_seats(game)) != 1:
        return None
    (seat,) = awaited_seats(game)
    legal = legal_actions(game, seat)
    bids = tuple(one.tricks for one in legal if isinstance(one, Bid))
    playable = tuple(dict.fromkeys(one.card for one in legal if isinstance(one, Play)))
    return Asked(seat, cards=playable or UNSET, bids=bids or UNSET)
