"""Handlers for starting a game, for actions, and for decisions whose time is up."""

from collections.abc import Sequence
from random import Random

import msgspec

from foretell.bots import Counting
from foretell.engine import view
from foretell.errors import NotAllowed
from foretell.server.game.live_game import Stage
from foretell.server.logs import log
from foretell.server.store import interface as store
from foretell.server.store.interface import OwnershipLost
from foretell.server.table import seating, takeovers
from foretell.server.table.arrivals import start_arrival_timers
from foretell.server.table.beginning import draw_words
from foretell.server.table.internal_messages import TimeUp
from foretell.server.table.participants import BotParticipant, Participant, required_seat
from foretell.server.table.renaming import renamed
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p

__all__ = ["act", "start", "time_up"]


async def start(table: Table, participant: Participant, ask: p.Start) -> None:
    seat = required_seat(participant)
    if table.state.host != seat:
        raise NotAllowed("not_host")
    connected = table.presence.seats
    people = {one: table.state.places[one] for one in seating.people(table.state)}
    waiting = [
        place.name or ""
        for one, place in people.items()
        if one != seat and one in connected and not place.is_ready and not place.is_away
    ]
    state = seating.started(table.state, ask.level)
    if waiting and table.state.phase == "gathering":
        raise NotAllowed("not_ready", names=", ".join(waiting))
    await draw_words(table, state)
    participant.answer(p.Done(id=ask.id))


async def act(table: Table, participant: Participant, ask: p.Act) -> None:
    """Stores an action, then tells everyone about it.  The player who acted gets the answer after that."""
    seat, playing = required_seat(participant), table.playing
    if playing is None or table.state.phase == "gathering":
        raise NotAllowed("no_game")
    if participant.is_bot and not table.turns.is_for_bot(seat, ask.decision):
        return  # the player is back, and decides
    stages = playing.after(seat, ask.decision, ask.action)
    after = stages[-1].live
    is_over = after.game.is_over
    is_back = not participant.is_bot and table.state.places[seat].is_away
    is_takeover = (is_over or len(stages) > 1) and takeovers.has_successors(table.state)
    state = _state_after(table, seat, is_back=is_back, is_over=is_over, is_takeover=is_takeover)
    names = None if state is None else renamed(after, state)
    row = store.LoggedAction(
        playing.number, seat, ask.action, participant.is_bot, table.services.now()
    )
    record = after.record() if is_over else None
    appending = table.services.store.append(
        playing.id,
        row,
        lease=table.lease,
        state=state,
        record=record,
        renamed=None if names is None else names.setup,
    )
    texts = None
    # If the table changes as well, so do its clocks.  Then the snapshots can only be written afterwards.
    if state is None:
        await appending.handed_over
        texts = _written_ahead(table, stages)
    if not await appending.stored:
        raise OwnershipLost
    before, table.state = table.state, state or table.state
    table.playing = names or after
    metrics = table.services.metrics
    metrics.acted("bot" if participant.is_bot else "person")
    if record is not None:
        metrics.finished.inc()
    if is_takeover:
        _tell_takeover(table, before, stages)
    else:
        table.schedule_turns()
        table.tell_game(stages, texts)
        if state is not None:
            table.tell_table()
    participant.answer(p.Done(id=ask.id))


def _tell_takeover(table: Table, before: store.TableState, stages: Sequence[Stage]) -> None:
    """Tells everyone about the end of a round, and about the next deal, with which some people get their seats.

    They see the end of the round as spectators.
    """
    assert table.playing is not None
    table.tell_game(stages[:1])
    for seat, place in enumerate(before.places):
        if place.successor is not None and table.state.places[seat].successor is None:
            table.forget_absence(seat)
    table.settle_waiting()
    table.schedule_turns()
    table.tell_table()
    dealt = [Stage(table.playing, one.events) for one in stages[1:]]
    table.tell_game(dealt)
    start_arrival_timers(table)


def _written_ahead(table: Table, stages: Sequence[Stage]) -> list[dict[int | None, bytes]] | None:
    """The snapshots to send once the action is stored, written while the disk is busy.

    An error here must not hide whether the action was stored.  The same error comes up again when the snapshots are
    written to be sent, and is reported there.
    """
    try:
        return table.written(stages)
    except Exception:
        return None


def _state_after(
    table: Table, seat: int, *, is_back: bool, is_over: bool, is_takeover: bool
) -> store.TableState | None:
    """The table, if the action changes it; otherwise None.

    The game is over, a player who was away is back, or people get the seats for which they waited.
    """
    if not (is_back or is_over or is_takeover):
        return None
    state = table.state
    if is_back:
        state = seating.returned(state, seat)
    if is_takeover:
        state = takeovers.taken_over(state, is_over=is_over)
    if is_over:
        count = state.games_played + 1
        state = msgspec.structs.replace(
            seating.without_left(state), phase="over", games_played=count
        )
    return msgspec.structs.replace(state, changed=table.services.now())


async def time_up(table: Table, _participant: Participant, timeout: TimeUp) -> None:
    seat, decision = timeout.seat, timeout.decision
    turn, playing = table.turns.get(seat, decision), table.playing
    if turn is None or playing is None or turn.due != timeout.due:
        return  # the player was faster, or is back and has more time
    # The next step has to be stored.  The timer tries it again if that fails: a disk may be full for a while.
    table.turns.restart_timer(seat, turn)
    if turn.is_for_bot:
        log.error("bot is stuck", decision=decision)
        turn.stop_bot()
        # The simplest bot answers immediately.
        chosen = Counting().choose(view(playing.game, seat), Random(0))
        table.post(BotParticipant(seat), p.Act(decision=decision, action=str(chosen)))
        return
    if seat in table.presence.seats:
        await table.save(seating.with_place(table.state, seat, is_away=True))
    else:
        table.timed_out.add(seat)
    table.tell_table()
    table.schedule_turns()
