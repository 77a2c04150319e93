"""Browsers for the tests of the page: Debian's Chromium, driven by Playwright.

Where there is none, these tests are skipped and say so; where CI is set, that is a failure.
"""

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from web.playing import Player
from web.serving import Served

BUILT = Path(__file__).parents[2] / "src/foretell/server/static/index.html"
SHOTS = Path(os.environ.get("FORETELL_SHOTS", Path(__file__).parents[2] / "build/shots"))
# Chromium's own window has lists below its address bar.  They are pages too, and each new context would load two of
# them, which takes longer than loading ours.
_UNUSED = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
# The last --disable-features counts, so ours repeats what Playwright turns off.
_OFF_IN_PLAYWRIGHT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
FLAGS = [
    f"--disable-features={','.join((*_UNUSED, *_OFF_IN_PLAYWRIGHT))}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 15_000  # milliseconds, for a busy machine
expect.set_options(timeout=PATIENCE)


def _missing(why: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def chromium_path() -> str | None:
    """Debian's Chromium, or a relative of it."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@contextlib.contextmanager
def _launched(path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class _OpenBrowser:
    """One Chromium for all tests of this folder, since starting it takes about a second.  Each test has its own context.

    While it is open, Playwright's loop keeps asyncio tests from running in this process.  So it is closed before a test
    that needs no browser.
    """

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._browser: Browser | None = None

    def browser(self, path: str) -> Browser:
        if self._browser is None or not self._browser.is_connected():  # not open, or it crashed
            self.close()
            self._browser = self._stack.enter_context(_launched(path))
        return self._browser

    def close(self) -> None:
        self._browser = None
        self._stack.close()


_OPEN = _OpenBrowser()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    yield
    if "chromium" not in getattr(nextitem, "fixturenames", ()):
        _OPEN.close()


@pytest.fixture
def chromium() -> Browser:
    if not BUILT.exists():
        _missing("the page is not built: run `python hatch_build.py`, or `make test`")
    found = chromium_path()
    if found is None:
        _missing("there is no Chromium: on Debian, `apt install chromium`")
    return _OPEN.browser(found)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    running: list[Served] = []

    def start(**options: Any) -> Served:
        data = tmp_path / f"server{len(running)}"
        data.mkdir()
        served = Served(data=data, **options)
        served.start()
        running.append(served)
        return served

    yield start
    for served in running:
        served.stop()


@contextlib.contextmanager
def _at_the_machine(folder: Path, *, alone: bool) -> Iterator[None]:
    """Lets browser tests run side by side, except one that measures: it waits for the others, and they wait for it."""
    wanted, lock = folder / "measuring-wanted", folder / "measuring-lock"
    if alone:
        wanted.touch()
    else:
        while wanted.exists():
            time.sleep(0.1)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        if alone:
            wanted.unlink(missing_ok=True)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that measure come last: each has to wait for all others that are running, and some of those take minutes."""
    items.sort(key=lambda one: "alone" in getattr(one, "fixturenames", ()))


@pytest.fixture
def alone() -> None:
    """Named in the `usefixtures` of tests that measure; `machine` looks for it."""


@pytest.fixture(autouse=True)
def machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    # several processes have a folder each, inside one that they share
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if os.environ.get("PYTEST_XDIST_WORKER") else folder
    with _at_the_machine(shared, alone="alone" in request.fixturenames):
        yield


@pytest.fixture
def browse(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Player]]:
    """Opens browsers.  Any error in one of them fails the test when it ends."""
    players: list[Player] = []

    def open_page(width: int = 390, height: int = 844, **options: Any) -> Player:
        settings = {
            "name": "Ada",
            "motion": "none",
            "pace": "at_once",
            **options.pop("settings", {}),
        }
        # The service worker would load the whole engine beside each test; test_offline.py tests it.
        usual: dict[str, Any] = {"device_scale_factor": 1, "service_workers": "block"}
        context = chromium.new_context(
            viewport={"width": width, "height": height}, **(usual | options)
        )
        page: Page = context.new_page()
        page.set_default_timeout(PATIENCE)
        player = Player(page, settings, SHOTS / request.node.name.partition("[")[0])
        players.append(player)
        return player

    yield open_page
    for player in players:
        player.page.context.close()
    problems = [problem for player in players for problem in player.problems]
    assert not problems, "\n".join(problems)
