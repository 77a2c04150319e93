"""Records broken in ways of our own: the reader and the independent referee refuse the same ones."""

import copy
import json
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
        "[" * 100_000,
        json.dumps(VALID[0])[:-1] + ', "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        json.dumps(VALID[0]).replace('"dealer": 0', '"dealer": NaN'),
        json.dumps(VALID[0]).replace('"dealer": 0', f'"dealer": {"9" * 5000}'),
        json.dumps(VALID[0] | {"format": "\ud800"}),
        json.dumps(VALID[0]) * 2,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_no_json_object_is_refused(text: str | bytes) -> None:
    with pytest.raises(Refused) as refusal:
        loads(text)
    assert refusal.value.rule == "FORMAT"


def test_a_byte_order_mark_before_the_record_and_an_ending_of_windows_are_passed_over() -> None:
    text = json.dumps(VALID[0], ensure_ascii=False)
    plain = loads(text)
    assert loads(f"\ufeff{text}") == loads(f"\ufeff{text}\r\n".encode()) == plain


def _first(is_so: Callable[[Any], bool]) -> tuple[Any, Any, int]:
    """A game with such a round, the round, and its place from 1."""
    return next(
        (game, one, place)
        for game in copy.deepcopy(VALID)
        for place, one in enumerate(game["rounds"], start=1)
        if is_so(one)
    )


def _has_wolf(one: Any) -> bool:
    return one["werewolf"] is not None


def _is_settled(one: Any) -> bool:
    return one["named_by"] is None and one["trump"] == "R"


@pytest.mark.parametrize(
    ("is_so", "change", "says"),
    [
        (_has_wolf, {"werewolf": None}, "was dealt the Werewolf and must exchange it (X6)"),
        (_has_wolf, {"werewolf": 9}, "exchanges the Werewolf, not seat 9 (X6)"),
        (_has_wolf, {"named_by": None}, "the trump was never named"),
        (_has_wolf, {"named_by": 9}, "names the trump, not seat 9 (X6)"),
        (_is_settled, {"werewolf": 1}, "nobody was dealt the Werewolf"),
        (_is_settled, {"named_by": 1}, "nobody has to name a trump here"),
        (_is_settled, {"trump": None}, "red, not no trump (T1)"),
        (_is_settled, {"turned_up": "X"}, "'X' is not a card"),
        (_is_settled, {"bids": []}, "0 bids"),
    ],
)
def test_a_refusal_is_a_sentence_for_people(
    is_so: Callable[[Any], bool], change: Any, says: str
) -> None:
    game, one, place = _first(is_so)
    one |= change
    _is_told(game, f"round {place}: ", says)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("winner", None, "takes the trick, but the record gives it to nobody (K"),
        ("winner", 9, "takes the trick, not seat 9 (K"),
        ("next_leader", None, "leads, but next_leader does not say so (X5)"),
        ("next_leader", 9, "leads, not seat 9 (X5)"),
        ("plays", ["B05"], "'B05' is not a card"),
    ],
)
def test_a_refusal_of_a_trick_is_one_too(key: str, value: object, says: str) -> None:
    game, one, place = _first(lambda one: bool(one["tricks"]) and key in one["tricks"][0])
    one["tricks"][0][key] = value
    _is_told(game, f"round {place}, trick 1: ", says)


def _is_told(game: Any, where: str, says: str) -> None:
    """Refused, by a sentence that begins with the place and holds the rule."""
    with pytest.raises(Refused) as refusal:
        from_object(game)
    told = str(refusal.value)
    assert told.startswith(where)
    assert says in told
    assert str(refusal.value.rule) in told
    assert "None" not in told


@pytest.mark.parametrize("change", [{"commit": None}, {"secret": None}, {"words": None}])
def test_a_proof_of_another_shape_is_no_proof(change: Any) -> None:
    game = copy.deepcopy(next(one for one in VALID if "fair" in one))
    game["fair"] |= change
    with pytest.raises(Refused, match="FAIR"):
        from_object(game)
