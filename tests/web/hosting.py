"""A plain static host: serves a folder under a path and knows nothing of the page."""

import functools
import hashlib
import json
import os
import re
import shutil
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from foretell.commands.site import write_site
from foretell.server.page_files import page_files
from ports import lasting_port

__all__ = ["Host", "kept", "newer_version", "parts", "site"]

PATH = "/some/games/"
_LISTED = re.compile(r"const SITE = (\{.*?\n\})", re.DOTALL)


class _Handler(SimpleHTTPRequestHandler):
    """A folder below a path.  It remembers what was asked for."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
    }

    def __init__(self, host: "Host", *arguments: Any) -> None:
        self.host = host
        super().__init__(*arguments)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        slow = self.host.slow
        if slow is None or slow not in self.path:
            super().copyfile(source, outputfile)
            return
        while self.host.slow is not None:  # a line that is never silent, and never done
            outputfile.write(source.read(4096))
            time.sleep(0.2)
        super().copyfile(source, outputfile)

    def translate_path(self, path: str) -> str:
        self.host.asked.append(path.removeprefix(PATH))
        # A browser opens connections before it needs them; meanwhile another folder may have taken the place of the first.
        self.directory = str(self.host.folder)
        below = "/" + path.removeprefix(PATH) if path.startswith(PATH) else "/nothing/here"
        return super().translate_path(below)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # the browser has gone


# How many files the largest cache has.
_KEPT = """async () => {
    const caught = await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length))
    return Math.max(0, ...caught)
}"""


class Host:
    """A site on a port of this machine, that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, lasting_port()
        self.asked: list[str] = []
        self.slow: str | None = (
            None  # what the files are called that come slowly, until this is None again
        )
        self._server: _Server | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{PATH}"

    def start(self) -> None:
        self._server = _Server(("127.0.0.1", self.port), functools.partial(_Handler, self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


def site(folder: Path) -> None:
    """The site as `foretell site` writes it, but with links to the nets, since copying them takes longer than a test."""
    files = page_files()
    write_site({path: file for path, file in files.items() if file.suffix != ".bin"}, folder)
    for path, file in files.items():
        if file.suffix == ".bin":
            (folder / path).symlink_to(file)


def parts(folder: Path) -> dict[str, str]:
    """The files of a site that its service worker keeps, and the part that each belongs to: page, engine, nets."""
    found = _LISTED.search((folder / "service-worker.js").read_text())
    assert found is not None
    return {path: part for path, (_hash, part) in json.loads(found[1])["files"].items()}


def kept(page: Page, host: Host, *wanted: str) -> None:
    """Waits until the service worker has kept these parts of the site, and controls the page."""
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    count = sum(part in wanted for part in parts(host.folder).values())
    for _ in range(600):
        if page.evaluate(_KEPT) >= count:
            return
        page.wait_for_timeout(100)
    raise TimeoutError("the service worker keeps too little")


def newer_version(old: Path, folder: Path, title: str) -> None:
    """Another version of the site, as a build would make it: its page has another title."""
    shutil.copytree(old, folder, symlinks=True)
    page = folder / "index.html"
    page.write_text(page.read_text().replace("<title>Foretell</title>", f"<title>{title}</title>"))
    worker = folder / "service-worker.js"
    found = _LISTED.search(worker.read_text())
    assert found is not None
    listed = json.loads(found[1])
    listed["version"] = title
    listed["files"]["index.html"][0] = hashlib.sha256(page.read_bytes()).hexdigest()
    worker.write_text(worker.read_text().replace(found[1], json.dumps(listed)))
    # Hosts tell versions apart by whole seconds, and the old one may have been written in this very second.
    later = time.time() + 2
    for changed in (page, worker):
        os.utime(changed, (later, later))
