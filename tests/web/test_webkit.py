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
from selenium.webdriver.support.ui import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

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


@pytest.mark.skipif(
    not (BROWSERS and DRIVER),
    reason="there is no WebKit: on Debian, `apt install webkit2gtk-driver`",
)
@pytest.mark.usefixtures("display")
@pytest.mark.filterwarnings("ignore::DeprecationWarning:selenium")
@pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning")
def test_a_round_in_webkit(
    serve: Callable[..., Served], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")  # root has no sandbox
    served = serve()
    options = Options()
    options.binary_location = str(BROWSERS[-1])
    options.add_argument("--automation")
    browser = webdriver.WebKitGTK(options=options, service=Service(str(DRIVER)))
    try:
        browser.get(served.address)
        wait = WebDriverWait(browser, 20)

        def click(css: str) -> None:
            wait.until(lambda page: page.find_elements(By.CSS_SELECTOR, css))[0].click()

        click(".huge.primary")
        wait.until(lambda page: page.find_elements(By.CSS_SELECTOR, "[data-asked]"))
        ends = time.monotonic() + 60
        while not browser.find_elements(By.CSS_SELECTOR, ".over .end"):
            for css in (
                ".prompt [data-action]:enabled:not([aria-disabled=true])",
                ".piece.hand.bright",
            ):
                for offered in browser.find_elements(By.CSS_SELECTOR, css)[:1]:
                    with contextlib.suppress(WebDriverException):  # it may be moving just then
                        offered.click()
            assert time.monotonic() < ends, "the round does not end"
        browser.save_screenshot(str(tmp_path / "webkit.png"))
        assert "Round 1 is over" in browser.find_element(By.CSS_SELECTOR, ".over h2").text
    finally:
        browser.quit()
