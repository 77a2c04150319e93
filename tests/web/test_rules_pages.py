"""The players' rules: from a refusal at the table, from the address, on one sheet of paper; loaded when they are opened."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from foretell.handbook import EXAMPLES, SECTIONS
from foretell.i18n import catalogue, languages
from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

FILES = re.compile(r"/assets/handbook\.([\w-]+?)-[\w-]{8}\.js$")


def speak(page: Page, language: str) -> None:
    """As if another tab of this browser had chosen the language."""
    locale = {"pt": "pt-PT"}.get(language, language)
    page.evaluate(
        """(language) => dispatchEvent(new StorageEvent('storage',
        { key: 'foretell.settings', newValue: JSON.stringify({ language }) }))""",
        language,
    )
    expect(page.locator("html")).to_have_attribute("lang", locale)


def texts_asked_for(page: Page) -> list[str]:
    """The languages whose texts of the rules the page asks for from now on, in order."""
    asked: list[str] = []

    def note(url: str) -> None:
        found = FILES.search(url)
        if found:
            asked.append(found[1])

    page.on("request", lambda request: note(request.url))
    return asked


def is_in_view(page: Page, selector: str) -> bool:
    """Whether all of it can be seen, in the window and in what scrolls around it."""
    found: bool = page.evaluate(
        """(selector) => {
        const found = document.querySelector(selector)
        const { top, bottom, left, right } = found.getBoundingClientRect()
        const isInside = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth
        const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return isInside && found.contains(middle)
    }""",
        selector,
    )
    return found


def refused(served: Served, ada: Player) -> None:
    """Ada has tried to play a card that does not follow."""
    options: dict[str, Any] = {
        "seats": 3,
        "bots": ["counting"] * 2,
        "bot_pause_ms": 0,
        "rules": {"rulebook": "pt-PT", "rounds": [4, 5, 6]},
    }
    ada.sit(served.address, served.table(options), "?start")
    barred = ada.page.locator(".piece.barred")
    for asked in ada.turns(lambda: False):
        if asked == "play" and barred.count():
            barred.first.click(position={"x": 15, "y": 28})
            ada.page.get_by_role("alert").first.wait_for()
            return
        ada.act(asked)
    raise AssertionError("every card could always be played")


def test_a_tap_on_a_refusal_opens_its_rule_in_every_language_and_back_returns_to_the_table(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse(360, 640, locale="en")
    page, sockets = ada.page, list[str]()
    page.on("websocket", lambda socket: sockets.append(socket.url))
    asked = texts_asked_for(page)
    refused(served, ada)
    assert asked == []  # nobody has opened the rules
    opened, barred = len(sockets), page.locator(".piece.barred").first
    for language in languages():
        speak(page, language)
        barred.click(position={"x": 15, "y": 28})
        page.get_by_role("alert").get_by_role("button").click()
        rule = page.locator("dialog [data-rules~=P3]")
        expect(rule).to_be_focused()
        expect(rule).to_contain_text(catalogue(language).say("handbook.play.3"))
        assert is_in_view(page, "dialog [data-rules~=P3]"), language
        assert is_in_view(page, "dialog header h2"), language
        if language in ("en", "hu"):
            ada.look(f"a-refusal-and-its-rule-{language}")
        page.go_back()
        expect(page.get_by_role("dialog")).to_have_count(0)
    assert asked == list(languages())  # one at a time
    assert len(sockets) == opened
    # and the table is still there
    held = page.locator(".piece.hand").count()
    ada.act("play")
    expect(page.locator(".piece.hand")).to_have_count(held - 1)


def test_a_barred_bid_opens_plus_minus_one(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(1440, 900, locale="en")
    rules = {"rulebook": "es", "plus_minus_one": True, "rounds": [1, 2, 3]}
    options = {"seats": 3, "bots": ["counting"] * 2, "bot_pause_ms": 0, "rules": rules}
    ada.sit(served.address, served.table(options), "?start")
    barred = ada.page.locator(".prompt .barred")
    for asked in ada.turns(lambda: False):
        if asked == "bid" and barred.count():
            barred.first.click(force=True)  # it looks disabled, but says why
            ada.page.get_by_role("alert").get_by_role("button").click()
            expect(ada.page.locator("dialog [data-rules~=V1]").first).to_be_focused()
            ada.page.keyboard.press("Escape")
            # The refusal is about the table: no panel repeats it, and an answer that is allowed settles it.
            refusal = ada.page.locator(".own").get_by_role("alert")
            expect(refusal).to_be_visible()
            ada.page.get_by_role("button", name="Menu").click()
            expect(ada.page.get_by_role("dialog").get_by_role("alert")).to_have_count(0)
            ada.page.keyboard.press("Escape")
            ada.act(asked)
            expect(refusal).to_have_count(0, timeout=5000)
            return
        ada.act(asked)
    raise AssertionError("Ada was never the last to bid")


def test_the_rules_are_opened_from_home_and_at_the_place_in_the_address(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse(390, 844, locale="en")
    page = ada.page
    page.goto(served.address)
    page.get_by_role("link", name=catalogue("en").say("web.entry.rules")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules of the game")
    expect(page.locator("[data-section]")).to_have_count(len(SECTIONS))
    ada.look("rules")
    for place, shown in (("X8", "[data-rules~=X8]"), ("trump", "#handbook-trump")):
        page.goto(f"{served.address}#/rules/{place}")
        expect(page.locator(shown).first).to_be_focused()
        assert is_in_view(page, shown)
    page.get_by_role("button", name="Contents").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("navigation")).to_be_hidden()
    page.get_by_role("button", name="Contents").click()
    ada.look("rules-contents")
    page.get_by_role("link", name="Unicolor").click()
    expect(page.locator("#handbook-unicolor")).to_be_focused()
    assert page.url.endswith("#/rules/unicolor")
    expect(page.get_by_role("navigation")).to_be_hidden()
    page.go_back()  # to trump and cloud were two steps; the contents are none
    assert page.url.endswith("#/rules/X8")


def test_an_example_is_played_step_by_step_and_by_itself(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(1440, 900, locale="en", settings={"theme": "light"})
    page = ada.page
    page.goto(f"{served.address}#/rules/follow")
    example = page.get_by_role("figure", name="Example: following a colour")
    told, count = example.get_by_role("status"), example.locator(".count")
    expect(told).to_have_text("Everyone has bid. Merlin leads.")
    expect(example.get_by_role("button", name="Previous step")).to_be_disabled()
    example.get_by_role("button", name="Next step").click()
    expect(told).to_contain_text("Merlin: green 7")
    expect(told).to_contain_text(catalogue("en").say("handbook.example.follow.1"))
    assert example.locator(".isBarred").count() == 1
    ada.look("rules-example")
    example.get_by_role("button", name="Next step").click()
    example.get_by_role("button", name="Next step").click()
    expect(count).to_have_text("Step 4 of 5")
    example.get_by_role("button", name="Play the example").click()  # the rest of it
    expect(count).to_have_text("Step 5 of 5")
    expect(told).to_contain_text("Trick: Merlin")
    assert example.locator(".isWinning").count() == 1
    expect(example.get_by_role("button", name="Next step")).to_be_disabled()
    example.get_by_role("button", name="Play the example").click()  # from the start again
    expect(count).to_have_text("Step 1 of 5")
    example.get_by_role("button", name="Pause").click()
    expect(example.get_by_role("button", name="Play the example")).to_be_visible()
    expect(page.get_by_role("figure")).to_have_count(len(EXAMPLES))


def test_every_language_is_printed_on_one_sheet(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(1440, 900, locale="en")
    page = ada.page
    page.goto(f"{served.address}#/rules")
    page.get_by_role("button", name="Print on one sheet").wait_for()
    for language in languages():
        speak(page, language)
        pdf = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, language
    page.emulate_media(media="print")
    sheet = page.locator(".sheet")
    expect(sheet).to_be_visible()
    expect(page.locator(".handbook")).to_be_hidden()
    told = sheet.inner_text()
    say = catalogue(languages()[-1]).say
    for key in ("handbook.cards.1", "handbook.play.3", "handbook.score.2", "handbook.unicolor.3"):
        assert say(key) in told
    for card in ("DRAGON", "SHAPESHIFTER"):
        assert say(f"web.rule.specials.{card}") in told
