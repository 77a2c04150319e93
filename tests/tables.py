"""Tables to test at: rounds dealt by hand, games stopped anywhere, every set of rules that V7 allows.

A round by hand reads as it would be told at the table; seat 0 leads unless a dealer is given:

    game = dealt("R5 ZB", "R9 G3", "NG B2", turned_up="B7")
    game = told(game, "bid 1", "bid 1", "bid 0", "play R5")
    game = told(game, "2 bid 0")            # where several seats are awaited, the seat comes first
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

from hypothesis import strategies as st

from foretell.cards import CARDS, FACES, SPECIALS, Card, Colour, card, cards
from foretell.deals import Dealing
from foretell.engine import (
    Action,
    Bid,
    ChangeBid,
    Event,
    Game,
    NameTrump,
    PassCard,
    Play,
    Round,
    act,
    action,
    awaited_seats,
    deal,
    legal_actions,
    new_game,
)
from foretell.rules import Deal, Rules

PROVING = bool(os.environ.get("FORETELL_PROVE"))
NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")


# A round dealt by hand.


def dealt(
    *hands: str,
    turned_up: str | None = None,
    dealer: int | None = None,
    peoples: str | None = None,
    **rules: Any,
) -> Game:
    """A game of one round, dealt so.  The special cards in it are in the deck, and with them Dragon and Fairy."""
    shown = cards(" ".join(hands)) + (cards(turned_up) if turned_up else ())
    kinds = {one.kind.value for one in shown if one.is_special} | set(rules.pop("specials", ()))
    if kinds & {"DRAGON", "FAIRY"}:
        kinds |= {"DRAGON", "FAIRY"}
    size = len(hands[0].split())
    number = size - 3 if rules.get("unicolor") else size
    game = new_game(
        Rules(specials=tuple(kinds), rounds=(number,), **rules),
        NAMES[: len(hands)],
        first_dealer=len(hands) - 1 if dealer is None else dealer,
        peoples=tuple(Colour(letter) for letter in peoples.split()) if peoples else None,
    )
    made = Deal(tuple(cards(hand) for hand in hands), card(turned_up) if turned_up else None)
    return deal(game, made)[0]


def heard(game: Game, line: str) -> tuple[Game, tuple[Event, ...]]:
    """The game after one line such as `bid 2` or `1 pass G3`, and what everyone hears of it."""
    first, _, rest = line.partition(" ")
    if first.isdigit():
        return act(game, int(first), action(rest))
    (seat,) = awaited_seats(game)
    return act(game, seat, action(line))


def told(game: Game, *lines: str) -> Game:
    """The game after several lines."""
    for line in lines:
        game, _ = heard(game, line)
    return game


def bid(game: Game, *bids: int) -> Game:
    """The game after everyone has bid: the bids by seat, made in whatever order the table asks for them."""
    while awaited_seats(game) and now(game).phase == "bid":
        seat = awaited_seats(game)[0]
        game, _ = act(game, seat, Bid(bids[seat]))
    return game


def play(game: Game, *tricks: str) -> Game:
    """The game after whole tricks, each written in the order of play."""
    for trick in tricks:
        game = told(game, *(f"play {face}" for face in trick.split()))
    return game


def now(game: Game) -> Round:
    assert game.now is not None
    return game.now


def legal(game: Game, seat: int | None = None) -> str:
    """What may be done, without the verb: `R5 ZB`, `0 1 2`."""
    if seat is None:
        (seat,) = awaited_seats(game)
    return " ".join(str(one).partition(" ")[2] for one in legal_actions(game, seat))


# Every action there is, allowed or not.

UNIVERSE: tuple[Action, ...] = (
    *(Bid(tricks) for tricks in range(22)),
    *(NameTrump(colour) for colour in (*Colour, None)),
    *(Play(face) for face in FACES.values()),
    *(PassCard(one) for one in CARDS.values()),
    *(ChangeBid(change) for change in (+1, -1)),
)


# Every set of rules.

BIDDING: tuple[dict[str, Any], ...] = (
    {"bids": "open"},
    {"bids": "open", "plus_minus_one": True},
    {"bids": "hidden"},
    {"bids": "secret"},
)
SIGHTS: tuple[dict[str, Any], ...] = (
    {},
    {"foresight": "first_round"},
    {"foresight": "every_round"},
    {"unicolor": True},
)
WIZARDS: tuple[dict[str, Any], ...] = ({}, {"wizards_on_trump": "barred"})
PAIR = ("DRAGON", "FAIRY")
_LONE = tuple(kind.value for kind in SPECIALS if kind.value not in PAIR)
SUBSETS: tuple[tuple[str, ...], ...] = tuple(
    (*pair, *lone)
    for size in range(len(_LONE) + 1)
    for lone in combinations(_LONE, size)
    for pair in ((), PAIR)
    if pair or lone
)


@cache
def every_rules() -> tuple[Rules, ...]:
    """V7: all 284 sets of rules that go together, but for the rounds agreed on (D6)."""
    plain = [Rules(**a, **b, **c) for a, b, c in product(BIDDING, SIGHTS, WIZARDS)]
    special = [Rules("pt-BR", **a, specials=some) for a, some in product(BIDDING, SUBSETS)]
    return tuple(plain + special)


def head_counts(rules: Rules) -> range:
    """D1, V6."""
    return range(3, 5 if rules.unicolor else 7)


def last_round(rules: Rules, players: int) -> int:
    """D3, V6."""
    return 12 if rules.unicolor else 60 // players


# Games in progress.


def rich(seed: int) -> Dealing:
    """Deals with more Wizards, Jesters and special cards than luck would give, so that short rounds have them."""

    def dealing(game: Game) -> Deal:
        random = Random(f"{seed}/{len(game.rounds)}")

        def shuffle(these: Sequence[Card], seat: int | None) -> Sequence[Card]:
            def place(one: Card) -> float:
                weight = 0.2 if one.is_special else 0.5 if one.colour is None else 1
                return random.random() * weight

            return sorted(these, key=place)

        return game.rules.deck.deal(
            shuffle, game.seats, game.peoples, game.next_number, game.next_dealer
        )

    return dealing


@dataclass(frozen=True)
class Setup:
    """A game in progress, told by what it takes to get there: small enough to read when a test fails."""

    rules: Rules
    players: int
    first_dealer: int
    seed: int
    stop: int  # actions played, deals not counted; fewer if the game ends before

    @property
    def game(self) -> Game:
        *_, last = self.course()
        return last

    def start(self) -> Game:
        return new_game(self.rules, NAMES[: self.players], first_dealer=self.first_dealer)

    def course(self) -> Iterator[Game]:
        """The game after each deal and each action, up to where it stops."""
        random, dealing = Random(self.seed), rich(self.seed)
        game = self.start()
        yield game
        for _ in range(self.stop):
            if game.is_over:
                return
            if game.awaits_deal:
                game, _events = deal(game, dealing(game))
                yield game
            seat = random.choice(awaited_seats(game))
            game, _events = act(game, seat, random.choice(legal_actions(game, seat)))
            yield game


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Any allowed set of rules, half of them with special cards; the rounds are chosen by `setups`."""
    bidding = draw(st.sampled_from(BIDDING))
    if draw(st.booleans()):
        return Rules("pt-BR", **bidding, specials=draw(st.sampled_from(SUBSETS)))
    sight, wizards = draw(st.sampled_from(SIGHTS)), draw(st.sampled_from(WIZARDS))
    return Rules(**bidding, **sight, **wizards)


