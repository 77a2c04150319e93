"""Marks can be seen: in both themes, and with the colours that a user forces on every page."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from web.playing import Player
from web.serving import Served, Stack
from web.test_hands import EDGE, up_to
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]

# The others can only lead red, which is trump: then some cards may not be played.
STACK = Stack(own="R3 G4 Y5 R1 NB", others="R7 R8 R6 R5 R4 R12 R2 R13 R10 R9", turned_up="R11")
OUTLINES = """() => {
    const found = {}
    const look = (name, one, pseudo) => {
        const { outlineColor, outlineStyle, outlineWidth, opacity } = getComputedStyle(one, pseudo)
        found[name] = { colour: outlineColor, style: outlineStyle, width: parseFloat(outlineWidth), opacity: Number(opacity) }
    }
    look('winning', document.querySelector('.piece.winning'), '::after')
    look('lifted', document.querySelector('.piece.lifted'), '::after')
    look('turn', document.querySelector('.place.turn'), '::before')
    look('focus', document.activeElement, null)
    const style = getComputedStyle(document.documentElement)
    const grounds = ['--sky', '--sky-low', '--meadow', '--panel'].map((name) => style.getPropertyValue(name).trim())
    return [found, grounds]
}"""

# Of each drawn number of one's own cards: its colour, its size on the screen, and the colour of the card below it.
NUMBERS = """() => [...document.querySelectorAll('.piece.hand svg.card')].flatMap((card) => {
    const text = card.querySelector('text')
    if (!text) return []
    const { fill, fontSize, fontWeight } = getComputedStyle(text)
    const ground = getComputedStyle(document.querySelector('#face rect')).fill
    return [{ fill, ground, weight: Number(fontWeight), size: parseFloat(fontSize) * text.getScreenCTM().a }]
})"""
LARGE = 18.5  # pixels of bold text, from which WCAG asks for 3:1 instead of 4.5:1


def rgb(colour: str) -> tuple[float, ...]:
    if colour.startswith("#"):
        return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return tuple(map(float, re.findall(r"[\d.]+", colour)[:3]))


def light(colour: str) -> float:
    """The relative luminance, as WCAG defines it."""
    parts = [part / 255 for part in rgb(colour)]
    r, g, b = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def at_a_trick(player: Player, served: Served) -> None:
    """A card wins the trick, another one is lifted, and the focus is on a third."""
    player.sit(served.address, seated(served, rounds=[5]), "?start")
    up_to(player, "bid")
    player.page.locator("[data-action='bid 0']").click()
    winning = player.page.locator("[data-asked=play] .piece.winning")
    for asked in player.turns(lambda: winning.count() > 0):
        player.act(asked)
    player.page.locator(".piece.hand.bright").first.click(position=EDGE)
    expect(player.page.locator(".piece.lifted")).to_have_count(1)
    player.page.keyboard.press("End")
    player.page.wait_for_timeout(300)  # until the ring has faded in


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_marks_stand_out_from_the_table(serve: Serve, browse: Browse, theme: str) -> None:
    ada = browse(settings={"theme": theme})
    at_a_trick(ada, serve(stack=STACK))
    ada.look(f"marks-{theme}")
    marks, grounds = ada.page.evaluate(OUTLINES)
    for name, mark in marks.items():
        assert (mark["style"], mark["opacity"]) == ("solid", 1), name
        assert mark["width"] >= 2, name
        for ground in grounds:
            assert contrast(mark["colour"], ground) >= 3, (name, ground)


def test_marks_survive_forced_colours(serve: Serve, browse: Browse) -> None:
    ada = browse(forced_colors="active")
    at_a_trick(ada, serve(stack=STACK))
    ada.look("marks-forced")
    marks, _ = ada.page.evaluate(OUTLINES)
    for name, mark in marks.items():
        assert (mark["style"], mark["opacity"]) == ("solid", 1), name
        assert mark["width"] >= 2, name
        assert contrast(mark["colour"], "#ffffff") >= 3, name  # Chromium's own forced background
    edges = ada.page.evaluate(
        """(all) => all.map((one) => {
            const style = getComputedStyle(document.querySelector(one), '::after')
            return style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth)
        })""",
        [".piece.barred", ".piece.bright:not(.lifted)", ".piece.lifted"],
    )
    assert edges[0] < edges[1] < edges[2]


def test_the_number_of_every_colour_can_be_read(serve: Serve, browse: Browse) -> None:
    ada = browse(360, 640)
    served = serve(stack=Stack(own="R3 G4 Y5 B1 NB", others=STACK.others, turned_up="R11"))
    ada.sit(served.address, seated(served, rounds=[5]), "?start")
    up_to(ada, "bid")
    numbers = ada.page.evaluate(NUMBERS)
    assert len({one["fill"] for one in numbers}) == 4
    for one in numbers:
        assert one["weight"] >= 700
        assert one["size"] >= LARGE
        assert contrast(one["fill"], one["ground"]) >= 3, one


# The colours of the veil over a barred card, of the card's face, and of what the cards lie on.
VEIL = """() => {
    const veil = getComputedStyle(document.querySelector('.piece.barred'), '::after').backgroundColor
    const face = getComputedStyle(document.querySelector('#face rect')).fill
    const style = getComputedStyle(document.documentElement)
    const grounds = ['--sky', '--sky-low', '--meadow'].map((name) => style.getPropertyValue(name).trim())
    return [veil, face, grounds]
}"""


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_barred_card_is_dimmed_and_not_the_darkest_thing(
    serve: Serve, browse: Browse, theme: str
) -> None:
    ada = browse(settings={"theme": theme})
    at_a_trick(ada, serve(stack=STACK))
    ada.look(f"barred-{theme}")
    veil, face, grounds = ada.page.evaluate(VEIL)
    share = float(re.findall(r"[\d.]+", veil)[3])
    both = zip(rgb(veil), rgb(face), strict=True)
    barred = f"rgb({', '.join(str(over * share + under * (1 - share)) for over, under in both)})"
    assert contrast(barred, face) >= 1.25
    assert light(barred) >= min(map(light, grounds))


SMALL_NUMBERS = """() => [...document.querySelectorAll('.mini.number')].map((card) => {
    const text = card.querySelector('text'), size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a
    return { fill: getComputedStyle(text).fill, ground: getComputedStyle(card).backgroundColor, size }
})"""


def test_the_small_numbers_of_a_replay_can_be_read(serve: Serve, browse: Browse) -> None:
    ada = browse(1440, 900, settings={"theme": "light"})
    served = serve(stack=Stack(own="R3 G4 Y5 B1 NB", others=STACK.others, turned_up="R11"))
    ada.sit(served.address, seated(served, rounds=[5]), "?start")
    ada.play_to_the_end()
    game = ada.page.locator(".end").get_attribute("data-game")
    ada.page.goto(f"{served.address}#/replay/{game}/5/0")
    ada.page.locator(".tabs").get_by_text("Tricks").click()
    ada.page.locator(".mini.number").first.wait_for()
    ada.look("small-numbers")
    numbers = ada.page.evaluate(SMALL_NUMBERS)
    assert len({one["fill"] for one in numbers}) == 4
    assert min(one["size"] for one in numbers) < LARGE
    for one in numbers:
        assert contrast(one["fill"], one["ground"]) >= 4.5, one
