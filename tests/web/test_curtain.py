"""Several people at one device: whoever holds it sees their own cards, and nobody else's, at any moment."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from proofs import TIMES
from web.conftest import BUILT
from web.devices import new_table, put, same_cards, static_host
from web.playing import NO_API, Player

Browse = Callable[..., Player]

LOADED = 60_000  # milliseconds, for the engine on a busy machine
PATIENCE = 60  # seconds between two questions
GAMES = (
    8  # at most, until the card that a test is about has been played by somebody who asks for it
)
RELOADS = 3 if TIMES == 1 else 30

# Keeps what each seat has been told, and looks at every card that is ever in the document: who had lifted the curtain, and
# whether their own View had that card. A card that is dealt again in the next round counts as known for that round only.
WATCH = r"""
const CODE = /(?<![A-Z0-9])(?:[BRGY](?:1[0-3]|[1-9])|[ZN][BRGY]|[A-Z]{4,12})(?![A-Z0-9])/g
const told = {} // by name: the cards of this round, those of the round before, and the hands in both
const names = {} // by line
const seen = (self.curtainWatch = { holder: null, looks: 0, hands: 0, foreseen: 0, leaks: [], uncovered: [], lifted: [] })

function hear({ connection, text }) {
    const message = JSON.parse(text)
    if (message.type === 'welcome') names[connection] = message.table.seats.find(({ seat }) => seat === message.seat)?.name
    const snapshot = message.type === 'snapshot' ? message : message.snapshot
    if (!snapshot || !names[connection]) return
    const { view, game, events } = snapshot
    const round = `${game} ${view.now?.number}`
    const mine = (told[names[connection]] ??= { round: '', cards: new Set(), before: new Set(), hand: new Set(), handBefore: new Set() })
    if (mine.round !== round) Object.assign(mine, { round, before: mine.cards, cards: new Set(), handBefore: mine.hand, hand: new Set() })
    for (const [code] of JSON.stringify([view, events]).matchAll(CODE)) mine.cards.add(code)
    for (const card of view.now?.hand ?? []) mine.hand.add(card)
}
self.Worker = class extends Worker {
    constructor(...how) {
        super(...how)
        this.addEventListener('message', ({ data }) => data.type === 'message' && hear(data))
    }
}
document.addEventListener('click', ({ target }) => {
    const button = target.closest('button')
    if (button?.closest('.curtain')) {
        seen.holder = /^\W*(\w+)/.exec(button.innerText)[1]
        seen.lifted.push(seen.holder)
    }
    if (button?.innerText === 'Play again') seen.holder = null // nobody has lifted the curtain of the next game
}, true)

