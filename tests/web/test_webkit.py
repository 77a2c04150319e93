"""A smoke test in the other engine, WebKit, through Debian's webkit2gtk-driver and Selenium."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from web.conftest import BUILT
from web.devices import static_host
from web.serving import Served

BROWSERS = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
DRIVER = shutil.which("WebKitWebDriver")


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An X display: the existing one, or one from Xvfb."""
    if os.environ.get("DISPLAY"):
        yield
        return
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("there is no screen, and no Xvfb: on Debian, `apt install xvfb`")
    with subprocess.Popen(
        [server, "-displayfd", "1", "-screen", "0", "1024x1000x24", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as screen:
        assert screen.stdout is not None
        monkeypatch.setenv("DISPLAY", f":{screen.stdout.readline().strip()}")
        yield
        screen.terminate()


pytestmark = [
    pytest.mark.skipif(
        not (BROWSERS and DRIVER),
        reason="there is no WebKit: on Debian, `apt install webkit2gtk-driver`",
    ),
    pytest.mark.usefixtures("display"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:selenium"),
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),
]


@pytest.fixture
def webkit(display: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[webdriver.WebKitGTK]:
    monkeypatch.setenv("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")  # root has no sandbox
    options = Options()
    options.binary_location = str(BROWSERS[-1])
    options.add_argument("--automation")
    found = webdriver.WebKitGTK(options=options, service=Service(str(DRIVER)))
    yield found
    found.quit()


def play_a_round(webkit: webdriver.WebKitGTK, address: str, patience: float) -> None:
    """Presses "Play now" and plays a round; the first question and the rest may take `patience` seconds each."""
    webkit.get(address)

    def there(css: str) -> Callable[[webdriver.WebKitGTK], list[WebElement]]:
        return lambda page: page.find_elements(By.CSS_SELECTOR, css)

    WebDriverWait(webkit, 20).until(there(".huge.primary"))[0].click()
    WebDriverWait(webkit, patience).until(there("[data-asked]"))
    ends = time.monotonic() + patience
    while not webkit.find_elements(By.CSS_SELECTOR, ".over .end"):
        for css in (
            ".prompt [data-action]:enabled:not([aria-disabled=true])",
            ".piece.hand.bright",
        ):
            for offered in webkit.find_elements(By.CSS_SELECTOR, css)[:1]:
                with contextlib.suppress(WebDriverException):  # it may be moving just then
                    offered.click()
        assert time.monotonic() < ends, "the round does not end"
    # It fades in.
    told = webkit.find_element(By.CSS_SELECTOR, ".over h2")
    WebDriverWait(webkit, 10).until(lambda _: "Round 1 is over" in told.text)


def test_a_round_in_webkit(serve: Callable[..., Served], webkit: webdriver.WebKitGTK) -> None:
    play_a_round(webkit, serve().address, 60)


@pytest.mark.skipif(
    not (BUILT.parent / "engine/engine.json").exists(), reason="the engine is not built"
)
def test_a_round_in_webkit_without_a_server(webkit: webdriver.WebKitGTK) -> None:
    """Python runs in WebKit too, with the tables, the bots and their nets."""
    with static_host() as (address, _):
        play_a_round(webkit, address, 120)
