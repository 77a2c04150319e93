"""How the strongest level imagines the others: which bids it expects of them, and how freely they play."""

from collections import Counter
from math import exp
from random import Random
from statistics import fmean

import pytest

from foretell.bots import bot
from foretell.bots.search import arrays, bid_model, rollout
from foretell.bots.search.heuristic import costs, pick_bid, pick_play
from foretell.bots.search.search import Model
from foretell.bots.search.situation import Situation, situation
from foretell.cards import card
from foretell.deals import seeded
from foretell.engine import Bid, Phase, act, awaited_seats, deal, new_game, view
from foretell.kernel.backend.compiled import Floats, floats, ints
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng
from foretell.kernel.state.turn_loop import legal
from foretell.rules import Rules
from tables import dealt, told


def close_model(players: int, cards: int) -> Floats:
    x = Model().array()
    line, x[arrays.SPREAD] = bid_model.close_line(players, cards)
    x[arrays.SPREAD_EACH], x[arrays.IS_CLOSE] = 0.0, 1.0
    for place, number in enumerate(line):
        x[arrays.LINE + place] = number
    return x


def line_of(now: Situation, x: Floats, seat: int, above: int) -> float:
    """The bid that is expected of the hand which the seat holds in this situation."""
    state = now.state
    hand, copies = state[in_state.HAND + seat], state[in_state.COPIES + seat]
    return float(
        bid_model.bid_line(
            now.t, now.m, now.f, x, state, seat, hand, copies, now.out, now.lying, above
        )
    )  # fmt: skip


def test_the_line_counts_what_a_hand_is_made_of() -> None:
    game = dealt(
        "G2 G3 G4 G5 B2 B3 B4 B5",
        "ZB NR R13 R11 R4 G12 G6 Y2",
        "Y3 Y4 Y5 Y6 B6 B7 B8 B9",
        turned_up="R9",
    )
    now = situation(view(told(game, "bid 4"), 1))
    x, state = Model().array(), now.state
    above = 100 * (4 * 3 - 8) // 3
    bid_model.features(
        now.t, now.m, x, state, 1, state[in_state.HAND + 1], state[in_state.COPIES + 1], 3.0, above
    )
    made = [float(x[arrays.ROOM + place]) for place in range(arrays.FEATURES)]
    cards = 0.8
    plain = [1, cards, cards**2, 3 - 8 / 3, (3 - 8 / 3) * cards, 1.33, 1.33 * cards, 1, 0]
    # A Wizard, a Jester, three trumps with two high ones; G12, G6 and Y2; no blue; two greens.
    parts = [1, 1, 3, 2, 1, 1, 1, 1, 2]
    assert made == pytest.approx(plain + parts + [part * cards for part in parts])


def test_bids_of_searches_lie_nearer_to_the_close_line() -> None:
    flat, plain, off = bot("flat"), Model().array(), []
    for number in range(24):
        cards = 8 + number % 9
        game = new_game(Rules(rounds=tuple(range(cards, 21))), ["Ada", "Bo", "Cy"])
        game, _ = deal(game, seeded(f"close/{number}")(game))
        close, before, turn = close_model(3, cards), 0, 0
        while turn < 3:
            seat = awaited_seats(game)[0]
            seen = view(game, seat)
            made = flat.choose(seen, Random(number))
            if isinstance(made, Bid):
                now, above = situation(seen), 100 * (before * 3 - turn * cards) // 3
                off.append(
                    [abs(made.tricks - line_of(now, x, seat, above)) for x in (plain, close)]
                )
                before, turn = before + made.tricks, turn + 1
            game, _ = act(game, seat, made)
    assert fmean(close for _, close in off) < 0.9 * fmean(plain for plain, _ in off)


@pytest.mark.parametrize("is_close", [False, True], ids=["by the heuristic", "by the close line"])
def test_bids_to_come_are_foreseen_as_the_level_does_it(is_close: bool) -> None:
    """With 16 cards the two ways often differ by a trick."""
    seen_to_differ = 0
    x = close_model(3, 16) if is_close else Model().array()
    for number in range(8):
        game = new_game(Rules(rounds=(16,)), ["Ada", "Bo", "Cy"], first_dealer=2)
        game, _ = deal(game, seeded(f"to come/{number}")(game))
        seen = view(game, 0)
        if seen.phase != Phase.BID:
            continue  # the dealer names the trump first
        now = situation(seen)
        state = now.state
        for seat, hand in enumerate(game.rounds[-1].hands):
            state[in_state.HAND + seat] = 0
            for held in hand:
                state[in_state.HAND + seat] |= 1 << kind_of(held)
            state[in_state.COPIES + seat] = sum(
                int(now.t[in_lookup.COPIES_OF_KIND + kind_of(held)]) for held in hand
            )
        rollout.do(now.t, state, 5)
        foreseen = round(line_of(now, x, 1, 100 * (5 * 3 - 16) // 3))
        picked = pick_bid(now.t, now.m, now.f, state, now.out, now.lying, legal(now.t, state))
        kinds, rng = ints(6), ints(RNG_WORDS)
        seed_rng(rng, 1, 1)
        rollout.play_on(
            now.t, now.m, now.f, now.counting, x, floats(arrays.AIM), state, now.out, now.lying, kinds, 0,
            now.scratch[2], rng, 0,
        )  # fmt: skip
        assert state[in_state.BID + 1] == (foreseen if is_close else picked)
        seen_to_differ += foreseen != picked
    assert seen_to_differ


def test_a_cheaper_play_is_made_more_often() -> None:
    game = dealt("R13 G9 B4 Y7", "ZB Y2 G4 B9", "R2 R3 Y8 B5", turned_up="R9")
    now = situation(view(told(game, "bid 1", "bid 2", "bid 1"), 0))
    lookup, m, f, state, j = now.t, now.m, now.f, now.state, now.scratch[2]
    mask, rng = legal(lookup, state), ints(RNG_WORDS)
    seed_rng(rng, 5, 0)
    args = (lookup, m, f, state, now.out, now.lying, mask, j)
    cold = {int(rollout.some_play(*args, rng, 1e-6)) for _ in range(50)}
    assert cold == {int(pick_play(*args))}
    costs(*args)
    kinds = [kind_of(card(code)) for code in ("R13", "G9", "B4", "Y7")]
    heat = 0.5
    least = min(float(j[kind]) for kind in kinds)
    weights = {kind: exp(-(float(j[kind]) - least) / heat) for kind in kinds}
    made = Counter(int(rollout.some_play(*args, rng, heat)) for _ in range(20_000))
    for kind in kinds:
        expected = weights[kind] / sum(weights.values())
        assert made[kind] / 20_000 == pytest.approx(expected, abs=0.015)


def test_the_close_line_is_only_for_the_common_deck() -> None:
    plain = dealt("R2", "R3", "R4", turned_up="Y9")
    special = dealt("R2", "R3", "DRAGON", turned_up="Y9")
    unicolor = new_game(Rules(unicolor=True), ["Ada", "Bo", "Cy"])
    unicolor, _ = deal(unicolor, seeded(1)(unicolor))
    assert situation(view(plain, 0)).is_plain
    assert not situation(view(special, 0)).is_plain
    assert not situation(view(unicolor, awaited_seats(unicolor)[0])).is_plain
