"""Which function answers which message."""

from foretell.server import moves, people, seating, talk
from foretell.server import protocol as p
from foretell.server.letters import ArrivalBell, Bell, Gone, HostBell, Moved, RematchBell
from foretell.server.table import Answer

__all__ = ["ANSWERS"]

ANSWERS: dict[type, Answer] = {
    p.Hello: people.hello,
    Gone: people.went,
    ArrivalBell: people.never_came,
    HostBell: people.host_gone,
    RematchBell: people.play_again,
    p.TakeSeat: people.take_seat,
    p.Leave: people.leave,
    **dict.fromkeys(seating.CHANGES, people.change),
    p.Start: moves.start,
    p.Act: moves.act,
    Bell: moves.time_up,
    Moved: moves.moved,
    p.Chat: talk.say,
    p.ShowEmote: talk.emote,
    p.AskCoach: talk.coach,
}
