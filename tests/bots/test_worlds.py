"""The worlds of the search: each fits what was seen, and a world that explains it better comes up more often."""

from collections import Counter
from random import Random

import msgspec
import pytest

from foretell.bots.conformance import rule_sets
from foretell.bots.search import arrays
from foretell.bots.search.search import Model
from foretell.bots.search.situation import Situation, situation
from foretell.bots.search.worlds import deal_worlds
from foretell.deals import seeded
from foretell.engine import View, act, awaited_seats, deal, new_game, view
from foretell.kernel.backend.compiled import Ints, floats, ints
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng
from foretell.rules import Rules
from tables import dealt, told

WORLDS = 24


def views(rules: Rules, players: int, seed: int, every: int = 7) -> list[View]:
    """Some of the decisions of a game played at random, each as its seat sees it."""
    game = new_game(rules, [f"P{n}" for n in range(players)])
    random, dealing, seen = Random(seed), seeded(seed), []
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat = awaited_seats(game)[0]
        now = view(game, seat)
        if len(now.legal) > 1 and random.randrange(every) == 0:
            seen.append(now)
        game, _ = act(game, seat, random.choice(now.legal))
    return seen


def dealt_worlds(
    now: Situation, model: Model, count: int, seed: int = 1
) -> tuple[Ints, list[float]]:
    rng, w, weights, state = (
        ints(RNG_WORDS),
        ints(count * arrays.WORLD),
        floats(count),
        ints(in_state.SIZE),
    )
    seed_rng(rng, seed, 0)
    for place in range(in_state.SIZE):
        state[place] = now.state[place]
    _, snapshot, j, by, c = now.scratch
    x = model.array()
    h, hf, b = now.hidden.arrays
    assert deal_worlds(
        now.t, now.m, now.f, now.counting, now.i, x, state, rng, h, hf, b, w, weights, 0, count, 64, snapshot, j, by, c
    )  # fmt: skip
    return w, [float(weights[number]) for number in range(count)]


def held(w: Ints, world: int, seat: int) -> Counter[int]:
    """The kinds in a hand of a world."""
    hand, copies = w[world * arrays.WORLD + seat], w[world * arrays.WORLD + arrays.W_COPIES + seat]
    found = Counter({kind: 1 for kind in range(codes.KINDS) if int(hand) >> kind & 1})
    for kind, number in ((codes.WIZARD, copies & 15), (codes.JESTER, copies // 16)):
        if number:
            found[kind] = int(number)
    return found


@pytest.mark.parametrize(
    ("rules", "players"),
    [(rules, players) for rules, players in rule_sets() if players in (3, 4, 6)],
    ids=lambda value: str(value)[:60],
)
def test_every_world_fits_what_was_seen(rules: Rules, players: int) -> None:
    numbers = rules.round_numbers(players)
    short = msgspec.structs.replace(rules, rounds=(numbers[3], numbers[-1]))
    for seen in views(short, players, seed=players):
        assert seen.now is not None
        now = situation(seen)
        w, _ = dealt_worlds(now, Model(), WORLDS)
        deck = Counter(kind_of(card) for card in now.tables.deck)
        for world in range(WORLDS):
            hands = [held(w, world, seat) for seat in range(players)]
            assert [sum(hand.values()) for hand in hands] == list(seen.now.hand_sizes)
            used = sum(hands, Counter())
            used += Counter(
                kind_of(face.card)
                for trick in (*seen.now.tricks, *((seen.now.trick,) if seen.now.trick else ()))
                for face in trick.faces
            )
            assert used <= deck
            if seen.now.hand is not None:
                assert hands[seen.seat or 0] == Counter(kind_of(card) for card in seen.now.hand)
            if now.i[arrays.CAN_SWAP]:
                for seat in range(players):
                    assert not any(
                        int(now.i[arrays.BARRED + seat]) >> kind & 1 for kind in hands[seat]
                    )


def test_a_high_bid_moves_wizards_to_the_bidder() -> None:
    """The same view except for one bid: a player who bids 3 of 3 holds more Wizards than one who bids none."""
    game = dealt("R2 G3 B4", "R5 G7 B1", "Y2 Y3 Y5", turned_up="Y9")
    wizards = []
    for tricks in (0, 3):
        seen = view(told(game, f"bid {tricks}"), 1)
        w, _ = dealt_worlds(situation(seen), Model(), 400)
        wizards.append(sum(held(w, world, 0)[codes.WIZARD] for world in range(400)) / 400)
    assert wizards[1] > 2 * wizards[0]
    assert wizards[0] < 0.2
