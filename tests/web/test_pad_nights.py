"""Nights with the score pad on the page: the game is played again, shown as a chart, shared, and taken to a terminal."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from chance import chance
from foretell.cli import main
from foretell.rules import Rules
from foretell.scorepad import Bid, Pad, Tricks, enter, from_json, new_pad, to_json
from foretell.scorepad.sheet import SIGNS
from foretell.scorepad.words import game_ended
from web.playing import Player, waited
from web.scoring import SAY, begin, downloaded, tap, totals, write_one, written
from web.serving import Served

TABLE = ("Ana", "Bruno", "Carla")


def written_to_the_end(player: Player, pad: Pad) -> Pad:
    """Writes the rest of a game by taps; after each round the totals are those of Python's pad."""
    random, page = chance(), player.page
    while not pad.is_over:
        pad = write_one(player, pad, random)
        if pad.now is None or (pad.now.is_blank and pad.rounds[0].is_scored):
            expect(page.locator("tr.done")).to_have_count(sum(one.is_scored for one in pad.rounds))
            assert totals(page) == written(pad)
    expect(page.locator(".won")).to_have_text(game_ended(SAY, pad, SIGNS))
    return pad


@pytest.mark.parametrize(
    ("bids", "names", "rounds"),
    [
        ("secret", ("Ana", "Bruno", "Carla", "Dóra", "Éric", "Fritz"), (1, 5, 10)),
        ("hidden", TABLE, (2, 7, 20)),
    ],
)
def test_a_whole_game_where_bids_come_in_any_order(
    serve: Callable[..., Served],
    browse: Callable[..., Player],
    bids: Any,
    names: tuple[str, ...],
    rounds: tuple[int, ...],
) -> None:
    served, ana = serve(), browse(360, 640)
    ana.page.goto(f"{served.address}#/pad/new")
    begin(ana.page, names, ", ".join(map(str, rounds)), bids=bids)
    pad = new_pad(names, Rules(bids=bids, rounds=rounds))
    expect(ana.page.locator("h2")).to_contain_text(names[1])
    written_to_the_end(ana, pad)


def setup(page: Page) -> tuple[list[str], list[bool], str]:
    """What the form for a new pad starts with: names, who deals first, the rounds."""
    fields = page.locator("ol input.field")
    fields.first.wait_for()
    dealers = page.locator("ol input[type=radio]")
    return (
        [field.input_value() for field in fields.all()],
        [dealer.is_checked() for dealer in dealers.all()],
        page.locator(".own input").input_value(),
    )


def test_the_table_of_last_time_plays_again(
    serve: Callable[..., Served], browse: Callable[..., Player]
) -> None:
    """The form has the names and rules of the last game, also on another evening; names that left are suggested."""
    served, ana = serve(), browse(390, 844)
    page = ana.page
    page.goto(f"{served.address}#/pad/new")
    names = ("Ana", "Bruno", "Carla", "Dóra")
    begin(page, names, "2, 4", ("Plus/minus one", "Bomb"))
    rules = Rules(plus_minus_one=True, specials=("BOMB",), rounds=(2, 4))
    first = written_to_the_end(ana, new_pad(names, rules))

    page.get_by_role("button", name=SAY("web.pad.again")).click()
    assert setup(page) == ([*names], [True, False, False, False], "2, 4")
    page.locator("summary").click()
    for name, is_on in (("Plus/minus one", True), ("Bomb", True), ("Cloud", False)):
        assert page.get_by_role("checkbox", name=name).is_checked() is is_on
    # Dóra goes home, and Carla deals first
    page.get_by_role("button", name=SAY("web.pad.remove_player", seat=4)).click()
    page.get_by_label(SAY("web.pad.player_deals", seat=3)).check(force=True)
    suggested = page.locator("datalist option")
    assert [one.get_attribute("value") for one in suggested.all()] == ["Dóra"]
    page.get_by_role("button", name=SAY("web.pad.begin")).click()
    page.locator(".numbers").wait_for()
    second = written_to_the_end(ana, new_pad(names[:3], rules, first_dealer=2))

    # another evening: the page is loaded anew
    page.goto("about:blank")
    page.goto(f"{served.address}#/pad")
    expect(page.locator("li.panel")).to_have_count(2)
    shown = page.locator("li.panel .points").all_inner_texts()
    # the latest first, each in the order of its seats
    assert shown == [*written(second), *written(first)]
    page.get_by_role("link", name=SAY("web.pad.new")).click()
    assert setup(page) == ([*names[:3]], [True, False, False], "2, 4")


