"""Which function handles which message to a table."""

from foretell.server.table import (
    beginning,
    chat_handlers,
    people_handlers,
    play_handlers,
    seat_changes,
    seat_handlers,
)
from foretell.server.table.internal_messages import (
    ArrivalTimeout,
    Disconnected,
    HostTimeout,
    RematchTimeout,
    RequestTimeout,
    RevealTimeout,
    TimeUp,
)
from foretell.server.table.table import Handler
from foretell.server.wire import protocol as p

__all__ = ["HANDLERS"]

HANDLERS: dict[type, Handler] = {
    p.Hello: people_handlers.hello,
    Disconnected: people_handlers.disconnected,
    ArrivalTimeout: seat_handlers.arrival_timeout,
    HostTimeout: people_handlers.host_timeout,
    RematchTimeout: people_handlers.rematch_timeout,
    p.TakeSeat: seat_handlers.take_seat,
    p.Leave: seat_handlers.leave,
    p.Remove: seat_handlers.remove,
    p.AllowBack: seat_handlers.allow_back,
    p.AnswerRequest: seat_handlers.answer_request,
    RequestTimeout: seat_handlers.request_timeout,
    **dict.fromkeys(seat_changes.CHANGES, people_handlers.change),
    p.Start: play_handlers.start,
    p.RevealWord: beginning.reveal,
    RevealTimeout: beginning.reveal_timeout,
    p.Act: play_handlers.act,
    TimeUp: play_handlers.time_up,
    p.Chat: chat_handlers.say,
    p.ShowEmote: chat_handlers.emote,
    p.AskCoach: chat_handlers.coach,
}
