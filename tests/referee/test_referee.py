"""The referee agrees with the conformance games and tricks, line by line."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cards import settled
from referee.referee import check
from referee.refusal import Refused

CONFORMANCE = Path(__file__).parent.parent / "conformance"


def lines(name: str) -> list[dict[str, Any]]:
    with (CONFORMANCE / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def rules_of_kind(breaks: str) -> set[str]:
    """`P3/F1` is either of two; `K1-K4` is any of four."""
    rules: set[str] = set()
    for part in breaks.split("/"):
        first, _, last = part.partition("-")
        if last:
            rules |= {f"{first[0]}{n}" for n in range(int(first[1:]), int(last[1:]) + 1)}
        else:
            rules.add(first)
    return rules


@pytest.mark.parametrize("name", ["valid.jsonl", "unfinished.jsonl"])
def test_every_game_in_order_is_accepted(name: str) -> None:
    for record in lines(name):
        check(record)


def case_name(case: dict[str, Any]) -> str:
    return f"{case['breaks']} {case['kind']}"


@pytest.mark.parametrize("case", lines("invalid.jsonl"), ids=case_name)
def test_every_broken_game_is_refused_at_its_place(case: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        check(case["record"])
    refused = caught.value
    assert refused.rule in rules_of_kind(case["breaks"]), str(refused)
    assert (refused.round, refused.trick) == (case["round"], case["trick"]), str(refused)


def trick_name(case: dict[str, Any]) -> str:
    return f"{case['rule']} {case['why']}"


@pytest.mark.parametrize("case", lines("tricks.jsonl"), ids=trick_name)
def test_every_trick_is_settled_as_given(case: dict[str, Any]) -> None:
    barred = case["wizards_on_trump"] == "barred"
    outcome = settled(case["plays"], case["trump"], barred=barred)
    assert (outcome.place, outcome.is_taken) == (case["place"], case["taken"])


def test_the_kinds_of_rules() -> None:
    assert rules_of_kind("K1-K4") == {"K1", "K2", "K3", "K4"}
    assert rules_of_kind("X2/X7/X8") == {"X2", "X7", "X8"}
    assert rules_of_kind("FAIR") == {"FAIR"}
