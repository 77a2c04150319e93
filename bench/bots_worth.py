"""Makes the tables of the search's heuristic: plays rounds with it, counts which cards took tricks, and starts again.

    python bench/bots_worth.py [--rounds 100000] [--turns 5] [--out src/foretell/bots/search/heuristic_tables.json]

After each turn it prints the margin of the heuristic alone, without any search, at a table of counting players.  It has
compiled loops of its own, so it needs Numba (`pip install 'foretell[numba]'`).
"""

import argparse
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("FORETELL_KERNEL", "numba")  # before the kernel is imported

from foretell.bots.search import arrays, card_chances, heuristic
from foretell.bots.search.card_chances import holds_at, later_step, likely_at
from foretell.bots.search.heuristic import pick_bid, pick_play
from foretell.bots.search.heuristic_tables import first_guess, masks
from foretell.bots.search.rollout import play_on
from foretell.bots.simple.counting import kernel_words
from foretell.kernel.backend.compiled import ONE, Floats, Ints, floats, ints, jit, lowest
from foretell.kernel.bulk.policies import plain_action
from foretell.kernel.state import codes, turn_loop
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS, below, seed_rng, shuffle
from foretell.kernel.state.tables import compile_rules
from foretell.kernel.state.trick_outcome import would_take
from foretell.rules import Rules

TABLES = (
    (Rules(), 3),
    (Rules(), 4),
    (Rules(), 5),
    (Rules(), 6),
    (Rules(unicolor=True), 3),
    (Rules(unicolor=True), 4),
)

# `rec`: for each seat, kind and number of tricks left, the table entry in which that card is counted; then for each
# seat the table entry of its card in the trick (HELD_AT), and that card (LAID).  LEFTS is more than the most tricks
# left.
LEFTS = 24
HELD_AT, LAID, RECORD = 6 * 64 * LEFTS, 6 * 64 * LEFTS + 6, 6 * 64 * LEFTS + 12


@jit
def open_cards(lookup: Ints, state: Ints) -> tuple[int, int]:
    """The kinds that are not turned up, and how many cards these are."""
    out = ONE * 0
    for place in range(lookup[in_lookup.DECK_SIZE]):
        out |= ONE << lookup[in_lookup.DECK + place]
    lying = lookup[in_lookup.DECK_SIZE]
    if state[in_state.TURNED_UP] != codes.NO_CARD:
        lying -= 1
        if state[in_state.TURNED_UP] < codes.WIZARD:
            out &= ~(ONE << state[in_state.TURNED_UP])
    return out, lying


@jit
def note_hands(lookup: Ints, m: Ints, state: Ints, out: int, lying: int, rec: Ints) -> None:
    """Before a trick: notes in which table entry each card held is to be counted."""
    left = state[in_state.TRICKS_LEFT]
    share = left / max(1, lying - left)
    for seat in range(lookup[in_lookup.PLAYERS]):
        these = state[in_state.HAND + seat]
        unseen = out & ~these
        while these != 0:
            kind = lowest(these)
            these &= these - 1
            place = likely_at(lookup, m, kind, state[in_state.TRUMP], unseen, share, left)
            rec[(seat * 64 + kind) * LEFTS + left] = place


@jit
def note_play(
    lookup: Ints, m: Ints, state: Ints, out: int, lying: int, kind: int, rec: Ints
) -> None:
    """Before a play: notes its table entry, if it is the best card so far and others play after it."""
    seat = state[in_state.TURN]
    left = state[in_state.TRICKS_LEFT]
    after = lookup[in_lookup.PLAYERS] - 1 - state[in_state.ACTED]
    rec[HELD_AT + seat] = -1
    rec[LAID + seat] = kind
    if after > 0 and would_take(lookup, state, kind):
        share = left / max(1, lying - left)
        later = later_step(lookup, state, seat, after)
        unseen = out & ~state[in_state.HAND + seat]
        rec[HELD_AT + seat] = holds_at(m, state, kind, after, later, unseen, share)


@jit
def count_trick(lookup: Ints, state: Ints, tricks: int, rec: Ints, tried: Ints, won: Ints) -> None:
    """After a trick: counts each of its cards, once for every earlier trick at which it was still held."""
    for seat in range(lookup[in_lookup.PLAYERS]):
        took = 1 if seat == state[in_state.LEADER] else 0
        place = rec[HELD_AT + seat]
        if place >= 0:
            tried[place] += 1
            won[place] += took
        kind = rec[LAID + seat]
        for left in range(tricks, state[in_state.HAND_SIZE] + 1):
            held = (seat * 64 + kind) * LEFTS + left
            place = rec[held]
            if place >= 0:
                tried[place] += 1
                won[place] += took
                if kind != codes.WIZARD:
                    rec[held] = -1


