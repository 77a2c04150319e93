"""The screens, one by one: what they offer, who can use them, how fast they are."""

import gzip
import json
import os
import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from foretell.errors import ForetellError
from foretell.i18n import languages
from foretell.rules import CLASHES, Rules
from web.playing import Player
from web.serving import Served, Stack

Serve = Callable[..., Served]
Browse = Callable[..., Player]

STATIC = Path(__file__).parents[2] / "src/foretell/server/static"
# `make test` looks at the smallest screen and the widest, `make prove` at all of them, in both themes.
ALL = [
    (width, height, theme)
    for width, height in ((360, 640), (390, 844), (768, 1024), (1440, 900), (844, 390))
    for theme in ("dark", "light")
]
SCREENS = (
    ALL
    if os.environ.get("FORETELL_PROVE")
    else [(360, 640, "dark"), (1440, 900, "light"), (844, 390, "dark")]
)


def all_books(player: Player) -> None:
    """In the form of a new table: all rulebooks and variants."""
    player.page.get_by_text("All books and variants").click()


def seated(served: Served, bots: int = 2, pause: int = 0, **rules: object) -> dict[str, Any]:
    options = {
        "seats": bots + 1,
        "bots": ["counting"] * bots,
        "bot_pause_ms": pause,
        "rules": rules,
    }
    return served.table(options)


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height", "theme"), SCREENS)
def test_axe_finds_nothing_on_any_screen(
    serve: Serve, browse: Browse, width: int, height: int, theme: str
) -> None:
    served = serve()
    ada = browse(width, height, color_scheme=theme)
    page = ada.page
    page.goto(served.address)
    page.get_by_role("button", name="Play now").wait_for()
    ada.look(f"{theme}-home")
    page.goto(f"{served.address}#/settings")
    page.get_by_label("Pace").wait_for()
    ada.look(f"{theme}-settings")
    page.goto(f"{served.address}#/new")
    page.get_by_text("25 years").click()
    ada.look(f"{theme}-new")
    all_books(ada)
    page.get_by_text("Brazilian book").click()
    ada.look(f"{theme}-new-all")
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("heading", name="The table is set").wait_for()
    ada.look(f"{theme}-gathering")
    ada.sit(served.address, seated(served, rounds=[20]), "?start")
    page.locator("[data-asked]").wait_for()
    ada.look(f"{theme}-twenty-cards-asked")
    page.get_by_role("button", name="Menu").click()
    ada.look(f"{theme}-menu")
    for entry in (
        "Last trick",
        "What happened",
        "Block of Truth",
        "Chart of the scores",
        "Who is here",
        "Rules and help",
        "Invite",
        "Settings",
    ):
        page.get_by_role("dialog").get_by_role("button", name=entry).click()
        ada.look(f"{theme}-panel-{entry.replace(' ', '-')}")
        page.get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Chat").click()
    ada.look(f"{theme}-chat")


