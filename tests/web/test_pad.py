"""The score pad on the page: whole games by taps without a network, files to and from the terminal, several tabs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from chance import chance
from foretell.errors import ForetellError
from foretell.rules import Rules
from foretell.scorepad import (
    Bid,
    Cloud,
    Correction,
    Pad,
    Tricks,
    enter,
    from_json,
    new_pad,
    to_json,
    undo,
)
from foretell.scorepad.keep import Keeper
from foretell.scorepad.sheet import SIGNS
from foretell.scorepad.words import game_ended
from web.playing import Player, waited
from web.scoring import SAY, begin, downloaded, refused, tap, totals, write_one, written
from web.serving import Served

NAMES = ("Ana", "Bruno", "Carla", "Dóra")
# What the pad needs is loaded when the browser has nothing to do: its script and, besides the page's texts, its own.
LOADED = """() => {
    const loaded = performance.getEntriesByType('resource').map((one) => one.name)
    return ['/entrance-', '/pad.en-'].every((part) => loaded.some((name) => name.includes(part)))
}"""


def test_a_whole_game_without_a_network(
    serve: Callable[..., Served], browse: Callable[..., Player], tmp_path: Path
) -> None:
    """Plus/minus one, the Bomb and the Cloud; wrong taps, undo, a correction; then everything leaves as files."""
    served, ana, random = serve(), browse(390, 844), chance()
    page = ana.page
    page.goto(served.address)
    waited(page, LOADED)
    ana.is_line_down = True
    served.stop()

    page.locator("a[href='#/pad']").click()
    page.get_by_role("link", name=SAY("web.pad.new")).click()
    ana.look("setup")
    begin(page, NAMES, "2, 4", ("Plus/minus one", "Bomb", "Cloud"))
    coming = page.locator(".coming tr")
    expect(coming).to_have_count(1)
    assert coming.locator("th, td").all_inner_texts() == ["4", "", "★", "", ""]  # Bruno deals next
    pad = new_pad(
        NAMES, Rules(plus_minus_one=True, specials=("BOMB", "CLOUD"), rounds=(2, 4)), first_dealer=0
    )
    while not pad.is_over:
        pad = write_one(ana, pad, random)
        ana.look(f"asked: {pad.now.awaits if pad.now else 'nothing'}")
        if pad.lines and pad.lines[0].totals[0] is not None and pad.now and pad.now.is_blank:
            expect(page.locator("tr.done.last .total").first).to_have_text(written(pad)[0])
            assert totals(page) == written(pad)
        if random.random() < 0.1 and pad.entries:
            page.get_by_role("button", name=SAY("web.pad.undo")).click()
            pad = undo(pad)
    expect(page.locator(".won")).to_have_text(game_ended(SAY, pad, SIGNS))
    expect(coming).to_have_count(0)
    ana.look("the end")

    # a bid of the first round was wrong
    pad = corrected(ana, pad)
    assert totals(page) == written(pad)

    page.get_by_role("button", name=SAY("web.pad.share")).last.click()
    ana.look("share")
    name, content = downloaded(page, "web.pad.share_file")
    assert name.startswith("pad-")
    assert name.endswith(".json")
    assert content == to_json(pad).encode()
    (tmp_path / name).write_bytes(content)
    assert Keeper(tmp_path / name).read() == pad

    name, content = downloaded(page, "web.pad.share_table")
    lines = content.decode("utf-8-sig").split("\r\n")
    assert lines[0] == ",,Ana,,,,Bruno,,,,Carla,,,,Dóra,,,"
    last = pad.lines[-1]
    cells = [
        x
        for seat in range(4)
        for x in (last.bids[seat], last.won[seat], last.points[seat], last.totals[seat])
    ]
    assert lines[3] == ",".join(["4", NAMES[last.dealer], *map(str, cells)])

    name, content = downloaded(page, "web.pad.share_picture")
    assert content.startswith(b"\x89PNG")
    assert len(content) > 20_000
    (ana.shots / "picture.png").write_bytes(content)


def corrected(player: Player, pad: Pad) -> Pad:
    """Corrects the first round on the page: one trick goes from one player to the next."""
    page, old = player.page, pad.rounds[0]
    page.locator("tr.done").first.locator("td").nth(1).click()
    dialog = page.get_by_role("dialog")
    giver = next(seat for seat, won in enumerate(old.won) if won)
    taker = (giver + 1) % len(old.names)
    rows = dialog.locator("tbody tr")
    save = dialog.get_by_role("button", name=SAY("web.pad.correct"))
    rows.nth(taker).locator("td").nth(1).get_by_role("button", name=SAY("web.pad.more")).click()
    expect(save).to_be_disabled()  # there is one trick too many
    player.look("a correction that does not add up")
    rows.nth(giver).locator("td").nth(1).get_by_role("button", name=SAY("web.pad.less")).click()
    won = [(w or 0) + (s == taker) - (s == giver) for s, w in enumerate(old.won)]
    clouds = dialog.get_by_role("combobox")
    clouds.select_option("null 0")
    player.look("a correction")
    save.click()
    dialog.wait_for(state="detached")
    return enter(pad, Correction(old.number, old.bids, tuple(won), Cloud()))


def test_a_pad_goes_to_the_terminal_and_back(
    serve: Callable[..., Served], browse: Callable[..., Player], tmp_path: Path
) -> None:
    """The file is the same in bytes wherever it was written, and a pad that comes back takes its old place."""
    served, ana = serve(), browse(390, 844)
    page, path = ana.page, tmp_path / "friday.json"
    pad = enter(new_pad(("Ana", "Bruno", "Carla"), Rules(bids="hidden")), Bid(2, 1))
    Keeper(path).write(pad)
    page.goto(f"{served.address}#/pad")
    page.locator("input[type=file]").set_input_files(path)
    page.locator(".numbers").wait_for()

    page.locator(".now .cell").nth(0).click()  # hidden bids come in any order
    tap(page, 0)
    pad = enter(pad, Bid(0, 0))
    expect(page.locator(".now .cell").nth(0)).to_contain_text("0")
    page.get_by_role("button", name=SAY("web.pad.share")).click()
    _, content = downloaded(page, "web.pad.share_file")
    assert content == to_json(pad).encode()
    page.keyboard.press("Escape")

    path.write_bytes(content)
    keeper = Keeper(path)
    pad = enter(keeper.read() or pad, Bid(1, 1))
    keeper.write(pad)
    page.goto(f"{served.address}#/pad")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator("h2")).to_contain_text(SAY("web.pad.ask_tricks", name="Bruno"))
    page.goto(f"{served.address}#/pad")
    expect(page.locator("li.panel")).to_have_count(1)
    ana.look("pads")

    # a file that is no pad, and one that breaks a rule, dropped on the page
    for text in ('{"format": 1}', to_json(pad).replace('"tricks":0', '"tricks":7')):
        page.evaluate(
            """(text) => {
                const dataTransfer = new DataTransfer()
                dataTransfer.items.add(new File([text], 'x.json'))
                window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))
            }""",
            text,
        )
        with pytest.raises(ForetellError) as caught:
            from_json(text)
        told = refused(caught.value).partition(":")[0]  # the page says the reason in its own words
        expect(page.locator(".problem")).to_contain_text(told)
    expect(page.locator("li.panel")).to_have_count(1)

    page.locator("li.panel").get_by_role("button").click()
    page.get_by_role("button", name=SAY("web.pad.remove_sure")).click()
    expect(page.locator("li.panel")).to_have_count(0)
    page.reload()
    expect(page.get_by_text(SAY("web.pad.none"))).to_be_visible()


def stored(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "Object.keys(localStorage).filter((key) => key.startsWith('foretell.pad.')).map((key) => localStorage[key])"
    )
    return found


def test_two_tabs_write_on_the_same_pad(
    serve: Callable[..., Served], browse: Callable[..., Player]
) -> None:
    served, ana = serve(), browse(390, 844)
    page = ana.page
    page.goto(f"{served.address}#/pad/new")
    begin(page, ("Ana", "Bruno", "Carla"), "3")
    other = page.context.new_page()
    other.goto(page.url)
    tap(page, 1)
    expect(other.locator("h2")).to_contain_text("Carla")
    tap(other, 2)
    expect(page.locator("h2")).to_contain_text("Ana")
    # a tab that has not heard of the last entry writes after it, not over it
    page.evaluate(
        "window.addEventListener('storage', (event) => event.stopImmediatePropagation(), true)"
    )
    other.evaluate(
        "window.addEventListener('storage', (event) => event.stopImmediatePropagation(), true)"
    )
    other.reload()
    tap(other, 0)
    tap(page, 3)
    (text,) = stored(page)
    pad = from_json(text)
    assert pad.entries[:3] == (Bid(1, 1), Bid(2, 2), Bid(0, 0))
    assert to_json(pad) == text


@pytest.mark.parametrize("why", ["full", "blocked"])
def test_a_pad_goes_on_where_nothing_can_be_stored(
    serve: Callable[..., Served], browse: Callable[..., Player], why: str
) -> None:
    served, ana = serve(), browse(390, 844)
    page = ana.page
    if why == "full":
        script = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
    else:
        script = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })"
    page.add_init_script(script)
    page.goto(f"{served.address}#/pad/new")
    begin(page, ("Ana", "Bruno", "Carla"), "1")
    expect(page.get_by_role("status").filter(has_text=SAY("web.pad.not_kept"))).to_be_visible()
    ana.look(f"storage is {why}")
    for number in (1, 0, 0, 1, 0, 0):
        tap(page, number)
    assert totals(page) == ["20", "30", "20"]
    page.goto(f"{served.address}#/pad")
    expect(page.locator("li.panel")).to_have_count(1)


SIZES = [(360, 640, "dark"), (844, 390, "light"), (1440, 900, "light")]


@pytest.mark.parametrize(("width", "height", "theme"), SIZES)
def test_everything_is_within_reach(
    serve: Callable[..., Served], browse: Callable[..., Player], width: int, height: int, theme: str
) -> None:
    """In the longest round all numbers and undo are in view and large enough, and the screen is kept on."""
    served, ana = serve(), browse(width, height, settings={"theme": theme})
    page = ana.page
    page.add_init_script(
        """window.held = 0
        Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
            window.held++
            return (window.lock = { released: false, async release() { this.released = true; window.held-- } })
        } } })"""
    )
    pad = new_pad(("Ana", "Bruno", "Carla"), Rules(rounds=tuple(range(14, 21))))
    random = chance()
    while pad.rounds[-1].number < 20:
        now = pad.rounds[-1]
        seat = (now.bidders or now.counters)[0]
        one = random.choice(now.open_bids() if now.bidders else now.open_tricks(seat))
        pad = enter(pad, Bid(seat, one) if now.bidders else Tricks(seat, one))
    pad = enter(pad, Bid(pad.rounds[-1].bidders[0], 7))
    kept = f"localStorage['foretell.pad.2026-01-02-030405'] ??= {json.dumps(to_json(pad))}"
    page.add_init_script(f"if (location.protocol === 'http:') {kept}")
    page.goto(f"{served.address}#/pad/2026-01-02-030405")
    page.locator(".numbers").wait_for()
    waited(page, "window.held === 1")
    # the browser lets go while the page is hidden
    page.evaluate("window.lock.release()")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    waited(page, "window.held === 1")
    ana.look("round-20")
    assert totals(page) == written(pad)
    for button in [*page.locator(".numbers button").all(), page.locator(".undo")]:
        box = button.bounding_box()
        assert box is not None
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator(".now .cell .written").nth(2)).to_have_text("12")
    # the back gesture closes a dialog before it leaves the pad
    page.get_by_role("button", name=SAY("web.pad.share")).click()
    page.get_by_role("dialog").wait_for()
    page.go_back()
    page.get_by_role("dialog").wait_for(state="detached")
    page.locator("header a").click()
    waited(page, "window.held === 0")
