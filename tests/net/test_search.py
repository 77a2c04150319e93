"""The search on top of the net: worlds are drawn by what was seen, and the choice depends on nothing else."""

import pickle
import threading
import time
from dataclasses import replace
from random import Random

import pytest

from foretell.bots.conformance import check
from foretell.bots.net.candidates import POINT, Position
from foretell.bots.net.leads import part_of_round
from foretell.bots.net.net_player import NetPlayer
from foretell.bots.net.net_search import NetSearch, Trials, Worlds
from foretell.bots.net.weights import shipped_small
from foretell.coach import odds
from foretell.deals import seeded
from foretell.engine import Game, View, new_game, view
from foretell.kernel.backend.compiled import IS_COMPILED, Ints
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.turn_loop import take_turn
from foretell.rules import Rules
from secrecy.reshuffling import reshuffled, retold
from secrecy.test_secrecy import TABLES
from tables import PROVING, choices, dealt, every_rules, rich, setup_by_lot, told

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="in plain Python it plays as the net alone")

FEW = NetSearch(evaluations=120, seconds=60.0, least_chance=0.001)


@pytest.mark.parametrize("steps", [0, 4], ids=["at random", "by belief"])
def test_secret_bids_are_drawn_for_every_world(steps: int) -> None:
    """V3: all bids of a world are made, and those of the others differ from world to world."""
    hands = ("R1 R9 R12 G3 G8", "R2 R3 R4 G1 G2", "Y1 Y2 Y3 Y4 Y5")
    game = told(dealt(*hands, turned_up="B5", bids="secret"), "0 bid 1", "1 bid 1", "2 bid 1")
    seen = view(game, 0)
    worlds = Worlds(seen, Position(seen), steps, 3)
    bids = {tuple(worlds.next()[in_state.BID : in_state.BID + 3]) for _ in range(40)}
    assert all(first == 1 and min(others) >= 0 for first, *others in bids)
    assert len(bids) > 3


def test_the_bids_that_a_world_needs_are_a_part_of_the_effort() -> None:
    """V3: a world costs two evaluations more, those of the bids of the other two seats."""
    hands = ("R1 R9 R12 G3 G8", "R2 R3 R4 G1 G2", "Y1 Y2 Y3 Y4 Y5")
    game = told(dealt(*hands, turned_up="B5", bids="secret"), "0 bid 1", "1 bid 1", "2 bid 1")
    search = NetSearch(evaluations=600, seconds=60.0, least_chance=0.0, most_candidates=2)
    trials = search.think(view(game, 0), 3)
    # Three belief steps worth three evaluations each, two bids, and two trials of 11 decisions; 33 go 19 times.
    assert [len(one) for one in trials.values] == [19, 19]
    # With two tricks played, a trial has 4 decisions and a value; 21 go 29 times.
    trials = replace(search, cards=6).think(view(game, 0), 3)
    assert [len(one) for one in trials.values] == [29, 29]


def test_the_clock_is_looked_at_after_every_world_from_the_eighth_on() -> None:
    hands = ("R1 R9 R12 G3 G8", "R2 R3 R4 G1 G2", "Y1 Y2 Y3 Y4 Y5")
    seen = view(dealt(*hands, turned_up="B5"), 0)

    def worlds(seconds: float, asked: list[bool]) -> int:
        search = NetSearch(10**6, seconds, least_chance=0.0, most_candidates=2)
        trials = search.think(seen, 3, stop=lambda: asked.pop(0))
        return len(trials.values[0])

    assert worlds(0.0, [False]) == 8
    assert worlds(60.0, [True]) == 8
    assert worlds(60.0, [False, False, True]) == 10


def test_the_search_does_without_the_small_net() -> None:
    """A browser would have to load it."""
    seen = view(dealt("R1 R9 R12", "R2 R3 R4", "Y1 Y2 Y3", turned_up="B5"), 0)
    shipped_small.cache_clear()
    FEW.choose(seen, Random(0))
    assert shipped_small.cache_info().currsize == 0
    odds(seen)
    assert shipped_small.cache_info().currsize == 1


