"""Ways of breaking a record that the conformance games do not show: rules, rounds, tricks.

Each takes a game that is in order, finds a place where the breakage fits, and breaks that alone.
"""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from referee.broken import (
    PLAIN,
    VALID,
    Record,
    first,
    first_round,
    first_trick,
    is_plain,
    refusal,
)
from referee.cards import check_may_play
from referee.refusal import Refused

# The rule set and the seats.

RULE_CHANGES: list[tuple[str, Record, str]] = [
    ("FORMAT", {"rulebook": "de"}, "no such rulebook"),
    ("FORMAT", {"bids": "silent"}, "no such bids"),
    ("FORMAT", {"plus_minus_one": 1}, "a number for a truth"),
    ("FORMAT", {"foresight": None}, "no foresight at all"),
    ("FORMAT", {"wizards_on_trump": True}, "a truth for a choice"),
    ("FORMAT", {"specials": "BOMB"}, "a text for a list"),
    ("FORMAT", {"rounds": 5}, "a number for a list"),
    ("FORMAT", {"rounds": [1.0, 2.0]}, "fractions for rounds"),
    ("C4", {"specials": ["UNICORN"]}, "no such special card"),
    ("C4", {"specials": ["BOMB", "BOMB"]}, "a special card twice"),
    ("C4", {"specials": ["FAIRY"]}, "a Fairy without the Dragon"),
    ("V7", {"specials": ["BOMB"], "foresight": "every_round"}, "specials and foresight"),
    ("V7", {"specials": ["BOMB"], "unicolor": True}, "specials and unicolor"),
    ("V7", {"unicolor": True, "foresight": "first_round"}, "unicolor and foresight"),
    ("V7", {"plus_minus_one": True, "bids": "hidden"}, "plus/minus one, unseen bids"),
    ("D6", {"rounds": []}, "no rounds"),
    ("D6", {"rounds": [1, 1, 2]}, "a round twice"),
    ("D6", {"rounds": [0, 1]}, "a round without cards"),
    ("D6", {"rounds": [1, 21]}, "a round too far"),
    ("D6", {"unicolor": True, "rounds": [13]}, "unicolor has 12 rounds"),
]


@pytest.mark.parametrize(("rule", "change", "why"), RULE_CHANGES, ids=str)
def test_a_rule_set_that_is_none(rule: str, change: Record, why: str) -> None:
    record = copy.deepcopy(PLAIN)
    record["rules"].update(change)
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == (rule, None, None), why


@pytest.mark.parametrize("key", ["format", "rules", "players", "peoples", "rounds", "winners"])
def test_a_record_without_one_of_its_keys(key: str) -> None:
    record = copy.deepcopy(PLAIN)
    del record[key]
    assert refusal(record).rule == "FORMAT"


@pytest.mark.parametrize("seats", [0, 2, 7])
def test_too_few_or_too_many_players(seats: int) -> None:
    record = copy.deepcopy(PLAIN)
    record["players"] = [{"name": "A"}] * seats
    assert refusal(record).rule == "D1"


def test_five_in_unicolor() -> None:
    record = first(VALID, lambda record: record["rules"]["unicolor"])
    record["players"] = [{"name": "A"}] * 5
    assert refusal(record).rule == "V6"


@pytest.mark.parametrize("peoples", [None, ["B", "R"], ["B", "B", "R"], ["B", "R", "X"]])
def test_peoples_that_are_none(peoples: Any) -> None:
    record = first(VALID, lambda record: record["rules"]["unicolor"])
    record["peoples"] = peoples
    assert refusal(record).rule == "V6"


def test_peoples_without_unicolor() -> None:
    record = copy.deepcopy(PLAIN)
    record["peoples"] = ["B", "R", "G"]
    assert refusal(record).rule == "V6"


# Deal and trump.

