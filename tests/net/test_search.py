"""The search on top of the net: worlds are drawn by what was seen, and the choice depends on nothing else."""

import pickle
import threading
import time
from random import Random

import pytest

from foretell.bots.conformance import check
from foretell.bots.net.net_player import NetPlayer, net_arrays
from foretell.bots.net.net_search import NetSearch, World, _drawn, _Table, _tempered
from foretell.bots.net.playing_out import UNLIKELY_UNIT, unlikely_bids, unlikely_plays
from foretell.bots.net.weights import shipped
from foretell.engine import Game, act, awaited_seats, deal, view
from foretell.kernel.backend.compiled import IS_COMPILED, ints
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.tables import compile_rules
from secrecy.reshuffling import reshuffled, retold
from secrecy.test_secrecy import TABLES
from tables import PROVING, dealt, every_rules, rich, setup_by_lot, told

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="in plain Python it plays as the net alone")

FEW = NetSearch(evaluations=120, seconds=60.0, least_chance=0.001)
STRONG, WEAK = "ZB ZR B13 B12", "R2 Y3 G2 Y4"
MINE, OTHERS = "G5 G6 R7 Y8", "R5 R6 Y9 G9"


def unlikely(game: Game, *, plays: bool = False) -> float:
    """How unlikely what was seen is, for the seat on turn, if the hands are these."""
    tables = compile_rules(game.rules, game.seats, game.peoples)
    arrays = net_arrays(shipped(), tables)
    weigh = unlikely_plays if plays else unlikely_bids
    cost = weigh(tables.words, state_of_game(tables, game), *arrays, ints(in_state.SIZE))
    return cost / UNLIKELY_UNIT


def test_a_strong_hand_explains_a_high_bid() -> None:
    def bid_by(hand: str, bid: int) -> float:
        other = WEAK if hand == STRONG else STRONG
        return unlikely(told(dealt(hand, MINE, other, turned_up="B5"), f"bid {bid}"))

    assert bid_by(STRONG, 4) + 1 < bid_by(WEAK, 4)
    assert bid_by(WEAK, 0) + 1 < bid_by(STRONG, 0)


def test_a_play_that_another_hand_would_not_make_is_unlikely() -> None:
    """Seat 0 leads R2.  With high trumps it would do so if it wants three tricks, and not if it wants all four."""

    def led_by(hand: str, bid: int) -> float:
        game = dealt(hand, MINE, OTHERS, turned_up="B5")
        return unlikely(told(game, f"bid {bid}", "bid 0", "bid 0", "play R2"), plays=True)

    high = "R2 B11 B12 B13"
    assert led_by(high, 3) + 1 < led_by(high, 4)
    assert led_by("R2 R3 Y3 G2", 4) + 0.5 < led_by(high, 4)


def test_worlds_are_drawn_by_their_weights() -> None:
    made = [World(ints(in_state.SIZE), 1) for _ in range(4)]
    log2 = round(0.6931 * UNLIKELY_UNIT)
    found = _drawn(made, [0, log2, log2, 40 * log2], 8, 0.5)
    assert [one.count for one in found] == [4, 2, 2]
    assert [one.state for one in found] == [one.state for one in made[:3]]


def test_no_few_worlds_decide_alone() -> None:
    made = [World(ints(in_state.SIZE), 1) for _ in range(100)]
    costs = [10 * UNLIKELY_UNIT * number for number in range(100)]
    weights = _tempered(made, costs, 10)
    assert sum(weights) ** 2 / sum(weight**2 for weight in weights) >= 5
    assert weights == sorted(weights, reverse=True)


def test_where_nothing_is_hidden_it_takes_what_brings_most() -> None:
    """X8: only the Cloud's bid is left to change, so every result is known."""
    game = dealt("R9 CLOUD", "R5 R6", "G1 G2", turned_up="B5")
    game = told(game, "bid 1", "bid 0", "bid 0", "play R9", "play R5", "play G1")
    game = told(game, "play CLOUD:R", "play R6", "play G2")
    seen = view(game, 0)
    everything = NetSearch(evaluations=200, seconds=60.0, least_chance=0.0, certainty=0.0)
    assert len(seen.legal) == 2
    assert str(everything.choose(seen, Random(0))) == "change +1"


def test_neighbouring_cards_are_one_candidate() -> None:
    """R8 and R9 are, since no card lies between them; R12 and R9 are not, nor is any pair in unicolor (V6)."""

    def tried(game: Game) -> int:
        seen = view(game, 0)
        return len(_Table(seen).candidates(seen, 0.0, 9))

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
        game = setup_by_lot(number, rules, most_cards=4).start()
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, rich(number)(game))
                continue
            seat = awaited_seats(game)[0]
            game, _ = act(game, seat, FEW.choose(view(game, seat), random))


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
