"""Games begun, actions taken, time run out."""

from random import Random

import msgspec

from foretell.bots import Counting
from foretell.engine import view
from foretell.errors import NotAllowed
from foretell.server.game.live_game import begun, new_setup
from foretell.server.logs import log
from foretell.server.store import interface as store
from foretell.server.table import seating
from foretell.server.table.internal_messages import MovedElsewhere, TimeUp
from foretell.server.table.participants import BotParticipant, Participant, seat_of
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p

__all__ = ["act", "begin", "moved", "start", "time_up"]


async def start(table: Table, participant: Participant, ask: p.Start) -> None:
    seat = seat_of(participant)
    if table.state.host != seat:
        raise NotAllowed("not_host")
    connected = table.presence.seats
    waiting = [
        table.state.places[one].name or ""
        for one in seating.people(table.state)
        if one != seat and one in connected and not table.state.places[one].is_ready
    ]
    state = seating.started(table.state, ask.level)
    if waiting and table.state.phase == "gathering":
        raise NotAllowed("not_ready", names=", ".join(waiting))
    await begin(table, state)
    participant.answer(p.Done(id=ask.id))


async def begin(table: Table, state: store.TableState) -> None:
    now, keys = table.services.now(), table.services.keys
    setup = new_setup(state)
    row = store.GameRow(id=keys.id(), table=state.id, setup=setup, started=now)
    first = begun(row.id, setup, table.services.dealing)
    state = msgspec.structs.replace(
        state, game=row.id, next_secret=keys.secret(), changed=now, rematch=()
    )
    await table.services.store.save(state, begun=row)
    table.state, table.playing = state, first.live
    table.services.metrics.begun.inc()
    table.tell_table()
    table.tell_game([first])
    table.arrange()


async def act(table: Table, participant: Participant, ask: p.Act) -> None:
    """Stored first; then everyone hears of it, and last who acted has the answer."""
    seat, playing = seat_of(participant), table.playing
    if playing is None or table.state.phase == "gathering":
        raise NotAllowed("no_game")
    if participant.is_bot and not table.turns.is_bots(seat, ask.decision):
        return  # the player is back: the decision is theirs
    stages = playing.after(seat, ask.decision, ask.action)
    after = stages[-1].live
    is_over = after.game.is_over
    is_back = not participant.is_bot and table.state.places[seat].is_away
    state = _state_after(table, seat, is_back=is_back, is_over=is_over)
    row = store.LoggedAction(
        playing.number, seat, ask.action, participant.is_bot, table.services.now()
    )
    record = after.record() if is_over else None
    texts: list[dict[int | None, bytes]] | None = None

    def write_ahead() -> None:
        nonlocal texts
        texts = table.written(stages)

    ahead = write_ahead if state is None else None  # what it says of clocks depends on who is away
    if not await table.services.store.append(
        playing.id, row, state=state, record=record, meanwhile=ahead
    ):
        await table.catch_up()
        raise NotAllowed("stale", decision=ask.decision)
    table.playing, table.state = after, state or table.state
    metrics = table.services.metrics
    metrics.acted("bot" if participant.is_bot else "person")
    if record is not None:
        metrics.finished.inc()
    table.services.bus.publish(playing.id, after.number)
    table.arrange()
    table.tell_game(stages, texts)
    if state is not None:
        table.tell_table()
    participant.answer(p.Done(id=ask.id))


def _state_after(
    table: Table, seat: int, *, is_back: bool, is_over: bool
) -> store.TableState | None:
    """The table where an action changes it: the game is over, or who was away is back.  None where it does not."""
    if not (is_back or is_over):
        return None
    state = table.state
    if is_back:
        state = seating.returned(state, seat)
    if is_over:
        count = state.games_played + 1
        state = msgspec.structs.replace(
            seating.without_left(state), phase="over", games_played=count
        )
    return msgspec.structs.replace(state, changed=table.services.now())


async def moved(table: Table, _guest: Participant, letter: MovedElsewhere) -> None:
    playing = table.playing
    if playing is not None and playing.id == letter.game and playing.number < letter.number:
        await table.catch_up()


async def time_up(table: Table, _guest: Participant, bell: TimeUp) -> None:
    turn, playing = table.turns.get(bell.seat, bell.decision), table.playing
    if turn is None or playing is None or turn.rings != bell.rings:
        return  # the player was faster, or is back and has more time
    seat = bell.seat
    # What follows has to be stored.  Where it cannot be, it is tried again: a disk may be full for a while.
    table.turns.ring_again(seat, turn)
    if turn.is_bots:
        log.error("bot is stuck", decision=bell.decision)
        turn.stop_thinking()
        # The plainest of bots needs no time at all.
        chosen = Counting().choose(view(playing.game, seat), Random(0))
        table.post(BotParticipant(seat), p.Act(decision=bell.decision, action=str(chosen)))
        return
    if seat in table.presence.seats:
        await table.keep(seating.with_place(table.state, seat, is_away=True))
    else:
        table.lapsed.add(seat)
    table.tell_table()
    table.arrange()
