"""Python's small tables of plural forms and numbers agree with `Intl`, which the page uses."""

import json
import os
import shutil
import subprocess
from typing import Any

import pytest

from foretell.i18n import Catalogue

LANGUAGES = ("en", "pt", "es", "hu", "pt-BR", "fr", "de")
NUMBERS = (0, 1, 7, 20, 130, 999, 1234, 2520, 9999, 10000, 12345, 1234567)
DECIMALS = (0.5, 3.27, 9.94, 1234.5, 12345.6)
SHARES = (0, 0.005, 0.5, 0.333, 1)

# As in web/src/language.svelte.ts: `pt` alone would be Brazilian to Intl.
SCRIPT = """
const [languages, numbers, decimals, shares] = JSON.parse(process.argv[1])
const said = {}
for (const language of languages) {
  const locale = language === 'pt' ? 'pt-PT' : language
  const format = (options, values) => {
    const one = new Intl.NumberFormat(locale, { useGrouping: 'min2', ...options })
    return values.map((value) => one.format(value))
  }
  const plurals = new Intl.PluralRules(locale)
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  said[language] = {
    plurals: Array.from({ length: 201 }, (_, count) => plurals.select(count)),
    whole: format({}, numbers),
    decimals: format(digits, decimals),
    shares: format({ style: 'percent', ...digits }, shares),
  }
}
console.log(JSON.stringify(said))
"""


@pytest.fixture(scope="module")
def intl() -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Node")
        pytest.skip("there is no Node")
    asked = json.dumps([LANGUAGES, NUMBERS, DECIMALS, SHARES])
    done = subprocess.run(
        [node, "-e", SCRIPT, asked], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plural_forms_are_the_same(intl: dict[str, Any], language: str) -> None:
    texts = Catalogue(language, {})
    own = ["one" if texts.is_singular(count) else "other" for count in range(201)]
    assert own == intl[language]["plurals"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_written_the_same(intl: dict[str, Any], language: str) -> None:
    texts = Catalogue(language, {})
    assert [texts.number(one) for one in NUMBERS] == intl[language]["whole"]
    assert [texts.number(one, digits=1) for one in DECIMALS] == intl[language]["decimals"]
    # versions of ICU differ in the width of the space before a percent sign
    shares = [one.replace("\u202f", "\xa0") for one in intl[language]["shares"]]
    assert [texts.percent(one, digits=1) for one in SHARES] == shares


def test_a_sign_is_a_real_minus_sign() -> None:
    texts = Catalogue("fr", {})
    assert texts.number(-3.27, digits=1) == "−3,3"
    assert texts.number(4, is_signed=True) == "+4"
    assert texts.number(0, is_signed=True) == "0"
    assert texts.number(-0.2) == texts.number(0.2, is_signed=True) == "0"
