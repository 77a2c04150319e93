"""Records broken in ways of our own: the reader and the independent referee refuse the same ones."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

from foretell.errors import Refused
from foretell.record import from_object, loads
from proofs import TIMES
from record.conformance import games
from referee import Refused as RefereeRefused
from referee import check

VALID = games("valid.jsonl")
UNFINISHED = games("unfinished.jsonl")
Change = Callable[[Any, random.Random], object]


def _any_value(record: Any, chance: random.Random) -> None:
    """Some value somewhere becomes another of its own kind, or disappears, or is nonsense."""
    holder, key = chance.choice(_places(record))
    nonsense: list[object] = [
        None,
        -1,
        99,
        "X",
        [],
        {},
        True,
        1.5,
        "SHAPESHIFTER",
        "ZB",
        "R5",
        0,
        1,
    ]
    if chance.random() < 0.2 and isinstance(holder, dict):
        del holder[key]
    elif chance.random() < 0.2 and isinstance(holder, list):
        holder.insert(key, chance.choice(nonsense))
    else:
        holder[key] = chance.choice(nonsense)


def _places(node: Any) -> list[tuple[Any, Any]]:
    keys = node.keys() if isinstance(node, dict) else range(len(node))
    found = [(node, key) for key in keys]
    for key in keys:
        if isinstance(node[key], dict | list):
            found += _places(node[key])
    return found


def _two_cards(record: Any, chance: random.Random) -> None:
    """Two cards of a round change places, in hands or tricks."""
    one = chance.choice(record["rounds"] or [{"hands": []}])
    rows = [*one["hands"], *(trick["plays"] for trick in one.get("tricks", []))]
    rows = [row for row in rows if row]
    if rows:
        a, b = chance.choice(rows), chance.choice(rows)
        i, j = chance.randrange(len(a)), chance.randrange(len(b))
        a[i], b[j] = b[j], a[i]


def _a_trick_or_round_gone(record: Any, chance: random.Random) -> None:
    rows = [record["rounds"], *(one["tricks"] for one in record["rounds"])]
    rows = [row for row in rows if row]
    if rows:
        row = chance.choice(rows)
        del row[chance.randrange(len(row))]


@pytest.mark.prove
@pytest.mark.parametrize("change", [_any_value, _two_cards, _a_trick_or_round_gone])
@pytest.mark.parametrize("source", [VALID, UNFINISHED], ids=["finished", "unfinished"])
def test_reader_and_referee_refuse_the_same_at_the_same_place(
    source: list[Any], change: Change
) -> None:
    chance = random.Random(change.__name__)
    refused = 0
    for _ in range(300 * TIMES):
        record = copy.deepcopy(chance.choice(source))
        change(record, chance)
        ours, theirs = _refusal(from_object, record), _refusal(check, record)
        assert (ours is None) == (theirs is None), f"ours: {ours}; the referee: {theirs}"
        if ours is not None and theirs is not None:
            refused += 1
            if ours.rule == theirs.rule:  # where a record breaks two, each may name another first
                assert (ours.round, ours.trick) == (theirs.round, theirs.trick)
    assert refused > 100


def _refusal(read: Callable[[Any], object], record: Any) -> Refused | RefereeRefused | None:
    try:
        read(copy.deepcopy(record))
    except (Refused, RefereeRefused) as refusal:
        return refusal
    return None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"wizard-record/1"',
        "\ud800".encode("utf-8", "surrogatepass"),
        b"\xff\xfe",
    ],
)
def test_what_is_no_json_object_is_refused(text: str | bytes) -> None:
    with pytest.raises(Refused) as refusal:
        loads(text)
    assert refusal.value.rule == "FORMAT"
