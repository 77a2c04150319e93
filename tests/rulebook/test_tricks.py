"""Winning a trick (K1-K5), and all the tricks that implementations agree on."""

import json
from pathlib import Path
from typing import Any

import pytest

from foretell.cards import colour, faces
from foretell.engine import view
from foretell.engine.events import TrickEnded
from foretell.rules import Rules, is_nobodys
from tables import bid, dealt, heard, now, play, told

CONFORMANCE = Path(__file__).parent.parent / "conformance" / "tricks.jsonl"


def winning(plays: str, trump: str | None, **rules: str) -> str:
    tricks = Rules(**rules).tricks  # type: ignore[arg-type]
    place = tricks.winning_place(faces(plays), colour(trump) if trump else None)
    return plays.split()[place]


@pytest.mark.parametrize(
    ("plays", "trump", "winner"),
    [
        pytest.param("R5 ZB B13", "B", "ZB", id="K1 a Wizard beats the highest trump"),
        pytest.param("ZG ZB B13", "B", "ZG", id="K1 the first Wizard wins over later ones"),
        pytest.param("NB R5 ZY ZR", "R", "ZY", id="K1 the first, not the leader's neighbour"),
        pytest.param("R5 B1 R13", "B", "B1", id="K2 the lowest trump beats the demanded colour"),
        pytest.param("R5 B1 B9 B3", "B", "B9", id="K2 the highest of several trumps"),
        pytest.param("NB B2 R5", "B", "B2", id="K2 trump demanded after a Jester"),
        pytest.param("R5 R9 R2", "B", "R9", id="K3 the highest card of the demanded colour wins"),
        pytest.param("R5 Y13 R2", "B", "R5", id="K3 a higher card of a third colour loses"),
        pytest.param("R5 B13 R9", None, "R9", id="K3 without trump no other colour wins"),
        pytest.param("NB R1 Y13", "B", "R1", id="K3 any number beats a Jester led"),
        pytest.param("NG NB NR", "B", "NG", id="K4 of Jesters alone the first wins"),
        pytest.param("NG NB NR NY", None, "NG", id="K4 of all four too"),
    ],
)
def test_who_takes_the_trick(plays: str, trump: str | None, winner: str) -> None:
    assert winning(plays, trump) == winner


def test_K4_the_leader_of_a_trick_of_jesters_takes_it_and_leads_again() -> None:
    game = bid(dealt("R5 NB", "NR B2", "NG Y2", turned_up="B7", dealer=0), 0, 0, 0)
    game = told(game, "play NR", "play NG")
    game, events = heard(game, "play NB")
    assert TrickEnded(1, 1) in events
    assert now(game).won == (0, 1, 0)


def test_K5_tricks_won_are_counted_for_everyone_to_see() -> None:
    game = bid(dealt("R5 B2", "R9 B3", "R2 B1", turned_up="G7"), 0, 2, 0)
    game = play(game, "R5 R9 R2")
    for seat in (0, 1, 2, None):
        seen = view(game, seat).now
        assert seen is not None
        assert seen.won == (0, 1, 0)
        assert seen.needs == (0, 1, 0)
        assert [trick.winner for trick in seen.tricks] == [1]


def agreed() -> list[Any]:
    with CONFORMANCE.open(encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    return [pytest.param(case, id=f"{case['rule']} {case['why']}") for case in cases]


@pytest.mark.parametrize("case", agreed())
def test_a_trick_that_every_implementation_settles_alike(case: dict[str, Any]) -> None:
    rules = Rules(wizards_on_trump=case["wizards_on_trump"])
    trick = faces(" ".join(case["plays"]))
    trump = None if case["trump"] is None else colour(case["trump"])
    assert rules.tricks.winning_place(trick, trump) == case["place"]
    assert is_nobodys(trick) is not case["taken"]
