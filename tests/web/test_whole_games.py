"""Whole games on a device with the network off: every rulebook, variant and special card, three to six players.

They are played in one page, through the worker's own messages, since a page of its own for each would take hours.
`test_variants.py` plays through what people see.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from chance import chance
from foretell.cards.specials import BY_KIND
from foretell.rules import DECISIONS, Rules
from foretell.rules.presets import PRESETS
from foretell.server.wire import protocol as p
from proofs import TIMES
from web.cases import CASES
from web.conftest import BUILT
from web.devices import Stored, all_replayed, dump, new_table, put, same_cards, static_host
from web.playing import NO_API, Player

Browse = Callable[..., Player]

LOADED = 60_000  # milliseconds, for the engine on a busy machine
WHOLE = TIMES > 1  # all rounds, in `make prove`

KEEP_WORKER = """self.Worker = class extends Worker {
    constructor(...how) {
        super(...how)
        self.tables ??= this
    }
}"""
# Plays one game to its end, by any of the actions that the View offers.
PLAY = """({ table, token, version, connection }) => new Promise((done, fail) => {
    const line = self.tables
    let id = 0
    let drawn = connection
    let answered = '' // snapshots that were on their way ask the same again
    const send = (message) => line.postMessage({ type: 'message', connection, text: JSON.stringify({ id: ++id, ...message }) })
    const end = (result, how) => {
        clearTimeout(late)
        line.removeEventListener('message', hear)
        line.postMessage({ type: 'disconnect', connection })
        how(result)
    }
    const late = setTimeout(() => end(new Error('nothing more came'), fail), 60_000 * 8)
    function hear({ data }) {
        if (data.type !== 'message' || data.connection !== connection) return
        const message = JSON.parse(data.text)
        if (message.type === 'refused') end(new Error(data.text), fail)
        if (message.type === 'welcome') send({ type: 'start' })
        if (message.type !== 'snapshot') return
        const { view, game } = message
        if (view.phase === 'over') end(game, done)
        else if (view.legal.length && view.decision !== answered) {
            answered = view.decision
            drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0
            send({ type: 'act', decision: view.decision, action: view.legal[(drawn >>> 8) % view.legal.length] })
        }
    }
    line.addEventListener('message', hear)
    line.postMessage({ type: 'connect', connection })
    send({ type: 'hello', version, table, token })
})"""

pytestmark = pytest.mark.skipif(
    not (BUILT.parent / "engine/engine.json").exists(), reason="the engine is not built"
)


@pytest.fixture
def ada(browse: Browse) -> Player:
    player = browse()
    player.may_report = f"{NO_API}|ERR_INTERNET_DISCONNECTED"
    return player


def games() -> list[tuple[dict[str, Any], int]]:
    """The rules of all games, and how many play each."""
    found: list[tuple[dict[str, Any], int]] = [
        ({"rulebook": "pt-BR", **one.rules}, one.seats) for one in CASES
    ]
    books = [(book, seats) for book in PRESETS for seats in range(3, 7)]
    if not WHOLE:
        books = books[::7] + books[1::7]  # every book, every number of players
    found += [({"rulebook": book, "rounds": [1, 2, 3]}, seats) for book, seats in books]
    if WHOLE:
        for rules, _ in found:
            rules.pop("rounds", None)
    return found


def tables() -> tuple[Stored, list[dict[str, Any]]]:
    stored: Stored = {}
    seats = []
    for rules, players in [({"rounds": [1]}, 3), *games()]:
        options = {"seats": players, "bots": ["counting"] * (players - 1), "bot_pause_ms": 0}
        one, seated = new_table({**options, "rules": rules})
        for kind, rows in one.items():
            stored.setdefault(kind, {}).update(rows)
        seats.append(seated)
    return stored, seats


def missing(played: list[tuple[Rules, int]]) -> list[object]:
    """The books, variants, special cards and numbers of players that were not played."""
    wanted: list[tuple[object, bool]] = [
        *((book, any(rules.rulebook == book for rules, _ in played)) for book in PRESETS),
        *((kind, any(kind in rules.specials for rules, _ in played)) for kind in BY_KIND),
        *((seats, any(seats == players for _, players in played)) for seats in range(3, 7)),
    ]
    for one in DECISIONS:
        if one.form in ("one", "switch"):
            chosen = {getattr(rules, one.key) for rules, _ in played}
            wanted += [((one.key, choice.value), choice.value in chosen) for choice in one.choices]
    return [name for name, is_there in wanted if not is_there]


@pytest.mark.prove
def test_whole_games_of_all_rules_with_the_network_off(ada: Player) -> None:
    """Each record is the one that CPython writes from the same actions, byte for byte; so is every choice of a bot."""
    page = ada.page
    page.add_init_script(KEEP_WORKER)
    same_cards(page, chance("worker").randrange(2**20))
    stored, seats = tables()

    def play(number: int) -> None:
        asked = {key: seats[number][key] for key in ("table", "token")}
        page.evaluate(PLAY, {**asked, "version": p.VERSION, "connection": 10_000 + number})

    with static_host() as (address, _):
        put(ada, address, stored)
        ada.sit(address, seats[0])
        expect(page.get_by_role("button", name="Start")).to_be_visible(timeout=LOADED)
        play(0)  # what the bots need is loaded with the first game
        page.context.set_offline(True)
    for number in range(1, len(seats)):
        play(number)
    found = all_replayed(dump(page))
    assert len(found) == len(seats)
    for one in found:
        assert one.row.record == one.record, one.row.setup.rules
    setups = [one.row.setup for one in found]
    assert missing([(setup.rules, len(setup.names)) for setup in setups]) == []
    if WHOLE:  # long enough for every question to have been asked
        asked = {entry.action.partition(" ")[0] for one in found for entry in one.log}
        assert asked == {"bid", "play", "trump", "pass", "change"}
    actions = sum(len(one.log) for one in found)
    print(f"{len(found)} games, {actions} actions")