def test_the_chart_is_drawn_at_the_totals(
    serve: Callable[..., Served], browse: Callable[..., Player]
) -> None:
    served, ana = serve(), browse(390, 844)
    page = ana.page
    page.goto(f"{served.address}#/pad/new")
    begin(page, TABLE, "1, 2, 3, 4")
    chart = page.get_by_role("button", name=SAY("web.menu.chart"))
    chart.click()
    expect(page.get_by_role("dialog")).to_contain_text(SAY("web.chart.none"))
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    pad = written_to_the_end(ana, new_pad(TABLE, Rules(rounds=(1, 2, 3, 4))))

    chart.click()
    drawing = page.get_by_role("dialog").get_by_role("img", name=SAY("web.chart.label"))
    ana.look("the chart of a pad")
    # where the scale beside the chart puts a number of points
    scale = {
        int(mark.inner_html().replace("−", "-")): float(mark.get_attribute("y") or 0) - 4
        for mark in drawing.locator("text[text-anchor=end]").all()
    }
    low, high = min(scale), max(scale)
    size = (scale[low] - scale[high]) / (high - low)
    lines = drawing.locator("polyline").all()
    assert len(lines) == 3
    for seat, line in enumerate(lines):
        heights = [float(y) for y in re.findall(r",([\d.]+)", line.get_attribute("points") or "")]
        totals = [0, *(sheet.totals[seat] or 0 for sheet in pad.lines)]
        assert heights == pytest.approx([scale[high] + (high - total) * size for total in totals])
    named = {
        label.locator(".name").inner_text(): label.locator("span").last.inner_text()
        for label in drawing.locator(".label").all()
    }
    assert named == dict(zip(TABLE, written(pad), strict=True))


SHARES = """
    window.shared = []
    navigator.canShare = ({ files }) => window.kinds.includes(files[0].type)
    navigator.share = async ({ files: [file] }) => {
        window.shared.push([file.name, file.type, file.size, file.type.startsWith('image') ? '' : await file.text()])
        if (window.refusal) throw new DOMException('', window.refusal)
    }
"""


def test_files_are_shared_where_the_browser_can_and_downloaded_elsewhere(
    serve: Callable[..., Served], browse: Callable[..., Player]
) -> None:
    served, ana = serve(), browse(390, 844)
    page = ana.page
    page.add_init_script(SHARES)
    page.goto(f"{served.address}#/pad/new")
    begin(page, ("Ana", "=1+1", 'Carla "C", jr.'), "1")
    pad = new_pad(("Ana", "=1+1", 'Carla "C", jr.'), Rules(rounds=(1,)))
    for seat, bid in ((1, 1), (2, 0), (0, 0)):
        tap(page, bid)
        pad = enter(pad, Bid(seat, bid))
    for seat, won in ((1, 0), (2, 1), (0, 0)):
        tap(page, won)
        pad = enter(pad, Tricks(seat, won))
    assert totals(page) == written(pad) == ["20", "−10", "−10"]
    page.get_by_role("button", name=SAY("web.pad.share")).last.click()
    dialog = page.get_by_role("dialog")

    page.evaluate("window.kinds = ['image/png', 'text/csv', 'application/json']")
    for count, key in enumerate(("share_picture", "share_table", "share_file"), 1):
        dialog.get_by_role("button", name=SAY(f"web.pad.{key}")).click()
        waited(page, f"window.shared.length === {count}")
    picture, table, file = shared(page)
    assert re.fullmatch(r"pad-[\d-]+\.png", picture[0])
    assert picture[1] == "image/png"
    assert picture[2] > 10_000
    assert [table[0], file[0]] == [picture[0].replace("png", kind) for kind in ("csv", "json")]
    assert file[3] == to_json(pad)
    # a spreadsheet must neither calculate a name nor cut it in two
    assert (
        table[3].lstrip("\ufeff").split("\r\n")[0] == """,,Ana,,,,'=1+1,,,,"Carla ""C"", jr.",,,"""
    )
    assert table[3].split("\r\n")[2] == "1,Ana,0,0,20,20,1,0,-10,-10,0,1,-10,-10"

    # nobody was chosen to share with: that is no error, and nothing is downloaded either
    got = []
    page.on("download", lambda one: got.append(one.suggested_filename))
    page.evaluate("window.refusal = 'AbortError'")
    dialog.get_by_role("button", name=SAY("web.pad.share_file")).click()
    waited(page, "window.shared.length === 4")
    page.evaluate("new Promise((done) => setTimeout(done, 300))")
    assert not got
    # the browser refuses, or shares pictures only
    page.evaluate("window.refusal = 'NotAllowedError'")
    assert downloaded(page, "web.pad.share_file")[1] == to_json(pad).encode()
    page.evaluate("window.kinds = ['image/png']")
    assert downloaded(page, "web.pad.share_file")[1] == to_json(pad).encode()
    assert len(shared(page)) == 5