ROUND_CHANGES: list[tuple[str, Callable[[Record, Record], bool], Record]] = [
    ("D2", lambda record, now: is_plain(record), {"dealer": 9}),
    ("FORMAT", lambda record, now: is_plain(record), {"dealer": "0"}),
    ("FORMAT", lambda record, now: is_plain(record), {"hands": []}),
    ("FORMAT", lambda record, now: is_plain(record), {"turned_up": "B14"}),
    ("FORMAT", lambda record, now: is_plain(record), {"trump": "Q"}),
    ("FORMAT", lambda record, now: is_plain(record), {"bids": [0]}),
    ("FORMAT", lambda record, now: is_plain(record), {"points": [0]}),
    ("C4", lambda record, now: is_plain(record), {"turned_up": "BOMB"}),
    ("T1", lambda record, now: is_plain(record), {"turned_up": None}),
    ("T1", lambda record, now: is_plain(record) and now["turned_up"] == "R5", {"trump": None}),
    ("T1", lambda record, now: is_plain(record) and now["turned_up"] == "R5", {"named_by": 0}),
    ("T2", lambda record, now: now["turned_up"] == "NB", {"named_by": 0}),
    ("T3", lambda record, now: now["turned_up"] == "ZB", {"named_by": None}),
    ("T3", lambda record, now: now["turned_up"] == "ZB", {"named_by": None, "trump": None}),
    ("T4", lambda record, now: is_plain(record) and now["turned_up"] is None, {"trump": "B"}),
    ("T4", lambda record, now: is_plain(record) and now["turned_up"] is None, {"named_by": 0}),
    ("V6", lambda record, now: record["rules"]["unicolor"], {"trump": "B"}),
    ("V6", lambda record, now: record["rules"]["unicolor"], {"named_by": 0}),
    ("V6", lambda record, now: record["rules"]["unicolor"], {"turned_up": "ZB"}),
    ("X4", lambda record, now: now["turned_up"] == "FAIRY" and now["werewolf"] is None,
     {"trump": "B"}),
    ("X5", lambda record, now: now["turned_up"] == "BOMB" and now["werewolf"] is None,
     {"trump": "B"}),
    ("X6", lambda record, now: is_plain(record), {"werewolf": 0}),
    ("X6", lambda record, now: now["werewolf"] == 1, {"werewolf": 0}),
    ("X6", lambda record, now: now["werewolf"] == 1, {"named_by": 0}),
    ("X6", lambda record, now: now["werewolf"] == 1, {"named_by": None, "trump": None}),
    ("X6", lambda record, now: now["werewolf"] == 1,
     {"werewolf": None, "named_by": None, "trump": None}),
    ("B1", lambda record, now: is_plain(record), {"bids": [0, -1, 0]}),
    ("B1", lambda record, now: is_plain(record), {"bids": [None, None, None]}),
    ("FORMAT", lambda record, now: is_plain(record), {"bids": [0, 0.0, 0]}),
    ("FORMAT", lambda record, now: is_plain(record), {"bids": [0, True, 0]}),
    ("X8", lambda record, now: now["cloud"] is None, {"cloud": {"seat": 0, "change": 1}}),
    ("X8", lambda record, now: now["cloud"] is not None and now["bids"][now["cloud"]["seat"]] == 0,
     {"cloud": {"seat": 0, "change": -1}}),
    ("K5", lambda record, now: is_plain(record), {"won": [0, 0, 0]}),
    ("D3", lambda record, now: is_plain(record), {"tricks": []}),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "fits", "change"), ROUND_CHANGES)
def test_a_round_with_one_thing_wrong(
    rule: str, fits: Callable[[Record, Record], bool], change: Record
) -> None:
    record, now, place = first_round(fits)
    if now["cloud"] is not None and "cloud" in change:
        change = {"cloud": {**now["cloud"], "change": change["cloud"]["change"]}}
    now.update(copy.deepcopy(change))
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == (rule, place, None), str(refused)


