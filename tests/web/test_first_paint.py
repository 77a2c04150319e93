"""The first paint: index.html alone draws the ring and the title, and nothing moves when the script takes over."""

import base64
import hashlib
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

DRAWN = (".hero-ring", ".hero-fan > :first-child", ".hero-fan > :last-child", ".hero-title")
PLACES = """(drawn) => drawn.map((one) => {
    const { x, y, width, height } = document.querySelector(one).getBoundingClientRect()
    return [x, y, width, height]
})"""
HAS_PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"


def held_back(page: Page) -> list[Route]:
    """Keeps the script and the stylesheet from arriving; the routes let them go on."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    page.route(re.compile(r"/assets/.*\.(js|css)$"), hold)
    return routes


def wait_for_paint(page: Page, held: list[Route]) -> None:
    """Until the page has painted, and has asked for its script and its stylesheet in vain."""
    while not page.evaluate(HAS_PAINTED) or len(held) < 2:
        page.wait_for_timeout(15)


@pytest.mark.parametrize(
    ("width", "height", "theme"),
    [(390, 844, "dark"), (1280, 800, "light"), (844, 390, "dark")],
)
def test_the_page_paints_before_its_script_arrives_and_then_stays_where_it_is(
    serve: Serve, browse: Browse, width: int, height: int, theme: str
) -> None:
    served, ada = serve(), browse(width, height, color_scheme=theme)
    page = ada.page
    held = held_back(page)
    page.goto(served.address, wait_until="commit")
    wait_for_paint(page, held)
    assert page.get_by_role("button").count() == 0
    expect(page.get_by_role("img", name="Foretell")).to_be_visible()
    assert page.locator("html").get_attribute("data-theme") == theme
    before = page.evaluate(PLACES, DRAWN)
    assert all(size > 40 for _, _, *sizes in before for size in sizes)
    ada.shot(f"first-paint-{theme}")
    for route in held:
        route.continue_()
    page.get_by_role("button", name="Play now").wait_for()
    expect(page.get_by_role("heading", name="Foretell", level=1)).to_be_visible()
    assert page.evaluate(PLACES, DRAWN) == before
    assert page.locator(".is-waiting").count() == 0


def animation(page: Page) -> str:
    name: str = page.evaluate(
        "getComputedStyle(document.querySelector('.hero-ring')).animationName"
    )
    return name


@pytest.mark.parametrize(
    ("options", "theme", "moves"),
    [
        ({"color_scheme": "light", "settings": {"motion": "auto"}}, "light", True),
        ({"color_scheme": "light", "settings": {"theme": "dark"}}, "dark", False),
        ({"reduced_motion": "reduce", "settings": {"motion": "auto"}}, "dark", False),
    ],
    ids=["as the device", "as it was chosen", "a device that wants no motion"],
)
def test_the_first_paint_knows_the_theme_and_who_wants_no_motion(
    serve: Serve, browse: Browse, options: dict[str, Any], theme: str, moves: bool
) -> None:
    served, ada = serve(), browse(**{"color_scheme": "dark", **options})
    held = held_back(ada.page)
    ada.page.goto(served.address, wait_until="commit")
    wait_for_paint(ada.page, held)
    assert ada.page.locator("html").get_attribute("data-theme") == theme
    assert (animation(ada.page) != "none") is moves
    for route in held:
        route.continue_()


def test_a_browser_without_storage_paints_too(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(color_scheme="light")
    ada.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no storage') } })"
    )
    ada.page.goto(served.address)
    ada.page.get_by_role("button", name="Play now").wait_for()
    assert ada.page.locator("html").get_attribute("data-theme") == "light"
    # the tests' own script, which stores the settings, finds no storage either
    ada.problems = [one for one in ada.problems if "no storage" not in one]


def test_the_policy_allows_what_the_page_holds_by_its_hash_and_nothing_else(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    answer = ada.page.goto(served.address)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    # Python for browsers is WebAssembly, which a page may run without being able to evaluate text
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    inline = re.findall(r"<(script|style)>(.*?)</\1>", answer.text(), re.DOTALL)
    assert [tag for tag, _ in inline] == ["script", "style"]
    for tag, text in inline:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert re.search(rf"{tag}-src 'self' [^;]*'sha256-{re.escape(digest)}'", policy)
    # a style that is not the page's own is refused
    ada.page.evaluate(
        """() => {
            const style = document.createElement('style')
            style.textContent = 'body { color: rgb(1, 2, 3) }'
            document.head.append(style)
        }"""
    )
    assert ada.page.evaluate("getComputedStyle(document.body).color") != "rgb(1, 2, 3)"
    assert any("Content Security Policy" in one for one in ada.problems)
    ada.problems.clear()
