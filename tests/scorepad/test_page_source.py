"""The translation of the pad for the page refuses what it does not know, rather than translate it wrongly."""

import ast

import pytest

from foretell.scorepad.page.expressions import Names, Untranslatable, expression
from foretell.scorepad.page.sources import GIVEN, TRANSLATED

NAMES = Names(frozenset({"row", "other", "truth", *GIVEN}), {}, frozenset(), frozenset())


def translated(text: str) -> str:
    return expression(ast.parse(text, mode="eval").body, NAMES)


@pytest.mark.parametrize(
    ("python", "typescript"),
    [
        pytest.param("1 if row else 2", "(truth(row) ? 1 : 2)", id="an empty row is false"),
        pytest.param("row == other", "equal(row, other)", id="rows are equal if their items are"),
        pytest.param("row % 3", "modulo(row, 3)", id="the rest of a negative number"),
        pytest.param("row[-1]", "row.at(-1)!", id="the last item"),
        pytest.param("row[1:]", "slice(row, 1)", id="a part of a row"),
        pytest.param("f'{row:+d}`'", '`${format(row, "+d")}\\``', id="a text with a number"),
        pytest.param(
            "[x for x in row if x]",
            "list(row).flatMap((x) => (truth(x)) ? [x] : [])",
            id="a list is made in one pass",
        ),
    ],
)
def test_where_the_languages_differ(python: str, typescript: str) -> None:
    assert translated(python) == typescript


@pytest.mark.parametrize(
    "python", ["unknown", "row @ other", "{1, 2}", "row[::2]", "1.5", "print(row)"]
)
def test_what_is_not_known_is_refused(python: str) -> None:
    with pytest.raises(Untranslatable, match="line 1"):
        translated(python)


def test_every_name_is_translated_once() -> None:
    names = [name for _, found in TRANSLATED for name in found]
    assert len(names) == len(set(names))
    assert not set(names) & GIVEN
