"""One person against bots: a table in this process, with no server and nothing kept but what is asked for."""

import asyncio
from collections.abc import Callable
from random import Random

from foretell.client import Local, Player
from foretell.deals import seeded
from foretell.engine import Game
from foretell.server.keys import Keys
from foretell.server.store.memory import MemoryStore
from foretell.server.table.services import Services
from foretell.server.wire.protocol import NewTable
from foretell.terminal.lines import Lines

__all__ = ["play_alone"]


def play_alone(lines: Lines, ask: NewTable, seed: int, keep: Callable[[Game], None]) -> None:
    """Plays a game at such a table, its cards and its bots' dice by the seed.

    `keep` is given the game as far as it came, also when the person leaves it.
    """
    # A loop of its own: that of asyncio.run would keep Ctrl-C from whoever is being asked.
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(_played(lines, ask, seed, keep))
    finally:
        loop.close()


async def _played(lines: Lines, ask: NewTable, seed: int, keep: Callable[[Game], None]) -> None:
    services = Services(
        store=MemoryStore(), keys=_keys(Random(seed)), dealing=lambda _setup: seeded(seed)
    )
    local = Local(services)
    seated = await local.make(ask)
    try:
        async with Player(local, seated.table, seated.token, on_message=lines.hear) as player:
            await player.start()
            await lines.play(player)
    finally:
        game = local.game(seated.table)
        await local.close()
        if game is not None:
            keep(game)


def _keys(random: Random) -> Keys:
    """Nobody else can come to this table: its keys need not be secret, and the same seed plays the same game."""

    def drawn() -> str:
        return random.randbytes(32).hex()

    return Keys(id=lambda: drawn()[:16], code=lambda: "ALONE2", token=drawn, secret=drawn)
