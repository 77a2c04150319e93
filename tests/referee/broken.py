"""Games in order, to be broken in one place by a test."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.referee import check
from referee.refusal import Refused

Record = dict[str, Any]
CONFORMANCE = Path(__file__).parent.parent / "conformance"


def games(name: str) -> list[Record]:
    with (CONFORMANCE / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


VALID = games("valid.jsonl")
UNFINISHED = games("unfinished.jsonl")


def refusal(record: Record) -> Refused:
    with pytest.raises(Refused) as caught:
        check(record)
    return caught.value


def first(records: list[Record], fits: Callable[[Record], bool]) -> Record:
    return copy.deepcopy(next(record for record in records if fits(record)))


def first_round(
    fits: Callable[[Record, Record], bool], records: list[Record] = VALID
) -> tuple[Record, Record, int]:
    """A copy of a game, the first round of it that fits, and its place from 1."""
    for record in records:
        for index, now in enumerate(record["rounds"]):
            if fits(record, now):
                broken = copy.deepcopy(record)
                return broken, broken["rounds"][index], index + 1
    raise LookupError


def first_trick(
    fits: Callable[[Record, Record, int], bool],
) -> tuple[Record, Record, int, int]:
    """A copy of a game, the first trick of it that fits, and its places from 1."""
    for record in VALID:
        for at, now in enumerate(record["rounds"]):
            for index, trick in enumerate(now["tricks"]):
                if fits(record, trick, len(now["tricks"]) - 1 - index):
                    broken = copy.deepcopy(record)
                    return broken, broken["rounds"][at]["tricks"][index], at + 1, index + 1
    raise LookupError


def is_plain(record: Record) -> bool:
    rules = record["rules"]
    is_short = "rounds" in rules
    is_base = not rules["specials"] and not rules["unicolor"] and not is_short
    return is_base and "fair" not in record and len(record["players"]) == 3


PLAIN = first(VALID, is_plain)


def stopped(fits: Callable[[Record], bool]) -> tuple[Record, Record, int]:
    """A copy of an unfinished game whose last round fits, that round, and its place from 1."""
    record = first(UNFINISHED, lambda record: fits(record["rounds"][-1]))
    return record, record["rounds"][-1], len(record["rounds"])
