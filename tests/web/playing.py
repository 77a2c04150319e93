"""A player at a browser: looks at the page and clicks on what it offers, without knowing the rules."""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Page, Request, WebSocket, WebSocketRoute
from playwright.sync_api import TimeoutError as NotInTime

from chance import chance
from foretell.engine import Game
from foretell.record.reader import from_object

__all__ = ["NO_API", "SOCKETS", "Player", "waited"]

NO_API = "status of 404"
"""What a browser reports where the page asks for /api at a static host, or for a game that is not there."""

SOCKETS = re.compile("/ws(/|$)")
"""The addresses of the page's lines to tables and to the lobby."""

ASKED = """() => {
    const stage = document.querySelector('.stage')
    if (document.querySelector('.podium')) return ['end', '']
    if (stage?.querySelector('.over .end')) return ['round', stage.querySelector('.over h2').innerText]
    return stage?.dataset.asked ? [stage.dataset.asked, stage.dataset.decision] : null
}"""
# Until nothing has changed in the document for a tenth of a second and nothing fades or moves.  What pulses for ever
# does not count.
STILL = """() => new Promise((done) => {
    const isEndless = (one) => one.effect?.getComputedTiming().endTime === Infinity
    const isStill = () => document.getAnimations().every((one) => one.playState !== 'running' || isEndless(one))
    let timer = 0
    const wait = () => {
        clearTimeout(timer)
        timer = setTimeout(() => (isStill() ? (changes.disconnect(), done()) : wait()), 100)
    }
    const changes = new MutationObserver(wait)
    changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    setTimeout(() => (clearTimeout(timer), changes.disconnect(), done()), 1000)
    wait()
})"""
_AXE: str = Axe().axe_script
# Without selectors and without the rules that are kept, which nobody reads and which take long to write down.
VIOLATIONS = """() => axe.run({ resultTypes: ['violations'], selectors: false })
    .then(({ violations }) => violations)"""
_EXPECTED = re.compile(r"WebSocket connection|ERR_CONNECTION|ERR_INTERNET|net::ERR")
_BLOCKED = "Service Worker registration blocked by Playwright"  # as `browse` asks for
# Chromium says so when a page goes elsewhere before its socket is open, which happens on a busy machine.
_LEFT_EARLY = "WebSocket is closed before the connection is established"


def waited(page: Page, script: str, arg: Any = None) -> Any:
    """What the script returns as soon as that is true.

    Playwright's own `wait_for_function` evaluates text again and again, which the page's security policy forbids.
    """
    for _ in range(300):
        found = page.evaluate(script, arg)
        if found:
            return found
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came true: {script}")


