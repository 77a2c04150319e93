"""foretell-pad/1: what is written can be read again, and everything else is refused."""

import doctest
import json
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretell.errors import ForetellError, NotAGame, RulesClash, Unreadable
from foretell.rules.presets import preset
from foretell.scorepad import Bid, Cloud, Pad, Tricks, correct, enter, from_json, new_pad, to_json
from proofs import TIMES


def a_pad() -> Pad:
    """Every kind of entry, and a round that is not complete."""
    pad = new_pad(("Ana", "Bruno", "山田"), preset("pt-BR", specials=("BOMB", "CLOUD")))
    for seat in (1, 2, 0):
        pad = enter(pad, Bid(seat, 1))
    for seat in (1, 2, 0):
        pad = enter(pad, Tricks(seat, int(seat == 0)))
    pad = enter(pad, Cloud(0, -1))
    pad = correct(pad, 1, bids=(0, 0, 0), cloud=Cloud(0, +1))
    return enter(pad, Bid(2, 2))


WRITTEN = """\
{"format": "foretell-pad/1",
"names": ["Ana","Bruno","山田"],
"rules": {"rulebook":"pt-BR","bids":"open","plus_minus_one":false,"foresight":"none",\
"unicolor":false,"specials":["BOMB","CLOUD"],"wizards_on_trump":"free","rounds":null},
"first_dealer": 0,
"entries": [
  {"entry":"bid","seat":1,"tricks":1},
  {"entry":"bid","seat":2,"tricks":1},
  {"entry":"bid","seat":0,"tricks":1},
  {"entry":"tricks","seat":1,"tricks":0},
  {"entry":"tricks","seat":2,"tricks":0},
  {"entry":"tricks","seat":0,"tricks":1},
  {"entry":"cloud","seat":0,"change":-1},
  {"entry":"correction","round":1,"bids":[0,0,0],"won":[1,0,0],\
"cloud":{"entry":"cloud","seat":0,"change":1}},
  {"entry":"bid","seat":2,"tricks":2}
]}
"""


def test_a_pad_is_written_so_that_a_person_can_read_it() -> None:
    """Pads are kept for years: what this version writes, every later one must read."""
    assert to_json(a_pad()) == WRITTEN
    assert from_json(WRITTEN) == a_pad()
    assert from_json(WRITTEN.encode()) == a_pad()


def test_a_blank_pad_is_written_and_read() -> None:
    pad = new_pad(("A", "B", "C"), first_dealer=1)
    assert from_json(to_json(pad)) == pad


@pytest.mark.parametrize(
    ("old", "new", "kind", "says"),
    [
        ('"foretell-pad/1"', '"foretell-pad/2"', Unreadable, "foretell-pad/2"),
        ('"foretell-pad/1"', "1", Unreadable, "format"),
        ('"first_dealer": 0', '"first_dealer": 3', RulesClash, "seat 3"),
        ('"first_dealer": 0', '"first_dealer": "0"', Unreadable, "first_dealer"),
        ('"first_dealer": 0,', "", Unreadable, "first_dealer"),
        ('"first_dealer": 0,', '"first_dealer": 0, "colour": 1,', Unreadable, "colour"),
        ('"unicolor"', '"unicolour"', Unreadable, "unicolour"),
        ('"unicolor":false', '"unicolor":true', RulesClash, "unicolor"),
        ('"open"', '"closed"', Unreadable, "closed"),
        ('"BOMB"', '"BOMBE"', RulesClash, "BOMBE"),
        ('"Ana"', '"Bruno"', RulesClash, "Bruno"),
        ('"Ana"', r'"\u001b[2J"', RulesClash, "printed"),
        ('"Ana"', r'"\ud800"', Unreadable, "not a score pad"),
        ('"Ana",', "", RulesClash, "D1"),
        ('{"entry":"bid","seat":1,"tricks":1}', '{"entry":"bid","seat":1,"tricks":5}', NotAGame, "entry 1 "),
        ('{"entry":"bid","seat":0,"tricks":1}', '{"entry":"bid","seat":9,"tricks":1}', NotAGame, "entry 3 "),
        ('"seat":0,"tricks":1}', '"seat":0,"tricks":1.5}', Unreadable, "tricks"),
        ('"seat":0,"tricks":1}', '"seat":0,"tricks":1e999}', Unreadable, "tricks"),
        ('"seat":0,"change":-1', '"seat":1,"change":-1', NotAGame, "X8"),
        ('"round":1', '"round":3', NotAGame, "entry 8 "),
        ('"entry":"cloud","seat":0,"change":-1', '"entry":"storm"', Unreadable, "storm"),
        ("]}\n", "", Unreadable, "not a score pad"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_with_a_reason(
    old: str, new: str, kind: type[ForetellError], says: str
) -> None:
    assert old in WRITTEN
    with pytest.raises(kind, match=r".") as caught:
        from_json(WRITTEN.replace(old, new, 1))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", "\ufeff{}", "[" * 100_000, b"\xff\xfe", b"\x00"]
)
def test_what_is_no_pad_at_all_is_refused(text: str | bytes) -> None:
    with pytest.raises(Unreadable, match="not a score pad"):
        from_json(text)


@pytest.mark.prove
@settings(max_examples=300 * TIMES)
@given(st.integers(0, 2**32))
def test_a_damaged_pad_is_read_as_some_pad_or_refused_cleanly(seed: int) -> None:
    """Bytes lost, doubled or changed: if there is an error, it is one of ours."""
    random = Random(seed)
    text = bytearray(WRITTEN.encode())
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(text))
        match random.randrange(3):
            case 0:
                del text[place : place + random.randint(1, 40)]
            case 1:
                text[place] = random.choice(b'0123456789"-,:[]{}e\xff')
            case _:
                text[place:place] = text[place : place + random.randint(1, 40)]
    with suppress(ForetellError):
        pad = from_json(bytes(text))
        assert from_json(to_json(pad)) == pad


def test_the_documented_example_is_a_pad() -> None:
    page = (Path(__file__).parents[2] / "docs" / "scorepad.md").read_text(encoding="utf-8")
    example = page.split("```json\n")[1].split("```")[0]
    assert json.loads(to_json(from_json(example))) == json.loads(example)


def test_the_documented_program_runs() -> None:
    page = Path(__file__).parents[2] / "docs" / "scorepad.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried > 5
    assert not failed
