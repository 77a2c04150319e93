"""Questions at the table leave in sight what they are about."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from web.boxes import covered, indices_in_sight
from web.playing import Player
from web.serving import Served, Stack
from web.test_hands import EDGE, up_to
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]


def declared(player: Player, card: str) -> Locator:
    """Plays until a trick lies there and the card may be played, and taps the card twice."""
    found = player.page.locator(f".piece.hand.bright[data-card={card}]")
    for asked in player.turns(lambda: False):
        if asked == "play" and found.count() and player.page.locator(".piece.trick").count():
            break
        player.act(asked)
    found.click(position=EDGE)
    found.click(position=EDGE)
    expect(player.page.locator(".prompt")).to_have_count(1)
    return found


@pytest.mark.parametrize(
    ("width", "height", "seats"), [(360, 640, 6), (390, 844, 4), (844, 390, 6)]
)
def test_a_card_is_declared_with_the_trick_in_sight(
    serve: Serve, browse: Browse, width: int, height: int, seats: int
) -> None:
    served = serve(stack=Stack(own="JUGGLER B2 B3 G4", others="R9 R8 R7 R6 R5", turned_up="R12"))
    ada = browse(width, height)
    made = seated(served, seats - 1, rulebook="pt-BR", specials=["JUGGLER"], rounds=[4, 5])
    ada.sit(served.address, made, "?start")
    card, prompt = declared(ada, "JUGGLER"), ada.page.locator(".prompt")
    ada.look(f"declare-{seats}")
    hidden = covered(ada.page, ".prompt", ".piece, .place:has(.seat), .bar")
    assert hidden == []
    if width < height:
        assert covered(ada.page, ".prompt", ".own .status, .own .side") == []
        expect(ada.page.locator(".own .status")).to_have_text("In which colour?")
        # the answers stand above the card, as far as the screen allows
        fan, lifted = prompt.bounding_box(), card.bounding_box()
        assert fan is not None
        assert lifted is not None
        assert fan["x"] - 8 <= lifted["x"] <= fan["x"] + fan["width"]
    for answer in prompt.get_by_role("button").all():
        box = answer.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44

    # a tap outside, Escape, and a tap on the card each put it back
    ada.page.locator(".stage").click(position={"x": 4, "y": height - 90})
    expect(prompt).to_have_count(0)
    expect(ada.page.locator(".piece.lifted")).to_have_count(0)
    card.click(position=EDGE)
    card.click(position=EDGE)
    ada.page.keyboard.press("Escape")
    expect(prompt).to_have_count(0)
    for _ in range(3):
        card.click(position=EDGE)
    expect(prompt).to_have_count(0)
    card.click(position=EDGE)
    card.click(position=EDGE)
    prompt.locator("[data-action]").nth(2).click()
    expect(ada.page.locator("[data-face='JUGGLER:G']").first).to_be_attached()


OTHERS = {
    "CLOUD": ("In which colour?", 4, "CLOUD:G"),
    "SHAPESHIFTER": ("Play it as which card?", 2, "SHAPESHIFTER:N"),
}


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
@pytest.mark.parametrize("card", OTHERS)
def test_other_cards_are_declared_with_the_trick_in_sight(
    serve: Serve, browse: Browse, card: str, width: int, height: int
) -> None:
    asks, answers, chosen = OTHERS[card]
    served = serve(stack=Stack(own=f"{card} B2 B3 G4", others="R9 R8 R7 R6 R5", turned_up="R12"))
    ada = browse(width, height)
    made = seated(served, 3, rulebook="pt-BR", specials=[card], rounds=[4, 5])
    ada.sit(served.address, made, "?start")
    declared(ada, card)
    prompt = ada.page.locator(".prompt")
    ada.look(f"declare-{card}")
    assert covered(ada.page, ".prompt, .guide", ".piece, .place:has(.seat), .bar") == []
    if width < height:
        assert covered(ada.page, ".prompt", ".own .status, .own .side") == []
        expect(ada.page.locator(".own .status")).to_have_text(asks)
    expect(prompt.get_by_role("button")).to_have_count(answers)
    for answer in prompt.get_by_role("button").all():
        box = answer.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    prompt.locator(f"[data-action='play {chosen}']").click()
    expect(ada.page.locator(f"[data-face='{chosen}']").first).to_be_attached()


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_the_bid_that_the_cloud_changes_is_asked_with_the_table_in_sight(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    # with Jesters in all other hands Ada takes the Cloud
    served = serve(stack=Stack(own="CLOUD B5 B6", others="NB NR NG NY R2 R3", turned_up="R12"))
    ada = browse(width, height)
    made = seated(served, rulebook="pt-BR", specials=["CLOUD"], rounds=[1])
    ada.sit(served.address, made, "?start")
    up_to(ada, "change")
    prompt = ada.page.locator(".prompt")
    ada.look("change")
    # the cards that Ada has taken lie unseen at her own seat
    in_sight = ".piece:not(.taken), .place:has(.seat), .bar"
    assert covered(ada.page, ".prompt", in_sight) == []
    offered = prompt.locator("[data-action]")
    assert offered.count() in (1, 2)
    for answer in offered.all():
        box = answer.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    offered.first.click()
    prompt.wait_for(state="detached")


# Whether the question covers all of the player's own seat.
_OVER_THE_SEAT = """() => {
    const [over, seat] = ['.prompt', '.place:has(> .own)'].map((one) => document.querySelector(one).getBoundingClientRect())
    return over.left <= seat.left && over.right >= seat.right && over.top <= seat.top && over.bottom >= seat.bottom
}"""
# An announcement stays for as long as the test needs it.
LASTING = """setTimeout = ((start) => (what, ms, ...more) => start(what, ms > 1000 ? 1e8 : ms, ...more))(setTimeout)"""


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_a_long_announcement_and_a_question_leave_each_other_in_sight(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    """The player's own seat grows upwards with it, and the question stands above; or in place of it, in landscape."""
    served = serve(stack=Stack(own="JUGGLER WEREWOLF B2 B3", turned_up="ZB"))
    ada = browse(width, height, locale="fr")
    ada.page.add_init_script(LASTING)
    made = seated(served, rulebook="pt-BR", specials=["JUGGLER", "WEREWOLF"], rounds=[4, 5])
    ada.sit(served.address, made, "?start")
    for asked in ada.turns(lambda: False):
        juggler = ada.page.locator(".piece.hand.bright[data-card=JUGGLER]")
        if asked == "play" and not juggler.count():
            ada.act(asked)
            continue
        if asked == "play":
            juggler.click(position=EDGE)
            juggler.click(position=EDGE)
        prompt = ada.page.locator(".prompt")
        expect(prompt).to_be_visible()
        expect(ada.page.locator(".stage")).to_contain_text("loup-garou")
        ada.look(f"announced-{asked}")
        if width < height:
            assert covered(ada.page, ".place:has(> .own)", ".prompt, .prompt button") == []
        else:
            assert ada.page.evaluate(_OVER_THE_SEAT), asked
        if asked == "pass":
            return
        prompt.locator("[data-action]:enabled:not([aria-disabled=true])").first.click()
    raise AssertionError("nothing was passed")