def test_the_form_explains_what_does_not_go_together(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    page = ada.page
    page.goto(f"{served.address}#/new")
    all_books(ada)
    page.get_by_text("Brazilian book").click()
    page.get_by_label(re.compile("^plus/minus one")).check()
    page.get_by_label(re.compile("^hidden bids")).check()
    alert = page.get_by_role("alert")  # it is said once
    assert "plus/minus one and hidden bids do not go together (V7)" in alert.inner_text()
    expect(alert.get_by_role("button")).to_have_text(
        ["Without plus/minus one", "Without hidden bids"]
    )
    assert page.get_by_role("button", name="Set up the table").is_disabled()
    ada.look("clash")
    page.get_by_role("button", name="Without hidden bids").click()
    expect(page.get_by_role("button", name="Set up the table")).to_be_focused()
    assert page.get_by_role("alert").count() == 0
    assert page.get_by_label(re.compile("^open bids")).is_checked()
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("heading", name="The table is set").wait_for()
    assert page.get_by_text("The bids may not add up to the number of tricks").is_visible()


def test_the_form_explains_who_is_missed_and_who_is_too_many(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    page = ada.page
    page.goto(f"{served.address}#/new")
    all_books(ada)
    page.get_by_text("Brazilian book").click()
    page.locator("input[data-value=DRAGON]").check()
    assert "go in together or not at all (C4)" in page.get_by_role("alert").first.inner_text()
    assert page.get_by_role("button", name="Set up the table").is_disabled()
    ada.look("alone")
    page.get_by_role("button", name="With Fairy").click()
    assert page.locator("input[data-value=FAIRY]").is_checked()
    assert page.get_by_role("alert").count() == 0
    page.locator("input[data-value=DRAGON]").uncheck()
    page.get_by_role("button", name="Without Fairy").click()
    assert page.get_by_role("alert").count() == 0
    page.get_by_role("radiogroup", name="Players").get_by_text("5").click()
    page.get_by_label(re.compile("^unicolor")).check()
    assert "this table has 5 seats" in page.get_by_role("alert").first.inner_text()
    page.get_by_role("button", name="4 seats").click()
    assert page.get_by_role("alert").count() == 0
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("heading", name="The table is set").wait_for()


def test_the_form_knows_every_clash_that_the_rules_know(serve: Serve, browse: Browse) -> None:
    """The form finds every two settings that the server would refuse together, and each way out works."""
    served, ada = serve(), browse()
    form = ada.page.request.get(f"{served.address}api/form").json()
    assert len(form["clashes"]) == len(CLASHES)
    settings = [
        (one["key"], choice["value"], choice["name"])
        for one in form["decisions"]
        if one["form"] != "numbers"
        for choice in one["choices"]
    ]
    ada.page.goto(f"{served.address}#/new")
    all_books(ada)
    create = ada.page.get_by_role("button", name="Set up the table")
    refused = 0
    for (key, value, name), (other_key, other_value, other_name) in combinations(settings, 2):
        if key == other_key and key != "specials":
            continue
        rules: dict[str, Any] = {}
        for one, chosen in ((key, value), (other_key, other_value)):
            rules[one] = [*rules.get(one, []), chosen] if one == "specials" else chosen
        is_allowed = _is_allowed(rules)
        ada.page.locator("label.book").first.click()
        ada.page.get_by_text("Brazilian book").click()
        _choose(ada, key, value, name)
        _choose(ada, other_key, other_value, other_name)
        assert create.is_enabled() is is_allowed, rules
        if not is_allowed:
            refused += 1
            ada.page.get_by_role("alert").first.get_by_role("button").first.click()
    assert refused >= len(CLASHES)


def _is_allowed(rules: dict[str, Any]) -> bool:
    try:
        Rules(**rules).seats(4)
    except ForetellError:
        return False
    return True


def _choose(ada: Player, key: str, value: str | bool, name: str) -> None:
    ada.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    decision = ada.page.locator(f".decision[data-key={key}]")
    if key == "specials":
        decision.locator(f"input[data-value={value}]").check()
    elif isinstance(value, bool):
        decision.locator("input").set_checked(value)
    else:
        decision.locator(f"input[data-value={name}]").check()


def test_a_card_that_must_not_be_played_says_why_with_the_rule(
    serve: Serve, browse: Browse
) -> None:
    served = serve(stack=Stack(own="R2 G3", others="R5 R6 R7 R8", turned_up="B1"))
    ada = browse()
    ada.sit(served.address, seated(served, rounds=[2, 3]), "?start")
    for what in ada.turns(lambda: False):
        barred = ada.page.locator(".piece.barred")
        if what == "play" and barred.count():
            barred.first.click(position={"x": 15, "y": 28})
            ada.page.get_by_role("alert").wait_for()
            assert re.search(
                r"You must follow \w+ \(P3\)", ada.page.get_by_role("alert").inner_text()
            )
            ada.look("why-not")
            return
        ada.act(what)
    pytest.fail("no card was ever barred")


def test_a_drag_plays_a_card(serve: Serve, browse: Browse) -> None:
    served, ada = serve(stack=Stack(own="ZB ZR ZG")), browse()
    ada.sit(served.address, seated(served, rounds=[3, 4]), "?start")
    for what in ada.turns(lambda: False):
        if what != "play":
            ada.act(what)
            continue
        card = ada.page.locator("[data-card=ZR]")
        box = card.bounding_box()
        assert box is not None
        ada.page.mouse.move(box["x"] + 15, box["y"] + 28)
        ada.page.mouse.down()
        ada.page.mouse.move(box["x"] + 20, box["y"] - 60, steps=4)
        ada.page.mouse.move(box["x"] + 30, box["y"] - 120, steps=4)
        ada.page.mouse.up()
        ada.page.locator("[data-card=ZR][data-zone=hand]").wait_for(state="detached")
        return


@pytest.mark.parametrize("taps", [1, 2])
def test_a_card_tapped_early_is_played_only_by_its_second_tap(
    serve: Serve, browse: Browse, taps: int
) -> None:
    """One tap lifts it, and it stays lifted when the turn comes.  Two taps choose it, and it is played by itself."""
    served, ada = serve(stack=Stack(own="ZB ZR ZG ZY")), browse()
    ada.sit(served.address, seated(served, pause=3000, rounds=[3, 4]), "?start")
    tapped = ada.page.locator(".piece.lifted" if taps == 1 else ".piece.chosen")
    for what in ada.turns(lambda: False):
        answered = ada.asked()
        ada.act(what)
        if what != "play":
            continue
        # The server's answer may ask this player again: the winner of a trick leads the next one.
        while ada.asked() == answered:
            ada.page.wait_for_timeout(15)
        stage = ada.page.locator(".stage[data-phase=play]:not([data-asked])")
        if stage.count() and ada.page.locator(".piece.hand").count():
            card = ada.page.locator(".piece.hand").first
            name = card.get_attribute("data-card")
            for _ in range(taps):
                card.click(position={"x": 15, "y": 28})
            if not tapped.count() or ada.asked():
                continue  # the turn came at that very moment
            ada.look(f"tapped-early-{taps}")
            in_hand = ada.page.locator(f"[data-card={name}][data-zone=hand]")
            if taps == 1:
                ada.page.locator("[data-asked=play]").wait_for()
                ada.page.wait_for_timeout(800)
                expect(tapped).to_have_attribute("data-card", name or "")
                in_hand.click(position={"x": 15, "y": 28})
            in_hand.wait_for(state="detached")
            return
    pytest.fail("there was never time to choose")


def test_the_coach_is_asked_and_answers(serve: Serve, browse: Browse) -> None:
    served, ada = serve(has_coach=True), browse()
    ada.sit(served.address, seated(served, rounds=[2, 3]), "?start")
    for what in ada.turns(lambda: False):
        if what in ("bid", "play"):
            ada.page.get_by_role("button", name="Ask the coach").click()
            ada.page.get_by_text("The coach would").wait_for()
            ada.look(f"coach-{what}")
        if what == "bid":
            assert ada.page.locator(".chance").count() == 3
        if what == "play":
            return
        ada.act(what)


def test_a_spectator_sees_no_hand_and_may_sit_down(serve: Serve, browse: Browse) -> None:
    served, ada, eve = serve(), browse(), browse(settings={"name": "Eve"})
    made = seated(served, rounds=[3, 4])
    ada.sit(served.address, made, "?start")
    ada.page.locator("[data-asked]").wait_for()
    eve.page.goto(f"{served.address}#/t/{made['code']}")
    eve.page.get_by_text("You are watching").wait_for()
    assert eve.page.locator(".piece.hand").count() == 0
    eve.look("watching")
    assert not any('"hand":["' in frame for frame in eve.received)
    eve.page.get_by_role("button", name="Sit down").click()
    eve.look("choosing")
    chosen = eve.page.get_by_role("listitem").filter(has_text="Sit here").last
    seat = chosen.get_attribute("data-seat")
    chosen.get_by_role("button").click()
    expect(eve.page.get_by_role("dialog")).to_have_count(0)
    ada.page.get_by_role("button", name="Yes, Eve may sit down").click()
    eve.page.get_by_text("with the next deal").wait_for()
    for what in ada.turns(lambda: False):
        if what != "round":  # at the end of the round the next deal has been sent already
            assert not any('"hand":["' in frame for frame in eve.received)
        ada.act(what)
        if what == "round":
            break
    eve.page.locator(".piece.hand").first.wait_for()
    expect(eve.page.locator(f".place[data-seat='{seat}'] .own")).to_have_count(1)


def test_the_only_card_is_played_by_itself_where_one_likes_it(serve: Serve, browse: Browse) -> None:
    served = serve()
    ada = browse(settings={"playsOnlyCard": True, "pace": "quick"})
    ada.sit(served.address, seated(served, rounds=[1, 2]), "?start")
    for what in ada.turns(lambda: False):
        if what == "play":
            ada.page.locator(".piece.hand").wait_for(state="detached", timeout=5000)
            return
        ada.act(what)


def test_the_guide_speaks_in_a_first_game(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.goto(served.address)
    ada.page.get_by_role("button", name="guided first game").click()
    tip = ada.page.locator(".guide[role=status]")
    tip.wait_for()
    assert "trick" in tip.inner_text()
    ada.look("guide")
    told = set()
    for what in ada.turns(lambda: False):
        while tip.count():
            told.add(tip.locator("p").inner_text())
            tip.get_by_role("button", name="I see").click()
        ada.act(what)
    assert len(told) >= 8


def test_the_keyboard_alone_plays_a_whole_game(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.sit(served.address, seated(served, rounds=[1, 2, 3]), "?start")
    press = ada.page.keyboard.press
    for turn, what in enumerate(ada.turns(lambda: False)):
        # the question is gone, and the focus has not gone back to the top of the page
        is_here = ada.page.evaluate("!!document.activeElement.closest('.stage')")
        assert is_here or turn == 0, what
        wanted = {"bid": "[data-action]", "trump": "[data-action]", "round": ".end .primary"}.get(
            what, ".piece.hand"
        )
        for _ in range(40):
            if ada.page.evaluate(f"document.activeElement.matches({json.dumps(wanted)})"):
                break
            press("Tab")
        else:
            pytest.fail(f"{what}: Tab does not lead to {wanted}")
        if wanted == ".piece.hand":
            press("Home")
            while not ada.page.evaluate("document.activeElement.classList.contains('bright')"):
                press("ArrowRight")
            press("Enter")
        press("Enter")
    ada.page.locator(".podium").wait_for()


def test_the_first_load_is_small() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r'(?:src|href)="\./(assets/[^"]+\.js)"', page)
    assert scripts

    def sent(name: str) -> int:
        return len(gzip.compress((STATIC / name).read_bytes(), 9))

    texts = re.findall(r"/(assets/(?:[a-z]{2})(?:-[A-Z]{2})?-[\w-]+\.js)", page)
    assert len(texts) == len(languages())
    assert sum(map(sent, scripts)) + max(map(sent, texts)) <= 107_000
    assert len(gzip.compress(page.encode(), 9)) <= 5_000  # so that the first paint comes at once
    # one stylesheet: a part that is loaded again after a failure cannot come without its style
    (style,) = (STATIC / "assets").glob("*.css")
    assert f"assets/{style.name}" in page
