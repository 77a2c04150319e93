"""A client: a player at a table, on a server or in the same process.

remote = Remote("http://localhost:8000")  # or Local(), which needs no server
seat = await remote.make(NewTable(name="Ana", options=TableOptions(bots=("counting", "counting"))))
async with Player(remote, seat.table, seat.token) as player:
    await player.start()
    while (view := await player.turn()) is not None:
        await player.act(view.legal[0])
"""

from foretell.client.player import Player, RefusedByTable
from foretell.client.transports import Connection, ConnectionLost, Local, Remote, Transport
from foretell.client.witness import Problem, Verdict, Witness, random_word

__all__ = [
    "Connection",
    "ConnectionLost",
    "Local",
    "Player",
    "Problem",
    "RefusedByTable",
    "Remote",
    "Transport",
    "Verdict",
    "Witness",
    "random_word",
]
