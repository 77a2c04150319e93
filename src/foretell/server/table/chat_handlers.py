"""Handlers for chat, emotes and questions to the coach."""

from functools import partial

from foretell.engine import view
from foretell.errors import NotAllowed
from foretell.server.coach.advice import ask_coach
from foretell.server.table import table_messages
from foretell.server.table.participants import Participant, required_seat
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire import user_text
from foretell.server.wire.error_messages import error_message

__all__ = ["coach", "emote", "say"]


async def say(table: Table, participant: Participant, ask: p.Chat) -> None:
    if participant.is_removed:
        raise NotAllowed("removed_by_host")
    if participant not in table.presence:
        raise NotAllowed("no_hello")  # its hello was refused
    line = p.ChatLine(
        seat=participant.seat,
        name=table_messages.speaker(table.state, participant),
        text=user_text.chat_text(ask.text),
        at=table.services.now(),
    )
    table.chat.append(line)
    table.presence.tell(p.Said(line=line))
    participant.answer(p.Done(id=ask.id))


async def emote(table: Table, participant: Participant, ask: p.ShowEmote) -> None:
    seat = required_seat(participant)
    table_messages.speaker(table.state, participant)
    table.presence.tell(p.Emoted(seat=seat, emote=ask.emote))
    participant.answer(p.Done(id=ask.id))


async def coach(table: Table, participant: Participant, ask: p.AskCoach) -> None:
    seat = required_seat(participant)
    playing, adviser = table.playing, table.services.coach
    if playing is None or not _is_asked(table, seat, ask.decision):
        raise NotAllowed("stale", decision=ask.decision, awaited="–")
    if adviser is None or not table.state.options.coach:
        participant.answer(p.Coach(id=ask.id, decision=ask.decision, is_available=False))
    else:
        seen = view(playing.game, seat)
        ask_coach(
            adviser,
            seen,
            game=playing.id,
            ask=ask,
            answer=participant.answer,
            refuse=lambda error: _refuse(participant, ask, error),
            is_needed=lambda: _is_asked(table, seat, ask.decision),
            bot_threads=table.services.bot_threads,
            cache=table.services.advice_cache,
            payer=participant.address,
            on_thought=partial(table.services.on_thought, participant.address),
        )


def _refuse(participant: Participant, ask: p.AskCoach, error: NotAllowed) -> None:
    participant.answer(p.Refusal(id=ask.id, error=error_message(error, participant.language)))


def _is_asked(table: Table, seat: int, decision: str) -> bool:
    """Whether this seat still has to make this decision."""
    return table.playing is not None and table.playing.asked(seat) == decision
