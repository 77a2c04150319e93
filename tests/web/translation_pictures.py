"""Makes pictures for a translator: every screen, with a number at each text and a list of the keys.

`make translation TO=fr PICTURES=1` writes them to build/translation/fr: open index.html there.
"""

import html
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from foretell.i18n import Catalogue, catalogue  # noqa: E402
from web.conftest import FLAGS, chromium_path  # noqa: E402
from web.playing import Player  # noqa: E402
from web.reading import numbered, put_in_place_of_english  # noqa: E402
from web.walking import SPECIAL, Walk, started  # noqa: E402

SIZES = ((360, 640), (1440, 900))

# Finds the texts by their numbers, puts a mark at each that is visible, and returns all numbers.
_MARK = r"""() => {
  const numbers = (text) => [...text.matchAll(/\u2060([\u200b\u200c]+)\u2061/g)].map(([, digits]) =>
    parseInt([...digits].map((one) => (one === '\u200c' ? 1 : 0)).join(''), 2))
  // a text for screen readers is clipped away
  const isShown = (element) => element.checkVisibility() && !element.closest('.unseen') && getComputedStyle(element).clipPath === 'none'
  const all = new Map()
  const marks = document.createElement('div')
  marks.id = 'translators-marks'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const number of numbers(node.data)) {
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      const isVisible = box.width > 2 && box.bottom > 0 && box.top < innerHeight && isShown(node.parentElement)
      all.set(number, isVisible || all.get(number) === true)
      if (!isVisible) continue
      const mark = document.createElement('span')
      mark.textContent = number
      const place = `left: ${Math.max(0, box.left)}px; top: ${Math.max(0, box.top - 7)}px;`
      mark.setAttribute('style', `${place} position: fixed; z-index: 99999; font: 700 10px sans-serif; color: #fff; background: #c2185b; border-radius: 4px; padding: 0 2px; pointer-events: none`)
      marks.append(mark)
    }
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    for (const name of ['aria-label', 'title', 'placeholder'])
      for (const number of numbers(element.getAttribute(name) ?? '')) all.set(number, all.get(number) ?? false)
  ;(document.querySelector('dialog[open]') ?? document.body).append(marks)
  return [...all]
}"""
_UNMARK = "() => document.getElementById('translators-marks').remove()"


def main(language: str) -> None:
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        plain = started(Path(data) / "plain", None, has_coach=True)
        special = started(Path(data) / "special", SPECIAL)
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        try:
            index = pictures(
                language,
                ROOT / "build/translation" / language,
                browser,
                lambda walk: walk.everything(plain, special),
            )
        finally:
            browser.close()
            plain.stop()
            special.stop()
    print(f"Pictures: {index}")


def pictures(language: str, folder: Path, browser: Browser, walk: Callable[[Walk], None]) -> Path:
    """Pictures of the screens that the walk comes to, in both sizes; the page that shows them."""
    texts = catalogue(language).texts
    folder.mkdir(parents=True, exist_ok=True)
    sections: list[str] = []
    for width, height in SIZES:
        # the marks have inline styles, which the page's own policy forbids; a service worker would keep the real English
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale="en",
            bypass_csp=True,
            service_workers="block",
        )
        page = context.new_page()
        put_in_place_of_english(page, numbered(texts))
        settings = {"name": "Ada", "motion": "none", "pace": "at_once"}
        ada = Player(page, settings, folder)

        def look(screen: str, ada: Player = ada, width: int = width) -> None:
            page = ada.page
            page.wait_for_timeout(350)
            found: list[tuple[int, bool]] = page.evaluate(_MARK)
            name = f"{re.sub(r'[^a-z]+', '-', screen)}-{width}.png"
            page.screenshot(path=folder / name)
            page.evaluate(_UNMARK)
            sections.append(section(f"{screen}, {width} px", name, found, texts))

        walk(Walk(ada, Catalogue("en", numbered(texts)), look))
        context.close()
    index = folder / "index.html"
    index.write_text(whole(language, sections), encoding="utf-8")
    return index


def section(
    title: str, picture: str, found: Sequence[tuple[int, bool]], texts: Mapping[str, str]
) -> str:
    """One screen: its picture, and a row for each text on it.  A text without a mark is spoken, or further down."""
    keys, english = list(texts), catalogue("en").texts
    rows = "".join(
        f"<tr><td>{number if is_visible else '–'}<td><code>{keys[number]}</code>"
        f"<td>{html.escape(english[keys[number]])}<td>{html.escape(texts[keys[number]])}"
        for number, is_visible in sorted(found)
    )
    return (
        f"<section><h2>{html.escape(title)}</h2><img loading=lazy src={picture}>"
        f"<table><tr><th>Mark<th>Key<th>English<th>Translation{rows}</table></section>"
    )


def whole(language: str, sections: Sequence[str]) -> str:
    style = (
        "body { font: 15px sans-serif; margin: 2em } section { margin-bottom: 4em }"
        " img { max-width: 100%; border: 1px solid #999; float: left; margin: 0 2em 1em 0 }"
        " table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: 2px 6px;"
        " text-align: left; vertical-align: top } section::after { content: ''; display: block; clear: both }"
    )
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{language}</title>"
        f"<style>{style}</style><h1>Where each text appears: {language}</h1>{''.join(sections)}</html>"
    )


if __name__ == "__main__":
    main(sys.argv[1])