@st.composite
def setups(draw: st.DrawFn, *, most_cards: int = 20, most_actions: int = 60) -> Setup:
    """Any allowed rules, 3 to 6 players, one or two rounds, stopped anywhere."""
    rules = draw(rule_sets())
    players = draw(st.sampled_from(head_counts(rules)))
    last = min(last_round(rules, players), most_cards)
    # Short rounds hold the most turns of fortune; long ones are looked at too.
    numbers = st.one_of(st.integers(1, min(4, last)), st.integers(1, last))
    rounds = sorted(draw(st.sets(numbers, min_size=1, max_size=2)))
    return Setup(
        rules=with_rounds(rules, *rounds),
        players=players,
        first_dealer=draw(st.integers(0, players - 1)),
        seed=draw(st.integers(0, 2**32)),
        stop=draw(st.integers(0, most_actions)),
    )


def with_rounds(rules: Rules, *rounds: int) -> Rules:
    """The same rules for a shorter game (D6)."""
    return Rules(
        rulebook=rules.rulebook,
        bids=rules.bids,
        plus_minus_one=rules.plus_minus_one,
        foresight=rules.foresight,
        unicolor=rules.unicolor,
        specials=rules.specials,
        wizards_on_trump=rules.wizards_on_trump,
        rounds=rounds,
    )
