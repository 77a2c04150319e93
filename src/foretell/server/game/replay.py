"""What the HTTP API tells of a game: a summary of any game, and the replay of a finished one, step by step."""

from foretell.cards import codes
from foretell.engine import Event, Game, action, view
from foretell.errors import NotAllowed
from foretell.server.game.finished import FinishedGame
from foretell.server.game.live_game import DealingOf, LiveGame, begun, resumed
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


def replay(game: FinishedGame, dealing: DealingOf, number: int, seat: int | None) -> p.Replay:
    """One round, each step as `seat` saw it."""
    if seat is not None and not 0 <= seat < len(game.setup.names):
        raise NotAllowed("no_seat", seat=seat, most=len(game.setup.names) - 1)
    first = begun(game.id, game.setup, dealing)
    live = first.live
    frames: list[p.Frame] = []
    if live.game.numbers[0] == number:
        frames.append(_frame(live.game, seat, first.events))
    for one in game.log:
        is_asked = _number(live) == number
        stages = live.after(one.seat, live.asked(one.seat) or "", one.action)
        live = stages[-1].live
        if is_asked or _number(live) == number:
            # An action and the deal that follows it are one frame.
            events = tuple(event for stage in stages for event in stage.events)
            frames.append(_frame(live.game, seat, events, one if is_asked else None))
    if not frames:
        raise NotAllowed("no_round", number=number)
    return p.Replay(game=game.id, round=number, hands=_hands(live, number), frames=tuple(frames))


def _number(live: LiveGame) -> int:
    """The number of the round being played, or of the last one."""
    return live.game.rounds[-1].number


def _frame(
    game: Game, seat: int | None, events: tuple[Event, ...], done: store.LoggedAction | None = None
) -> p.Frame:
    return p.Frame(
        seat=None if done is None else done.seat,
        action=None if done is None else str(action(done.action)),
        events=events,
        view=view(game, seat),
    )


def _hands(live: LiveGame, number: int) -> tuple[tuple[str, ...], ...]:
    dealt = live.game.rounds[live.game.numbers.index(number)].deal
    return tuple(tuple(codes([card]) for card in hand) for hand in dealt.hands)
