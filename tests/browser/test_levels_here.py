"""Bots in a browser, where not all nets may be there yet, and the coach."""

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import tables
from browser.alone import Alone, PlainHost, started
from foretell.bots import LEVELS, bot
from foretell.bots.levels import COACH_NETS, NETS, STRONGEST
from foretell.bots.net import weights
from foretell.bots.net.net_search import NetSearch
from foretell.browser import levels_here
from foretell.browser.levels_here import COACH, WITHOUT_NETS, chosen, level_here, nets_of
from foretell.browser.store import _ACTION, _GAME
from foretell.browser.worker_thinkers import nets_for
from foretell.coach import odds
from foretell.deals import seeded
from foretell.engine import Action, View, new_game, view
from foretell.kernel.backend.compiled import IS_COMPILED
from foretell.rules import Rules
from foretell.server.game.live_game import fair_dealing, resumed

pytestmark = pytest.mark.anyio

SHIPPED = Path(weights.__file__).parent
ALL = frozenset(COACH_NETS).union(*NETS.values())
READ_ONCE = (weights.shipped, weights.shipped_small, weights.shipped_belief, weights.shipped_value)
Only = Callable[[frozenset[str]], None]

needs_kernel = pytest.mark.skipif(not IS_COMPILED, reason="in plain Python nothing is searched")


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Only]:
    """Leaves these nets and no others."""
    numbers = itertools.count()

    def leave(names: frozenset[str]) -> None:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        for name in names:
            (folder / name).symlink_to(SHIPPED / name)
        monkeypatch.setattr(weights, "_FOLDER", folder)
        for one in READ_ONCE:
            one.cache_clear()

    yield leave
    for one in READ_ONCE:
        one.cache_clear()


def moments() -> list[View]:
    """The choices of one seat in two rounds."""
    start, random = new_game(Rules(rounds=(4, 5)), ["a", "b", "c", "d"]), Random(7)
    walk = tables.choices(start, seeded(7), lambda seen: bot("counting").choose(seen, random))
    return [seen for _, seen in walk if seen.seat == 0 and len(seen.legal) > 1]


def choices(level: str) -> list[Action]:
    return [bot(level).choose(seen, Random(1)) for seen in moments()]


def advised() -> list[object]:
    return [odds(seen, worlds=8) for seen in moments()]


@needs_kernel
@pytest.mark.parametrize("who", [*NETS, COACH])
def test_a_level_needs_the_nets_that_are_listed_and_all_of_them(who: str, only: Only) -> None:
    def think() -> object:
        return advised() if who == COACH else choices(who)

    listed = frozenset(COACH_NETS if who == COACH else NETS[who])
    assert nets_of(who) == listed
    assert json.loads(nets_for(who)) == sorted(listed)
    before = think()
    only(listed)
    assert think() == before
    for name in listed:
        only(listed - {name})
        with pytest.raises(FileNotFoundError, match=name):
            think()


def test_every_level_says_which_nets_it_needs() -> None:
    assert list(NETS) == list(LEVELS)
    assert {file.name for file in SHIPPED.glob("*.bin")} == ALL
    assert nets_of(WITHOUT_NETS) == nets_of("random") == frozenset()


@needs_kernel
def test_without_its_nets_a_level_plays_as_the_strongest_one_that_has_them(only: Only) -> None:
    assert [level_here(level) for level in LEVELS] == list(LEVELS)
    for name in ("belief.bin", "value.bin"):
        only(ALL - {name})
        assert level_here("champion") == "master"
    seen = moments()[0]
    assert chosen("champion", seen, Random(3)) == (bot("master").choose(seen, Random(3)), "master")
    only(frozenset())
    assert {level_here(level) for level in LEVELS} == {WITHOUT_NETS}
    action, played = chosen("champion", seen, Random(3))
    assert (action, played) == (bot("counting").choose(seen, Random(3)), "counting")
    assert level_here("random") == "random"