@pytest.mark.parametrize(
    ("key", "rule"),
    [("dealer", "FORMAT"), ("tricks", "FORMAT"), ("werewolf", "FORMAT"), ("cloud", "FORMAT"),
     ("won", "FORMAT"), ("points", "FORMAT"), ("totals", "FORMAT")],
)  # fmt: skip
def test_a_round_without_one_of_its_keys(key: str, rule: str) -> None:
    record, now, place = first_round(lambda record, now: now["cloud"] is None)
    del now[key]
    refused = refusal(record)
    assert (refused.rule, refused.round) == (rule, place)


def test_a_hand_too_large() -> None:
    record, now, place = first_round(lambda record, now: is_plain(record) and now["dealer"] == 0)
    dealt = [*(card for hand in now["hands"] for card in hand), now["turned_up"]]
    now["hands"][0].append(next(card for card in ("B1", "B2", "B3", "B4") if card not in dealt))
    refused = refusal(record)
    assert (refused.rule, refused.round) == ("D3", place)


def test_a_round_that_is_not_scored_before_another() -> None:
    record = first(VALID, is_plain)
    for key in ("cloud", "won", "points", "totals"):
        del record["rounds"][2][key]
    refused = refusal(record)
    assert (refused.rule, refused.round) == ("S3", 3)


# Tricks.


def test_a_trick_with_a_card_too_many_or_too_few() -> None:
    record, trick, at, index = first_trick(lambda record, trick, left: is_plain(record))
    trick["plays"].append("B1")
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == ("P1", at, index)
    del trick["plays"][-2:]
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == ("P1", at, index)


def test_a_trick_too_many() -> None:
    record, now, place = first_round(lambda record, now: is_plain(record))
    now["tricks"].append({"leader": now["tricks"][-1]["winner"], "plays": []})
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == ("D3", place, len(now["tricks"]))


@pytest.mark.parametrize(("place", "rule"), [(0, "P2"), (1, "P3")])
def test_a_card_that_is_not_held(place: int, rule: str) -> None:
    record, trick, at, index = first_trick(lambda record, trick, left: is_plain(record))
    trick["plays"][place] = "NY"
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == (rule, at, index)


def test_the_werewolf_is_never_played() -> None:
    record, trick, _, _ = first_trick(
        lambda record, trick, left: "WEREWOLF" in record["rules"]["specials"]
    )
    trick["plays"][0] = "WEREWOLF"
    assert refusal(record).rule == "X1"


@pytest.mark.parametrize(
    ("card", "said", "rule"),
    [("JUGGLER", "JUGGLER:Z", "X7"), ("JUGGLER", "JUGGLER:", "X7"), ("CLOUD", "CLOUD:N", "X8"),
     ("SHAPESHIFTER", "SHAPESHIFTER:R", "X2"), ("BOMB", "BOMB:R", "FORMAT"),
     ("R5", "R5:R", "FORMAT"), ("R5", "r5", "FORMAT")],
)  # fmt: skip
def test_a_declaration_that_is_none(card: str, said: str, rule: str) -> None:
    def holds(play: str) -> bool:
        return play.partition(":")[0] == card

    record, trick, at, index = first_trick(
        lambda record, trick, left: any(holds(play) for play in trick["plays"])
    )
    trick["plays"] = [said if holds(play) else play for play in trick["plays"]]
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == (rule, at, index)


TRICK_CHANGES: list[tuple[str, Callable[[Record, Record, int], bool], Record]] = [
    ("X5", lambda record, trick, left: is_plain(record), {"next_leader": None}),
    ("X7", lambda record, trick, left: is_plain(record), {"passed": None}),
    ("X7", lambda record, trick, left: trick["plays"][0][:3] == "JUG" and left == 0,
     {"passed": []}),
    ("X7", lambda record, trick, left: "passed" in trick, {"passed": []}),
    ("FORMAT", lambda record, trick, left: is_plain(record), {"winner": "0"}),
    ("FORMAT", lambda record, trick, left: is_plain(record), {"leader": None}),
    ("FORMAT", lambda record, trick, left: is_plain(record), {"plays": None}),
    ("P1", lambda record, trick, left: is_plain(record), {"leader": 9}),
    ("X5", lambda record, trick, left: "BOMB" in trick["plays"], {"next_leader": None}),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "fits", "change"), TRICK_CHANGES)
