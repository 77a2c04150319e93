"""The score pad on the page, written by taps, and what Python's pad says at the same time."""

from pathlib import Path
from random import Random

from playwright.sync_api import Page, expect

from foretell.errors import ForetellError
from foretell.i18n import catalogue
from foretell.scorepad import Bid, Cloud, Pad, Tricks, enter
from foretell.scorepad.pad_round import Awaits
from web.playing import Player

__all__ = ["SAY", "begin", "downloaded", "refused", "tap", "totals", "write_one", "written"]

SAY = catalogue("en").say
NUMBER = ".numbers button[data-number='{}']"


def refused(error: ForetellError) -> str:
    """What the page says about an error: its own text, or the one that it shares with the terminal."""
    for key in (f"web.pad.error.{error.code}", f"web.error.{error.code}"):
        if key in catalogue("en").texts:
            return SAY(key, rule=error.rule, **error.values)
    sentence = error.sentence("en")
    return sentence[0].upper() + sentence[1:]


def tap(page: Page, number: int) -> None:
    page.locator(NUMBER.format(number)).click(force=True)  # barred numbers can be tapped too


def totals(page: Page) -> list[str]:
    """The totals in the last line of the sheet."""
    return page.locator("tr.done.last .total").all_inner_texts()


def written(pad: Pad) -> list[str]:
    return [str(total).replace("-", "−") for total in pad.totals]


def begin(
    page: Page,
    names: tuple[str, ...],
    rounds: str,
    variants: tuple[str, ...] = (),
    bids: str = "open",
) -> None:
    """Sets up a pad by hand."""
    players = page.locator("ol li")
    players.first.wait_for()
    while players.count() > len(names):
        players.last.get_by_role("button").last.click()
    while players.count() < len(names):
        page.get_by_role("button", name=SAY("web.pad.add_player")).click()
    for seat, name in enumerate(names):
        players.nth(seat).locator("input.field").fill(name)
    if variants or bids != "open":
        page.locator("summary").click()
        page.locator("select:has(option[value=secret])").select_option(bids)
    for name in variants:
        page.get_by_role("checkbox", name=name).check()
    page.get_by_label(SAY("web.pad.length")).select_option("own")
    page.locator(".own input").fill(rounds)
    # a double click begins one pad
    start = page.get_by_role("button", name=SAY("web.pad.begin"))
    start.evaluate("(button) => (button.click(), button.click())")
    page.locator(".numbers").wait_for()


def write_one(player: Player, pad: Pad, random: Random) -> Pad:
    """One entry by taps, or a try that the rules refuse; the page says what Python says."""
    page, now = player.page, pad.now
    assert now is not None
    if now.awaits is Awaits.CLOUD:
        player.look("the Cloud")
        seat = random.choice([None, *now.cloud_takers])
        name = SAY("web.pad.nobody") if seat is None else now.names[seat]
        page.locator(".takers").get_by_role("button", name=name).click()
        if seat is None:
            return enter(pad, Cloud())
        changes = now.open_changes(seat)
        change = random.choice(changes)
        if len(changes) > 1:
            player.look("the change of a bid")
            page.locator(".change").nth(changes.index(change)).click()
        return enter(pad, Cloud(seat, change))
    is_bid = now.awaits is Awaits.BIDS
    seats = now.bidders if is_bid else now.counters
    seat = random.choice(seats)  # in any order, where the rules leave it open
    if len(seats) > 1:
        page.locator(".now .cell").nth(seat).click()
    fitting = now.open_bids() if is_bid else now.open_tricks(seat)
    number = random.choice(fitting if random.random() < 0.7 else range(now.hand_size + 1))
    entry = Bid(seat, number) if is_bid else Tricks(seat, number)
    tap(page, number)
    try:
        return enter(pad, entry)
    except ForetellError as error:
        refusal = page.locator(".refusal")
        expect(refusal).to_have_text(refused(error))
        player.look(f"refused: {error.code}")
        return pad


def downloaded(page: Page, key: str) -> tuple[str, bytes]:
    """What a button of the dialog "Share" gives: the file's name and its bytes."""
    with page.expect_download() as got:
        page.get_by_role("dialog").get_by_role("button", name=SAY(key)).click()
    return got.value.suggested_filename, Path(got.value.path()).read_bytes()
