"""The part of the walk without a server, or with one that has gone: tables on this device, a lost connection, a new version."""

import re
from typing import Any

from playwright.sync_api import Route, WebSocketRoute

from web.conftest import BUILT
from web.playing import SOCKETS
from web.serving import Served
from web.walker import Walker

__all__ = ["HAS_ENGINE", "OnThisDevice"]

HAS_ENGINE = (BUILT.parent / "engine/engine.json").exists()

# What this browser is like, for as long as the test wants it.
_STAGED = """(() => {
    if (location.protocol !== 'http:') return
    const staged = sessionStorage.getItem('staged')
    const put = (what, name, value) => Object.defineProperty(what, name, { value, configurable: true })
    if (staged === 'saves data') put(navigator, 'connection', { saveData: true })
    if (staged === 'plain http') put(self, 'isSecureContext', false)
    if (staged === 'new version') {
        const nothing = () => undefined
        const found = { waiting: { postMessage: nothing }, addEventListener: nothing }
        const worker = { register: async () => found, ready: new Promise(nothing), controller: {}, addEventListener: nothing }
        put(navigator, 'serviceWorker', worker)
    }
})()"""
# In place of the worker with the tables: it says to the page what the test wants it to say.
_WORKER = """new BroadcastChannel('walk').onmessage = ({ data }) => postMessage(data)
postMessage({ type: 'progress', loaded: 0.42 })"""
_SAY = "(message) => new BroadcastChannel('walk').postMessage(message)"


class OnThisDevice(Walker):
    """What there is to see where the page plays by itself, and where it has lost its server."""

    def on_this_device(self, served: Served) -> None:
        self.player.page.add_init_script(_STAGED)
        if HAS_ENGINE:
            self.what_the_device_does(served)
            self.a_shared_device(served)
        self.notes(served)
        self.without_the_server(served)

    def what_the_device_does(self, served: Served) -> None:
        """Each thing that its bar can say."""
        page = self.player.page
        workers = "**/assets/table-worker-*.js"
        page.route(workers, _worker)
        self._staged(served, "saves data")
        self.button("web.place.device").click()
        bar = page.locator(".bar .button")
        bar.wait_for()
        self.look("this device: may the game be loaded")
        bar.click()
        loading = page.locator(".bar progress[value='0.42']")
        loading.wait_for()
        self.look("this device: loading")
        self._say({"type": "progress", "loaded": 1}, "web.device.starting")
        self._say({"type": "ready", "keys": {}}, None)
        for trouble in ("blocked", "full", "newer"):
            self._say({"type": "storage", "trouble": trouble}, f"web.device.{trouble}")
        self._say({"type": "storage", "trouble": None}, None)
        self._say({"type": "nets", "news": {"asked": 5_000_000}}, "web.device.ask_nets")
        self._say({"type": "nets", "news": {"loaded": 0.42}}, "web.device.loading_nets")
        self._say({"type": "nets", "news": None}, None)
        for played, key in (("casual", "weaker"), ("counting", "simple"), ("master", None)):
            news = {"type": "level", "level": "master", "played": played}
            self._say(news, key and f"web.device.{key}")
        self._say({"type": "unreadable"}, "web.device.unreadable")
        self._say({"type": "elsewhere"}, "web.device.elsewhere")
        bar.click()
        loading.wait_for()
        self._say({"type": "failed", "why": ""}, "web.device.failed")
        page.unroute(workers)

    def a_shared_device(self, served: Served) -> None:
        """A table of this device, with two people."""
        page = self.player.page
        self._staged(served, "")
        page.locator("p.place").wait_for()
        page.locator(".which:not(:empty)").wait_for(timeout=120_000)
        self.look("home: on this device")
        page.evaluate("location.hash = '#/new'")
        page.locator("button.primary").last.click()
        title = self.texts.say("web.curtain.title")  # the form for a new table asks for a name, too
        page.get_by_role("heading", name=title).wait_for()
        self.look("this device: a table")
        page.locator("form .field[maxlength='24']").fill("Bo")
        page.locator("form:has([maxlength='24']) .button").click()
        page.locator(".seats").get_by_text("Bo", exact=True).wait_for()
        page.locator(".start:not(.waiting)").click()
        page.locator(".curtain .button").wait_for()
        self.look("this device: the curtain")
        page.locator(".curtain .button").click()
        page.locator(".stage").wait_for()
        self.panel("menu", "this device")
        page.evaluate("location.hash = '#/'")
        self.button("web.place.server").click()

    def notes(self, served: Served) -> None:
        page = self.player.page
        self._staged(served, "plain http")
        page.locator(".note").wait_for()
        self.look("home: an address that is not encrypted")
        page.evaluate("location.hash = '#/settings'")
        page.locator(".settings").wait_for()
        self.look("settings: an address that is not encrypted")
        self._staged(served, "new version")
        page.locator(".note .button").wait_for()
        self.look("home: a new version")

    def without_the_server(self, served: Served) -> None:
        page = self.player.page
        codes = [4003, 1012]  # what the server closes its lines with; then it is gone

        def route(line: WebSocketRoute) -> None:
            if codes:
                line.connect_to_server()
                lines.append(line)
            else:
                line.close(code=1012)

        lines: list[WebSocketRoute] = []
        self._staged(served, "")
        page.route_web_socket(SOCKETS, route)
        options = self.options(seats=3, bots=2, rules={"rulebook": "es", "rounds": [2]})
        self.player.sit(served.address, served.table(options), "?start")
        page.locator(".prompt [data-action]").first.wait_for()
        for key in ("web.net.crowded", "web.net.restarting"):
            lines[-1].close(code=codes.pop(0))
            lost = page.get_by_text(self.texts.say(key)).first
            lost.wait_for()
            self.look(f"a game: {key.rpartition('.')[2]}")
            if codes:
                lost.wait_for(state="detached")
        if HAS_ENGINE:
            page.locator(".meanwhile").wait_for()
            self.look("a game: the offer to play on this device")
        codes.append(0)  # the server is back
        self._staged(served, "")
        page.locator("section li button").first.wait_for()
        self.look("home: a game goes on")

    def _say(self, message: dict[str, Any], key: str | None) -> None:
        """The worker says something, and the bar says what that means; without a key, it says nothing."""
        page = self.player.page
        page.evaluate(_SAY, message)
        bar = page.locator(".bar:has(> span)")
        if key is None:
            bar.wait_for(state="detached")
        else:
            longest = max(re.split(r"\{\w+\}", self.texts.texts[key]), key=len)
            bar.get_by_text(longest).wait_for()
            self.look(f"this device: {key.rpartition('.')[2]}")

    def _staged(self, served: Served, what: str) -> None:
        """The start page, as it is in such a browser."""
        page = self.player.page
        page.evaluate("(what) => sessionStorage.setItem('staged', what)", what)
        page.goto("about:blank")
        page.goto(served.address)
        self.button("web.home.play").wait_for()


def _worker(route: Route) -> None:
    route.fulfill(body=_WORKER, content_type="text/javascript")
