"""The pictures for translators: each text of a screen has its number on the picture and its key in the table beside it."""

import re
import struct
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from foretell.i18n import catalogue
from web.serving import Served
from web.translation_pictures import pictures
from web.walking import Walk


def test_a_picture_of_each_size_lists_the_texts_that_are_on_it(
    serve: Callable[..., Served], chromium: Browser, tmp_path: Path
) -> None:
    server = serve()

    shown: list[str] = []

    def start_page(walk: Walk) -> None:
        walk.player.page.goto(server.address)
        walk.player.page.locator(".which:not(:empty)").wait_for()
        text = walk.player.page.locator("body").inner_text()
        shown.append(re.sub("[\u200b\u200c\u2060\u2061]", "", text).casefold())
        walk.look("home")

    index = pictures("fr", tmp_path / "fr", chromium, start_page)
    told = index.read_text(encoding="utf-8")
    french, english = catalogue("fr").texts, catalogue("en").texts
    sections = re.findall(r"<section>.*?</section>", told, re.DOTALL)
    assert len(sections) == 2
    sizes = [(360, 640), (1440, 900)]
    for one, (width, height), text in zip(sections, sizes, shown, strict=True):
        assert f"home, {width} px" in one
        name = re.search(r"<img loading=lazy src=(\S+?)>", one)
        assert name is not None
        head = (index.parent / name[1]).read_bytes()[:24]
        assert struct.unpack(">8s4x4sII", head) == (b"\x89PNG\r\n\x1a\n", b"IHDR", width, height)
        rows = re.findall(r"<tr><td>(\d+|–)<td><code>([^<]+)</code><td>([^<]*)<td>([^<]*)", one)
        marks = {key: mark for mark, key, _, _ in rows}
        # the numbers are places in the catalogue, and the button is in view on both
        assert marks["web.home.play"] == str(list(french).index("web.home.play"))
        assert ("web.home.play", english["web.home.play"], french["web.home.play"]) in {
            row[1:] for row in rows
        }
        assert "web.sheet.title" not in marks
        # what has a number is what can be read there
        numbered = [key for key, mark in marks.items() if mark != "–" and "{" not in french[key]]
        assert len(numbered) > 6
        for key in numbered:
            assert french[key].casefold() in text, key
