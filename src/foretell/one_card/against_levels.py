"""How far a bot is from a best response in the round of one card, when the same bot sits in every other seat.

The bot is asked for its bid in every view that there is: with each card, each trump and each row of earlier bids.  So
its points and those of the best response are exact, but for a bot whose choice is drawn and cannot be listed: that one
is asked several times, each with another seed, and the player measured is the one that draws among these answers.

Cards that play the same part are interchangeable to every bot; a view is asked about once for all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from random import Random

import numpy as np
import numpy.typing as npt

from foretell.bots import Bot
from foretell.bots.net.imperfect_player import ImperfectPlayer
from foretell.cards import Card
from foretell.engine import (
    Action,
    Bid,
    Game,
    NameTrump,
    View,
    act,
    awaited_seats,
    deal,
    new_game,
    view,
)
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.card_numbers import COLOURS
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.one_card.chances import Chances
from foretell.one_card.equilibrium import History, histories, worth
from foretell.one_card.situations import Situation, Weights, named, situations
from foretell.rules import Deal, Rules

__all__ = ["Measured", "Shortfall", "measure"]

Asking = Callable[[View, int], Mapping[int, float]]
"""How likely a bot takes each action, as the kernel numbers them; given a view and its number."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A seat's points with the bot's own bids, and with the best ones, against the bot in all other seats."""

    own: float
    best: float

    @property
    def gap(self) -> float:
        """What the bot could gain there."""
        return self.best - self.own


@dataclass(frozen=True, slots=True)
class Measured:
    """A bot in the round of one card.  Seat 0 bids first, the last one deals."""

    seats: tuple[Shortfall, ...]
    views: int  # how many views the bot was asked about

    @property
    def gap(self) -> float:
        """The mean over the seats."""
        return sum(one.gap for one in self.seats) / len(self.seats)


def asking(player: Bot, draws: int) -> Asking:
    """Asks a player: for its own chances where it can tell them, otherwise for so many choices with other seeds."""
    if isinstance(player, ImperfectPlayer):
        return lambda seen, _number: player.chances(seen)

    def asked(seen: View, number: int) -> Mapping[int, float]:
        chances: dict[int, float] = {}
        for draw in range(draws):
            chosen = kernel_actions(player.choose(seen, Random(f"{number}/{draw}")))[0]
            chances[chosen] = chances.get(chosen, 0.0) + 1 / draws
        return chances

    return asked


def measure(player: Bot, players: int, *, draws: int = 1, rules: Rules | None = None) -> Measured:
    """How far the player is from a best response, by seats."""
    table = _Table(asking(player, draws), rules or Rules(), players)
    found = np.zeros((players, 2))
    for situation in situations(table.tables):
        share = float(situation.share)
        if situation.is_named:
            found += share * _with_naming(table, situation)
        else:
            bids = table.bids(situation)
            for seat in range(players):
                found[seat] += share * _shortfall(situation, players, seat, bids, None)
    return Measured(tuple(Shortfall(*map(float, row)) for row in found), table.views)


def _with_naming(table: "_Table", situation: Situation) -> npt.NDArray[np.float64]:
    """The same after a Wizard: each trump that the dealer may name is a situation of its own."""
    players, last = table.players, table.players - 1
    found = np.zeros((players, 2))
    names = table.names(situation)
    bids = table.bids(situation)  # of the first colour; the others are like it
    own = np.zeros(len(situation.demand))
    best = np.full(len(situation.demand), -np.inf)
    for trump in range(4):
        one = named(table.tables, situation, trump)
        same = _renamed(situation, one, bids)
        for seat in range(last):
            found[seat] += _shortfall(one, players, seat, same, names[:, trump])
        of_own, of_best = _worths(one, players, last, same, None)
        own += names[:, trump] * of_own
        best = np.maximum(best, of_best)
    found[last] = own.sum(), best.sum()
    found[last] /= _deals(players)
    return found


def _deals(players: int) -> int:
    return prod(59 - done for done in range(players))


