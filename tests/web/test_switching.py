"""The language of the page: the browser's at first, then the one that the player chooses, at the table too."""

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from foretell.i18n import catalogue, languages
from web.playing import Player
from web.serving import Served, Stack
from web.test_declaring import LASTING
from web.test_hands import EDGE

Serve = Callable[..., Served]
Browse = Callable[..., Player]

OTHERS = [language for language in languages() if language != "en"]
CHOSEN = OTHERS if os.environ.get("FORETELL_PROVE") else OTHERS[:1]
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


@pytest.mark.prove
@pytest.mark.parametrize("language", CHOSEN)
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


@pytest.mark.prove
@pytest.mark.parametrize("language", CHOSEN)
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


def _words(language: str, key: str) -> list[str]:
    """What a text consists of between its placeholders."""
    return [part for part in re.split(r"\{[^}]*\}", catalogue(language).texts[key]) if part.strip()]


def _has(said: str, language: str, key: str) -> bool:
    return all(word in said for word in _words(language, key))


def test_two_players_at_one_table_each_have_their_own_language(
    serve: Serve, browse: Browse
) -> None:
    """Everybody passes a card (the Juggler), is refused one, and says something."""
    # blue is led again and again, and both can follow with some of their cards only
    served = serve(
        stack=Stack(own="JUGGLER B2 G7 B8", others="B3 B5 G4 Y6 B9 B10 G11 Y1", turned_up="R12")
    )
    rules = {"rulebook": "pt-BR", "specials": ["JUGGLER"], "rounds": [4, 5]}
    options = {"seats": 3, "bots": ["counting"], "bot_pause_ms": 0, "rules": rules}
    made = served.table(options)
    joined = served.post(f"/api/tables/{made['code']}/seats", {"name": "Bo", "word": "w"})
    players = {"hu": browse(locale="hu"), "fr": browse(locale="fr", settings={"name": "Bo"})}
    for (language, one), seat in zip(players.items(), (made, joined), strict=True):
        one.page.add_init_script(LASTING)
        one.sit(served.address, seat)
        assert one.page.locator("html").get_attribute("lang") == language
    ada, bo = players.values()
    bo.page.locator(".start").click()
    ada.page.locator(".start:not(.waiting)").click()
    told: dict[str, set[str]] = {language: set() for language in players}
    answered: dict[Player, Any] = {}
    for _ in range(2000):
        if all(one.page.locator(".podium").count() for one in players.values()):
            break
        for language, one in players.items():
            own = one.page.locator(".own")
            for key in ("web.event.received",):
                if own.count() and _has(own.first.inner_text(timeout=1000), language, key):
                    told[language].add("event")
            asked = one.asked()
            if asked is None or asked[0] == "end" or asked == answered.get(one):
                continue
            barred = one.page.locator(".piece.barred")
            if asked[0] == "play" and barred.count() and "refusal" not in told[language]:
                barred.first.click(position=EDGE)
                said = one.page.get_by_role("alert").first.inner_text()
                assert _has(said, language, "web.error.must_follow")
                told[language].add("refusal")
            one.act(asked[0])
            answered[one] = asked
        ada.page.wait_for_timeout(20)
    assert told == {"hu": {"event", "refusal"}, "fr": {"event", "refusal"}}
    for language, one in players.items():
        texts = catalogue(language)
        one.page.locator(".bar .chat").click()
        one.page.locator(".emotes .button").first.click()  # a quick word closes the chat
        one.page.locator(".bubble").first.wait_for()
        for other, seen in players.items():
            hello = catalogue(other).say("web.emote.hello")
            expect(seen.page.locator(".bubble").filter(has_text=hello).first).to_be_visible()
        one.page.get_by_role("button", name=texts.say("web.menu.title")).click()
        one.page.get_by_role("dialog").get_by_role("button", name=texts.say("web.menu.log")).click()
        log = one.page.get_by_role("dialog").inner_text()
        foreign = "fr" if language == "hu" else "hu"
        for key in ("web.log.took", "web.log.scored", "web.event.received"):
            assert _has(log, language, key), (language, key)
            assert not _has(log, foreign, key), (language, key)
