"""A finished game, step by step.  Only a finished one: a running game has secrets."""

from foretell.cards import codes
from foretell.engine import Event, Game, action, view
from foretell.errors import NotAllowed
from foretell.server.game.live_game import DealingOf, LiveGame, begun, resumed
from foretell.server.store import interface as store
from foretell.server.wire import protocol as p

__all__ = ["replay", "summary"]


def summary(row: store.GameRow, log: list[store.LoggedAction], dealing: DealingOf) -> p.GameSummary:
    """A game as everyone may know it."""
    playing = resumed(row, log, dealing)
    game, is_finished = playing.game, row.finished is not None
    return p.GameSummary(
        game=row.id,
        table=row.table,
        names=row.setup.names,
        bots=row.setup.bots,
        rules=row.setup.rules,
        is_finished=is_finished,
        winners=game.winners,
        totals=game.score,
        rounds=game.numbers[: len(game.totals)],
        fair=playing.proof,
        started=row.started,
        finished=row.finished,
        record=f"/api/games/{row.id}/record" if is_finished else None,
        replay=f"/#/replay/{row.id}" if is_finished else None,
    )


def replay(
    row: store.GameRow,
    log: list[store.LoggedAction],
    dealing: DealingOf,
    number: int,
    seat: int | None,
) -> p.Replay:
    """One round, each step as `seat` saw it."""
    if row.finished is None:
        raise NotAllowed("still_secret")
    if seat is not None and seat >= len(row.setup.names):
        raise NotAllowed("no_seat", seat=seat, most=len(row.setup.names) - 1)
    playing, events = begun(row.id, row.setup, dealing)
    frames: list[p.Frame] = []
    if playing.game.numbers[0] == number:
        frames.append(_frame(playing.game, seat, events))
    for one in log:
        place = len(playing.game.rounds) - 1
        is_asked = playing.game.numbers[place] == number
        playing, events = playing.after(one.seat, playing.asked(one.seat) or "", one.action)
        is_next = playing.game.numbers[len(playing.game.rounds) - 1] == number
        if is_asked or is_next:
            frames.append(_frame(playing.game, seat, events, one if is_asked else None))
    if not frames:
        raise NotAllowed("no_round", number=number)
    return p.Replay(game=row.id, round=number, hands=_hands(playing, number), frames=tuple(frames))


def _frame(
    game: Game, seat: int | None, events: tuple[Event, ...], done: store.LoggedAction | None = None
) -> p.Frame:
    return p.Frame(
        seat=None if done is None else done.seat,
        action=None if done is None else str(action(done.action)),
        events=events,
        view=view(game, seat),
    )


def _hands(playing: LiveGame, number: int) -> tuple[tuple[str, ...], ...]:
    dealt = playing.game.rounds[playing.game.numbers.index(number)].deal
    return tuple(tuple(codes([card]) for card in hand) for hand in dealt.hands)
