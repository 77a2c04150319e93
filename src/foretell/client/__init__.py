"""The protocol from the other side: a player at a table, over a socket or in-process with no server.

door = Remote("http://localhost:8000")          # or Local(), which is a server of its own
seat = await door.make(NewTable(name="Ana", options=TableOptions(bots=("counting", "counting"))))
async with Player(door, seat.table, seat.token) as player:
    await player.start()
    while (view := await player.turn()) is not None:
        await player.act(view.legal[0])
"""

from foretell.client.doors import Connection, Cut, Door, Local, Remote
from foretell.client.player import Player, RefusedByTable

__all__ = ["Connection", "Cut", "Door", "Local", "Player", "RefusedByTable", "Remote"]