def trials_of(seen: View, *points: list[int]) -> Trials:
    """The three actions of a hand, tried with these results; leads have a deviation of 3 points."""
    position = Position(seen)
    trials = Trials(position, position.candidates(seen, 0.0, 3), 3.0)
    trials.values = [[POINT * one for one in each] for each in points]
    return trials


def test_a_candidate_that_is_clearly_behind_is_given_up() -> None:
    seen = view(dealt("R1 R9 R12", "R2 R3 R4", "Y1 Y2 Y3", turned_up="B5"), 0)
    trials = trials_of(seen, [5, 4, 6, 5], [6, 5, 4, 5], [1, 0, 1, 0])
    assert trials.lead(2) == pytest.approx((-4.5 / 2, 12**-0.5 / 2))  # there are two others
    trials.give_up_worse()
    assert trials.alive == [0, 1]


def test_the_favourite_gives_way_to_a_clear_lead_only() -> None:
    seen = view(dealt("R1 R9 R12", "R2 R3 R4", "Y1 Y2 Y3", turned_up="B5"), 0)
    trials = trials_of(seen, [5, 4, 6, 5], [9, 4, 4, 5], [1, 0, 1, 0])
    assert (trials.best(0.5), trials.best(0.1)) == (0, 1)


@pytest.mark.parametrize(
    ("phase", "left", "part"), [(codes.BIDDING, 9, 0), (2, 9, 1), (2, 6, 2), (2, 3, 2), (2, 2, 3)]
)
def test_a_round_has_four_parts(phase: int, left: int, part: int) -> None:
    assert part_of_round(phase, 9, left) == part


def true_state(game: Game, position: Position) -> Ints:
    state = state_of_game(position.tables, game)
    take_turn(position.lookup, state, position.seat)
    return state


def test_where_only_forced_moves_follow_the_value_is_the_outcome() -> None:
    """After R9 everyone has to follow, and then has one card left; after the Wizard there are choices."""
    game = told(dealt("R9 ZB", "R5 G6", "R2 G2", turned_up="B5"), "bid 1", "bid 0", "bid 1")
    seen = view(game, 0)
    position = Position(seen)
    world = true_state(game, position)
    for one in position.candidates(seen, 0.0, 2):
        is_forced = str(one.action) == "play R9"
        assert (position.value(one, world, 0) == position.outcome(one, world)) == is_forced


def test_with_all_tricks_played_the_value_is_the_outcome() -> None:
    start = dealt("R1 R9 R12 G3 G8", "R2 R3 R4 G1 G2", "Y1 Y2 Y3 Y4 Y5", turned_up="B5")
    for game, seen in choices(start, seeded(1), lambda seen: NetPlayer().choose(seen, Random(1))):
        position = Position(seen)
        true = true_state(game, position)
        for one in position.candidates(seen, 0.0, 3):
            assert position.value(one, true, 20) == position.outcome(one, true)


def test_the_value_net_says_roughly_what_a_round_will_bring() -> None:
    """Its errors, beside those of a guess of 0: at once, and the more tricks are played, the smaller."""
    random, net = Random(1), NetPlayer()
    played = (0, 1, 2)
    off: list[list[float]] = [[] for _ in played]
    given = []
    for players in (3, 4, 6):
        start = new_game(Rules(rounds=(3, 6)), list("abcdef"[:players]))
        for game, seen in choices(start, seeded(players), lambda seen: net.choose(seen, random)):
            if len(seen.legal) == 1:
                continue
            position = Position(seen)
            true = true_state(game, position)
            for one in position.candidates(seen, 0.01, 5):
                outcome = position.outcome(one, true)
                given.append(outcome / POINT / (players - 1))
                for tricks in played:
                    value = position.value(one, true, tricks)
                    off[tricks].append((value - outcome) / POINT / (players - 1))
    squares = [sum(one * one for one in each) for each in (given, *off)]
    assert squares[1] < 0.6 * squares[0]
    assert squares[3] < squares[2] < squares[1]


