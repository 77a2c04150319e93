"""The shared games and tricks: accepted, refused and settled as they must be."""

from typing import Any

import pytest

from foretell import Rules, faces
from foretell.cards import Colour
from foretell.errors import Refused
from foretell.record import dumps, from_object, loads
from foretell.rules import is_nobodys
from record.conformance import games, rules_of


@pytest.mark.parametrize("line", games("valid.jsonl"))
def test_a_good_game_is_accepted_and_written_again_alike(line: Any) -> None:
    record = from_object(line)
    again = from_object(line | {"rules": line["rules"] | {"rounds": line["rules"].get("rounds")}})
    assert loads(dumps(record)) == record == again
    written = from_object(line).game
    assert list(written.winners) == line["winners"]
    assert [list(totals) for totals in written.totals] == [one["totals"] for one in line["rounds"]]


@pytest.mark.parametrize("line", games("unfinished.jsonl"))
def test_a_game_stopped_anywhere_is_accepted(line: Any) -> None:
    record = from_object(line)
    assert loads(dumps(record)) == record


@pytest.mark.parametrize("case", games("invalid.jsonl"), ids=lambda case: case["kind"])
def test_a_broken_game_is_refused_where_it_breaks(case: Any) -> None:
    with pytest.raises(Refused) as refusal:
        from_object(case["record"])
    assert refusal.value.rule in rules_of(case["breaks"])
    assert refusal.value.round == case.get("round")
    assert refusal.value.trick == case.get("trick")
    assert refusal.value.rule in str(refusal.value)


@pytest.mark.parametrize(
    "case", games("tricks.jsonl"), ids=lambda case: f"{case['rule']} {case['why']}"
)
def test_a_trick_is_settled(case: Any) -> None:
    rules = Rules(wizards_on_trump=case["wizards_on_trump"])
    trump = case["trump"] and Colour(case["trump"])
    played = faces(" ".join(case["plays"]))
    assert rules.tricks.winning_place(played, trump) == case["place"]
    assert is_nobodys(played) is not case["taken"]
