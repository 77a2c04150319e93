"""Reads a page as a person does: which texts are missing, cut, broken or too wide, and which are not translated.

A test can put another catalogue in the place of English: the pseudo-language, or one whose texts carry their keys.
"""

import json
import re
from collections.abc import Mapping, Sequence

from playwright.sync_api import Page, Route

__all__ = ["keys_on", "numbered", "problems_on", "put_in_place_of_english"]

_ENGLISH_FILE = re.compile(r"/assets/((handbook|pad)\.)?en-[\w-]+\.js$")

# Each text ends with its number, in characters that have no width: they change nothing on the page.
_DIGITS = "\u200b\u200c"
_START, _END = "\u2060", "\u2061"
# All numbers that are on the page: in texts, in attributes, in its title, in lists that are closed.
_NUMBERS = r"""() => {
  const spoken = ['aria-label', 'title', 'placeholder', 'alt']
  const texts = [document.title, document.body.textContent]
  for (const one of document.querySelectorAll('*')) for (const name of spoken) texts.push(one.getAttribute(name) ?? '')
  return [...new Set(texts.join(' ').match(/(?<=\u2060)[\u200b\u200c]+(?=\u2061)/g))]
}"""

# Every text that is visible, and what is wrong with it.
_READ = r"""({ isPseudo, names }) => {
  const found = []
  const wide = document.scrollingElement.scrollWidth - innerWidth
  if (wide > 1) found.push(`the page is ${wide} px too wide`)
  const isHidden = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const style = getComputedStyle(one)
      if (style.visibility === 'hidden' || style.display === 'none' || style.opacity === '0') return true
      if (style.clipPath !== 'none' || style.clip !== 'auto') return true // for screen readers only
    }
    return !element.checkVisibility()
  }
  const said = (text) => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 60))
  const isUntranslated = (text) => {
    // codes of tables, hashes and words of fair deals, and dates, which the browser writes
    const plain = names.reduce((rest, name) => rest.replaceAll(name, ''), text).replace(/\b[A-Z0-9]{5,10}\b|\b[0-9a-f]{32,}\b|\w+ \d+, \d{4}, [\d:]+\s[AP]M/g, '')
    return isPseudo && /[A-Za-z]{4}/.test(plain) && !/[ÅÉÎÕÛÝåéîõûýçñšž]/.test(plain)
  }
  const checkWords = (text, where) => {
    if (/\{\w+(:\w+)?\}|\bundefined\b|\bNaN\b|^(web|error|rules)\.\w/.test(text)) found.push(`${where} has a gap: ${said(text)}`)
    if (isUntranslated(text)) found.push(`${where} is not in the catalogue: ${said(text)}`)
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      if (element.hasAttribute(name)) checkWords(element.getAttribute(name), `the ${name} of ${element.localName}`)
  checkWords(document.title, 'the title')

  const pen = document.createElement('canvas').getContext('2d')
  for (const select of document.querySelectorAll('select')) {
    const style = getComputedStyle(select), text = select.selectedOptions[0]?.text ?? ''
    pen.font = style.font
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 12 // the arrow
    if (!isHidden(select) && pen.measureText(text).width > room) found.push(`cut in its list: ${said(text)}`)
    for (const option of select.options) if (!option.lang) checkWords(option.text, 'a choice') // names of languages are in that language
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data
    const element = node.parentElement
    if (!text.trim() || ['SCRIPT', 'STYLE', 'OPTION'].includes(element.tagName)) continue
    checkWords(text, 'a text')
    if (isHidden(element)) continue
    range.selectNodeContents(node)
    const lines = [...range.getClientRects()].filter((line) => line.width > 0)
    if (lines.length === 0) continue
    const left = Math.min(...lines.map((line) => line.left)), right = Math.max(...lines.map((line) => line.right))
    const top = Math.min(...lines.map((line) => line.top)), bottom = Math.max(...lines.map((line) => line.bottom))
    let isScrolled = false // sideways, by intention
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box)
      if (style.display === 'inline' || style.display === 'contents') continue
      const inside = box.getBoundingClientRect()
      const isOut = left < inside.left - 1.5 || right > inside.right + 1.5
      if (/auto|scroll/.test(style.overflowX)) isScrolled = true
      if (/hidden|clip/.test(style.overflowX) && isOut && !isScrolled) {
        found.push(`cut at the side: ${said(text)} in ${box.localName}.${box.className}`)
        break
      }
      // half a line is below the edge of a box that does not scroll
      if (/hidden|clip/.test(style.overflowY) && bottom > inside.bottom + 4 && top < inside.bottom - 4 && !isScrolled) {
        found.push(`cut at the bottom: ${said(text)} in ${box.localName}.${box.className}`)
        break
      }
      if (/^(BUTTON|A|LABEL|SELECT|TD|TH|LEGEND|SUMMARY)$/.test(box.tagName) && isOut && !isScrolled) {
        found.push(`wider than its ${box.localName}: ${said(text)}`)
        break
      }
      if (style.position === 'fixed') break
    }
    if (!isScrolled && (right > innerWidth + 1 || left < -1)) found.push(`beyond the edge of the screen: ${said(text)}`)
    if (lines.length > 1 && getComputedStyle(element).hyphens !== 'auto')
      for (const word of text.matchAll(/[\p{L}\p{M}]{3,}/gu)) {
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        const parts = new Set([...range.getClientRects()].filter((part) => part.width > 0).map((part) => Math.round(part.top)))
        if (parts.size > 1) found.push(`a word is broken: ${word[0]}`)
      }
  }
  return [...new Set(found)]
}"""