def test_a_trick_with_one_thing_wrong(
    rule: str, fits: Callable[[Record, Record, int], bool], change: Record
) -> None:
    record, trick, at, index = first_trick(fits)
    trick.update(change)
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == (rule, at, index), str(refused)


def test_no_winner_without_a_bomb() -> None:
    record, trick, at, index = first_trick(lambda record, trick, left: is_plain(record))
    trick.update(winner=None, next_leader=trick["winner"])
    refused = refusal(record)
    assert refused.rule in {"K1", "K2", "K3", "K4"}
    assert (refused.round, refused.trick) == (at, index)


# What may be played: hand, cards on the table, trump, barred or free; then what breaks which rule.


@pytest.mark.parametrize(
    ("hand", "plays", "trump", "barred", "broken"),
    [
        pytest.param("R2 B5 ZB NG", "R9", "B", False, {"B5": "P3"}, id="P3 follow"),
        pytest.param("Y2 B5 ZB NG", "R9", "B", False, {}, id="P3 no duty to trump"),
        pytest.param("R2 B5", "ZG R9", "B", False, {}, id="P6 a Wizard led frees all"),
        pytest.param("R2 B5", "NG NB R9", "B", False, {"B5": "P3"}, id="P7 after Jesters"),
        pytest.param("R2 B5", "NG ZB R9", "B", False, {}, id="P7 a Wizard after a Jester frees"),
        pytest.param("R2 B5", "R9 ZB", "B", False, {"B5": "P3"}, id="P5 it never changes"),
        pytest.param("R2 B5 ZB NG", "B9", "B", True, {"R2": "P3", "ZB": "F1"}, id="F1 trumps"),
        pytest.param("R2 ZB NG", "B9", "B", True, {"ZB": "F1"}, id="F1 no trumps"),
        pytest.param("ZB NG", "B9", "B", True, {"ZB": "F1"}, id="F1 a Jester is another card"),
        pytest.param("ZB ZG", "B9", "B", True, {}, id="F1 nothing but Wizards"),
        pytest.param("R2 ZB", "R9", "B", True, {}, id="F1 another colour demanded"),
        pytest.param("R2 ZB", "NG", "B", True, {}, id="F1 nothing demanded yet"),
        pytest.param("R2 ZB", "R9", None, True, {}, id="F1 no trump"),
        pytest.param("R2 B5 BOMB DRAGON", "R9", "B", False, {"B5": "P3"}, id="X1 specials may"),
        pytest.param("JUGGLER CLOUD B5", "R9", "B", False, {}, id="X9 no colour in hand"),
        pytest.param("R2 B5", "JUGGLER:R", "B", False, {"B5": "P3"}, id="X7 demands its colour"),
        pytest.param("R2 B5", "NB CLOUD:R", "B", False, {"B5": "P3"}, id="X8 after a Jester"),
        pytest.param("R2 B5", "FAIRY BOMB R9", "B", False, {"B5": "P3"}, id="X1 like Jesters"),
        pytest.param("R2 B5", "NB DRAGON R9", "B", False, {}, id="X3 frees as a Wizard"),
        pytest.param("R2 B5", "SHAPESHIFTER:N R9", "B", False, {"B5": "P3"}, id="X2 a Jester"),
        pytest.param("R2 B5", "SHAPESHIFTER:Z R9", "B", False, {}, id="X2 a Wizard"),
    ],
)
def test_what_may_be_played(
    hand: str, plays: str, trump: str | None, barred: bool, broken: dict[str, str]
) -> None:
    found = {}
    for card in hand.split():
        try:
            check_may_play(card, hand.split(), plays.split(), trump, barred=barred)
        except Refused as refused:
            found[card] = refused.rule
    assert found == broken