@jit
def counted_rounds(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    state: Ints,
    rng: Ints,
    deck: Ints,
    kinds: Ints,
    j: Floats,
    rec: Ints,
    tried: Ints,
    won: Ints,
    how_many: int,
) -> None:
    """Plays rounds of any length and counts each card in them."""
    for _ in range(how_many):
        turn_loop.new_game(lookup, state, below(rng, lookup[in_lookup.PLAYERS]))
        state[in_state.ROUND] = below(rng, lookup[in_lookup.ROUNDS]) - 1
        for place in range(RECORD):
            rec[place] = -1
        shuffle(lookup, state, rng, deck)
        turn_loop.deal(lookup, state, deck)
        out, lying = open_cards(lookup, state)
        while state[in_state.PHASE] < codes.DEALING:
            seat = state[in_state.TURN]
            mask = turn_loop.legal(lookup, state)
            tricks = state[in_state.TRICKS_LEFT]
            counts = kinds[seat] == arrays.COUNTER
            is_play = state[in_state.PHASE] == codes.PLAYING
            if is_play:
                if state[in_state.ACTED] == 0:
                    note_hands(lookup, m, state, out, lying, rec)
                if counts:
                    action = plain_action(lookup, state, counting)
                else:
                    action = pick_play(lookup, m, f, state, out, lying, mask, j)
                note_play(lookup, m, state, out, lying, action, rec)
                if action < codes.WIZARD:
                    out &= ~(ONE << action)
                lying -= 1
            elif state[in_state.PHASE] != codes.BIDDING:
                action = lowest(mask)
            elif counts:
                action = plain_action(lookup, state, counting)
            else:
                action = pick_bid(lookup, m, f, state, out, lying, mask)
            turn_loop.step(lookup, state, action)
            if is_play and state[in_state.TRICKS_LEFT] < tricks:
                count_trick(lookup, state, tricks, rec, tried, won)


@jit
def games(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    x: Floats,
    a: Floats,
    state: Ints,
    rng: Ints,
    deck: Ints,
    kinds: Ints,
    j: Floats,
    how_many: int,
    total: Ints,
) -> None:
    """Plays whole games and adds up each seat's points."""
    for game in range(how_many):
        turn_loop.new_game(lookup, state, game % lookup[in_lookup.PLAYERS])
        while state[in_state.PHASE] != codes.GAME_OVER:
            shuffle(lookup, state, rng, deck)
            turn_loop.deal(lookup, state, deck)
            out, lying = open_cards(lookup, state)
            play_on(lookup, m, f, counting, x, a, state, out, lying, kinds, 0, j, rng, -1)
        for seat in range(lookup[in_lookup.PLAYERS]):
            total[seat] += state[in_state.SCORE + seat]


def row(values: Sequence[int]) -> Ints:
    made = ints(len(values))
    for place, value in enumerate(values):
        made[place] = value
    return made


def margin(f: Floats, players: int, how_many: int) -> tuple[float, float]:
    """The mean points of one seat that follows the heuristic at a table of counting players, and its margin."""
    tables = compile_rules(Rules(), players)
    state, j, rng, total = ints(in_state.SIZE), floats(heuristic.COSTS), ints(RNG_WORDS), ints(6)
    seed_rng(rng, 99, players)
    deck, kinds = (
        row(range(int(tables.words[in_lookup.DECK_SIZE]))),
        row([arrays.HEURISTIC, *[arrays.COUNTER] * 5]),
    )
    x, a = floats(arrays.MODEL), floats(arrays.AIM)  # the heuristic as it is, without any whim
    counting = kernel_words(tables)
    games(
        tables.words, masks(tables), f, counting, x, a, state, rng, deck, kinds, j, how_many, total
    )
    others = sum(int(points) for points in total[1:players]) / (players - 1)
    return int(total[0]) / how_many, (int(total[0]) - others) / how_many


def correct_chances(f: Floats, turn: int, how_many: int) -> None:
    """One turn: plays rounds of every rule set in TABLES with the chances `f`, then corrects `f` by the counts."""
    state, j, rec, rng = ints(in_state.SIZE), floats(heuristic.COSTS), ints(RECORD), ints(RNG_WORDS)
    tried, won = ints(card_chances.FIXED_AT), ints(card_chances.FIXED_AT)
    for rules, players in TABLES:
        tables = compile_rules(rules, players)
        for number, kinds in enumerate(
            ([arrays.HEURISTIC] * 6, [arrays.HEURISTIC, arrays.COUNTER] * 3)
        ):
            seed_rng(rng, 17 + turn, players * 10 + number)
            deck = row(range(int(tables.words[in_lookup.DECK_SIZE])))
            counted_rounds(
                tables.words, masks(tables), f, kernel_words(tables), state, rng, deck, row(kinds), j, rec,
                tried, won, how_many,
            )  # fmt: skip
    for place in range(card_chances.FIXED_AT):
        # Half the old number, half the new one: otherwise bids and chances would swing up and down from turn to turn.
        seen = (int(won[place]) + 20 * f[place]) / (int(tried[place]) + 20)
        f[place] = 0.5 * f[place] + 0.5 * seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--games", type=int, default=2000)
    args = parser.parse_args()
    f = first_guess()
    for turn in range(args.turns):
        started = time.perf_counter()
        correct_chances(f, turn, args.rounds)
        print(f"turn {turn}: {time.perf_counter() - started:.1f} s")
        for players in (3, 4, 5, 6):
            points, above = margin(f, players, args.games)
            print(f"  {players} players: {points:.0f} points, margin {above:+.1f}")
    if args.out:
        numbers = [round(1000 * float(f[place])) for place in range(card_chances.FIXED_AT)]
        args.out.write_text(json.dumps(numbers, separators=(",", ":")) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