# Another tab of the same browser chooses one language after the other, and each is read.
_READ_ALL = f"""async ({{ languages, names }}) => {{
  const read = {_READ}
  const found = {{}}
  for (const {{ language, locale, isPseudo }} of languages) {{
    if (document.documentElement.lang !== locale) {{
      const newValue = JSON.stringify({{ language }})
      dispatchEvent(new StorageEvent('storage', {{ key: 'foretell.settings', newValue }}))
      while (document.documentElement.lang !== locale) await new Promise((go) => setTimeout(go, 5))
      await new Promise((go) => setTimeout(go))
    }}
    found[language] = read({{ isPseudo, names }})
    if (found[language].length > 0) {{
      await new Promise((go) => setTimeout(go, 200)) // cards and questions make room for longer texts
      found[language] = read({{ isPseudo, names }})
    }}
  }}
  return found
}}"""


def problems_on(
    page: Page, names: Sequence[str], others: Sequence[str] = ()
) -> dict[str, list[str]]:
    """What is wrong with the texts on the page, by language: in the pseudo-language, which is in the place of English,
    and in each of the others.  The page is left in the pseudo-language.

    `names` are not texts: they look the same in every language.
    """
    asked = [{"language": "en", "locale": "en", "isPseudo": True}]
    for language in others:
        locale = "pt-PT" if language == "pt" else language
        asked.append({"language": language, "locale": locale, "isPseudo": False})
    back = asked[:1] if others else []
    found: dict[str, list[str]] = page.evaluate(
        _READ_ALL, {"languages": [*asked, *back], "names": list(names)}
    )
    return {language: problems for language, problems in found.items() if problems}


def put_in_place_of_english(page: Page, texts: Mapping[str, str]) -> None:
    """The page gets these texts when it asks for the English ones."""
    body = f"export default {json.dumps(dict(texts))}"

    def answer(route: Route) -> None:
        route.fulfill(body=body, content_type="text/javascript")

    page.route(_ENGLISH_FILE, answer)


def numbered(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts, each with an invisible number: its place in the catalogue."""
    return {
        key: text + _START + "".join(_DIGITS[int(digit)] for digit in f"{place:b}") + _END
        for place, (key, text) in enumerate(texts.items())
    }


def keys_on(page: Page, texts: Mapping[str, str]) -> set[str]:
    """The keys of the texts on the page, which speaks these texts `numbered`; also of those that only a screen reader says."""
    keys = list(texts)
    found: list[str] = page.evaluate(_NUMBERS)
    return {keys[int("".join(str(_DIGITS.index(one)) for one in digits), 2)] for digits in found}
