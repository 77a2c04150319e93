"""The language of the page: the browser's at first, then the one that the player chooses, at the table too."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from foretell.i18n import catalogue, languages
from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

OTHERS = [language for language in languages() if language != "en"]
LOCALES = {"pt": "pt-PT"}

pytestmark = pytest.mark.skipif(not OTHERS, reason="English is the only language so far")


def seated(served: Served, player: Player) -> None:
    options: dict[str, Any] = {
        "seats": 3,
        "bots": ["counting"] * 2,
        "bot_pause_ms": 0,
        "rules": {"rulebook": "pt-PT", "rounds": [4, 5]},
    }
    player.sit(served.address, served.table(options), "?start")


@pytest.mark.parametrize("language", OTHERS[:1])
def test_the_browsers_language_comes_first_and_english_is_not_even_loaded(
    serve: Serve, browse: Browse, language: str
) -> None:
    served, locale = serve(), LOCALES.get(language, language)
    ada = browse(locale=locale)
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    ada.page.goto(served.address)
    ada.page.get_by_role("button", name=catalogue(language).say("web.home.play")).wait_for()
    assert ada.page.locator("html").get_attribute("lang") == locale
    files = [
        url for url in asked if re.search(r"/assets/(en|pt|es|hu|pt-BR|fr|de)-[\w-]+\.js$", url)
    ]
    assert len(files) == 1, files
    assert f"/assets/{language}-" in files[0]


def test_a_browser_whose_language_is_unknown_gets_english(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(locale="tlh")
    ada.page.goto(served.address)
    ada.page.get_by_role("button", name="Play now").wait_for()
    assert ada.page.locator("html").get_attribute("lang") == "en"


@pytest.mark.parametrize("language", OTHERS[:1])
def test_a_player_changes_the_language_at_the_table_and_loses_nothing(
    serve: Serve, browse: Browse, language: str
) -> None:
    served, ada = serve(), browse(360, 640, locale="en-GB")
    page, texts = ada.page, catalogue(language)
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    seated(served, ada)
    for asked in ada.turns(lambda: False):
        if asked == "play" and page.locator(".piece.barred").count():
            break
        ada.act(asked)
    hand = "[...document.querySelectorAll('.piece.hand')].map((one) => one.dataset.card)"
    before, opened = page.evaluate(hand), len(sockets)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option(language)
    expect(page.get_by_label(texts.say("web.set.language"))).to_have_value(language)
    page.get_by_role("button", name=texts.say("web.close")).click()
    # the same table over the same connection; what happened before is told in the new language
    assert page.evaluate(hand) == before
    assert len(sockets) == opened
    page.get_by_role("button", name=texts.say("web.menu.title")).click()
    page.get_by_role("dialog").get_by_role("button", name=texts.say("web.menu.log")).click()
    told = page.get_by_role("dialog").inner_text()
    assert texts.say("web.you") in told
    assert "Trick:" not in told
    page.get_by_role("button", name=texts.say("web.close")).click()
    # a refusal is in the new language too
    page.locator(".piece.barred").first.click(position={"x": 15, "y": 28})
    said = page.get_by_role("alert").first.inner_text()
    start = texts.texts["web.error.must_follow"].partition("{")[0]
    assert start in said
    # and the choice lasts
    page.reload()
    page.get_by_role("button", name=texts.say("web.menu.title")).wait_for()
    assert page.evaluate(hand) == before
