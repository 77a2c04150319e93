"""Ways of breaking a record that the conformance games do not show: ends, stops, fair deals.

Each takes a game that is in order, finds a place where the breakage fits, and breaks that alone.
"""

import copy
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from referee.broken import (
    PLAIN,
    UNFINISHED,
    VALID,
    Record,
    first,
    first_round,
    refusal,
    stopped,
)
from referee.referee import check
from referee.refusal import Refused

EXAMPLE = """
{"format": "wizard-record/1",
 "rules": {"rulebook": "pt-BR", "bids": "open", "plus_minus_one": false, "foresight": "none",
           "unicolor": false, "specials": ["JUGGLER", "CLOUD"], "wizards_on_trump": "free",
           "rounds": null},
 "players": [{"name": "Ana"}, {"name": "Rui", "bot": "master"}, {"name": "Eva"}],
 "peoples": null,
 "rounds": [
   {"dealer": 0, "hands": [["B13"], ["JUGGLER"], ["NY"]], "turned_up": "ZG",
    "werewolf": null, "named_by": 0, "trump": "B",
    "bids": [1, 0, 0],
    "tricks": [{"leader": 1, "plays": ["JUGGLER:R", "NY", "B13"], "winner": 0}],
    "cloud": null,
    "won": [1, 0, 0], "points": [30, 20, 20], "totals": [30, 20, 20]}],
 "finished": false, "winners": []}
"""


def test_the_example_of_the_format_is_accepted() -> None:
    check(json.loads(EXAMPLE))


def test_keys_that_no_one_knows_are_ignored() -> None:
    record = copy.deepcopy(PLAIN)
    for place in (record, record["rules"], record["rounds"][0], record["rounds"][0]["tricks"][0]):
        place["mood"] = ["merry"]
    check(record)


def test_a_game_between_two_rounds_or_before_the_first_is_accepted() -> None:
    for count in (0, 1, 5):
        record = copy.deepcopy(PLAIN)
        record["rounds"] = record["rounds"][:count]
        record.update(finished=False, winners=[])
        check(record)


# The end, and games that stop.


def test_an_end_that_is_none() -> None:
    record = copy.deepcopy(PLAIN)
    record.update(finished=False)
    assert refusal(record).rule == "S4"
    record.update(winners=[])
    assert refusal(record).rule == "S4"
    record.update(finished=True)
    assert refusal(record).rule == "S4"
    record.update(winners=PLAIN["winners"] * 2)
    assert refusal(record).rule == "S4"
    record.update(winners=PLAIN["winners"])
    check(record)
    record["rounds"].append(record["rounds"][-1])
    assert refusal(record).rule == "D3"


def test_a_game_that_stops_is_not_finished() -> None:
    for record in UNFINISHED:
        claimed = copy.deepcopy(record)
        claimed["finished"] = True
        refusal(claimed)


@pytest.mark.parametrize("key", ["winner", "next_leader", "passed"])
def test_an_open_trick_has_no_outcome(key: str) -> None:
    record, now, place = stopped(lambda now: "winner" not in (now["tricks"] or [{"winner": 0}])[-1])
    now["tricks"][-1][key] = None
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == ("FORMAT", place, len(now["tricks"]))


def test_a_round_that_stops_has_no_score() -> None:
    for key in ("cloud", "won", "points", "totals"):
        record, now, place = stopped(lambda now: len(now["tricks"]) == len(now["hands"][0]))
        now[key] = None
        assert refusal(record).round == place


def test_no_play_while_a_bid_is_missing() -> None:
    record, now, place = stopped(lambda now: bool(now["tricks"]))
    now["bids"][now["dealer"]] = None
    refused = refusal(record)
    assert (refused.rule, refused.round) == ("B1", place)


def test_no_bid_and_no_trick_while_the_werewolf_is_held() -> None:
    for change in ({"bids": [0] * 5}, {"tricks": [{"leader": 3, "plays": []}]}, {"werewolf": 0}):
        record, now, place = stopped(
            lambda now: now["werewolf"] is None and any("WEREWOLF" in hand for hand in now["hands"])
        )
        now.update(change)
        refused = refusal(record)
        assert (refused.rule, refused.round) == ("X6", place)