@pytest.mark.parametrize(("bots", "cards"), [(2, 20), (5, 10)])
def test_bids_on_a_phone_held_sideways_cover_nothing(
    serve: Serve, browse: Browse, bots: int, cards: int
) -> None:
    served, ada = serve(stack=Stack(turned_up="R12")), browse(844, 390)
    ada.sit(served.address, seated(served, bots, rounds=[cards]), "?start")
    up_to(ada, "bid")
    assert covered(ada.page, ".prompt", ".piece, .place:has(.seat), .bar") == []
    boxes: list[Any] = [one.bounding_box() for one in ada.page.locator(".prompt .bid").all()]
    assert len(boxes) == cards + 1
    assert len({box["y"] for box in boxes}) == 1  # in one line
    assert min(box["width"] for box in boxes) >= 34
    assert min(box["height"] for box in boxes) >= 44


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_a_lifted_card_hides_no_other_card_and_no_word(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    served, ada = serve(), browse(width, height)
    ada.sit(served.address, seated(served, rounds=[20]), "?start")
    up_to(ada, "play")
    while ada.page.locator(".guide button.primary").count():
        ada.page.locator(".guide button.primary").first.click()
    before = indices_in_sight(ada.page)
    for card in ada.page.locator(".piece.hand.bright").all():
        card.click(position=EDGE)
        name = card.get_attribute("data-card")
        expect(ada.page.locator(f".piece.lifted[data-card={name}]")).to_have_count(1)
        assert indices_in_sight(ada.page) >= before
        assert covered(ada.page, ".piece.lifted", ".own") == []
