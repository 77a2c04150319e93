"""Tables to test at: rounds dealt by hand, games stopped anywhere, every set of rules that V7 allows.

A round by hand is written as people say it at the table; seat 0 leads unless a dealer is given:

    game = dealt("R5 ZB", "R9 G3", "NG B2", turned_up="B7")
    game = told(game, "bid 1", "bid 1", "bid 0", "play R5")
    game = told(game, "2 bid 0")            # where several seats may act, the seat comes first
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, product
from random import Random
from typing import Any

import msgspec

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
    Phase,
    Play,
    Round,
    View,
    act,
    action,
    awaited_seats,
    deal,
    legal_actions,
    new_game,
    view,
)
from foretell.errors import ForetellError
from foretell.rules import DECISIONS, Deal, Rules

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
    """A game of one round with this deal.  The special cards in it are in the deck; Dragon and Fairy always together."""
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
    """The game after one line such as `bid 2` or `1 pass G3`, and its events."""
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


def choices(
    game: Game, dealing: Dealing, choose: Callable[[View], Action]
) -> Iterator[tuple[Game, View]]:
    """Every moment at which a seat has to choose, and what that seat sees, while `choose` plays all seats to the end."""
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat = awaited_seats(game)[0]
        seen = view(game, seat)
        yield game, seen
        game, _ = act(game, seat, choose(seen))


def now(game: Game) -> Round:
    assert game.now is not None
    return game.now


def legal(game: Game, seat: int | None = None) -> str:
    """What may be done, without the verb: `R5 ZB`, `0 1 2`."""
    if seat is None:
        (seat,) = awaited_seats(game)
    return " ".join(str(one).partition(" ")[2] for one in legal_actions(game, seat))


def refusal_of(tried: Callable[[], object]) -> ForetellError | None:
    """The error that something raises, or None if it raises none."""
    try:
        tried()
    except ForetellError as error:
        return error
    return None


# Every action that exists, allowed or not.

UNIVERSE: tuple[Action, ...] = (
    *(Bid(tricks) for tricks in range(22)),
    *(NameTrump(colour) for colour in (*Colour, None)),
    *(Play(face) for face in FACES.values()),
    *(PassCard(one) for one in CARDS.values()),
    *(ChangeBid(change) for change in (+1, -1)),
)


# Every set of rules.

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
    """V7: all sets of rules that are allowed, with all rounds; made from the list of decisions."""
    asked = [one for one in DECISIONS if one.form in ("one", "switch")]
    found = []
    for specials in ((), *SUBSETS):
        for picked in product(*(one.choices for one in asked)):
            chosen: dict[str, Any] = {
                one.key: choice.value for one, choice in zip(asked, picked, strict=True)
            }
            make = partial(Rules, "pt-BR" if specials else "pt-PT", **chosen, specials=specials)
            if refusal_of(make) is None:
                found.append(make())
    return tuple(found)


def head_counts(rules: Rules) -> range:
    """D1, V6: the numbers of players that these rules allow."""
    return range(3, 5 if rules.unicolor else 7)


def last_round(rules: Rules, players: int) -> int:
    """D3, V6: the number of the last round."""
    return 12 if rules.unicolor else 60 // players


# Games in progress.


def rich(seed: int) -> Dealing:
    """Deals with more Wizards, Jesters and special cards than usual, so that even short rounds have them."""

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


Happening = Deal | tuple[int, Action]


@dataclass(frozen=True)
class Setup:
    """A game in progress, described by what leads to it: small enough to read when a test fails."""

    rules: Rules
    players: int
    first_dealer: int
    seed: int
    stop: int  # the number of actions, without deals; the game may end sooner

    @property
    def game(self) -> Game:
        *_, last = self.course()
        return last

    def start(self) -> Game:
        return new_game(self.rules, NAMES[: self.players], first_dealer=self.first_dealer)

    def course(self) -> Iterator[Game]:
        """The game after each deal and each action, up to where it stops."""
        game = self.start()
        yield game
        for happened in self.happenings():
            if isinstance(happened, Deal):
                game, _ = deal(game, happened)
            else:
                game, _ = act(game, *happened)
            yield game

    def happenings(self) -> "Iterator[Happening]":
        """The deals and the actions, each with its seat, in order."""
        random, dealing = Random(self.seed), rich(self.seed)
        game = self.start()
        actions = 0
        while not game.is_over:
            if game.awaits_deal and (actions < self.stop or not actions):
                dealt_now = dealing(game)
                game, _ = deal(game, dealt_now)
                yield dealt_now
            if actions == self.stop:
                return
            seat = random.choice(awaited_seats(game))
            action = random.choice(legal_actions(game, seat))
            game, _ = act(game, seat, action)
            actions += 1
            yield seat, action


def setup_by_lot(number: int, rules: Rules | None = None, *, most_cards: int = 20) -> Setup:
    """A random setup made from this number: with these rules or any, 3 to 6 players, one or two rounds, stopped anywhere."""
    random = Random(number)
    rules = rules or rules_by_lot(random)
    players = random.choice(head_counts(rules))
    last = min(last_round(rules, players), most_cards)
    # Mostly short rounds, in which more happens for each card; some long ones too.
    rounds = {random.randint(1, min(last, 4 if random.random() < 0.8 else 20)) for _ in range(2)}
    setup = Setup(
        rules=with_rounds(rules, *sorted(rounds)),
        players=players,
        first_dealer=random.randrange(players),
        seed=number,
        stop=9999,
    )
    # Stops more often at passes and the Cloud's change, which are rare.
    rare = {Phase.TRUMP: 3, Phase.PASS: 6, Phase.CHANGE: 6}
    phases = [now(game).phase for game in setup.course() if awaited_seats(game)]
    (stop,) = random.choices(range(len(phases) + 1), [*(rare.get(phase, 1) for phase in phases), 1])
    return replace(setup, stop=stop)


def rules_by_lot(random: Random) -> Rules:
    """Any allowed set of rules, half of them with special cards."""
    with_specials = random.random() < 0.5
    return random.choice([one for one in every_rules() if bool(one.specials) == with_specials])


def with_rounds(rules: Rules, *rounds: int) -> Rules:
    """The same rules for a shorter game (D6)."""
    return msgspec.structs.replace(rules, rounds=rounds)
