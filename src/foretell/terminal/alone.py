"""One person against bots, at a table inside this process: no server, and nothing is stored."""

import asyncio
from collections.abc import Callable
from random import Random

from foretell.client import Local, Player, random_word
from foretell.deals import seeded
from foretell.record import Record
from foretell.server.keys import Keys
from foretell.server.store.memory import MemoryStore
from foretell.server.table.services import Services
from foretell.server.wire.protocol import NewTable
from foretell.terminal.fair_lines import told_before, told_verdict
from foretell.terminal.lines import Lines

__all__ = ["play_alone"]


def play_alone(
    lines: Lines,
    ask: NewTable,
    seed: int | None,
    keep: Callable[[Record], None],
    *,
    word: str = "",
) -> None:
    """Plays one game at a new table.

    A seed decides the cards and the bots' random choices.  Without a seed the deals are fair (docs/fair.md): the person
    takes part with a word, of which they may choose a part, and the deals are checked at the end.  `keep` gets the game
    at its end, or as far as it came when the person leaves.
    """
    # Not asyncio.run: it handles SIGINT itself, and Ctrl-C would not reach the question that is being asked.
    loop = asyncio.new_event_loop()
    try:
        if seed is None:
            loop.run_until_complete(_played_fairly(lines, ask, keep, word))
        else:
            loop.run_until_complete(_played_by_seed(lines, ask, keep, seed))
    finally:
        loop.close()


async def _played_fairly(
    lines: Lines, ask: NewTable, keep: Callable[[Record], None], typed: str
) -> None:
    local = Local(Services(store=MemoryStore()))
    seated = await local.make(ask)
    player = Player(
        local,
        seated.table,
        seated.token,
        on_message=lines.hear,
        make_word=lambda: random_word(typed),
    )
    try:
        async with player:
            assert player.table is not None
            for line in told_before(player.table, player.witness.word or "", lines.texts):
                lines.show(line)
            await player.start()
            last = await lines.play(player)
            assert player.snapshot is not None
            verdict = player.witness.verdict(await local.record(player.snapshot.game))
            for line in told_verdict(verdict, last.names, lines.texts):
                lines.show(line)
    finally:
        await _closed(local, seated.table, keep)


async def _played_by_seed(
    lines: Lines, ask: NewTable, keep: Callable[[Record], None], seed: int
) -> None:
    services = Services(
        store=MemoryStore(), keys=_keys(Random(seed)), dealing=lambda _setup: seeded(seed)
    )
    local = Local(services)
    seated = await local.make(ask)
    player = Player(local, seated.table, seated.token, on_message=lines.hear, make_word=None)

    def keep_without_proof(record: Record) -> None:
        keep(Record(record.game, record.bots))  # the cards follow from the seed, not from a secret

    try:
        async with player:
            await player.start()
            await lines.play(player)
    finally:
        await _closed(local, seated.table, keep_without_proof)


async def _closed(local: Local, table: str, keep: Callable[[Record], None]) -> None:
    """Closes the table, and keeps its game."""
    record = local.record_so_far(table)
    await local.close()
    if record is not None:
        keep(record)


def _keys(random: Random) -> Keys:
    """Keys made from the seed, so that the same seed plays the same game.  Nobody else can reach this table, so they
    need not be secret.
    """

    def drawn() -> str:
        return random.randbytes(32).hex()

    return Keys(id=lambda: drawn()[:16], code=lambda: "ALONE2", token=drawn, secret=drawn)
