"""What the HTTP API tells of a game: a summary of any game, and the replay of a finished one, step by step."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from foretell.cards import Card
from foretell.engine import Action, Event, Game, act, deal, view
from foretell.engine.view_fields import Moment
from foretell.errors import NotAllowed
from foretell.server.game.finished import PlayedGame
from foretell.server.game.live_game import DealingOf, resumed
from foretell.server.store import interface as store
from foretell.server.wire import protocol as p

__all__ = ["replay", "summary"]


def summary(row: store.GameRow, log: list[store.LoggedAction], dealing: DealingOf) -> p.GameSummary:
    """A game as everyone may know it."""
    live = resumed(row, log, dealing)
    game, is_finished = live.game, row.finished is not None
    return p.GameSummary(
        game=row.id,
        table="",  # its id would open a private table to everyone with whom the replay is shared
        names=row.setup.names,
        bots=row.setup.bots,
        rules=row.setup.rules,
        is_finished=is_finished,
        winners=game.winners,
        totals=game.score,
        rounds=game.numbers[: len(game.totals)],
        fair=live.proof,
        started=row.started,
        finished=row.finished,
        record=f"/api/games/{row.id}/record" if is_finished else None,
        replay=f"/#/replay/{row.id}" if is_finished else None,
    )


def replay(game: PlayedGame, number: int | None, seat: int | None) -> p.Replay:
    """One round, each step as `seat` saw it; as a spectator saw it if `seat` is None.

    Without a number it is the first round of the game.
    """
    over = game.game
    if seat is not None and not 0 <= seat < over.seats:
        raise NotAllowed("no_seat", seat=seat, most=over.seats - 1)
    number = over.numbers[0] if number is None else number
    if number not in over.numbers:
        raise NotAllowed("no_round", number=number)
    place = over.numbers.index(number)
    frames = tuple(_frame(step, seat) for step in _steps(game, place))
    hands = _codes(over.rounds[place].deal.hands)
    return p.Replay(game=game.id, round=number, hands=hands, frames=frames)


class _Step(NamedTuple):
    """A game at one moment, and what has led to it: an action of a seat, or the deal of a round."""

    game: Game
    events: tuple[Event, ...]
    seat: int | None = None
    action: Action | None = None
    decision: str | None = None  # which the action answers


def _steps(played: PlayedGame, place: int) -> Iterator[_Step]:
    """The deal of the round at this place, and every action in it.  After the last one the round is scored."""
    over = played.game
    before = replace(over, rounds=over.rounds[:place], sheet=over.sheet[:place])
    now, events = deal(before, over.rounds[place].deal)
    yield _Step(now, events)
    for seat, chosen in played.rounds[place]:
        decision = Moment(now).asked
        now, events = act(now, seat, chosen)
        yield _Step(now, events, seat, chosen, decision)


def _frame(step: _Step, seat: int | None) -> p.Frame:
    now = step.game.rounds[-1]
    return p.Frame(
        seat=step.seat,
        action=None if step.action is None else str(step.action),
        decision=step.decision,
        events=step.events,
        view=view(step.game, seat),
        hands=_codes(now.hands),
        bids=now.bids,
    )


def _codes(hands: tuple[tuple[Card, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(card.code for card in hand) for hand in hands)
