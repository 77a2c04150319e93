"""Tips: one short one at a time, each once, never over what it is about nor over anything that must be tapped."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from web.playing import Player
from web.serving import Served, Stack
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]

SUBJECTS = {
    "question": ".prompt",
    "turnedUp": ".piece.stock",
    "tricks": ".own .stones",
    "balance": ".bar .balance",
    "hand": ".piece.hand",
    "wizard": ".piece.hand[data-card^='Z']",
    "jester": ".piece.hand[data-card^='N']",
    "lifted": ".piece.lifted",
    "sheet": "aside .scores, .bar .sheet",
}
MOST_WORDS = 24
READING_TIME = 3100  # milliseconds after which a tip counts as read, and a little more
# Which of the elements the tip covers, if only a pixel of them; in one call, so that nothing moves in between.
COVERED = """(subjects) => {
    const tip = document.querySelector('.guide')
    if (!tip || getComputedStyle(tip).visibility === 'hidden') return null
    const { tip: name, about } = tip.dataset
    const box = tip.getBoundingClientRect()
    const found = (selector) => [...document.querySelectorAll(selector)].filter((one) => {
        const other = one.getBoundingClientRect()
        return box.left < other.right && other.left < box.right
            && box.top < other.bottom && other.top < box.bottom
    }).map((one) => one.className)
    const subject = document.querySelectorAll(subjects[about]).length
    const isInside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
    const covered = [subjects[about], '.piece.hand', '.prompt', '.over .end'].flatMap(found)
    return { name, subject, isInside, covered, text: tip.querySelector('p').innerText }
}"""


def tip(player: Player) -> Locator:
    return player.page.locator(".guide")


def keeps(player: Player, kept: str) -> None:
    """What is stored in the browser before the page opens."""
    player.page.add_init_script(
        f"if (location.protocol === 'http:') localStorage['foretell.tips'] ??= {json.dumps(kept)}"
    )


def has_seen(player: Player, *tips: str) -> None:
    keeps(player, json.dumps({"seen": tips}))


def looked_at(player: Player) -> dict[str, Any] | None:
    found: dict[str, Any] | None = player.page.evaluate(COVERED, SUBJECTS)
    return found


def watch(player: Player, put_away: set[str]) -> str | None:
    """Checks the tip that is shown, and returns its name."""
    player.page.wait_for_timeout(60)  # until it is in its place
    shown = looked_at(player)
    if shown is None:
        return None
    assert shown["subject"] > 0, shown
    assert shown["covered"] == [], shown
    assert shown["isInside"], shown
    assert len(shown["text"].split()) <= MOST_WORDS, shown
    assert shown["name"] not in put_away
    player.shot(f"tip-{shown['name']}")
    name: str = shown["name"]
    return name


@pytest.mark.parametrize(
    ("width", "height", "reads"),
    [
        (390, 844, True),
        (1280, 800, True),
        (360, 640, True),
        (844, 390, True),
        (390, 844, False),
        (1280, 800, False),
    ],
)
def test_every_tip_of_the_guided_game_is_in_its_place_and_comes_once(
    serve: Serve, browse: Browse, width: int, height: int, reads: bool
) -> None:
    """Once by someone who puts each tip away, and once by someone who never does."""
    served = serve(stack=Stack(own="ZB NR B12 R3", others="B2 B4 R5 R6", turned_up="B7"))
    ada = browse(width, height)
    options = {
        "seats": 3,
        "bots": ["counting"] * 2,
        "bot_pause_ms": 0,
        "rules": {"rounds": [2, 3, 4]},
    }
    ada.sit(served.address, served.table(options), "?start&guide")
    put_away: set[str] = set()
    for asked in ada.turns(lambda: False):
        while name := watch(ada, put_away):
            if not reads:
                break
            tip(ada).get_by_role("button", name="I see").click()
            expect(ada.page.locator(f".guide[data-tip={name}]")).to_have_count(0)
            put_away.add(name)
        if asked == "play":
            ada.page.locator(".piece.hand.bright").first.click(position={"x": 15, "y": 28})
            lifted = watch(ada, put_away)
            assert (lifted == "lifted") is ("lifted" not in put_away)
            ada.page.locator(".piece.lifted").click(position={"x": 15, "y": 28})
            put_away.add("lifted")
        else:
            ada.act(asked)
        put_away.update([name] if name else [])
    seen = set(json.loads(ada.page.evaluate("localStorage['foretell.tips']"))["seen"])
    assert seen >= put_away >= {"lifted", "trick", "points", "trump"}
    if reads:
        assert put_away >= {"bid", "tricks", "balance", "wizard", "jester", "score"}


def test_a_tip_stays_until_the_player_acts(serve: Serve, browse: Browse) -> None:
    """The one about the first trick was gone after a second, and came back at each trick."""
    served = serve(stack=Stack(own="ZB ZR ZG ZY", others="B2 B4 R5 R6", turned_up="B7"))
    ada = browse(settings={"pace": "normal"})
    earlier = "lifted trick points trump bid lead follow tricks balance wizard"
    has_seen(ada, *earlier.split())
    ada.sit(served.address, seated(served, rounds=[4]), "?start&guide")
    took = ada.page.locator(".guide[data-tip=took]")
    tricks = 0
    for asked in ada.turns(lambda: False):
        if asked == "play" and tricks == 1:
            expect(took).to_contain_text("You won a trick")
            ada.page.wait_for_timeout(2500)
            expect(took).to_be_visible()
        elif asked == "play" and tricks > 1:
            assert took.count() == 0
        ada.act(asked)
        tricks += asked == "play"


def test_the_end_of_a_round_stays_in_the_guided_game(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.clock.install()
    ada.sit(served.address, seated(served, rounds=[1, 2]), "?start&guide")
    for asked in ada.turns(lambda: False):
        if asked == "round":
            break
        ada.act(asked)
    ada.page.clock.fast_forward("10:00")
    ada.page.wait_for_timeout(300)
    expect(ada.page.locator(".over .end")).to_contain_text("Round 1 is over")
    expect(ada.page.locator(".guide[data-tip=score]")).to_contain_text("score sheet")


def test_everyone_is_told_once_what_the_signs_mean(serve: Serve, browse: Browse) -> None:
    served, ada = serve(stack=Stack(own="ZB ZR ZG ZY", turned_up="B7")), browse()
    page = ada.page
    ada.sit(served.address, seated(served, rounds=[4, 5]), "?start")
    expect(tip(ada)).to_contain_text(
        "Left number: the tricks you have won. Right number: the tricks you have bid."
    )
    assert watch(ada, set()) == "tricks"
    ada.look("first-tip")
    expect(tip(ada).get_by_role("button")).to_have_count(1)  # nothing more to turn off
    tip(ada).get_by_role("button", name="I see").click()
    expect(tip(ada)).to_have_count(0)
    page.reload()
    for asked in ada.turns(lambda: False):
        if asked == "play":
            break
        assert tip(ada).count() == 0
        ada.act(asked)
    expect(tip(ada)).to_contain_text("All bids together")
    assert watch(ada, set()) == "balance"
    # the chip itself leads to the help, where it is explained for good
    page.locator(".bar .balance").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Tricks won / tricks bid")
    ada.look("help")
    # and to all the rules
    dialog.get_by_role("button", name="Rules of the game").click()
    expect(dialog).to_contain_text("The first Wizard in the trick wins.")
    dialog.get_by_role("button", name="Close").click()
    page.locator(".bar .balance").click()
    dialog.get_by_role("button", name="Show the tips again").click()
    dialog.get_by_role("button", name="Close").click()
    tip(ada).get_by_role("button", name="I see").click()
    expect(tip(ada)).to_contain_text("Left")


@pytest.mark.parametrize("by_keyboard", [False, True], ids=["by tap", "by keyboard"])
def test_a_lifted_card_says_that_a_second_tap_plays_it(
    serve: Serve, browse: Browse, by_keyboard: bool
) -> None:
    served, ada = serve(stack=Stack(own="ZB ZR ZG ZY", turned_up="B7")), browse()
    has_seen(ada, "tricks", "balance")
    ada.sit(served.address, seated(served, rounds=[4]), "?start")
    plays = 0
    for asked in ada.turns(lambda: False):
        if asked != "play":
            ada.act(asked)
            continue
        card = ada.page.locator(".piece.hand.bright").first
        if by_keyboard:
            card.focus()
            ada.page.keyboard.press("Enter")
        else:
            card.click(position={"x": 15, "y": 28})
        expect(ada.page.locator(".piece.lifted")).to_have_count(1)
        if plays == 0:
            expect(tip(ada)).to_have_text("Tap the lifted card again to play it.")
            assert watch(ada, set()) == "lifted"
        else:
            assert tip(ada).count() == 0
        if by_keyboard:
            ada.page.keyboard.press("Enter")
        else:
            ada.page.locator(".piece.lifted").click(position={"x": 15, "y": 28})
        expect(tip(ada)).to_have_count(0)
        plays += 1
    assert plays == 4


@pytest.mark.parametrize("read_for", [0, READING_TIME])
def test_no_more_tips_means_none_until_the_next_guided_game(
    serve: Serve, browse: Browse, read_for: int
) -> None:
    served, ada = serve(), browse()
    ada.sit(served.address, seated(served, rounds=[2, 3]), "?start&guide")
    expect(tip(ada)).to_be_visible()
    ada.page.wait_for_timeout(read_for)
    tip(ada).get_by_role("button", name="No more tips").click()
    expect(tip(ada)).to_have_count(0)
    assert json.loads(ada.page.evaluate("localStorage['foretell.tips']"))["areOff"]
    for asked in ada.turns(lambda: False):
        assert tip(ada).count() == 0
        ada.act(asked)
    ada.page.goto(served.address)
    ada.page.get_by_role("button", name="guided first game").click()
    expect(tip(ada)).to_have_count(1)


def test_tips_asked_for_again_all_come_again(serve: Serve, browse: Browse) -> None:
    """Also the one that was being shown, however long it had been there."""
    served, ada = serve(stack=Stack(own="B2 B3", turned_up="B7")), browse()
    has_seen(ada, "trick", "points", "trump", "bid")
    ada.sit(served.address, seated(served, rounds=[2]), "?start&guide")
    expect(tip(ada)).to_have_attribute("data-tip", "tricks")
    ada.page.wait_for_timeout(READING_TIME)
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("button", name="Rules and help").click()
    ada.page.get_by_role("button", name="Show the tips again").click()
    ada.page.get_by_role("button", name="Close").click()
    for name in ("trick", "trump", "points", "bid", "tricks"):
        expect(tip(ada)).to_have_attribute("data-tip", name)
        tip(ada).get_by_role("button", name="I see").click()
        expect(ada.page.locator(f".guide[data-tip={name}]")).to_have_count(0)


@pytest.mark.parametrize("kept", ["nonsense", "null", "7", '{"seen": 3}', '{"seen": [null, 1]}'])
def test_what_was_kept_may_be_nonsense(serve: Serve, browse: Browse, kept: str) -> None:
    served, ada = serve(), browse()
    keeps(ada, kept)
    ada.sit(served.address, seated(served, rounds=[2]), "?start")
    tip(ada).get_by_role("button", name="I see").click()
    expect(tip(ada)).to_have_count(0)


def test_a_spectator_gets_no_tips(serve: Serve, browse: Browse) -> None:
    served, ada, eve = serve(), browse(), browse(settings={"name": "Eve"})
    made = seated(served, rounds=[3])
    ada.sit(served.address, made, "?start")
    expect(tip(ada)).to_have_count(1)
    eve.page.goto(f"{served.address}#/t/{made['code']}")
    eve.page.get_by_text(re.compile("You are watching")).wait_for()
    assert tip(eve).count() == 0
