"""Which function answers which message."""

from foretell.server.table import chat_handlers, people_handlers, play_handlers, seating
from foretell.server.table.internal_messages import (
    ArrivalTimeout,
    Disconnected,
    HostTimeout,
    MovedElsewhere,
    RematchTimeout,
    TimeUp,
)
from foretell.server.table.table import Handler
from foretell.server.wire import protocol as p

__all__ = ["HANDLERS"]

HANDLERS: dict[type, Handler] = {
    p.Hello: people_handlers.hello,
    Disconnected: people_handlers.went,
    ArrivalTimeout: people_handlers.never_came,
    HostTimeout: people_handlers.host_gone,
    RematchTimeout: people_handlers.play_again,
    p.TakeSeat: people_handlers.take_seat,
    p.Leave: people_handlers.leave,
    **dict.fromkeys(seating.CHANGES, people_handlers.change),
    p.Start: play_handlers.start,
    p.Act: play_handlers.act,
    TimeUp: play_handlers.time_up,
    MovedElsewhere: play_handlers.moved,
    p.Chat: chat_handlers.say,
    p.ShowEmote: chat_handlers.emote,
    p.AskCoach: chat_handlers.coach,
}
