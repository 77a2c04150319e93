"""A finished game watched again: from a record file, and by its address with the coach's review."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from foretell.server.game.finished import PlayedGame, posted_game
from foretell.server.game.replay import replay
from foretell.server.wire import protocol as p
from record.conformance import games
from tables import PROVING
from web.playing import NO_API, Player, waited
from web.serving import Served
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]

# What lies on the board, as the page draws it.
BOARD = """() => {
    const faces = (zone) => [...document.querySelectorAll(`.piece.${zone}`)].map((one) => one.dataset.face ?? null).sort()
    const open = Object.fromEntries([...document.querySelectorAll('.stage ul[aria-label]')]
        .map((hand) => [hand.getAttribute('aria-label'), [...hand.querySelectorAll('[data-face]')].map((one) => one.dataset.face).sort()]))
    return { step: document.querySelector('.stage')?.dataset.step, hand: faces('hand'), trick: faces('trick'), open }
}"""
# The same, as soon as the page has come to this step.
BOARD_AT = f"""([step, cards]) => {{
    const board = ({BOARD})()
    return board.step === String(step) && board.hand.length === cards && board
}}"""

# The conformance games are shown in so many tests, so that several workers can share them.
PARTS = 6


def chosen(**rules: Any) -> dict[str, Any]:
    """The first conformance game with these rules; `specials` means any."""

    def fits(record: dict[str, Any]) -> bool:
        return all(
            bool(record["rules"][key]) if key == "specials" else record["rules"][key] == value
            for key, value in rules.items()
        )

    found: dict[str, Any] = next(filter(fits, games("valid.jsonl")))
    return found


def opened(player: Player, served: Served, folder: Path, record: Any) -> Page:
    """Opens the page for record files, and chooses this file."""
    player.page.goto(f"{served.address}#/replay")
    choose_file(player.page, folder, record)
    return player.page


def choose_file(page: Page, folder: Path, record: Any) -> None:
    file = folder / "game.jsonl"
    file.write_text(record if isinstance(record, str) else json.dumps(record), "utf-8")
    page.locator("input[type=file]").set_input_files(file)


def check_board(page: Page, frame: p.Frame, step: int, seat: int, *, is_open: bool) -> None:
    """Compares the board with the frame that the engine gives."""
    now = frame.view.now
    assert now is not None
    found = waited(page, BOARD_AT, [step, now.hand_sizes[seat]])
    hidden = [None] * now.hand_sizes[seat]
    seen = hidden if now.hand is None else sorted(card.code for card in now.hand)
    assert found["hand"] == (sorted(frame.hands[seat]) if is_open else seen)
    has_ended = any(one["event"] == "trick_ended" for one in json.loads(p.write(frame))["events"])
    trick = now.tricks[-1] if has_ended else now.trick
    if (
        now.points is None
    ):  # afterwards the trick is taken away, and the result of the round is shown
        assert found["trick"] == sorted(face.code for face in trick.faces) if trick else True
    names = frame.view.names
    others = {
        f"{names[one]}'s cards": sorted(hand) for one, hand in enumerate(frame.hands) if one != seat
    }
    if is_open:
        assert found["open"] == others
    elif now.foreseen is None or now.hand is not None:
        assert found["open"] == {}  # unless the seat foresees the others' cards (V4, V5)


def step_through(page: Page, whole: PlayedGame, number: int, seat: int, *, is_open: bool) -> None:
    """From the deal of a round to its end, by the arrow key."""
    frames = replay(whole, number, seat).frames
    for step, frame in enumerate(frames):
        if step > 0:
            page.keyboard.press("ArrowRight")
        check_board(page, frame, step, seat, is_open=is_open)


# `make test` opens the review beside the board; `make prove` in a dialog too.
SCREENS = [(1440, 900, "dark"), (360, 640, "light")][: 2 if PROVING else 1]
SHOWN = (
    ({"specials": True}, 5, True),
    ({"specials": True}, 3, False),
    ({"unicolor": True}, 2, False),
    ({"foresight": "every_round"}, 2, False),
    ({"foresight": "every_round"}, 2, True),
    ({"bids": "secret"}, 2, False),
)


@pytest.mark.prove
def test_a_record_file_is_shown_as_the_engine_plays_it(
    serve: Serve, browse: Browse, tmp_path: Path
) -> None:
    served, ada = serve(), browse(390, 844)
    for rules, number, is_open in SHOWN:
        record = chosen(**rules)
        whole = posted_game(json.dumps(record).encode())
        ada.page.goto("about:blank")
        page = opened(ada, served, tmp_path, record)
        page.locator(".stage .own").wait_for()
        for one in {*whole.game.numbers[::4], number} if PROVING else {number}:
            hidden = "" if is_open else "&hidden"
            page.goto(f"{served.address}#/replay//{one}/0?seat=1{hidden}")
            step_through(page, whole, one, 1, is_open=is_open)
    expect(page.locator(".over .end")).to_be_visible()
    ada.look("the end of a round")


@pytest.mark.parametrize("part", range(PARTS))
def test_every_conformance_game_is_shown(
    serve: Serve, browse: Browse, tmp_path: Path, part: int
) -> None:
    """Its first, a middle and its last round, at their ends; any error in the browser fails the test."""
    served, ada = serve(), browse(1440, 900)
    page = ada.page
    page.goto(f"{served.address}#/replay")
    for record in games("valid.jsonl")[part::PARTS]:
        whole = posted_game(json.dumps(record).encode())
        choose_file(page, tmp_path, record)
        page.locator(".stage .own").wait_for()
        numbers = whole.game.numbers
        for one in sorted({numbers[0], numbers[len(numbers) // 2], numbers[-1]}):
            frames = replay(whole, one, 0).frames
            page.goto(f"{served.address}#/replay//{one}/{len(frames) - 1}?seat=0")
            check_board(page, frames[-1], len(frames) - 1, 0, is_open=True)
        page.get_by_role("banner").get_by_role("button", name="Close", exact=True).click()


def test_controls_keys_and_perspective(serve: Serve, browse: Browse, tmp_path: Path) -> None:
    record = chosen(specials=True)
    whole = posted_game(json.dumps(record).encode())
    served, ada = serve(), browse(360, 640, settings={"pace": "normal"})
    page = opened(ada, served, tmp_path, record)
    stage, heading = page.locator(".stage"), page.locator("h1")
    last = len(replay(whole, 1, 0).frames) - 1
    expect(stage).to_have_attribute("data-step", "0")
    expect(page.get_by_role("button", name="One step back")).to_be_disabled()

    page.get_by_role("button", name="One step forward").click()
    expect(stage).to_have_attribute("data-step", "1")
    page.get_by_role("button", name="Next trick").click()
    page.get_by_role("button", name="Next trick").click()
    expect(stage).to_have_attribute("data-step", str(last))
    expect(page.locator(".over .end")).to_be_visible()  # after the trick was seen for a moment
    page.locator(".over .button").click()
    expect(heading).to_contain_text("2/")
    expect(stage).to_have_attribute("data-step", "0")
    page.keyboard.press("ArrowLeft")  # back over the deal, to the end of the round before
    expect(heading).to_contain_text("1/")
    expect(stage).to_have_attribute("data-step", str(last))
    page.keyboard.press("Home")
    expect(stage).to_have_attribute("data-step", "0")
    page.keyboard.press("PageDown")
    expect(heading).to_contain_text("2/")
    page.keyboard.press("End")
    page.keyboard.press("Shift+ArrowLeft")  # the beginning of the last trick
    tricks = replay(whole, 2, 0).frames
    expect(stage).to_have_attribute("data-step", str(len(tricks) - 1 - whole.game.seats))

    # Another seat at the bottom sees its own cards, at the same step.
    page.get_by_label("Seen by").select_option("2")
    frame = replay(whole, 2, 2).frames[-1 - whole.game.seats]
    expect(page.locator(".piece.hand")).to_have_attribute("data-face", frame.hands[2][0])
    page.keyboard.press("o")
    expect(page.get_by_role("button", name="Show all hands")).to_have_attribute(
        "aria-pressed", "false"
    )
    page.locator("input[type=range]").fill("2")
    expect(stage).to_have_attribute("data-step", "2")
    more = page.get_by_role("button", name="Tricks, review, points")
    more.click()
    page.get_by_role("dialog").wait_for()
    page.go_back()  # closes the panel, and does not leave the replay
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(stage).to_have_attribute("data-step", "2")
    expect(more).to_be_focused()
    more.click()
    page.get_by_role("dialog").get_by_role("button", name="Tricks", exact=True).click()
    page.get_by_role("dialog").locator("ol button").nth(2).click()
    page.keyboard.press("Escape")
    expect(stage).to_have_attribute("data-step", re.compile(r"^[5-9]$|^\d\d$"))
    expect(page).to_have_url(re.compile(r"#/replay//2/\d+\?seat=2&hidden$"))
    page.reload()  # the record is kept while the tab is open
    expect(heading).to_contain_text("2/")


def test_a_replay_plays_by_itself(serve: Serve, browse: Browse, tmp_path: Path) -> None:
    record = chosen(specials=True)
    served, ada = serve(), browse(844, 390)
    page = opened(ada, served, tmp_path, record)
    page.locator(".stage").wait_for()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    for speed in ("2×", "4×"):
        page.get_by_role("button", name=re.compile("Speed")).click()
        expect(page.get_by_role("button", name=re.compile("Speed"))).to_have_text(speed)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".over .end")).to_be_visible()
    expect(page.locator("h1")).to_contain_text("2/")  # on to the next round
    page.keyboard.press("Space")  # on the button, which has the focus: pauses
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    ada.look("landscape")


def test_files_that_cannot_be_replayed_say_why(
    serve: Serve, browse: Browse, tmp_path: Path
) -> None:
    served, ada = serve(), browse()
    ada.may_report = "status of 400"  # what the server refuses
    broken = next(one for one in games("invalid.jsonl") if one["trick"] is not None)
    page = ada.page
    for record, why in (
        ("no game at all", "Line 1 of this file is not a game record."),
        ("", "There is no game in this file."),
        (next(one for one in games("unfinished.jsonl")), "only a finished game can be replayed"),
        (broken["record"], f"round {broken['round']}, trick {broken['trick']}"),
        ({**chosen(specials=True), "format": "wizard-record/9"}, "wizard-record/9"),
    ):
        opened(ada, served, tmp_path, record)
        expect(page.get_by_role("alert")).to_contain_text(why)
    ada.look("a file that breaks a rule")


def test_a_file_with_several_games_is_dropped_on_the_start_page(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    page = ada.page
    lines = "\n".join(json.dumps(one) for one in games("valid.jsonl")[:3])
    page.goto(served.address)
    page.get_by_role("link", name="Open a record").wait_for()
    page.evaluate(
        """(text) => {
            const data = new DataTransfer()
            data.items.add(new File([text], 'games.jsonl'))
            dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
        }""",
        lines,
    )
    expect(page.locator(".games li")).to_have_count(3)
    ada.look("several games")
    page.locator(".games button").nth(1).click()
    expect(page.locator(".stage")).to_have_attribute("data-step", "0")


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height", "theme"), SCREENS)
def test_a_game_by_its_address_with_its_review(
    serve: Serve, browse: Browse, width: int, height: int, theme: str
) -> None:
    served, ada = serve(has_coach=True, worlds=20), browse(width, height, color_scheme=theme)
    ada.sit(served.address, seated(served, rounds=[2, 5]), "?start")
    ada.play_to_the_end()
    page = ada.page
    page.get_by_role("link", name="Replay").click()
    stage = page.locator(".stage[data-step='0']")
    stage.wait_for()
    ada.look(f"{theme}-replay")

    # The coach is asked for the review, and the next mistake is shown at the moment before it was made.
    page.get_by_role("button", name="Next mistake of Ada").click()
    notice = page.locator(".stage .own.coach")
    expect(notice).to_contain_text(re.compile(r"Ada: .+ \(−.+\)\. Better: "), timeout=60_000)
    ada.look(f"{theme}-mistake")
    said = re.search(r"Ada: (.+) \(−", notice.inner_text())
    assert said is not None
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stage .own")).to_contain_text(
        re.compile(re.escape(said[1].removeprefix("bid ")), re.I)
    )

    # Every choice of the review leads to its moment.
    if width < 1100:
        page.get_by_role("button", name="Tricks, review, points").click()
    page.locator(".review .who label", has_text="Merlin").click()
    rounds = page.locator(".review details")
    rounds.last.locator("summary").click()
    rounds.last.locator("li button").last.click()
    expect(page.get_by_label("Seen by")).to_have_value("1")
    expect(page.locator("h1")).to_contain_text("2/2")
    expect(page).to_have_url(re.compile(r"/5/\d+\?seat=1$"))
    step = page.locator(".stage").get_attribute("data-step")

    # A link to the position shows the same to someone else, and that the deals were checked.
    bo = browse(1440, 900, settings={"name": "Bo"})
    bo.page.goto(page.url)
    expect(bo.page.locator(".stage")).to_have_attribute("data-step", step or "")
    expect(bo.page.get_by_label("Seen by")).to_have_value("1")
    assert bo.page.evaluate(BOARD) == page.evaluate(BOARD)
    expect(bo.page.locator(".fair")).to_contain_text("All 2 deals follow from the server's secret")
    expect(bo.page.locator(".fair")).to_contain_text("Checked in this browser.")


def test_a_game_that_is_not_there_or_not_over(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.may_report = f"{NO_API}|status of 409"
    made = served.table({"seats": 3, "bots": ["random"] * 2, "bot_pause_ms": 0})
    ada.sit(served.address, made, "?start")
    ada.page.locator(".stage[data-decision]").wait_for()
    table = ada.page.request.get(f"{served.address}api/tables/{made['code']}").json()
    for game, why in ((table["game"], "The game is not over"), ("nothing", "There is no game")):
        ada.page.goto(f"{served.address}#/replay/{game}/1/0")
        expect(ada.page.get_by_role("alert")).to_contain_text(why)
        expect(ada.page.get_by_role("heading")).to_have_text("Game not found")
