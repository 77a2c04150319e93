"""A browser of its own, with a profile on the disk, whose processes can be killed like those of a device that loses power."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext
from playwright.sync_api import Error as PlaywrightError

from web.conftest import FLAGS, chromium_path

__all__ = ["kill", "with_profile"]


@contextlib.contextmanager
def with_profile(chromium: Browser, profile: Path) -> Iterator[BrowserContext]:
    """Another Chromium, with this profile.  It may be killed inside."""
    context = chromium.browser_type.launch_persistent_context(
        profile,
        executable_path=chromium_path(),
        args=FLAGS,
        viewport={"width": 390, "height": 844},
        service_workers="block",
    )
    try:
        yield context
    finally:
        with contextlib.suppress(PlaywrightError):
            context.close()
        for lock in profile.glob("Singleton*"):  # of a browser that was killed
            lock.unlink(missing_ok=True)


def _processes(profile: Path) -> list[int]:
    """The processes of the browser with this profile."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
                if f"--user-data-dir={profile} " in line:
                    found.append(int(entry.name))
    return found


def kill(profile: Path) -> None:
    """SIGKILL for every process of the browser with this profile, until all are gone."""
    ends = time.monotonic() + 20
    while found := _processes(profile):
        for number in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        assert time.monotonic() < ends, found
        time.sleep(0.02)
