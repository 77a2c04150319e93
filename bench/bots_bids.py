"""Fits the close line of bids, `bid_model.json`, to bids of the bot `flat`.

    python bench/bots_bids.py [--deals 2400] [--seed 51000] [--out src/foretell/bots/search/bid_model.json]

The number of cards changes from deal to deal; all players bid, and no card is played.  For each number of players it
prints how well three lines predict the bids, as the mean logarithm of the chance of a bid: the plain line, the close
line, and a line that does not know the hand.  The last two are fitted to one half of the deals and tested on the other.
"""

import argparse
import json
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from foretell.bots import bot
from foretell.bots.search import arrays
from foretell.bots.search.bid_model import bid_line, features
from foretell.bots.search.card_chances import expected_tricks
from foretell.bots.search.search import Model
from foretell.bots.search.situation import situation
from foretell.deals import seeded
from foretell.engine import Bid, View, act, awaited_seats, deal, new_game, view
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.rules import Rules

Array = NDArray[np.float64]
ODD = 0.03  # the share of bids that no line explains


def noted(seen: View, bid: int, turn: int, before: int) -> list[float]:
    """One row: the number of cards, the bid, the plain line and all features."""
    now, x = situation(seen), Model().array()
    me, state, lookup = int(now.i[arrays.ME]), now.state, now.t
    n, size = int(lookup[in_lookup.PLAYERS]), int(state[in_state.HAND_SIZE])
    above = 100 * (before * n - turn * size) // n
    hand, copies = state[in_state.HAND + me], state[in_state.COPIES + me]
    plain = bid_line(lookup, now.m, now.f, x, state, me, hand, copies, now.out, now.lying, above)
    tricks = expected_tricks(
        lookup, now.m, now.f, hand, copies, state[in_state.TRUMP], now.out, now.lying
    )
    features(lookup, now.m, x, state, me, hand, copies, tricks, above)
    parts = [float(x[arrays.ROOM + place]) for place in range(arrays.FEATURES)]
    return [float(size), float(bid), float(plain), *parts]


def bids(players: int, deals: int, seed: int) -> Array:
    """One row for each bid."""
    flat, last, rows = bot("flat"), 60 // players, []
    for number in range(seed, seed + deals):
        cards = 2 + number % (last - 1)
        # The game has all later rounds, too, since a search plays differently in the last rounds of a game.
        rules = Rules(rounds=tuple(range(cards, last + 1)))
        game = new_game(
            rules, [f"P{seat}" for seat in range(players)], first_dealer=number % players
        )
        dealing, random = seeded(f"bids{players}/{number}"), Random(number)
        game, _ = deal(game, dealing(game))
        before, turn = 0, 0
        while turn < players:
            seat = awaited_seats(game)[0]
            seen = view(game, seat)
            made = flat.choose(seen, random)
            if isinstance(made, Bid):
                rows.append(noted(seen, made.tricks, turn, before))
                before, turn = before + made.tricks, turn + 1
            game, _ = act(game, seat, made)
    return np.array(rows)


def likelihood(rows: Array, around: Array, spread: Array) -> float:
    """The mean logarithm of the chance of a bid."""
    cards, bid = rows[:, :1], rows[:, 1].astype(int)
    each = np.arange(cards.max() + 1)[None, :]
    chance = np.exp(-0.5 * ((each - around[:, None]) / spread[:, None]) ** 2) * (each <= cards)
    chance = (1 - ODD) * chance / chance.sum(1, keepdims=True) + ODD / (cards + 1)
    return float(np.log(chance[np.arange(len(bid)), bid]).mean())


def fitted(features: Array, off: Array) -> Array:
    return np.asarray(np.linalg.lstsq(features, off, rcond=None)[0], dtype=np.float64)


def across(rows: Array, features: Array, base: Array, players: int) -> tuple[Array, Array]:
    """What a line fitted to the other half of the deals predicts for each bid, and a line for the deviation."""
    bid, around = rows[:, 1], np.zeros(len(rows))
    half = np.arange(len(rows)) // players % 2 == 0
    for mine, other in ((half, ~half), (~half, half)):
        around[mine] = base[mine] + features[mine] @ fitted(features[other], (bid - base)[other])
    # The mean distance of a normally distributed number from its mean is .798 of its standard deviation.
    ground = np.c_[np.ones(len(rows)), rows[:, 0]]
    return around, fitted(ground, np.abs(bid - around) / 0.798)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=51000)
    parser.add_argument("--out", type=Path, default=None)
    args = parser.parse_args()
    lines: dict[str, list[float]] = {}
    for players in (3, 4, 5, 6):
        rows = bids(players, args.deals, args.seed)
        cards, bid, plain, hands = rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3:]
        unseen = hands[:, [0, 1, 2, 5, 6, 7, 8]]
        scores = [likelihood(rows, plain, Model().spread + Model().spread_each * cards)]
        for base, what in ((plain, hands), (cards / players, unseen)):
            around, spread = across(rows, what, base, players)
            wide = np.maximum(0.3, spread[0] + spread[1] * cards)
            scores.append(likelihood(rows, around, wide))
            if what is hands:
                line = [*fitted(hands, bid - plain), *spread]
                lines[str(players)] = [round(float(number), 4) for number in line]
        print(
            f"{players} players, {len(rows)} bids: "
            f"plain {scores[0]:.3f}, close {scores[1]:.3f}, without the hand {scores[2]:.3f}"
        )
    if args.out:
        rows_of = ",\n".join(f'"{n}": {json.dumps(line)}' for n, line in lines.items())
        args.out.write_text(f"{{\n{rows_of}\n}}\n", encoding="ascii")


if __name__ == "__main__":
    main()
