"""Faces at the table, and the side panel on a laptop."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]


def _options(seats: int, bots: int, rounds: list[int]) -> dict[str, Any]:
    return {
        "seats": seats,
        "bots": ["counting"] * bots,
        "bot_pause_ms": 0,
        "rules": {"rounds": rounds},
    }


def _made(served: Served, name: str, options: dict[str, Any]) -> dict[str, Any]:
    return served.table(options, name)


def test_a_face_costs_no_name_its_room_on_the_smallest_seats(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    ada.sit(served.address, _made(served, "Ada", _options(6, 5, [1, 2, 3, 4, 5, 6])), "?start")
    dealers: set[str] = set()
    for asked in ada.turns(lambda: False):
        if asked == "bid":
            seats = ada.page.locator(".place:has(.seat)")
            expect(seats.locator(".disc.bot")).to_have_count(5)
            cut = seats.locator(".name").evaluate_all(
                "all => all.filter((one) => one.scrollWidth > one.clientWidth)"
                ".map((one) => one.textContent)"
            )
            assert cut == []
            dealers |= {*seats.filter(has=ada.page.locator(".dealer")).all_inner_texts()}
        ada.act(asked)
    assert len(dealers) == 5  # with the dealer's mark beside it, too


@pytest.mark.parametrize(("width", "height", "seats"), [(390, 844, 3), (360, 640, 6)])
def test_who_leads_can_be_read_beside_a_long_score(
    serve: Serve, browse: Browse, width: int, height: int, seats: int
) -> None:
    served, ada = serve(), browse(width, height)
    options = {**_options(seats, seats - 1, [8]), "bot_pause_ms": 700}
    ada.sit(served.address, _made(served, "Ada", options), "?start")
    ada.page.locator("[data-asked=bid]").wait_for()
    ada.act("bid")
    ada.page.locator(".seat .leads").wait_for()
    cut = ada.page.evaluate("""() => {
        const line = document.querySelector('.seat .leads').parentElement
        line.querySelector('.total').textContent = '−120'
        const stone = "<svg viewBox='-5 -7 10 13'></svg>"
        const stones = line.querySelector('.stones')
        stones.innerHTML = stones.querySelector('.numbers').outerHTML + stone.repeat(6)
        return [line, ...line.children].filter((one) => one.scrollWidth > one.clientWidth + 1)
            .map((one) => one.className).filter((name) => !name.includes('stones'))
    }""")
    ada.shot(f"leads-{seats}")
    assert cut == []


def test_a_face_is_seen_and_not_heard(serve: Serve, browse: Browse) -> None:
    served, zoe = serve(), browse()
    zoe.sit(served.address, _made(served, "🇭🇺 Zoe", _options(3, 2, [1])), "?start")
    zoe.page.locator("[data-asked]").wait_for()
    own = zoe.page.locator(".own .disc")
    assert own.get_attribute("data-initial") == "🇭🇺"
    assert zoe.page.locator(".disc:not([aria-hidden=true])").count() == 0
    rings = zoe.page.locator(".place .disc .ring").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).stroke + one.getAttribute('stroke-dasharray'))"
    )
    assert len(set(rings)) == 3


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_on_a_laptop_the_chat_is_open_beside_the_table(
    serve: Serve, browse: Browse, theme: str
) -> None:
    served = serve()
    ada = browse(1440, 900, settings={"theme": theme})
    bo = browse(1100, 700, settings={"name": "Bo", "theme": theme})
    seated = _made(served, "Ada", _options(3, 1, [20]))
    ada.sit(served.address, seated)
    bo.page.goto(f"{served.address}#/t/{seated['code']}")
    bo.page.get_by_role("button", name="Sit down").click()

    # shown before the tap; a tap says why
    waiting = ada.page.get_by_role("button", name="Waiting for Bo")
    expect(waiting).to_have_attribute("aria-disabled", "true")
    ada.look("waiting")
    waiting.dispatch_event("click")
    expect(ada.page.get_by_role("alert")).to_contain_text("Bo")
    bo.page.get_by_role("button", name="I am ready").click()
    ada.page.get_by_role("button", name="Start the game").click()

    for player, height in ((ada, 900), (bo, 700)):
        player.page.locator(".stage").wait_for()
        player.page.get_by_role("button", name="Chat").click()
        field = player.page.get_by_role("textbox", name="Write something")
        expect(field).to_be_focused()
        expect(player.page.get_by_role("dialog")).to_have_count(0)
        foot = field.bounding_box()
        assert foot is not None
        assert foot["y"] + foot["height"] <= height
    bo.page.keyboard.type("3 tricks, at least")  # the digit is not a bid
    expect(bo.page.get_by_role("textbox", name="Write something")).to_be_focused()
    bo.page.keyboard.press("Enter")
    log = ada.page.get_by_role("log", name="Chat")
    expect(log).to_contain_text("3 tricks, at least")
    expect(log).to_have_attribute(
        "aria-live", "off"
    )  # it is announced once, by the page's live log
    expect(ada.page.locator(".unread")).to_have_count(0)
    ids: list[str] = ada.page.evaluate(
        "[...document.querySelectorAll('[id]')].map((one) => one.id)"
    )
    assert len(ids) == len(set(ids))
    ada.look(f"beside-{theme}")
    bo.look(f"beside-{theme}")


def test_wide_letters_leave_the_points_in_the_chart(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    ada.sit(served.address, _made(served, "W" * 24, _options(3, 2, [1, 2])), "?start")
    ada.play_to_the_end()
    labels = ada.page.locator(".chart .label")
    expect(labels).to_have_count(3)
    for label in labels.all():
        box = label.evaluate(
            """(one) => {
                const all = one.closest('.chart').getBoundingClientRect()
                const points = one.lastElementChild.getBoundingClientRect()
                return [points.right <= all.right, points.width > 0]
            }"""
        )
        assert box == [True, True]
