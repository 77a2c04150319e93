"""Chat, emotes, and the coach."""

from foretell.engine import view
from foretell.errors import NotAllowed
from foretell.server import protocol as p
from foretell.server import telling, texts
from foretell.server.coaching import ask_coach
from foretell.server.guests import Guest, seat_of
from foretell.server.table import Table

__all__ = ["coach", "emote", "say"]


async def say(table: Table, guest: Guest, ask: p.Chat) -> None:
    line = p.ChatLine(
        seat=guest.seat,
        name=telling.speaker(table.state, guest),
        text=texts.chat_text(ask.text),
        at=table.house.now(),
    )
    table.chat.append(line)
    table.guests.tell(p.Said(line=line))
    guest.answer(p.Done(id=ask.id))


async def emote(table: Table, guest: Guest, ask: p.ShowEmote) -> None:
    seat = seat_of(guest)
    telling.speaker(table.state, guest)
    table.guests.tell(p.Emoted(seat=seat, emote=ask.emote))
    guest.answer(p.Done(id=ask.id))


async def coach(table: Table, guest: Guest, ask: p.AskCoach) -> None:
    seat = seat_of(guest)
    playing, adviser = table.playing, table.house.coach
    if playing is None or playing.asked(seat) != ask.decision:
        raise NotAllowed("stale", decision=ask.decision, awaited="–")
    if adviser is None or not table.state.options.coach:
        guest.answer(p.Coach(id=ask.id, decision=ask.decision, is_available=False))
    else:
        seen = view(playing.game, seat)
        ask_coach(table.house, adviser, guest, ask, game=playing.id, seen=seen)