class Player:
    """A page, the problems that occurred in it, and every message that its browser received."""

    def __init__(self, page: Page, settings: dict[str, Any], shots: Path) -> None:
        self.page = page
        self.shots = shots
        self.problems: list[str] = []
        self.received: list[str] = []
        self.random = Random(7)
        self.seen: set[str] = set()
        self.is_line_down = False
        self.may_report = ""  # a pattern of what is no problem, because the test makes it happen
        self._loading: set[Request] = set()
        page.add_init_script(
            "if (location.protocol === 'http:')"
            f" localStorage['foretell.settings'] ??= {json.dumps(json.dumps(settings))}"
        )
        # every browser has a key of its own, although all draw the same random numbers
        page.add_init_script(
            f"if (location.protocol === 'http:') localStorage['foretell.key'] ??= '{token_hex(16)}'"
        )
        # otherwise the page needs randomness only for its word for the deals
        byte = chance("word").randrange(256)
        page.add_init_script(f"crypto.getRandomValues = (bytes) => bytes.fill({byte})")
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._heard)
        page.on("websocket", self._listen)
        page.on("request", self._asked_for)
        page.on("requestfinished", self._loaded)
        page.on("requestfailed", self._loaded)

    def _heard(self, message: Any) -> None:
        is_known = (
            message.text == _BLOCKED
            or _LEFT_EARLY in message.text
            or (self.is_line_down and _EXPECTED.search(message.text))
            or (self.may_report and re.search(self.may_report, message.text))
        )
        if message.type in ("error", "warning") and not is_known:
            self.problems.append(f"{message.type}: {message.text}")

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.received.append(str(frame)))

    def _asked_for(self, request: Request) -> None:
        self._loading.add(request)

    def _loaded(self, request: Request) -> None:
        self._loading.discard(request)

    # Going places

    def sit(self, address: str, seated: dict[str, Any], query: str = "") -> None:
        """Goes to a table that was made over HTTP, with the key to its seat."""
        kept = {key: seated[key] for key in ("table", "code", "seat", "token")}
        script = f"""location.protocol === 'http:' && (() => {{
            const kept = {json.dumps({**kept, "name": "Ada", "at": 0})}
            const all = JSON.parse(localStorage['foretell.seats'] ?? '[]')
            if (!all.some((one) => one.table === kept.table))
                localStorage['foretell.seats'] = JSON.stringify([kept, ...all])
        }})()"""
        self.page.add_init_script(script)
        if self.page.url != "about:blank":
            self.page.goto("about:blank")  # another hash alone would not load the page again
        self.page.goto(f"{address}#/t/{seated['code']}{query}")

    def refuse_hellos(self, code: str) -> list[str]:
        """From now on every hello is answered with this error.  Returns the hellos as they come."""
        values = {"spoken": 1, "version": 2, "played": 1}
        error: dict[str, Any] = {"code": code, "sentence": "", "rule": None, "terms": []}
        refused: list[str] = []

        def answer(socket: WebSocketRoute, message: str | bytes) -> None:
            refused.append(str(message))
            asked = json.loads(message)["id"]
            answered = {"type": "refused", "id": asked, "error": {**error, "values": values}}
            socket.send(json.dumps(answered))

        self.page.route_web_socket(
            SOCKETS,
            lambda socket: socket.on_message(lambda text: answer(socket, text)),
        )
        return refused

    # Looking

    def shot(self, name: str, *, full: bool = False) -> None:
        size = self.page.viewport_size or {"width": 0, "height": 0}
        self.shots.mkdir(parents=True, exist_ok=True)
        path = self.shots / f"{name}-{size['width']}x{size['height']}.png"
        self.page.screenshot(path=path, full_page=full)

    def axe(self, where: str) -> None:
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(_AXE)
        for violation in self.page.evaluate(VIOLATIONS):
            nodes = [node["html"][:160] for node in violation["nodes"][:3]]
            self.problems.append(f"axe, {where}: {violation['id']}: {violation['help']} {nodes}")

    def look(self, name: str) -> None:
        """Takes a picture and runs axe, the first time that something is seen."""
        if name not in self.seen:
            self.seen.add(name)
            self.settle()
            self.shot(name)
            self.axe(name)

    def settle(self) -> None:
        """Waits until everything has been loaded and has faded in, or for a second."""
        ends = time.monotonic() + 1
        self.page.evaluate(STILL)
        while self._loading and time.monotonic() < ends:
            self.page.evaluate(STILL)

    @property
    def stage(self) -> Locator:
        return self.page.locator(".stage")

    def asked(self) -> tuple[str, str] | None:
        """What the page asks for now (a phase, `round` or `end`), and the decision's name."""
        found: list[str] | None = self.page.evaluate(ASKED)
        return (found[0], found[1]) if found else None

    # Playing

    def act(self, asked: str, *, first: str = "") -> None:
        """Answers by clicks, at random among what is offered.  The card named `first` is played as soon as it may be."""
        page = self.page
        match asked:
            case "bid" | "trump" | "change":
                self._click(
                    self._any(
                        page.locator(".prompt [data-action]:enabled:not([aria-disabled=true])")
                    )
                )
            case "play" if first and (wanted := self._in_hand(first)).count():
                self._put_down(wanted)
            case "play" | "pass":
                self._put_down(self._any(self._in_hand()))
            case "round":
                self._click(page.locator(".end .button.primary"))

    def _in_hand(self, name: str = "") -> Locator:
        """The cards that may be put down, or the one with this name."""
        return self.page.locator(f".piece.hand.bright{f'[data-card={name}]' if name else ''}")

    def _put_down(self, card: Locator) -> None:
        name = card.get_attribute("data-card")
        # at the left edge, which is visible even if other cards lie above
        self._click(card, position={"x": 15, "y": 28})
        again = self._in_hand(name or "")
        if again.and_(self.page.locator(".lifted")).count():
            self._click(again, position={"x": 15, "y": 28})
        declared = self.page.locator(".prompt [data-action]:enabled:not([aria-disabled=true])")
        if declared.count():
            self.look(f"declare-{name}")
            self._click(self._any(declared))

    def _any(self, offered: Locator) -> Locator:
        return offered.nth(self.random.randrange(max(1, offered.count())))

    def _click(self, what: Locator, **options: Any) -> None:
        """A click, unless what was asked is gone by then: the table goes on without waiting for this player."""
        if not what.count():
            return
        try:
            what.click(**options)
        except NotInTime:
            if what.count():
                raise

    def turns(self, is_done: Callable[[], bool], seconds: float = 240) -> Iterator[str]:
        """Yields what is asked, each time something is; the caller answers, with `act`."""
        ends = time.monotonic() + seconds
        answered, since = None, time.monotonic()
        while not is_done():
            asked = self.asked()
            if asked is None or asked == answered:
                self.page.wait_for_timeout(15)
                if time.monotonic() - since > 30:
                    raise TimeoutError(f"nothing more is asked, after {answered}")
                continue
            if asked[0] == "end" or is_done():  # perhaps only since it was asked for the first time
                return
            yield asked[0]
            answered, since = asked, time.monotonic()
            if since > ends:
                raise TimeoutError("the game does not end")

    def play_to_the_end(self, *, looks: bool = False) -> None:
        for asked in self.turns(lambda: False):
            if looks:
                self.look(asked)
            self.act(asked)

    def record(self) -> dict[str, Any]:
        """The record of the game that has just ended."""
        game = self.page.locator(".end").get_attribute("data-game")
        root = self.page.url.partition("#")[0]
        record: dict[str, Any] = self.page.request.get(f"{root}api/games/{game}/record").json()
        del record["fair"]  # the test chose the cards: they do not follow from the secret
        return record

    def finished_game(self) -> Game:
        return from_object(self.record()).game

    def sheet(self) -> list[list[str]]:
        """The text of the score sheet, by rows and cells."""
        rows: list[list[str]] = self.page.evaluate(
            """() => [...document.querySelectorAll('.end .frame tr')].map((row) =>
                [...row.children].map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim()))"""
        )
        return rows
