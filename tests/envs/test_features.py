"""The features by name: each bit has one, and the page lists them as they are."""

import re
from pathlib import Path
from typing import Any

import numpy as np

from foretell.envs.features import ACTION_PARTS, ACTIONS, FEATURES, INPUTS, VERSION, as_bits
from foretell.envs.many_games import ManyGames
from foretell.rules import Rules
from tables import every_rules, head_counts

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def named() -> np.ndarray[Any, Any]:
    """How many features each input belongs to."""
    found = np.zeros(INPUTS, int)
    for feature in FEATURES:
        for place in range(feature.words):
            found[feature.inputs(place)] += 1
    return found


def test_every_input_that_is_ever_set_has_one_name() -> None:
    names = named()
    assert names.max() == 1
    rules = [(one, head_counts(one)[0]) for one in every_rules()[::9]] + [(Rules(), 6)]
    games = ManyGames(64, tables=rules, seed=1)
    ever = np.zeros(INPUTS, bool)
    for _ in range(300):
        games.step(games.random_actions())
        ever |= as_bits(games.observations).any(axis=0)
    assert ever.sum() > 1000
    assert not (ever & (names == 0)).any()


def test_a_feature_says_what_is_on_the_table() -> None:
    games = ManyGames(30, Rules(), 5, seed=2)
    by_name = {feature.name: feature for feature in FEATURES}
    for _ in range(200):
        games.step(games.random_actions())
        bits = as_bits(games.observations)
        for game in range(games.count):
            state = games.state(game)
            assert bits[game, by_name["hand_size"].inputs()].argmax() + 1 == state[4]
            assert bits[game, by_name["players"].inputs()].argmax() == 2
            won = [bits[game, by_name["won"].inputs(place)].argmax() for place in range(5)]
            seat = int(games.seats[game])
            assert won == [state[39 + (seat + place) % 5] for place in range(5)]


def test_the_actions_follow_each_other() -> None:
    end = 0
    for first, count in ACTION_PARTS.values():
        assert first == end
        end = first + count
    assert end <= ACTIONS


def test_the_page_lists_every_feature_and_action() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\d–]+) \| ([\d–]+) \|", text, re.MULTILINE)
    expected = [(one.name, span(one.word, one.words), span(one.bit, one.bits)) for one in FEATURES]
    assert rows == expected
    actions = re.findall(
        r"^\| `(\w+)` \| ([\d–]+) \| [a-z0-9]", text.split("## The actions")[1], re.MULTILINE
    )
    assert actions == [(name, span(*place)) for name, place in ACTION_PARTS.items()]
    assert f"version {VERSION}" in text


def span(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}–{first + count - 1}"