def shared(page: Page) -> list[Any]:
    found: list[Any] = page.evaluate("window.shared")
    return found


def test_a_game_begun_on_the_phone_goes_on_in_the_terminal_and_back_on_the_phone(
    serve: Callable[..., Served], browse: Callable[..., Player], tmp_path: Path
) -> None:
    """`foretell score` itself continues the shared file, as the dialog says, and the page continues what it kept."""
    served, ana = serve(), browse(390, 844)
    page = ana.page
    page.goto(f"{served.address}#/pad/new")
    begin(page, TABLE, "1, 2, 3", ("Bomb",))
    pad = new_pad(TABLE, Rules(specials=("BOMB",), rounds=(1, 2, 3)))
    for entry in (
        Bid(1, 1),
        Bid(2, 0),
        Bid(0, 0),
        Tricks(1, 1),
        Tricks(2, 0),
        Tricks(0, 0),
        Bid(2, 2),
    ):
        tap(page, entry.tricks)
        pad = enter(pad, entry)
    page.get_by_role("button", name=SAY("web.pad.share")).click()
    name, content = downloaded(page, "web.pad.share_file")
    expect(page.get_by_role("dialog")).to_contain_text(f"foretell score --file {name}")
    path = tmp_path / name
    path.write_bytes(content)

    done = CliRunner().invoke(
        main,
        ["--lang", "en", "score", "--file", str(path)],
        # a bid is taken back and written again; one trick is bombed; then round 1 is corrected
        input="1\nundo\n0 1\n0 1 0\nfix 1\n0 1 0\n0 1 0\nquit\n",
    )
    assert done.exit_code == 0, done.output
    assert "Round 2 of 3: 2 tricks. Bruno deals." in done.output
    assert "One trick was bombed." in done.output
    kept = from_json(path.read_text(encoding="utf-8"))
    assert kept.entries[: len(pad.entries)] == pad.entries
    assert kept.now is not None
    assert kept.now.number == 3

    page.goto(f"{served.address}#/pad")
    page.locator("input[type=file]").set_input_files(path)
    page.locator(".numbers").wait_for()
    assert totals(page) == written(kept)
    finished = written_to_the_end(ana, kept)
    page.goto(f"{served.address}#/pad")
    expect(page.locator("li.panel")).to_have_count(1)  # it is the same pad, not another one
    page.locator("li.panel a").click()
    page.get_by_role("button", name=SAY("web.pad.share")).last.click()
    assert downloaded(page, "web.pad.share_file")[1] == to_json(finished).encode()
    path.write_text(to_json(finished), encoding="utf-8")
    over = CliRunner().invoke(main, ["--lang", "en", "score", "--file", str(path)], input="\n")
    assert over.exit_code == 0
    assert game_ended(SAY, finished, SIGNS) in over.output.replace("\n", " ").replace("  ", " ")