def test_in_plain_python_nothing_is_loaded_for_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels_here, "_is_compiled", lambda: False)
    assert nets_of("champion") == nets_of("master")
    assert nets_of(COACH) == {"weights.bin"}


@needs_kernel
def test_the_strongest_level_has_a_limit_that_usual_machines_do_not_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without its limit it chooses the same; where a world takes very long, it ends soon after the limit."""
    unlimited = NetSearch(seconds=1000.0)
    for seen in moments()[:3]:
        assert chosen(STRONGEST, seen, Random(2))[0] == unlimited.choose(seen, Random(2))
    monkeypatch.setattr(levels_here, "_MOST_SECONDS", 0.05)
    slow = NetSearch.think

    def think(self: NetSearch, *args: object, **named: object) -> object:
        assert self.seconds == 0.05
        return slow(self, *args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(NetSearch, "think", think)
    began = time.perf_counter()
    chosen(STRONGEST, moments()[0], Random(2))
    assert time.perf_counter() - began < 3


class Mending(PlainHost):
    """What is missing comes as soon as the page is told."""

    def __init__(self, mend: Callable[[], None]) -> None:
        super().__init__()
        self._mend = mend

    def report_level(self, level: str, played: str) -> None:
        super().report_level(level, played)
        self._mend()


async def test_a_weaker_level_is_told_and_so_is_its_end(only: Only) -> None:
    only(frozenset())
    host = Mending(lambda: only(ALL))
    alone, _, _ = await started(host, {"bots": ["master", "counting"], "seats": 3})
    await alone.play(2)
    assert host.prepared == ["counting", "master"]
    assert host.levels == [("master", "counting"), ("master", "master")]


async def test_where_the_second_worker_fails_bots_play_by_simple_rules() -> None:
    def mend() -> None:
        host.is_broken = False

    host = Mending(mend)
    host.is_broken = True
    alone, _, _ = await started(host, {"bots": ["expert", "expert"], "seats": 3})
    await alone.play(2)
    assert host.levels == [("expert", "counting"), ("expert", "expert")]
    (row,) = (_GAME.decode(value) for value in host.stored["games"].values())
    log = [_ACTION.decode(value) for _, value in sorted(host.stored["actions"].items())]
    first = next(one for one in log if one.by_bot)
    seen = view(resumed(row, log[: first.number], fair_dealing).game, first.seat)
    assert str(bot("counting").choose(seen, Random(0))) == first.action


async def test_the_coach_says_that_a_part_is_missing_and_answers_when_it_is_there(
    only: Only,
) -> None:
    only(frozenset())
    alone, _, _ = await started(PlainHost())
    while not (seen := (await alone.until("snapshot"))["view"])["legal"]:
        pass
    await alone.send("ask_coach", decision=seen["decision"])
    while (message := await alone.host.messages.get())["type"] != "refused":
        assert message["type"] != "coach"
    assert message["error"]["code"] == "nets_missing"
    only(ALL)
    await alone.send("ask_coach", decision=seen["decision"])
    assert (await alone.until("coach"))["is_available"]


async def test_a_review_that_could_not_be_made_is_made_when_the_nets_are_there(only: Only) -> None:
    alone, _, _ = await started(PlainHost(), {"rules": {"rulebook": "es", "rounds": [1]}})
    game = await alone.play()
    only(frozenset())
    refusal = await _review(alone, str(game))
    assert refusal["error"]["code"] == "nets_missing"
    only(ALL)
    found = await _review(alone, str(game))
    assert found["review"]["seats"]


async def _review(alone: Alone, game: str) -> dict[str, dict[str, object]]:
    """The review, or why there is none."""
    for _ in range(500):
        is_right, answer = await alone.device.ask("POST", f"/api/games/{game}/review", "{}")
        found: dict[str, dict[str, object]] = json.loads(answer)
        if not is_right or found["review"]:
            return found
        await asyncio.sleep(0.01)
    raise TimeoutError
