"""Network faults: lost, delayed and repeated connections, two tabs, repeated acts.  The game stays the same."""

import asyncio
import contextlib
import dataclasses
import os
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from foretell.bots import Counting
from foretell.client import ConnectionLost, Player, RefusedByTable, Remote
from foretell.deals import Fair, fair
from foretell.engine import View, act, awaited_seats, deal, new_game, view
from foretell.record import Proof, Record, dumps
from foretell.rules import Rules
from foretell.server.game.live_game import first_dealer
from foretell.server.keys import random_keys
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from server.faults import BadNetwork
from server.rooms import Pair, all_in, made, open_room, ready_and_start, settled

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

TIMES = 12 if os.environ.get("FORETELL_PROVE") else 1
SPECIALS = ["DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER"]
VARIANTS: list[dict[str, Any]] = [
    {"rounds": [2, 4]},
    {"bids": "hidden", "rounds": [1, 3]},
    {"bids": "secret", "rulebook": "pt-BR", "specials": SPECIALS, "rounds": [5]},
    {"plus_minus_one": True, "foresight": "every_round", "rounds": [1, 3]},
]
WORDS = ("alpha", "beta", "gamma", "")


def choice(seen: View) -> str:
    """The same choice for the same decision, whichever tab makes it and whenever."""
    return str(Random(f"{seen.seat}/{seen.decision}").choice(seen.legal))


def undisturbed(rules: Rules, secret: str) -> str:
    """The record of the same game, played by the engine alone."""
    proof = Fair(bytes.fromhex(secret), WORDS)
    names = ("Ada", "Bo", "Cy", "Merlin")
    game = new_game(rules, names, first_dealer=first_dealer(secret, WORDS))
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, fair(proof)(game))
        seat = awaited_seats(game)[-1]
        seen = view(game, seat)
        chosen = Counting().choose(seen, Random(0)) if seat == 3 else None
        chosen = next(
            one for one in seen.legal if str(one) == (str(chosen) if chosen else choice(seen))
        )
        game, _ = act(game, seat, chosen)
    bots = (None, None, None, "counting")
    return dumps(Record(game, bots, Proof(proof.commit, WORDS, secret)))


async def plays_badly(player: Player) -> None:
    """Sends everything twice, and answers old decisions again."""
    last: p.Act | None = None
    while (seen := await player.turn()) is not None:
        acts = [p.Act(decision=seen.decision or "", action=choice(seen)) for _ in range(2)]
        if last is not None:
            acts.insert(0, last)
        answers = await asyncio.gather(*(player.ask(one) for one in acts), return_exceptions=True)
        unexpected = [
            one for one in answers if not isinstance(one, p.Done | RefusedByTable | ConnectionLost)
        ]
        assert not unexpected
        stale = [one for one in answers if isinstance(one, RefusedByTable)]
        assert {one.code for one in stale} <= {"stale"}
        last = acts[-1]


@pytest.mark.parametrize("time", range(TIMES))
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda one: one.get("bids", "open"))
async def test_a_bad_network_changes_nothing(
    place: Path | Pair, variant: dict[str, Any], time: int
) -> None:
    secret = f"{time:064x}"
    keys = dataclasses.replace(random_keys, secret=lambda: secret)
    rules = msgspec.convert(variant, Rules)
    room_ = open_room(place, keys=keys, timeouts=Timeouts(grace=1000), seconds=60)
    async with room_ as room, BadNetwork(room.port, Random(time)) as network:
        transport = Remote(f"http://127.0.0.1:{network.port}")
        options = made(seats=4, bots=["counting"], rules=variant)
        first = await room.remote.make(p.NewTable(name="Ada", options=options, word=WORDS[0]))
        seats = [first]
        for name, word in zip(("Bo", "Cy"), WORDS[1:], strict=False):
            seats.append(await room.remote.join(first.code, p.Join(name=name, word=word)))
        async with all_in([room.player(one) for one in seats]) as players:
            await ready_and_start(players)
        tabs = [
            Player(transport, one.table, one.token, pause=0.01, most_pause=0.05)
            for one in seats
            for _ in range(2)
        ]
        async with contextlib.AsyncExitStack() as stack:
            await asyncio.gather(*(stack.enter_async_context(one) for one in tabs))
            await asyncio.gather(*(plays_badly(one) for one in tabs))
            network.is_calm = True
            await tabs[0].until(lambda me: me.table is not None and me.table.phase == "over")
            assert tabs[0].table is not None
            game = tabs[0].table.game or ""
        assert network.cut > 0
        assert await room.remote.record(game) == undisturbed(rules, secret)


async def test_two_hidden_bids_at_the_same_moment_are_both_made(place: Path | Pair) -> None:
    async with open_room(place, dealing=settled) as room:
        seats = await room.table(3, seats=3, rules={"bids": "secret", "rounds": [2]})
        async with all_in([room.player(one) for one in seats]) as players:
            await ready_and_start(players)
            for one in players:
                await one.turn()
            await asyncio.gather(*(one.act(f"bid {seat}") for seat, one in enumerate(players)))
            for seat, one in enumerate(players):
                await one.until(lambda me: me.snapshot is not None and me.snapshot.number == 3)
                seen = one.view
                assert seen is not None
                assert seen.now is not None
                assert seen.now.has_bid == (True, True, True)
                assert seen.now.bids == tuple(seat if n == seat else None for n in range(3))


async def test_two_answers_to_one_decision_count_once(place: Path | Pair) -> None:
    async with open_room(place, dealing=settled) as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], rules={"rounds": [2]})
        async with all_in([room.player(seat), room.player(seat)]) as (tab, other):
            await tab.start()
            seen = await tab.turn()
            assert seen is not None
            asked = [p.Act(decision=seen.decision or "", action=f"bid {n}") for n in (0, 1)]
            answers = await asyncio.gather(
                tab.ask(asked[0]), other.ask(asked[1]), return_exceptions=True
            )
            done = [isinstance(one, p.Done) for one in answers]
            refused = [one.code for one in answers if isinstance(one, RefusedByTable)]
            assert (sorted(done), refused) == ([False, True], ["stale"])
