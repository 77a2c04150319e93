"""At no time does all that an attacker receives tell more about a round than one seat may know of it.

The attacker has many connections and uses everything that the protocol allows, at random, in every variant.
docs/protocol.md says what an attacker can do, and what stops them.
"""

import asyncio
import contextlib
import dataclasses
import os
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chance import chance
from foretell.client import Local, Player
from foretell.deals import given, word_hash
from foretell.engine import Action, View, view
from foretell.rules import Rules
from foretell.server.bot_threads import BotTask, BotThreads
from foretell.server.game.finished import stored_row
from foretell.server.keys import hashed, random_keys
from foretell.server.store.memory import MemoryStore
from foretell.server.table.services import Services, Timeouts
from foretell.server.wire import protocol as p
from server.adversary import ONE_ADDRESS, ONE_BROWSER, Adversary
from server.courses import VARIANTS, Course, FixedKeys, course, otherwise, variant
from server.knowledge import Moment, Truth, leaks, spoken_secrets
from server.rooms import Room, made, open_room
from server.test_pauses import JumpingLoop
from server.test_takeovers import slowly_played
from server.worlds import EchoCoach
from tables import head_counts, with_rounds

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

PROVING = bool(os.environ.get("FORETELL_PROVE"))
TIMED = 2 * len(VARIANTS) if PROVING else 8
SIEGES = len(VARIANTS) if PROVING else 4
PIPED = len(VARIANTS) if PROVING else 1


# At full speed


def moment(room: Room, table: str) -> Moment:
    """Where the table stands, as the server knows it."""
    playing = room.app.lobby.tables[table].playing
    if playing is None:
        return Moment(None, 0, is_over=False)
    return Moment(playing.id, playing.number, playing.game.is_over)


class Siege:
    """A table at which everyone acts as fast as they can, and an attacker at it.  Each number has another variant."""

    def __init__(self, number: int, where: str = "") -> None:
        self.random = Random(f"siege {where}{number}")
        self.variant = variant(number)
        self.rules = with_rounds(self.variant, *sorted(self.random.sample(range(1, 5), 2)))
        self.seats = self.random.choice(head_counts(self.variant))
        # Several browsers may sit down between two games: that is their right (docs/protocol.md).
        self.games = self.random.choice((1, 2))
        self.disguise = (
            ONE_BROWSER if self.games > 1 else self.random.choice((ONE_ADDRESS, ONE_BROWSER))
        )
        self.secrets: list[str] = []
        self.tokens: list[str] = []
        self._words = count(1)

    def secret(self) -> str:
        self.secrets.append(chance(f"siege {len(self.secrets)}").randbytes(32).hex())
        return self.secrets[-1]

    def word(self) -> str:
        return f"honest-{next(self._words)}-{self.random.getrandbits(64):x}"

    def _room(self, path: Path | str) -> contextlib.AbstractAsyncContextManager[Room]:
        keys = dataclasses.replace(random_keys, secret=self.secret)
        timeouts = Timeouts(reveal=0.2, grace=0.2)
        return open_room(path, keys=keys, timeouts=timeouts, coach=EchoCoach(), seconds=60)

    async def run(self, path: Path | str) -> "tuple[Adversary, dict[str, Truth]]":
        """Plays the games, and returns the attacker and the games as they really were.

        With the address of a database there are two processes, and the attacker is always at the wrong one.
        """
        async with contextlib.AsyncExitStack() as stack:
            room = await stack.enter_async_context(self._room(path))
            elsewhere = room
            if isinstance(path, str):
                elsewhere = await stack.enter_async_context(self._room(path))
            options = made(
                seats=self.seats,
                bots=["random"] * (self.seats - 2),
                rules=self.rules,
                is_public=True,
            )
            host = await room.remote.make(p.NewTable(name="Ada", options=options))
            self.tokens.append(host.token)
            eve = Adversary(
                elsewhere,
                host.code,
                self.seats,
                self.disguise,
                plays=True,
                moment=lambda: moment(room, host.table),
            )
            # First the host: the table belongs to the process that its first player reaches.
            async with room.player(host, make_word=self.word) as ada:
                if self.random.random() < 0.7:
                    tab = await eve.open_tab(self.random, await eve.join_by_http(self.random))
                    assert tab is not None
                    await tab.ask(p.Ready())
                truths: dict[str, Truth] = {}
                for _ in range(self.games):
                    await self._play(ada, eve)
                    game = moment(room, host.table).game or ""
                    row, log = await stored_row(room.services.store, game)
                    truths[game] = Truth.of(row, log, room.services.dealing)
            await eve.close_all()
        return eve, truths

    async def tells_too_much_nowhere(self, path: Path | str) -> None:
        eve, truths = await self.run(path)
        assert leaks(eve, truths) == []
        begun = {truth.row.setup.secret for truth in truths.values()}
        never = {*self.tokens, *map(hashed, self.tokens), *(set(self.secrets) - begun)}
        assert spoken_secrets(eve.heard, truths, never) == []

    async def _play(self, ada: Player, eve: Adversary) -> None:
        tab = eve.tabs[0] if eve.tabs else None
        if tab is not None and tab.table is not None and tab.table.next_commit is not None:
            # A word that is never revealed: until the time is up, the attacker looks at the words of the others.
            commit = tab.table.next_commit
            await tab.ask(p.SealWord(commit=commit, hash=word_hash(commit, "never shown")))
        await ada.start("random")
        seat = None if tab is None else tab.seat
        if self.games == 1 and seat is not None and self.random.random() < 0.4:
            await ada.ask(p.PassHost(seat=seat))
        playing = asyncio.ensure_future(slowly_played(ada, self.random))
        while not playing.done():
            await eve.move(self.random)
        await playing


