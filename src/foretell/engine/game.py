"""A whole game: rounds dealt one after another, running totals, who wins (D2, D3, S3, S4).

    game = new_game(rules, names)
    while not game.is_over:
        if game.awaits_deal:
            game, events = deal(game, a_deal)
        ...
        game, events = act(game, seat, an_action)

Nothing here is random: a deal comes from outside (`foretell.deals`), just like an action.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from foretell.cards import Colour
from foretell.engine.actions import Action
from foretell.engine.events import Event, GameOver, RoundScored
from foretell.engine.round import Phase, Round, awaited, deal_round, legal, round_points, step
from foretell.errors import NotAllowed, RulesClash
from foretell.rules import Deal, Rules, winners

__all__ = ["Game", "ScoredRound", "act", "awaited_seats", "deal", "legal_actions", "new_game"]

_SCORED = Phase.SCORED  # asked for at every action, and found faster by this name


class ScoredRound(Struct, frozen=True):
    """A line of the score sheet: bids after the Cloud's change, tricks, points, running totals (S3)."""

    number: int
    dealer: int
    bids: tuple[int, ...]
    won: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class Game(Struct, frozen=True):
    """The rounds played so far, the last of them perhaps still going on."""

    rules: Rules
    names: tuple[str, ...]
    first_dealer: int
    peoples: tuple[Colour, ...] | None  # each seat's, in unicolor (V6)
    numbers: tuple[int, ...]  # of the rounds to be played (D3, D6)
    rounds: tuple[Round, ...] = ()
    sheet: tuple[ScoredRound, ...] = ()  # S3: a line for each round scored

    @property
    def seats(self) -> int:
        return len(self.names)

    @property
    def now(self) -> Round | None:
        """The round being played, or the last one; None before the first deal."""
        return self.rounds[-1] if self.rounds else None

    @property
    def is_over(self) -> bool:
        return len(self.sheet) == len(self.numbers)

    @property
    def awaits_deal(self) -> bool:
        return len(self.rounds) == len(self.sheet) < len(self.numbers)

    @property
    def next_number(self) -> int:
        """The number of the round to be dealt next."""
        return self.numbers[len(self.rounds)]

    @property
    def next_dealer(self) -> int:
        """D2, D6: the deal moves one seat to the left after each round that is played."""
        return (self.first_dealer + len(self.rounds)) % self.seats

    @property
    def score(self) -> tuple[int, ...]:
        """Each seat's running total."""
        return self.sheet[-1].totals if self.sheet else (0,) * self.seats

    @property
    def totals(self) -> tuple[tuple[int, ...], ...]:
        """The running totals after each round scored."""
        return tuple(line.totals for line in self.sheet)

    @property
    def winners(self) -> tuple[int, ...]:
        """S4: the seats that share the victory; empty until the last round is scored."""
        return winners(self.score) if self.is_over else ()


def new_game(
    rules: Rules,
    names: Sequence[str],
    *,
    first_dealer: int = 0,
    peoples: Sequence[Colour] | None = None,
) -> Game:
    """A game about to be dealt; refuses a table that these rules have no game for."""
    own = rules.seats(len(names), peoples)
    if not 0 <= first_dealer < len(names):
        raise RulesClash("no_such_seat", rule="D2", seat=first_dealer, most=len(names) - 1)
    return Game(rules, tuple(names), first_dealer, own, rules.round_numbers(len(names)))


def deal(game: Game, cards: Deal) -> tuple[Game, tuple[Event, ...]]:
    """The game with its next round dealt."""
    if not game.awaits_deal:
        raise NotAllowed("no_deal_awaited")
    game.rules.deck.check(cards, game.seats, game.peoples, game.next_number)
    now, events = deal_round(game.rules, game.next_number, game.next_dealer, cards)
    return replace(game, rounds=(*game.rounds, now)), events


def act(game: Game, seat: int, action: Action) -> tuple[Game, tuple[Event, ...]]:
    """The game after `seat` has done `action`; an action that is not allowed raises and changes nothing."""
    now = game.now
    if now is None or now.phase is _SCORED:
        raise NotAllowed("game_over" if game.is_over else "deal_awaited")
    after, events = step(now, seat, action)
    game = replace(game, rounds=(*game.rounds[:-1], after))
    if after.phase is not _SCORED:
        return game, events
    line = _scored(after, game.score)
    game = replace(game, sheet=(*game.sheet, line))
    scored: tuple[Event, ...] = (RoundScored(line.bids, line.won, line.points, line.totals),)
    if game.is_over:
        scored += (GameOver(game.winners),)
    return game, events + scored


def _scored(now: Round, before: Sequence[int]) -> ScoredRound:
    points = round_points(now)
    totals = tuple(total + more for total, more in zip(before, points, strict=True))
    return ScoredRound(now.number, now.dealer, now.final_bids, now.won, points, totals)


def awaited_seats(game: Game) -> tuple[int, ...]:
    """The seats that may act now; none while a deal is awaited or the game is over."""
    return awaited(game.now) if game.now else ()


def legal_actions(game: Game, seat: int) -> tuple[Action, ...]:
    """What this seat may do now."""
    return legal(game.now, seat) if game.now else ()
