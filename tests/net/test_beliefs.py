"""Worlds drawn by the belief net: they fit all that the seat knows, and likely hands are drawn more often."""

from random import Random

import pytest

from foretell.bots.net.net_player import NetPlayer
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, new_game, view
from foretell.engine.round import Phase
from foretell.kernel.backend.compiled import IS_COMPILED, Ints
from foretell.kernel.state import codes
from foretell.kernel.state.from_engine import state_of_game
from foretell.rules import Rules
from net.worlds import beliefs_of, check_world, count, drawn
from tables import PROVING, choices, dealt, every_rules, rich, setup_by_lot, told

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="in plain Python an answer takes too long")


@pytest.mark.prove
def test_worlds_fit_all_that_was_seen_in_all_kinds_of_rule_sets() -> None:
    random, net, checked = Random(5), NetPlayer(), 0
    for number, rules in enumerate(every_rules()[:: 1 if PROVING else 11]):
        game = setup_by_lot(number, rules, most_cards=9).start()
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, rich(number)(game))
                continue
            seat = awaited_seats(game)[0]
            seen = view(game, seat)
            if random.random() < 0.1:
                hidden, beliefs = beliefs_of(seen)
                if beliefs is not None:
                    checked += 1
                    check_world(hidden, drawn(hidden, beliefs, random.getrandbits(60)))
            chosen = (
                net.choose(seen, random) if random.random() < 0.7 else random.choice(seen.legal)
            )
            game, _ = act(game, seat, chosen)
    assert checked > 80


def test_a_high_bid_makes_high_cards_likely() -> None:
    """How many Wizards and trumps the first bidder holds in the worlds of the second, after each bid."""

    def high_cards(bid: int) -> float:
        game = dealt("R2 R3 Y3 G2", "G5 G6 R7 Y8", "R5 R6 Y9 G9", turned_up="B5")
        hidden, beliefs = beliefs_of(view(told(game, f"bid {bid}"), 1))
        assert beliefs is not None
        total = 0
        for seed in range(60):
            world = drawn(hidden, beliefs, seed)
            total += count(world, 0, codes.WIZARD)
            total += sum(count(world, 0, kind) for kind in range(13))
        return total / 60

    assert high_cards(0) + 0.5 < high_cards(2) < high_cards(4) - 0.5


def test_the_same_seed_draws_the_same_world() -> None:
    game = dealt("R2 R3 Y3 G2", "G5 G6 R7 Y8", "R5 R6 Y9 G9", turned_up="B5")
    hidden, beliefs = beliefs_of(view(told(game, "bid 1"), 1))
    assert beliefs is not None
    first = list(drawn(hidden, beliefs, 1))
    assert first != list(drawn(hidden, beliefs, 2))
    assert first == list(drawn(hidden, beliefs, 1))


def test_a_card_goes_where_alone_it_may_be() -> None:
    """Seat 0 has shown that it holds no red, and seat 2 has room for all red cards that are left of the deck."""
    game = dealt("G5 G6", "R1 R2", "R12 R13", turned_up="B5")
    game = told(game, "bid 0", "bid 0", "bid 0", "play G5", "play R1")
    hidden, beliefs = beliefs_of(view(game, 2))
    assert beliefs is not None
    for seed in range(20):
        world = drawn(hidden, beliefs, seed)
        check_world(hidden, world)
        assert not any(count(world, 1, 26 + value) for value in range(13))  # seat 1 did not follow


def test_drawn_hands_are_closer_to_the_true_ones_than_hands_dealt_at_random() -> None:
    """Nets play; in the middle of rounds, the cards that a drawn hand shares with the true one are counted."""
    random, net = Random(8), NetPlayer()
    start = new_game(Rules(rounds=(6, 8, 10)), ["a", "b", "c", "d"])
    by_belief = at_random = 0
    for game, seen in choices(start, seeded(21), lambda seen: net.choose(seen, random)):
        if seen.phase == Phase.PLAY:
            seat = awaited_seats(game)[0]
            hidden, beliefs = beliefs_of(seen)
            assert beliefs is not None
            true = state_of_game(hidden.tables, game)
            for seed in range(4):
                by_belief += shared(true, drawn(hidden, beliefs, seed), seat)
                at_random += shared(true, drawn(hidden, None, seed), seat)
    assert by_belief > 1.1 * at_random > 0


def shared(true: Ints, world: Ints, seat: int) -> int:
    """How many cards the hands of the others have in common."""
    return sum(
        min(count(true, other, kind), count(world, other, kind))
        for other in range(4)
        if other != seat
        for kind in range(codes.KINDS)
    )