def _shortfall(
    situation: Situation,
    players: int,
    seat: int,
    bids: Sequence[Mapping[History, Weights]],
    dealer: Weights | None,
) -> npt.NDArray[np.float64]:
    own, best = _worths(situation, players, seat, bids, dealer)
    made: npt.NDArray[np.float64] = np.array([own.sum(), best.sum()]) / _deals(players)
    return made


def _worths(
    situation: Situation,
    players: int,
    seat: int,
    bids: Sequence[Mapping[History, Weights]],
    dealer: Weights | None,
) -> tuple[Weights, Weights]:
    """For each card of a seat, over all deals: the points of its own bids, and of the best ones."""
    own = np.zeros(len(situation.demand))
    best = np.zeros(len(situation.demand))
    chances = Chances(situation, players, seat, dealer)
    for history in histories(seat):
        heard = [
            bids[other][history[:other]] if history[other] else 1 - bids[other][history[:other]]
            for other in range(seat)
        ]
        high, low = worth(*chances.count(heard))
        one = bids[seat][history]
        own += one * high + (1 - one) * low
        best += np.maximum(high, low)
    return own, best


def _parts(situation: Situation) -> npt.NDArray[np.int64]:
    """A number for each card: the same for cards that play the same part under this trump."""
    cards = np.arange(len(situation.demand))
    numbers = cards % 13 + 13 * (situation.demand == situation.trump)
    return np.where(situation.demand < 4, numbers, 26 + situation.demand)


def _renamed(
    situation: Situation, other: Situation, bids: Sequence[Mapping[History, Weights]]
) -> list[dict[History, Weights]]:
    """The bids of a situation in another one that differs in the names of the colours."""
    places = {int(part): place for place, part in enumerate(_parts(situation))}
    order = np.array([places[int(part)] for part in _parts(other)])
    return [{history: row[order] for history, row in of_seat.items()} for of_seat in bids]


class _Table:
    """Shows views to a bot, and counts them."""

    def __init__(self, asked: Asking, rules: Rules, players: int) -> None:
        self.asked, self.rules, self.players = asked, rules, players
        self.tables: Tables = compile_rules(rules, players)
        self.views = 0
        self._new = new_game(
            rules, [f"P{seat}" for seat in range(players)], first_dealer=players - 1
        )

    def bids(self, situation: Situation) -> list[dict[History, Weights]]:
        """How likely each seat bids 1, by earlier bids and by card."""
        parts = _parts(situation)
        found: list[dict[History, Weights]] = []
        for seat in range(self.players):
            found.append({history: np.zeros(len(parts)) for history in histories(seat)})
            for part in set(parts[situation.unseen == 1].tolist()):
                same = (parts == part) & (situation.unseen == 1)
                game = self._dealt(situation, seat, int(np.flatnonzero(same)[0]))
                if situation.is_named:
                    game = self._after(game, NameTrump(COLOURS[situation.trump]))
                for history in histories(seat):
                    now = game
                    for tricks in history:
                        now = self._after(now, Bid(tricks))
                    found[seat][history][same] = self._chance(now, seat).get(1, 0.0)
        return found

    def names(self, situation: Situation) -> npt.NDArray[np.float64]:
        """How likely the dealer names each colour, by card."""
        found = np.zeros((len(situation.demand), 4))
        last = self.players - 1
        for card in np.flatnonzero(situation.unseen):
            game = self._dealt(situation, last, int(card))
            for colour, chance in self._chance(game, last).items():
                found[card, colour] = chance
        return found

    def _chance(self, game: Game, seat: int) -> Mapping[int, float]:
        self.views += 1
        return self.asked(view(game, seat), self.views)

    def _dealt(self, situation: Situation, seat: int, card: int) -> Game:
        """A game in which this seat holds this card; it sees no other hand."""
        deck = self.tables.deck
        rest: list[Card] = [
            one for place, one in enumerate(deck) if place not in (card, situation.turned_up)
        ]
        hands = [(deck[card],) if one == seat else (rest.pop(),) for one in range(self.players)]
        return deal(self._new, Deal(tuple(hands), deck[situation.turned_up]))[0]

    def _after(self, game: Game, action: Action) -> Game:
        return act(game, awaited_seats(game)[0], action)[0]
