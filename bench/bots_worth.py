"""Makes the tables of the search's policy: plays rounds with it, counts what became of each card, and again.

    python bench/bots_worth.py [--rounds 200000] [--turns 5] [--out src/foretell/bots/worth.json]

Afterwards it prints what the policy alone, without any search, makes against a table of counting players.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from foretell.bots import policy as po
from foretell.bots.policy import (
    class_of,
    declaration,
    later_step,
    left_step,
    pick_bid,
    pick_change,
    pick_pass,
    pick_play,
    step_of,
    strength_of,
)
from foretell.bots.worth import first_guess, masks
from foretell.bots.yardstick import count_bid, count_pass, count_play
from foretell.kernel import core
from foretell.kernel import layout as at
from foretell.kernel.chance import CHANCE, below, seed_chance, shuffle
from foretell.kernel.compiled import ONE, floats, ints, jit, lowest, popcount
from foretell.kernel.tables import compile_rules
from foretell.rules import Rules

TABLES = (
    (Rules(), 3),
    (Rules(), 4),
    (Rules(), 5),
    (Rules(), 6),
    (Rules(unicolor=True), 3),
    (Rules(unicolor=True), 4),
)


@jit
def play_round(
    t: Any,
    m: Any,
    f1: Any,
    f2: Any,
    s: Any,
    g: Any,
    out: Any,
    lying: Any,
    kinds: Any,
    j: Any,
    rec: Any,
    qn: Any,
    qw: Any,
    pn: Any,
    pw: Any,
    count: Any,
) -> None:
    """Plays a dealt round to its end; kinds[seat] is 0 for the policy, 1 for counting, 2 for random."""
    n = t[at.PLAYERS]
    while s[at.PHASE] < at.DEALING:
        seat = s[at.TURN]
        phase = s[at.PHASE]
        mask = core.legal(t, s)
        if count and phase == at.PLAYING and s[at.COUNT] == 0:
            left = s[at.LEFT]
            for h in range(n):
                hand = s[at.HAND + h]
                unseen = out & ~hand
                share = left / max(1, lying - left)
                row = po.Q_AT + ((n - 3) * po.LEFTS + left_step(left)) * po.CLASSES * po.STEPS
                these = hand
                while these != 0:
                    kind = lowest(these)
                    these &= these - 1
                    where = -1
                    if kind == at.WIZARD:
                        where = row + po.WIZARD_CLASS * po.STEPS
                    elif kind < at.WIZARD:
                        above = popcount(unseen & m[po.HIGHER + kind]) * share * (n - 1)
                        where = (
                            row
                            + class_of(m, s[at.TRUMP], m[po.COLOUR_OF + kind], unseen, share)
                            * po.STEPS
                            + step_of(above)
                        )
                    rec[(h * 64 + kind) * 24 + left] = where
        f = f2 if kinds[seat] == 3 else f1
        if kinds[seat] == 2:
            k = below(g, popcount(mask))
            action = lowest(mask)
            for _ in range(k):
                mask &= mask - 1
                action = lowest(mask)
        elif phase == at.BIDDING:
            if kinds[seat] == 1:
                action = count_bid(
                    t, s[at.HAND + seat], s[at.COPIES + seat], s[at.TRUMP], s[at.HAND_SIZE], mask
                )
            else:
                action = pick_bid(t, m, f, s, out, lying, mask)
        elif phase == at.PLAYING:
            if kinds[seat] == 1:
                action = count_play(t, s, mask)
            else:
                action = pick_play(t, m, f, s, out, lying, mask, j)
        elif phase == at.DECLARING:
            action = declaration(t, s)
        elif phase == at.PASSING:
            if kinds[seat] == 1:
                action = count_pass(s)
            else:
                action = pick_pass(t, m, f, s, out, lying)
        elif phase == at.CHANGING:
            action = pick_change(t, s, mask)
        else:
            action = lowest(mask)
        where = -1
        if phase == at.PLAYING:
            left = s[at.LEFT]
            after = n - 1 - s[at.COUNT]
            if count and after > 0 and (action <= at.WIZARD):
                word = strength_of(t, s, action)
                if word & at.UNBEATABLE > s[at.BEST]:
                    row = po.P_AT + left_step(left) * po.CLASSES * po.LATER * po.STEPS
                    later = later_step(t, s, seat, after)
                    if action == at.WIZARD:
                        where = row + (po.WIZARD_CLASS * po.LATER + later) * po.STEPS
                    else:
                        unseen = out & ~s[at.HAND + seat]
                        share = left / max(1, lying - left)
                        above = popcount(unseen & m[po.HIGHER + action]) * share * after
                        cls = class_of(m, s[at.TRUMP], m[po.COLOUR_OF + action], unseen, share)
                        where = row + (cls * po.LATER + later) * po.STEPS + step_of(above)
            if count:
                rec[9300 + seat] = where
                rec[9310 + seat] = action
            if action < at.WIZARD:
                out &= ~(ONE << action)
            lying -= 1
        tricks = s[at.LEFT]
        core.step(t, s, action)
        if count and s[at.LEFT] < tricks:
            winner = s[at.LEADER]
            for h in range(n):
                won = 1 if h == winner else 0
                where = rec[9300 + h]
                if where >= 0:
                    pn[where] += 1
                    pw[where] += won
                rec[9300 + h] = -1
                kind = rec[9310 + h]
                for left in range(tricks, s[at.HAND_SIZE] + 1):
                    where = rec[(h * 64 + kind) * 24 + left]
                    if where >= 0:
                        qn[where] += 1
                        qw[where] += won
                        if kind != at.WIZARD:
                            rec[(h * 64 + kind) * 24 + left] = -1


@jit
def rounds(
    t: Any,
    m: Any,
    f: Any,
    s: Any,
    g: Any,
    deck: Any,
    kinds: Any,
    j: Any,
    rec: Any,
    qn: Any,
    qw: Any,
    pn: Any,
    pw: Any,
    how_many: Any,
    count: Any,
) -> None:
    for _ in range(how_many):
        core.new_game(t, s, below(g, t[at.PLAYERS]))
        s[at.ROUND] = below(g, t[at.ROUNDS]) - 1
        for i in range(9400):
            rec[i] = -1
        shuffle(t, s, g, deck)
        core.deal(t, s, deck)
        out = ONE * 0
        for i in range(t[at.CARDS]):
            out |= ONE << t[at.DECK + i]
        lying = t[at.CARDS]
        if s[at.TURNED_UP] != at.NOTHING:
            lying -= 1
            if s[at.TURNED_UP] < at.WIZARD:
                out &= ~(ONE << s[at.TURNED_UP])
        play_round(t, m, f, f, s, g, out, lying, kinds, j, rec, qn, qw, pn, pw, count)


@jit
def games(
    t: Any,
    m: Any,
    f: Any,
    f2: Any,
    s: Any,
    g: Any,
    deck: Any,
    kinds: Any,
    j: Any,
    rec: Any,
    qn: Any,
    qw: Any,
    pn: Any,
    pw: Any,
    how_many: Any,
    total: Any,
) -> None:
    for game in range(how_many):
        core.new_game(t, s, game % t[at.PLAYERS])
        while s[at.PHASE] != at.OVER:
            shuffle(t, s, g, deck)
            core.deal(t, s, deck)
            out = ONE * 0
            for i in range(t[at.CARDS]):
                out |= ONE << t[at.DECK + i]
            lying = t[at.CARDS]
            if s[at.TURNED_UP] != at.NOTHING:
                lying -= 1
                if s[at.TURNED_UP] < at.WIZARD:
                    out &= ~(ONE << s[at.TURNED_UP])
            play_round(t, m, f, f2, s, g, out, lying, kinds, j, rec, qn, qw, pn, pw, False)
        for seat in range(t[at.PLAYERS]):
            total[seat] += s[at.SCORE + seat]


def _deck(t: Any) -> Any:
    deck = ints(int(t.words[at.CARDS]))
    for i in range(len(deck)):
        deck[i] = i
    return deck


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--games", type=int, default=2000)
    args = parser.parse_args()
    f = first_guess()
    s, j, rec, g = ints(at.STATE), floats(po.COSTS), ints(9400), ints(CHANCE)
    for turn in range(args.turns):
        qn, qw, pn, pw = (ints(po.FIXED_AT) for _ in range(4))
        started = time.perf_counter()
        for rules, players in TABLES:
            t = compile_rules(rules, players)
            for number, kinds in enumerate(([0] * 6, [0, 1, 0, 1, 0, 1])):
                seed_chance(g, 17 + turn, players * 10 + number)
                kk = ints(6)
                for i, kind in enumerate(kinds):
                    kk[i] = kind
                rounds(
                    t.words,
                    masks(t),
                    f,
                    s,
                    g,
                    _deck(t),
                    kk,
                    j,
                    rec,
                    qn,
                    qw,
                    pn,
                    pw,
                    args.rounds,
                    True,
                )
        for where in range(po.FIXED_AT):
            tried, won = int(qn[where] + pn[where]), int(qw[where] + pw[where])
            # Half the old, half the new: otherwise bids and chances chase each other.
            f[where] = 0.5 * f[where] + 0.5 * (won + 20 * f[where]) / (tried + 20)
        print(
            f"turn {turn}: {time.perf_counter() - started:.1f} s, {int(sum(qn))} cards, {int(sum(pn))} plays"
        )
        for players in (3, 4, 5, 6):
            t = compile_rules(Rules(), players)
            kk, total = ints(6), ints(6)
            for i in range(1, 6):
                kk[i] = 1
            seed_chance(g, 99, players)
            games(
                t.words,
                masks(t),
                f,
                f,
                s,
                g,
                _deck(t),
                kk,
                j,
                rec,
                qn,
                qw,
                pn,
                pw,
                args.games,
                total,
            )
            others = sum(int(x) for x in total[1:players]) / (players - 1)
            print(
                f"  {players}: {int(total[0]) / args.games:.0f} points, "
                f"margin {(int(total[0]) - others) / args.games:+.1f}",
                end="",
            )
        print()
    if args.out:
        numbers = [round(1000 * float(f[place])) for place in range(po.FIXED_AT)]
        args.out.write_text(json.dumps(numbers, separators=(",", ":")) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