def test_where_nothing_is_hidden_it_takes_what_brings_most() -> None:
    """X8: only the Cloud's bid is left to change, so every result is known."""
    game = dealt("R9 CLOUD", "R5 R6", "G1 G2", turned_up="B5")
    game = told(game, "bid 1", "bid 0", "bid 0", "play R9", "play R5", "play G1")
    game = told(game, "play CLOUD:R", "play R6", "play G2")
    seen = view(game, 0)
    everything = NetSearch(evaluations=200, seconds=60.0, least_chance=0.0, least_lead=0.0)
    assert len(seen.legal) == 2
    assert str(everything.choose(seen, Random(0))) == "change +1"


def test_neighbouring_cards_are_one_candidate() -> None:
    """R8 and R9 are, since no card lies between them; R12 and R9 are not, nor is any pair in unicolor (V6)."""

    def tried(game: Game) -> int:
        seen = view(game, 0)
        return len(Position(seen).candidates(seen, 0.0, 9))

    bids = ("bid 1", "bid 0", "bid 0")
    assert tried(told(dealt("R8 R9 R12", "G1 G2 G3", "Y1 Y2 Y3", turned_up="B5"), *bids)) == 2
    hands = ("B8 B9 B12 B13", "R1 R2 R3 R4", "G1 G2 G3 G4")
    assert tried(told(dealt(*hands, unicolor=True), *bids)) == 4


@pytest.mark.prove
def test_it_plays_all_kinds_of_rule_sets() -> None:
    if PROVING:
        assert check(FEW, games=1).choices > 1000
    random = Random(0)
    for number, rules in enumerate(every_rules()[:: 1 if PROVING else 19]):
        start = setup_by_lot(number, rules, most_cards=4).start()
        for _ in choices(start, rich(number), lambda seen: FEW.choose(seen, random)):
            pass


@pytest.mark.prove
@pytest.mark.parametrize("table", sorted(TABLES))
def test_what_a_seat_cannot_see_changes_no_choice(table: str) -> None:
    random, tried = Random(table), 0
    for number in range(40 if PROVING else 8):
        setup = setup_by_lot(number, TABLES[table])
        game, _ = retold(setup.start(), list(setup.happenings()))
        for seat in range(game.seats):
            seen = view(game, seat)
            if len(seen.legal) < 2 or tried > 4:
                continue
            other, _ = retold(setup.start(), reshuffled(setup, seat, random))
            assert FEW.choose(seen, Random(3)) == FEW.choose(view(other, seat), Random(3))
            tried += 1
    assert tried


def test_the_same_seed_gives_the_same_choice() -> None:
    seen = view(dealt("R1 R9 R12 G3 G8", "R2 R3 R4 G1 G2", "Y1 Y2 Y3 Y4 Y5", turned_up="B5"), 0)
    copied = pickle.loads(pickle.dumps(FEW))
    for seed in range(3):
        assert FEW.choose(seen, Random(seed)) == copied.choose(seen, Random(seed))


def test_without_candidates_or_time_it_plays_as_the_net() -> None:
    seen = view(dealt("R1 R9 R12 G3 G8", "R2 R3 R4 G1 G2", "Y1 Y2 Y3 Y4 Y5", turned_up="B5"), 0)
    alone = NetPlayer().choose(seen, Random(0))
    assert NetSearch(least_chance=1.0).choose(seen, Random(0)) == alone
    assert NetSearch(is_searching=False).choose(seen, Random(0)) == alone


@pytest.mark.parametrize("how", ["clock", "cancel", "stop"])
def test_a_thought_can_be_ended(how: str) -> None:
    hands = ("R1 R9 R12 G3 G8 B4 Y13", "R2 R3 R4 G1 G2 B1 B2", "Y1 Y2 Y3 Y4 Y5 B8 B9")
    seen = view(dealt(*hands, turned_up="R5"), 0)
    long = NetSearch(evaluations=10**9, seconds=0.05 if how == "clock" else 60.0, least_chance=0.0)
    if how == "cancel":
        threading.Timer(0.1, long.cancel).start()
    started = time.perf_counter()
    stop = (lambda: time.perf_counter() > started + 0.1) if how == "stop" else None
    assert long.choose(seen, Random(0), stop=stop) in seen.legal
    assert time.perf_counter() - started < 10