@pytest.mark.parametrize("number", range(SIEGES))
async def test_no_message_tells_more_than_one_seat_may_know(tmp_path: Path, number: int) -> None:
    await Siege(number).tells_too_much_nowhere(tmp_path / "t.sqlite3")


@pytest.mark.parametrize("number", range(PIPED))
async def test_another_process_passes_on_no_more_than_that(database: str, number: int) -> None:
    await Siege(number, "piped ").tells_too_much_nowhere(database)


def test_the_numbers_of_all_sieges_are_those_of_all_variants() -> None:
    assert {Siege(number).variant for number in range(len(VARIANTS))} == set(VARIANTS)


@pytest.mark.usefixtures("shows_spectators_a_hand")
async def test_a_leak_would_be_noticed_at_full_speed(tmp_path: Path) -> None:
    """The test above can fail."""
    for number in range(20):
        eve, truths = await Siege(number).run(tmp_path / f"{number}.sqlite3")
        if leaks(eve, truths):
            return
    pytest.fail("nobody noticed")


# The time at which it is told


class ScriptedThreads(BotThreads):
    """Bots that follow a script.  They think the longer, the more they may choose from, by the clock of the event loop."""

    def __init__(self, played: Course) -> None:
        super().__init__(1)
        self._chosen: dict[tuple[str | None, int], Action] = {}
        for game, (seat, chosen) in zip(played.games(), played.script, strict=False):
            self._chosen[view(game, seat).decision, seat] = chosen

    def think(
        self,
        level: str,
        view: View,
        random: Random,
        on_choice: Callable[[Action | None], None],
        **_more: Any,
    ) -> BotTask:
        assert view.seat is not None
        chosen = self._chosen.get((view.decision, view.seat))
        if chosen is not None:  # otherwise the script has ended
            needs = 0.0 if len(view.legal) == 1 else 0.02 * len(view.legal)
            asyncio.get_running_loop().call_later(needs, on_choice, chosen)
        return BotTask(self)


Timed = list[tuple[float, bytes]]
"""Messages, and when each was received."""


def has_come_to(number: int, player: Player) -> bool:
    """Whether the player knows of so many actions."""
    return player.snapshot is not None and player.snapshot.number >= number


def timed(played: Course, **options: Any) -> Timed:
    """What the player in seat 0 receives, and when, if all others are bots that follow the script."""

    async def play() -> Timed:
        loop = asyncio.get_running_loop()
        services = Services(
            store=MemoryStore(),
            bot_threads=ScriptedThreads(played),
            keys=FixedKeys().keys,
            now=loop.time,
            dealing=lambda _setup: given(played.deals),
            pause_random=Random(3),
        )
        tables = Local(services)
        bots = ("random",) * (played.players - 1)
        table = p.TableOptions(rules=played.rules, seats=played.players, bots=bots, **options)
        seat = await tables.make(p.NewTable(name="Eve", options=table))
        heard: Timed = []

        def hear(message: p.FromServer) -> None:
            heard.append((loop.time(), p.write(message)))

        eve = Player(tables, seat.table, seat.token, on_message=hear, make_word=None)
        async with eve:
            await eve.start()
            for number, (actor, chosen) in enumerate(played.script):
                await eve.until(partial(has_come_to, number))
                if actor == 0:
                    await eve.act(chosen)
            await eve.until(partial(has_come_to, len(played.script)))
        await tables.close()
        return heard

    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(play())


def timed_in_both_worlds(random: Random, rules: Rules, **options: Any) -> "tuple[Timed, Timed]":
    while True:
        played = course(random, rules, most_cards=6)
        other = otherwise(played, 0, random)
        if other is not None:
            return timed(played, **options), timed(other, **options)


@pytest.mark.parametrize("number", range(TIMED))
def test_bots_act_at_the_same_moments_whatever_they_hold(number: int) -> None:
    random = Random(f"timed {number}")
    first, second = timed_in_both_worlds(random, variant(number))
    assert first == second


def test_at_a_public_table_without_a_pause_neither() -> None:
    """There bots pause all the same.  This is the test below, at a public table."""
    random = Random(5)
    for _ in range(20):
        first, second = timed_in_both_worlds(random, Rules(), bot_pause_ms=0, is_public=True)
        assert first == second


def test_a_bot_without_a_pause_would_be_noticed() -> None:
    """The tests above can fail: they do at a private table without pauses, as docs/protocol.md says."""
    random = Random(5)
    worlds = (timed_in_both_worlds(random, Rules(), bot_pause_ms=0) for _ in range(20))
    assert any(first != second for first, second in worlds)
