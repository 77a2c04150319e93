"""What is stored may be damaged, of another version, or changed by somebody: nothing else is lost by that."""

import json
import time
from functools import partial
from random import Random
from typing import Any

import pytest

from browser.alone import OPTIONS, Alone, PlainHost, started
from foretell.server.table.services import Services
from proofs import TIMES

pytestmark = pytest.mark.anyio

DAMAGE = [
    "",
    "{",
    "null",
    "[]",
    '"text"',
    '{"id": 5}',
    "{}",
    5,
    None,
    {"a": 1},
    [1],
    "\ud800",
    "9" * 5000,
]


async def two_games() -> tuple[PlainHost, list[tuple[str, str]]]:
    """A device with two games that go on, and the tables and tokens of their players."""
    host = PlainHost()
    alone, table, token = await started(host)
    await alone.play(9)
    other = await alone.ask("POST", "/api/tables", {"name": "Anna", "options": OPTIONS})
    again = await Alone.at(PlainHost(dict(host.stored)))
    await again.hello(other["table"], other["token"])
    await again.until("welcome")
    await again.send("start")
    await again.play(9)
    return again.host, [(table, token), (other["table"], other["token"])]


async def shown(host: PlainHost, table: str, token: str) -> dict[str, Any] | None:
    """What a player who returns sees; None if the table is gone."""
    alone = await Alone.at(PlainHost({kind: dict(rows) for kind, rows in host.stored.items()}))
    await alone.hello(table, token)
    while True:
        message = await alone.host.messages.get()
        if message["type"] == "refused":
            assert message["error"]["code"] == "no_table"
            return None
        if message["type"] == "welcome":
            return {name: message["snapshot"][name] for name in ("game", "number", "view")}


async def goes_on(host: PlainHost, table: str, token: str) -> None:
    """The player plays a few more actions, and a new device then shows the last of them."""
    alone = await Alone.at(host)
    await alone.hello(table, token)
    snapshot = (await alone.until("welcome"))["snapshot"]
    for _ in range(3):
        while not snapshot["view"]["legal"]:
            snapshot = await alone.until("snapshot")
        view = snapshot["view"]
        await alone.send("act", decision=view["decision"], action=view["legal"][0])
        snapshot = await alone.until("snapshot")
    while not snapshot["view"]["legal"]:
        snapshot = await alone.until("snapshot")
    later = await shown(host, table, token)
    assert later is not None
    assert later["number"] == snapshot["number"]
    assert later["view"] == snapshot["view"]


@pytest.mark.prove
@pytest.mark.parametrize("kind", ["tables", "games", "actions"])
async def test_a_damaged_row_costs_nothing_but_itself(kind: str) -> None:
    chance = Random(f"{kind} {TIMES}")
    host, (mine, other) = await two_games()
    state = json.loads(host.stored["tables"][mine[0]])
    own_rows = {
        "tables": [mine[0]],
        "games": [state["game"]],
        "actions": [key for key in host.stored["actions"] if key.startswith(state["game"])],
    }[kind]
    untouched = await shown(host, *other)
    for damage in DAMAGE if TIMES > 1 else chance.sample(DAMAGE, 5):
        damaged = PlainHost({name: dict(rows) for name, rows in host.stored.items()})
        row = chance.choice(own_rows)
        damaged.stored[kind][row] = damage  # type: ignore[assignment]
        assert await shown(damaged, *other) == untouched
        seen = await shown(damaged, *mine)
        if kind != "actions":
            assert seen is None
            assert damaged.stored[kind][row] == damage  # a newer page may be able to read it
            continue
        assert seen is not None
        assert seen["number"] == own_rows.index(row)
        await goes_on(damaged, *mine)
        await goes_on(damaged, *other)


async def test_the_page_is_told_once_that_something_cannot_be_read() -> None:
    host, (mine, _) = await two_games()
    assert (await Alone.at(PlainHost(dict(host.stored)))).host.unreadable == 0
    host.stored["tables"][mine[0]] = "{"
    assert (await Alone.at(PlainHost(dict(host.stored)))).host.unreadable == 1


@pytest.mark.parametrize("change", ["missing", "against the rules", "number", "foreign"])
async def test_a_log_goes_on_from_its_last_good_action(change: str) -> None:
    host, (mine, _) = await two_games()
    game = json.loads(host.stored["tables"][mine[0]])["game"]
    keys = sorted(key for key in host.stored["actions"] if key.startswith(game))
    at = len(keys) // 2
    row = json.loads(host.stored["actions"][keys[at]])
    match change:
        case "missing":
            del host.stored["actions"][keys[at]]
        case "against the rules":
            row["seat"] = (row["seat"] + 1) % 4
        case "number":
            row["number"] += 1
        case "foreign":
            host.stored["actions"]["~nogame/000000"] = host.stored["actions"][keys[at]]
    if change in ("against the rules", "number"):
        host.stored["actions"][keys[at]] = json.dumps(row)
    seen = await shown(host, *mine)
    assert seen is not None
    assert seen["number"] == (len(keys) if change == "foreign" else at)
    await goes_on(host, *mine)


async def test_a_game_of_newer_rules_is_left_as_it_is() -> None:
    host, (mine, other) = await two_games()
    game = json.loads(host.stored["tables"][mine[0]])["game"]
    row = json.loads(host.stored["games"][game])
    row["setup"]["rules_version"] = 99
    host.stored["games"][game] = json.dumps(row)
    before = {kind: dict(rows) for kind, rows in host.stored.items()}
    alone = await Alone.at(host)
    await alone.hello(*mine)
    while (refused := await host.messages.get())["type"] != "refused":
        pass
    assert refused["error"]["code"] != "server_failed"  # the page would try again for ever
    assert host.stored == before
    await goes_on(host, *other)


async def test_rows_with_fields_of_a_newer_version_are_read() -> None:
    host, (mine, _) = await two_games()
    for kind in ("tables", "games", "actions"):
        for key, value in host.stored[kind].items():
            host.stored[kind][key] = json.dumps({**json.loads(value), "new": {"field": 1}})
    await goes_on(host, *mine)


def _jumped(jump: float) -> float:
    return time.time() + jump


async def test_clocks_that_jump_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of a phone is set back by years, or ahead, in the middle of a game."""
    host, (mine, _) = await two_games()
    for jump in (-4e9, 0.0, 4e9, -1e5):
        wrong = partial(Services, now=partial(_jumped, jump))
        monkeypatch.setattr("foretell.browser.device.Services", wrong)
        await goes_on(host, *mine)
        at = [json.loads(value)["at"] for _, value in sorted(host.stored["actions"].items())]
        assert any(abs(one - time.time() - jump) < 60 for one in at)
    alone = await Alone.at(host)
    mine_listed = await alone.ask("POST", "/api/mine", {"tokens": [mine[1]]})
    assert [one["phase"] for one in mine_listed["games"]] == ["playing"]
