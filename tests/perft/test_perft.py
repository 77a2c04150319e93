"""The counts of the perft files, found by the engine and by the counter that shares nothing with it."""

from pathlib import Path
from typing import Any

import pytest

from foretell.cards import card
from foretell.engine import (
    Action,
    Game,
    PassCard,
    Play,
    act,
    action,
    awaited_seats,
    deal,
    legal_actions,
    new_game,
)
from foretell.rules import DECISIONS, Deal, Rules
from perft.counter import Position, Table, counts, read
from tables import NAMES, PROVING

FILES = sorted(Path(__file__).parent.glob("*.perft"))
MOST = 400_000 if PROVING else 60_000


def started(position: Position) -> Game:
    chosen: dict[str, Any] = {
        key: tuple(v) if isinstance(v, list) else v for key, v in position.rules.items()
    }
    rules = Rules(**chosen, rounds=(position.number,))
    game = new_game(rules, NAMES[: len(position.hands)], first_dealer=position.dealer)
    hands = tuple(tuple(card(code) for code in hand) for hand in position.hands)
    game, _ = deal(game, Deal(hands, card(position.turned_up) if position.turned_up else None))
    for done in position.after:
        game, _ = act(game, awaited_seats(game)[0], action(done))
    return game


def of_each_kind(actions: tuple[Action, ...]) -> list[Action]:
    kinds: dict[object, Action] = {}
    for one in actions:
        held = one.card if isinstance(one, Play | PassCard) else None
        is_alike = held is not None and (held.is_wizard or held.is_jester)
        kinds.setdefault(held.kind if held and is_alike else one.text, one)
    return list(kinds.values())


def counted(game: Game, depth: int, *, kinds: bool) -> tuple[list[int], int]:
    """Sequences by length up to this depth, and how many of them end the round."""
    found, ended = [0] * (depth + 1), 0

    def go(now: Game, done: int) -> None:
        nonlocal ended
        awaited = awaited_seats(now)
        ended += not awaited
        if not awaited or done == depth:
            return
        actions: list[Action] = list(legal_actions(now, awaited[0]))
        if kinds:
            actions = of_each_kind(tuple(actions))
        found[done + 1] += len(actions)
        if done + 1 == depth and not is_whole:
            return  # the last count needs no step
        for one in actions:
            go(act(now, awaited[0], one)[0], done + 1)

    is_whole = depth > 900
    go(game, 0)
    while not found[-1]:
        found.pop()
    return found[1:], ended


def test_there_are_files() -> None:
    assert len(FILES) >= 16


def test_every_choice_of_the_rules_and_every_special_card_has_a_file() -> None:
    chosen = [read(path).rules for path in FILES]
    for one in DECISIONS:
        for choice in one.choices:
            if one.form == "subset":
                assert any(choice.value in rules.get(one.key, ()) for rules in chosen), choice
            else:
                default = getattr(Rules(), one.key)
                assert any(rules.get(one.key, default) == choice.value for rules in chosen), choice


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("key", ["cards", "kinds"])
@pytest.mark.prove
def test_the_engine_counts_the_same(path: Path, key: str) -> None:
    position = read(path)
    expected = position.counts[key]
    depth = next(
        (d for d in range(1, len(expected) + 1) if sum(expected[:d]) > MOST), len(expected)
    )
    is_whole = position.rounds is not None and depth == len(expected)
    found, ended = counted(started(position), 999 if is_whole else depth, kinds=key == "kinds")
    assert found == expected[: len(expected) if is_whole else depth]
    if is_whole and key == "cards":
        assert ended == position.rounds


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("key", ["cards", "kinds"])
def test_the_counter_that_shares_nothing_with_it_counts_the_same(path: Path, key: str) -> None:
    position = read(path)
    expected = position.counts[key]
    depth = 999 if position.rounds is not None else len(expected)
    found, ended = counts(Table(position), depth, kinds=key == "kinds")
    assert found == expected
    if position.rounds is not None and key == "cards":
        assert ended == position.rounds


def test_the_example_of_the_readme_is_one_of_the_files() -> None:
    told = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    example = [line[4:] for line in told.splitlines() if line.startswith("    ")]
    shown = "\n".join(example[:-1]) + "\n"
    assert shown in {path.read_text(encoding="utf-8") for path in FILES}
