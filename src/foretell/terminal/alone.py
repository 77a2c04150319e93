"""One person against bots, at a table inside this process: no server, and nothing is stored."""

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
    """Plays one game at a new table; the seed decides the cards and the bots' random choices.

    `keep` gets the game at its end, or as far as it came when the person leaves.
    """
    # Not asyncio.run: it handles SIGINT itself, and Ctrl-C would not reach the question that is being asked.
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
    """Keys made from the seed, so that the same seed plays the same game.  Nobody else can reach this table, so they
    need not be secret.
    """

    def drawn() -> str:
        return random.randbytes(32).hex()

    return Keys(id=lambda: drawn()[:16], code=lambda: "ALONE2", token=drawn, secret=drawn)
