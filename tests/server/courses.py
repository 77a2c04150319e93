"""Games to be played twice: the second time, what one seat may not know is different, and all else is the same.

What a seat may know is computed here from the rules, not from its View, so a test that compares what is sent in both games
also finds a leak in the View.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from random import Random

from foretell.cards import CARDS, Card, Kind
from foretell.engine import (
    Action,
    Bid,
    Game,
    PassCard,
    act,
    awaited_seats,
    deal,
    legal_actions,
    new_game,
)
from foretell.errors import ForetellError
from foretell.rules import Deal, Rules
from foretell.rules.presets import PRESETS
from foretell.server.game.live_game import first_dealer
from foretell.server.keys import Keys
from tables import NAMES, every_rules, head_counts, last_round, rich, with_rounds

SECRET = "5e" * 32
Script = list[tuple[int, Action]]

VARIANTS = (*every_rules(), *(one.rules for one in PRESETS.values()))
"""Every set of rules that is allowed, and those of the rulebooks."""


def variant(number: int) -> Rules:
    """Each number up to the number of variants gives another one, and neighbours differ in much."""
    return VARIANTS[29 * number % len(VARIANTS)]


@dataclass(frozen=True)
class Course:
    """A game to play: its deals, and the actions of each seat."""

    rules: Rules
    players: int
    deals: tuple[Deal, ...]
    script: Script

    def start(self) -> Game:
        names = NAMES[: self.players]
        dealer = first_dealer(SECRET, ("",) * self.players)
        return new_game(self.rules, names, first_dealer=dealer)

    def games(self) -> list[Game]:
        """The game before each action, and at the end; raises if an action is not allowed."""
        left = iter(self.deals)
        game, _ = deal(self.start(), next(left))
        found = [game]
        for seat, chosen in self.script:
            game, _ = act(game, seat, chosen)
            if game.awaits_deal:
                game, _ = deal(game, next(left))
            found.append(game)
        return found


def course(
    random: Random, rules: Rules, *, most_cards: int = 5, lengths: Sequence[int] = (1, 1, 2)
) -> Course:
    """A random game, which stops at a random action.  `lengths` are the numbers of rounds that it may have."""
    players = random.choice(head_counts(rules))
    most = min(last_round(rules, players), most_cards)
    rounds = sorted(random.sample(range(1, most + 1), random.choice(lengths)))
    return played_at_random(random, with_rounds(rules, *rounds), players, random.randrange(1, 60))


def played_at_random(random: Random, rules: Rules, players: int, stop: int = 10**6) -> Course:
    """A game in which everyone does anything, until so many actions are made."""
    made, script, dealing = [], Script(), rich(random.randrange(10**6))
    game = Course(rules, players, (), []).start()
    while not game.is_over and len(script) < stop:
        if game.awaits_deal:
            made.append(dealing(game))
            game, _ = deal(game, made[-1])
        seat = random.choice(awaited_seats(game))
        script.append((seat, random.choice(legal_actions(game, seat))))
        game, _ = act(game, *script[-1])
    if game.awaits_deal:
        made.append(dealing(game))
    return Course(rules, players, tuple(made), script)


def hidden_cards(game: Game, seat: int | None, script: Script) -> set[Card]:
    """The cards of the current round that, by the rules, this seat has not been able to see."""
    now = game.now
    assert now is not None
    known = {face.card for trick in now.tricks for face in trick.faces}
    known |= {face.card for face in now.trick.faces} if now.trick else set()
    known |= {now.deal.turned_up} if now.deal.turned_up else set()
    if seat is not None:
        is_foresight = game.rules.sight.is_foresight(now.number)
        if (
            not is_foresight or now.all_bid
        ):  # V4, V5: a player does not see their hand before all have bid
            known |= set(now.deal.hands[seat])
        if is_foresight:
            known |= {card for n, hand in enumerate(now.deal.hands) if n != seat for card in hand}
        for trick in now.tricks:
            known |= {trick.passed[seat], trick.passed[seat - 1]} if trick.passed else set()
        own = [chosen.card for n, chosen in script if n == seat and isinstance(chosen, PassCard)]
        known |= set(own)
    deck = [
        one for one in CARDS.values() if not one.is_special or one.kind.value in game.rules.specials
    ]
    # X6: a player who is dealt the Werewolf shows it.  If nobody does, everyone knows that nobody has it.
    return {one for one in deck if one not in known and one.kind is not Kind.WEREWOLF}


def otherwise(played: Course, seat: int | None, random: Random) -> Course | None:
    """A game that looks the same to this seat, but has other hidden cards and bids.  None if there is no such game."""
    last = played.games()[-1]
    now = last.now
    assert now is not None
    hidden = hidden_cards(last, seat, played.script)
    begins = _first_action(played)
    for _ in range(40):
        moved = _reshuffled(last, hidden, random)
        swap = dict(
            zip(
                (one for hand in now.deal.hands for one in hand),
                (one for hand in moved.hands for one in hand),
                strict=True,
            )
        )
        script = list(played.script[:begins])
        for actor, chosen in played.script[begins:]:
            changed = chosen
            if isinstance(chosen, PassCard):
                changed = PassCard(swap.get(chosen.card, chosen.card))
            elif isinstance(chosen, Bid) and actor != seat and not now.bids_are_shown:
                changed = Bid(random.randrange(now.hand_size + 1))
            script.append((actor, changed))
        found = Course(played.rules, played.players, (*played.deals[:-1], moved), script)
        try:
            found.games()
        except ForetellError:
            continue
        if (found.deals, found.script) != (played.deals, played.script):
            return found
    return None


def _first_action(played: Course) -> int:
    """The index in the script at which the last round begins."""
    games = played.games()
    return next(n for n, game in enumerate(games) if len(game.rounds) == len(games[-1].rounds))


def _reshuffled(game: Game, hidden: set[Card], random: Random) -> Deal:
    now = game.now
    assert now is not None
    hands = []
    left = sorted(hidden, key=lambda one: one.index)
    random.shuffle(left)
    for seat, hand in enumerate(now.deal.hands):
        new = []
        for one in hand:
            if one not in hidden:
                new.append(one)
                continue
            people = game.peoples[seat] if game.peoples else None
            fits = [card for card in left if people is None or card.people is people]
            new.append(fits[0])
            left.remove(fits[0])
        hands.append(tuple(new))
    return Deal(tuple(hands), now.deal.turned_up)


class FixedKeys:
    """The same ids and tokens in every run."""

    def __init__(self) -> None:
        self.reset()
        self.keys = Keys(
            id=lambda: f"id-{next(self._numbers):08d}",
            code=lambda: f"CODE{next(self._numbers):06d}",
            token=lambda: f"token-{next(self._numbers):016d}",
            secret=lambda: SECRET,
        )

    def reset(self) -> None:
        self._numbers = count()
