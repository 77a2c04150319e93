"""Prints the tables of docs/one-card.md: the solved round of one card, and how far each level is from a best response.

python bench/one_card.py                       values and bids, for 3 to 6 players (a minute)
python bench/one_card.py levels                every level but the strongest, for 3 to 6 players (two minutes)
python bench/one_card.py levels champion       the strongest one (a quarter of an hour)
python bench/one_card.py levels master --players 6       only with so many players; `--players 5,6` for several
"""

import argparse
from collections.abc import Iterator, Sequence

from foretell.bots import LEVELS, bot
from foretell.bots.levels import STRONGEST
from foretell.one_card import Solved, solve
from foretell.one_card.against_levels import measure
from foretell.one_card.equilibrium import SolvedSituation

HEADS = range(3, 7)
COLOUR, OTHER = slice(0, 13), slice(13, 26)  # the cards of the trump, and of a colour that is not


def row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def header(*cells: object) -> str:
    return f"{row(*cells)}\n{row(*['---'] * len(cells))}"


def values(found: dict[int, Solved]) -> Iterator[str]:
    """What each seat is worth, and how often it bids 1."""
    seats = [f"seat {seat + 1}" for seat in range(6)]
    for what, of in (("points", Solved.value), ("bids 1", Solved.bid_one)):
        yield ""
        yield header(f"players, {what}", *seats)
        for players, solved in found.items():
            cells = [of(solved, seat) for seat in range(players)]
            said = [
                f"{float(one):.3f}" if what == "points" else f"{float(one):.1%}" for one in cells
            ]
            yield row(players, *said, *[""] * (6 - players))


def least(part: SolvedSituation, seat: int, history: tuple[int, ...], cards: slice) -> str:
    """The lowest number of a colour with which a seat bids 1."""
    open_cards = part.situation.unseen[cards] == 1
    bids = part.bids[seat][history][cards].tolist()
    numbers = [number for number in range(1, 14) if open_cards[number - 1]]
    high = [number for number in numbers if bids[number - 1]]
    if not high:
        return "–"
    assert high == numbers[-len(high) :], "a higher card bids 0"
    return f"{high[0]}"


def lowest_bids(found: dict[int, Solved]) -> Iterator[str]:
    """With which cards the first bidder bids 1, and the others after bids of 0."""
    for players, solved in found.items():
        yield ""
        seats = [f"seat {seat + 1}" for seat in range(players)]
        yield header(f"{players} players", *seats)
        for part in solved.parts:
            place = part.situation.turned_up
            if place not in (6, 52, 56):
                continue
            name = {6: "7 turned up", 52: "Wizard, named", 56: "Jester: no trump"}[place]
            for what, cards in (("trump", COLOUR), ("other", OTHER)):
                if part.situation.trump == 4 and what == "trump":
                    continue
                least_cards = [least(part, seat, (0,) * seat, cards) for seat in range(players)]
                yield row(f"{name}: {what}", *least_cards)


def gaps(names: Sequence[str], heads: Sequence[int]) -> Iterator[str]:
    """What each level could gain by a best response, by seat."""
    yield header("players", "level", "points", "gap", *(f"gap of seat {n + 1}" for n in range(6)))
    for players in heads:
        for name in names:
            found = measure(bot(name), players)
            own = sum(one.own for one in found.seats) / players
            by_seat = [f"{one.gap:.2f}" for one in found.seats]
            empty = [""] * (6 - players)
            yield row(players, f"`{name}`", f"{own:.2f}", f"{found.gap:.2f}", *by_seat, *empty)


def main() -> None:
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("what", nargs="*", help="`levels`, and which")
    asked.add_argument("--players", default=",".join(map(str, HEADS)), help="such as 3,4")
    given = asked.parse_args()
    heads = [int(number) for number in given.players.split(",")]
    if not set(heads) <= set(HEADS):
        asked.error(f"--players: {HEADS[0]} to {HEADS[-1]}")
    if given.what[:1] == ["levels"]:
        usual = ["counting", *(name for name in LEVELS if name != STRONGEST)]
        for line in gaps(given.what[1:] or usual, heads):
            print(line, flush=True)
        return
    if given.what:
        asked.error(f"what: `levels` or nothing, not {given.what[0]}")
    found = {players: solve(players) for players in heads}
    for line in (*values(found), *lowest_bids(found)):
        print(line)
    print(f"\nties: {sum(solved.ties for solved in found.values())}")
    for players, solved in found.items():
        part = next(part for part in solved.parts if part.situation.is_named)
        assert part.dealer is not None
        own = [number + 1 for number, how in enumerate(part.dealer[COLOUR]) if how]
        print(f"{players} players: the dealer names its own colour with {own[0]} to {own[-1]}")


if __name__ == "__main__":
    main()