def test_a_trump_still_to_be_named_is_accepted_but_nothing_after_it() -> None:
    record, now, place = first_round(lambda record, now: now["turned_up"] == "ZB")
    record["rounds"] = record["rounds"][:place]
    record.update(finished=False, winners=[])
    record.get("fair", {}).pop("secret", None)
    for key in ("cloud", "won", "points", "totals"):
        del now[key]
    now.update(named_by=None, trump=None, bids=[None] * len(now["bids"]), tricks=[])
    check(record)
    now["bids"][(now["dealer"] + 1) % len(now["bids"])] = 0
    refused = refusal(record)
    assert (refused.rule, refused.round) == ("T3", place)


def test_open_bids_come_in_turn() -> None:
    def is_open(record: Record) -> bool:
        now = record["rounds"][-1]
        return record["rules"]["bids"] == "open" and set(now["bids"]) == {None}

    record = first(UNFINISHED, lambda record: is_open(record) and not record["rules"]["specials"])
    now = record["rounds"][-1]
    now["bids"][now["dealer"]] = 0
    assert refusal(record).rule == "B2"
    record["rules"]["bids"] = "hidden"
    check(record)


def test_a_pass_may_wait_only_at_the_very_end() -> None:
    record, now, place = first_round(
        lambda record, now: any("passed" in trick for trick in now["tricks"])
    )
    index = next(index for index, trick in enumerate(now["tricks"]) if "passed" in trick)
    record["rounds"] = record["rounds"][:place]
    record.update(finished=False, winners=[])
    record.get("fair", {}).pop("secret", None)
    for key in ("cloud", "won", "points", "totals"):
        del now[key]
    following = now["tricks"][index + 1]["leader"]
    now["tricks"] = now["tricks"][: index + 1]
    check(record)
    del now["tricks"][-1]["passed"]
    check(record)
    now["tricks"].append({"leader": following, "plays": []})
    refused = refusal(record)
    assert (refused.rule, refused.round, refused.trick) == ("X7", place, index + 1)


# Fair deals.


@pytest.mark.parametrize(
    "change",
    [{"commit": "0" * 64}, {"commit": None}, {"secret": None}, {"secret": "00"}, {"words": []},
     {"words": None}],
)  # fmt: skip
def test_a_proof_that_is_none(change: Record) -> None:
    record = first(VALID, lambda record: "fair" in record)
    record["fair"].update(change)
    refused = refusal(record)
    assert (refused.rule, refused.round) == ("FAIR", None)


@pytest.mark.parametrize("word", ["a\nb", "x" * 65, None])
def test_a_word_that_is_none(word: Any) -> None:
    record = first(UNFINISHED, lambda record: "fair" in record)
    record["fair"]["words"][0] = word
    assert refusal(record).rule == "FAIR"


def test_a_secret_shown_too_early_and_one_never_shown() -> None:
    record = first(VALID, lambda record: "fair" in record)
    del record["fair"]["secret"]
    check(record)
    record = first(VALID, lambda record: "fair" in record)
    record["rounds"].pop()
    record.update(finished=False, winners=[])
    assert refusal(record).rule == "FAIR"


def test_upper_case_hex_is_no_proof() -> None:
    record = first(VALID, lambda record: "fair" in record)
    record["fair"]["secret"] = record["fair"]["secret"].upper()
    assert refusal(record).rule == "FAIR"


# Whatever is in a record, the referee accepts or refuses it: it never stumbles.


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in a value, with each key or index in it."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def test_nonsense_anywhere_is_refused_and_nothing_worse() -> None:
    chance = random.Random(1)
    nonsense: list[Any] = [
        None,
        True,
        -1,
        99,
        1.5,
        "",
        "B1",
        "CLOUD:R",
        [],
        {},
        [[]],
        [None],
        {"seat": 0},
    ]
    for _ in range(1500):
        record = copy.deepcopy(chance.choice(VALID + UNFINISHED))
        record["rounds"] = record["rounds"][:3]
        container, key = chance.choice(list(places(record)))
        container[key] = chance.choice(nonsense)
        with suppress(Refused):  # and nothing else
            check(record)
