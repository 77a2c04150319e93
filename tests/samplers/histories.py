"""Whether hands can have been held: by the rules alone, and by playing the round again, strictly.

Written without a look at how the kernel deals hands anew: it tries every card that could have been passed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import msgspec

from foretell.cards import Card, Colour
from foretell.deals import seeded
from foretell.engine import (
    Action,
    Game,
    PassCard,
    View,
    act,
    awaited_seats,
    deal,
    legal_actions,
    new_game,
    view,
)
from foretell.engine.round import Phase, Round
from foretell.errors import BadDeal
from foretell.rules import Deal, Rules

Hands = Sequence[Sequence[Card]]


@dataclass
class Played:
    """A game with everything that was done in its last round, so that the round can be played again otherwise."""

    before: Game  # awaits the deal of the last round
    game: Game
    cards: Deal
    actions: list[tuple[int, Action]] = field(default_factory=list)


def stops(
    rules: Rules,
    players: int,
    random: Random,
    *,
    numbers: Sequence[int],
    share: float,
    late: int = 0,
) -> Iterator[Played]:
    """Random rounds of the given numbers, stopped after a share of their actions.

    With `late`, the Juggler is kept until so many cards are left, and then played at once: by then many voids have been
    shown, and the pass may break them.
    """
    for number in numbers:
        game = new_game(rules, ["x"] * players, first_dealer=random.randrange(players))
        place = game.numbers.index(number)
        game = _short(rules, players, random, number) if place else game
        cards = seeded(random.random().hex())(game)
        played = Played(game, deal(game, cards)[0], cards)
        while played.game.now is not None and played.game.now.phase is not Phase.SCORED:
            if random.random() < share:
                yield Played(played.before, played.game, played.cards, list(played.actions))
            seat = random.choice(awaited_seats(played.game))
            action = random.choice(_kept_back(played.game, seat, late))
            played.actions.append((seat, action))
            played.game = act(played.game, seat, action)[0]


def _kept_back(game: Game, seat: int, late: int) -> Sequence[Action]:
    offered = legal_actions(game, seat)
    jugglers = [one for one in offered if str(one).startswith("play JUGGLER")]
    if not late or not jugglers or game.now is None:
        return offered
    if len(game.now.hands[seat]) <= late:
        return jugglers
    return [one for one in offered if one not in jugglers] or offered


def _short(rules: Rules, players: int, random: Random, number: int) -> Game:
    """A game of this one round (D6)."""
    only = msgspec.structs.replace(rules, rounds=(number,))
    return new_game(only, ["x"] * players, first_dealer=random.randrange(players))


def fits(played: Played, seen: View, hands: Hands) -> bool:
    """Whether some history with these hands at the end looks to this seat as the real one does."""
    rebuilt = replayed(played, seen, hands)
    return rebuilt is not None and view(rebuilt, seen.seat) == seen


def replayed(played: Played, seen: View, hands: Hands) -> Game | None:
    """The round played again with other hands, or None if a card of the history could not have been played."""
    now = played.game.now
    assert now is not None
    given = _passed(now, seen, hands)
    if given is None:
        return None
    dealt = _dealt(played, seen, now, hands, given)
    if dealt is None:
        return None
    try:
        game = deal(played.before, Deal(dealt, played.cards.turned_up))[0]
    except BadDeal:
        return None
    for seat, done in played.actions:
        action = done
        if isinstance(done, PassCard) and seat != seen.seat:
            assert game.now is not None
            action = PassCard(given[seat] if given else game.now.hands[seat][0])
        if action not in legal_actions(game, seat):
            return None
        game = act(game, seat, action)[0]
    return game


def _plays(now: Round, seat: int, since: int, until: int) -> list[Card]:
    tricks = [*now.tricks, *([now.trick] if now.trick else [])][since:until]
    return [
        face.card
        for trick in tricks
        for place, face in enumerate(trick.faces)
        if (trick.leader + place) % now.seats == seat
    ]


def _pass_place(now: Round) -> int | None:
    return next((p for p, trick in enumerate(now.tricks) if trick.passed is not None), None)


def _passed(now: Round, seen: View, hands: Hands) -> Sequence[Card] | None:
    """What each seat can have passed; () where nobody has; None where it cannot be explained."""
    place = _pass_place(now)
    if place is None:
        return ()
    known: dict[int, Card] = {}
    if seen.seat is not None and seen.now is not None:
        one = seen.now.passes[-1]
        assert one.received is not None
        known[seen.seat] = one.gave
        known[(seen.seat - 1) % now.seats] = one.received
    after = [[*hands[seat], *_plays(now, seat, place + 1, 99)] for seat in range(now.seats)]

    def candidates(giver: int) -> list[Card]:
        held = after[(giver + 1) % now.seats]
        if giver in known:
            return [known[giver]] if known[giver] in held else []
        return held

    def works(seat: int, gave: Card, received: Card) -> bool:
        """Whether this seat could play as it did before the pass."""
        hand = [card for card in after[seat] if card is not received] + [gave]
        for card, demanded in reversed(_with_demand(now, seat, place + 1)):
            hand.append(card)
            if card not in now.rules.tricks.playable(hand, demanded, now.trump):
                return False
        return now.werewolf != seat or now.deal.turned_up in hand

    def search(chosen: list[Card]) -> list[Card] | None:
        giver = len(chosen)
        if giver == now.seats:
            return chosen if works(0, chosen[0], chosen[-1]) else None
        for card in candidates(giver):
            if giver == 0 or works(giver, card, chosen[-1]):
                found = search([*chosen, card])
                if found is not None:
                    return found
        return None

    return search([])


def _with_demand(now: Round, seat: int, until: int) -> list[tuple[Card, Colour | None]]:
    found: list[tuple[Card, Colour | None]] = []
    for trick in now.tricks[:until]:
        place = (seat - trick.leader) % now.seats
        demanded = now.rules.tricks.demanded(trick.faces[:place])
        found.append((trick.faces[place].card, demanded))
    return found


def _dealt(
    played: Played, seen: View, now: Round, hands: Hands, given: Sequence[Card]
) -> tuple[tuple[Card, ...], ...] | None:
    made = []
    for seat in range(now.seats):
        real = played.cards.hands[seat]
        hand = {*hands[seat], *_plays(now, seat, 0, 99)}
        if given:
            hand.discard(given[seat - 1])
            hand.add(given[seat])
        if now.werewolf == seat and now.deal.turned_up is not None:
            if now.deal.turned_up not in hand:
                return None
            hand.discard(now.deal.turned_up)
            hand.add(next(card for card in real if not card.faces))
        if len(hand) != len(real):
            return None
        if hand == set(real):
            made.append(tuple(real))  # in the order that a seat may have seen
        else:
            made.append(tuple(sorted(hand, key=lambda card: card.index)))
    return tuple(made)