const faces = new Map() // how a card is drawn, and which it is
const drawn = []
function look() {
    if (!document.querySelector('.screen')) return
    seen.looks++
    if (document.querySelector('.curtain') && document.querySelector('.screen svg.card, dialog, .screen .bar button')) seen.uncovered.push(document.body.innerText.slice(0, 200))
    const mine = told[seen.holder]
    for (const card of document.querySelectorAll('svg.card')) {
        const piece = card.closest('[data-face]')
        if (piece) faces.set(card.innerHTML, piece.dataset.face.split(':')[0])
        const code = faces.get(card.innerHTML)
        if (card.closest('.foreseen')) seen.foreseen++
        if (!code) drawn.push([seen.holder, card.innerHTML])
        else if (!mine?.cards.has(code) && !mine?.before.has(code)) seen.leaks.push(`${code} before ${seen.holder}`)
        else if (piece?.matches('.hand') && (seen.hands++, !mine.hand.has(code) && !mine.handBefore.has(code))) seen.leaks.push(`${code} in the hand of ${seen.holder}`)
    }
}
new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
"""

pytestmark = pytest.mark.skipif(
    not (BUILT.parent / "engine/engine.json").exists(), reason="the engine is not built"
)


@pytest.fixture
def address() -> Iterator[str]:
    with static_host() as (found, _):
        yield found


@pytest.fixture
def ada(browse: Browse) -> Player:
    player = browse()
    player.page.add_init_script(WATCH)
    player.may_report = NO_API
    return player


def watched(page: Page) -> dict[str, Any]:
    """What the watch has seen since the page was loaded; nothing of it may be wrong."""
    found: dict[str, Any] = page.evaluate("() => self.curtainWatch")
    assert found["leaks"] == []
    assert found["uncovered"] == []
    return found


class _Sharing:
    """Ada and Bob with one device, at a table that has a bot too."""

    def __init__(self, ada: Player, address: str, seed: int, **rules: Any) -> None:
        self.ada, self.page = ada, ada.page
        same_cards(ada.page, seed)
        options = {"seats": 3, "bots": ["counting"], "bot_pause_ms": 0, "coach": True}
        stored, seated = new_table({**options, "rules": {"rulebook": "pt-BR", **rules}})
        put(ada, address, stored)
        ada.sit(address, seated)
        self.page.get_by_label("Name of the player").fill("Bob", timeout=LOADED)
        self.page.get_by_role("button", name="Add a player").click()
        expect(self.page.get_by_role("list").get_by_text("Bob").first).to_be_visible()
        self.page.get_by_role("button", name="Start").click()
        self.curtain = self.page.locator(".curtain button")
        self.answered: tuple[str, str] | None = None

    def lift(self) -> bool:
        """Lifts the curtain, if it is there."""
        if not self.curtain.count():
            return False
        self.curtain.click()
        self.answered = None  # of the other player: it may have the same name
        self.page.locator(".stage, .podium").first.wait_for()
        return True

    def turns(self) -> Iterator[str]:
        """Yields what is asked of whoever has the device; lifts the curtain in between.  The caller answers."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if self.page.locator(".podium").count():
                return
            asked = None if self.lift() else self.ada.asked()
            if asked is None or asked == self.answered or asked[0] == "end":
                self.page.wait_for_timeout(15)
                continue
            self.answered = asked
            yield asked[0]
            ends = time.monotonic() + PATIENCE
        raise TimeoutError("nothing more is asked, and the game does not end")

    def play_again(self) -> None:
        self.page.get_by_role("button", name="Play again").click()
        self.page.locator(".curtain").wait_for(timeout=LOADED)

    def reload(self) -> None:
        self.page.reload()
        self.answered = None  # the answer may not have arrived
        self.page.locator(".curtain, .podium").first.wait_for(timeout=LOADED)


@pytest.mark.prove
def test_after_a_reload_at_any_moment_the_curtain_comes_before_any_card(
    address: str, ada: Player
) -> None:
    """The owner's View comes before the table has answered for the others."""
    sharing = _Sharing(ada, address, 1, rounds=[3, 4, 5], bids="hidden")
    turns, holders = sharing.turns(), set[str]()
    for _ in range(RELOADS):
        for asked in turns:
            ada.act(asked)
            if ada.random.random() < 0.3:
                break
        ada.page.wait_for_timeout(ada.random.randrange(60))
        holders |= set(watched(ada.page)["lifted"])
        sharing.reload()
        found = watched(ada.page)
        assert found["looks"] > 2
        assert found["hands"] == 0
    assert holders == {"Ada", "Bob"}


@pytest.mark.parametrize(
    ("rules", "asks", "seed"),
    [
        ({"specials": ["JUGGLER", "CLOUD"], "rounds": [4, 5]}, {"pass"}, 1),
        ({"foresight": "every_round", "bids": "hidden", "rounds": [1, 4]}, set[str](), 1),
    ],
    ids=["juggler", "foresight"],
)
def test_the_coach_the_panels_and_the_next_game_behind_the_curtain(
    address: str, ada: Player, rules: dict[str, Any], asks: set[str], seed: int
) -> None:
    sharing = _Sharing(ada, address, seed, **rules)
    page, asked_for = ada.page, set[str]()
    for number in range(GAMES):
        if number:
            sharing.play_again()
        for asked in sharing.turns():
            asked_for.add(asked)
            lamp = page.get_by_role("button", name="Ask the coach")
            if asked == "bid" and lamp.count():
                lamp.click()
            if asked == "play" and ada.random.random() < 0.4:
                page.get_by_role("button", name="Menu").click()
                page.get_by_role("button", name="Last trick", exact=True).click()
                page.get_by_role("dialog").wait_for()
                page.keyboard.press("Escape")
            # in the last trick there would be nothing to pass
            ada.act(asked, first="JUGGLER")
        if (
            asked_for >= asks
        ):  # a bot may play the Juggler in the last trick, when there is nothing to pass
            break
    assert asked_for >= asks
    found = watched(page)
    assert {"Ada", "Bob"} <= set(found["lifted"])
    assert found["hands"] > 10
    assert (found["foreseen"] > 0) == ("foresight" in rules)
    sharing.play_again()
    for asked in sharing.turns():
        ada.act(asked)
        if len(watched(page)["lifted"]) > len(found["lifted"]) + 3:
            break
