"""Where things stand on the page: whether one covers another, and what can be seen of a hand."""

from playwright.sync_api import Page

__all__ = ["covered", "indices_in_sight", "is_in_view", "least_letters"]

_COVERED = """([over, under]) => {
    const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) => [one, one.getBoundingClientRect()])
    return boxes(over).flatMap(([above, a]) => boxes(under)
        .filter(([one, b]) => !above.contains(one) && a.left < b.right - 0.5 && b.left < a.right - 0.5
            && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5)
        .map(([one]) => one.dataset.card ?? one.className))
}"""
# The number and the symbol of a card are in its upper left corner.
_IN_SIGHT = """() => [...document.querySelectorAll('.piece.hand')].flatMap((one) => {
    const { left, top, width } = one.getBoundingClientRect()
    return [0.24, 0.5].filter((down) => document.elementFromPoint(left + width * 0.17, top + width * down)?.closest('.piece') === one)
        .map((down) => `${one.dataset.card} ${down}`)
})"""
_IN_VIEW = """(one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect()
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
}"""


def covered(page: Page, over: str, under: str) -> list[str]:
    """Which elements that match `under` are covered by one that matches `over`."""
    found: list[str] = page.evaluate(_COVERED, [over, under])
    return found


def indices_in_sight(page: Page) -> set[str]:
    """The numbers and symbols of the player's own cards that no other card covers."""
    return set(page.evaluate(_IN_SIGHT))


def is_in_view(page: Page, selector: str) -> bool:
    """Whether the whole element is on the screen, without scrolling."""
    found: bool = page.locator(selector).first.evaluate(_IN_VIEW)
    return found


def least_letters(page: Page) -> float:
    """The size of the smallest text in the chart, in pixels on the screen."""
    found: float = page.locator(".chart:has(> svg):visible").evaluate("""(chart) => {
        const svg = chart.querySelector('svg')
        const scale = svg.clientWidth / svg.viewBox.baseVal.width
        const letters = (one) => parseFloat(getComputedStyle(one).fontSize)
        return Math.min(...[...svg.querySelectorAll('text')].map((one) => letters(one) * scale),
            ...[...chart.querySelectorAll('.label')].map(letters))
    }""")
    return found
