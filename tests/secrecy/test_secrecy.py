"""What a seat cannot see changes nothing that reaches it: no view, no legal action, no error, no event."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn import setups
from foretell.cards import SPECIALS
from foretell.engine import Game, act, legal_actions, to_json, view
from foretell.errors import NotAllowed
from foretell.rules import Rules
from foretell.rules.presets import preset
from secrecy.reshuffling import reshuffled, retold
from tables import PROVING, UNIVERSE, Setup, dealt, now, refusal_of, setup_by_lot

SEVEN = tuple(SPECIALS)
TABLES = {
    "the base game": Rules(),
    "V1 plus/minus one": Rules(plus_minus_one=True),
    "V2 hidden bids": Rules(bids="hidden"),
    "V3 secret bids": Rules(bids="secret"),
    "V4 foresight in the first round": Rules(foresight="first_round"),
    "V5 foresight in every round": Rules(foresight="every_round"),
    "V5 foresight and V3 secret bids": Rules(foresight="every_round", bids="secret"),
    "V6 unicolor": Rules(unicolor=True),
    "V6 unicolor and V3 secret bids": Rules(unicolor=True, bids="secret"),
    "F1 the French rule": preset("fr"),
    "X3 X4 Dragon and Fairy": Rules(specials=("DRAGON", "FAIRY")),
    "X5 Bomb": Rules(specials=("BOMB",)),
    "X6 Werewolf": Rules(specials=("WEREWOLF",)),
    "X7 Juggler": Rules(specials=("JUGGLER",)),
    "X8 Cloud": Rules(specials=("CLOUD",), bids="secret"),
    "X1 all special cards": Rules(specials=SEVEN),
    "X1 all special cards, hidden bids": Rules(specials=SEVEN, bids="hidden"),
    "X1 all special cards, secret bids": Rules(specials=SEVEN, bids="secret"),
}
STORIES = 300 if PROVING else 16


def told_to(game: Game, seat: int | None) -> dict[str, Any]:
    """Everything that reaches a seat, or a spectator."""
    told: dict[str, Any] = {"view": to_json(view(game, seat))}
    if seat is None:
        return told
    told["legal"] = legal_actions(game, seat)
    for action in UNIVERSE:
        error = refusal_of(partial(act, game, seat, action))
        told[action.text] = error and (error.code, error.rule, error.values, str(error))
    return told


def secrets(game: Game) -> dict[str, object]:
    """What is hidden from someone at some time."""
    round_now = now(game)
    return {
        "hands": [sorted(hand, key=lambda c: c.index) for hand in round_now.hands],
        "order of the hands": round_now.hands,
        "bids": round_now.bids,
        "cards being passed": round_now.passing,
        "cards passed": [trick.passed for trick in round_now.tricks],
        "the deal": round_now.deal,
        "rounds that are over": [one.deal for one in game.rounds[:-1]],
    }


def differing(setup: Setup, seat: int | None, random: Random) -> set[str]:
    """Reshuffles what the seat cannot see, checks that it learns nothing, and returns which secrets have changed."""
    start = setup.start()
    game, heard = retold(start, list(setup.happenings()))
    other, heard_then = retold(start, reshuffled(setup, seat, random))
    assert heard_then == heard
    assert told_to(other, seat) == told_to(game, seat)
    before, after = secrets(game), secrets(other)
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.prove
def test_what_a_seat_cannot_see_changes_nothing_that_reaches_it(name: str) -> None:
    cases, changed = 0, 0
    for number in range(STORIES):
        setup = setup_by_lot(number, TABLES[name], most_cards=6)
        random = Random(number)
        for seat in (*range(setup.players), None):
            cases += 1
            changed += bool(differing(setup, seat, random) - {"rounds that are over"})
    assert changed > cases / 3, f"only {changed} of {cases} were really different"


@given(setups(most_cards=10), st.integers(0, 6), st.integers())
@pytest.mark.prove
def test_whatever_the_rules(setup: Setup, place: int, seed: int) -> None:
    differing(setup, [None, *range(setup.players)][place % (setup.players + 1)], Random(seed))


@pytest.mark.parametrize("seat", [-1, -3, 3, 99])
def test_who_does_not_sit_at_the_table_sees_nothing(seat: int) -> None:
    """Python counts -1 from the end: it is no way to look into the last seat's hand."""
    game = dealt("R1", "R2", "R3", turned_up="B7")
    with pytest.raises(NotAllowed, match=rf"no seat {seat} \(D1\)"):
        view(game, seat)
    assert legal_actions(game, seat) == ()


# A test of the test: a View that let any of these slip would be caught, in the variants that have it to hide.


def others_hands(game: Game, seat: int | None) -> object:
    return [hand for owner, hand in enumerate(now(game).hands) if owner != seat]


def own_hand_in_foresight(game: Game, seat: int | None) -> object:
    return now(game).hands[seat] if seat is not None and now(game).is_foreseen else None


def bids_not_shown(game: Game, seat: int | None) -> object:
    return now(game).bids


def cards_being_passed(game: Game, seat: int | None) -> object:
    return now(game).passing


def cards_passed_between_others(game: Game, seat: int | None) -> object:
    return [trick.passed for trick in now(game).tricks]


def which_seat_holds_the_cloud(game: Game, seat: int | None) -> object:
    hands = enumerate(now(game).hands)
    return [owner for owner, hand in hands if any(c.code == "CLOUD" for c in hand)]


def cards_of_rounds_that_are_over(game: Game, seat: int | None) -> object:
    return [one.deal for one in game.rounds[:-1]]


@pytest.mark.parametrize(
    ("leak", "name"),
    [
        (others_hands, "the base game"),
        (others_hands, "V6 unicolor"),
        (others_hands, "X6 Werewolf"),
        (own_hand_in_foresight, "V4 foresight in the first round"),
        (own_hand_in_foresight, "V5 foresight in every round"),
        (bids_not_shown, "V2 hidden bids"),
        (bids_not_shown, "V3 secret bids"),
        (cards_being_passed, "X7 Juggler"),
        (cards_passed_between_others, "X7 Juggler"),
        (which_seat_holds_the_cloud, "X8 Cloud"),
        (cards_of_rounds_that_are_over, "the base game"),
    ],
)
def test_a_view_that_leaked_would_be_caught(
    leak: Callable[[Game, int | None], object], name: str
) -> None:
    caught = 0
    for number in range(40):
        setup = setup_by_lot(number, TABLES[name], most_cards=6)
        random = Random(number)
        for seat in (0, None):
            game, _ = retold(setup.start(), list(setup.happenings()))
            other, _ = retold(setup.start(), reshuffled(setup, seat, random))
            caught += leak(game, seat) != leak(other, seat)
    assert caught >= 3
