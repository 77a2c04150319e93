"""The review of a finished game: what each choice cost, and how much of the result was luck.

For every choice the coach gets the view that the seat had, and says what each legal action was worth.  The *cost* of a
choice is how far it was behind the best one; a difference that may be due to chance costs nothing.  A seat's points are
cards - mistakes + fortune:

    cards     what the coach expected of the hands, with the best bids
    mistakes  the sum of the costs of the seat's choices
    fortune   the rest: how the hidden cards lay, and what the others did

Luck is fortune plus the difference between the seat's cards and the average cards at the table.

The coach plays out few worlds, so every one of these sums has a standard error, which is told with it.
"""

from collections.abc import Iterable, Iterator
from math import fsum, sqrt
from random import Random

import msgspec

from foretell.coach.odds import weighed_up
from foretell.engine import (
    Action,
    Bid,
    ChangeBid,
    Game,
    NameTrump,
    PassCard,
    Phase,
    Play,
    act,
    awaited_seats,
    deal,
    new_game,
    view,
)
from foretell.engine.round import Round, round_points
from foretell.errors import NotAGame

__all__ = ["Judged", "Review", "SeatReview", "choices_of", "judged", "review", "summed_up"]

WORLDS = 24  # that are played out for a choice, at most
_SURE = 2.0  # a choice is a mistake if it is this many standard errors behind the best


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One choice, and the coach's verdict on it."""

    round: int
    decision: str
    seat: int
    action: str
    best: str
    points: float  # expected points of the action
    best_points: float
    best_error: float  # one standard error of the best action's points
    cost: float  # 0 if the difference may be due to chance
    cost_error: float  # one standard error of the difference, counted or not


class SeatReview(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's game: points = cards - mistakes + fortune; luck is measured against the average of the table."""

    seat: int
    name: str
    points: int
    cards: float
    cards_error: float  # one standard error, as the next two
    mistakes: float
    mistakes_error: float
    fortune: float
    luck: float
    luck_error: float
    choices: int
    by_bids: float  # the part of `mistakes` made in bids
    by_plays: float  # the part made in plays
    worst: tuple[Judged, ...]


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """The review of a whole game."""

    worlds: int
    seats: tuple[SeatReview, ...]
    choices: tuple[Judged, ...]


def choices_of(game: Game) -> Iterator[tuple[Game, int, Action]]:
    """Every action of a finished game: the game before it, the seat, and the action."""
    if not game.is_over:
        raise NotAGame("review_unfinished")
    now = new_game(game.rules, game.names, first_dealer=game.first_dealer, peoples=game.peoples)
    for played in game.rounds:
        now, _ = deal(now, played.deal)
        while len(now.totals) < len(now.rounds):
            seat = awaited_seats(now)[0]
            chosen = _chosen(now, played, seat)
            yield now, seat, chosen
            now, _ = act(now, seat, chosen)


def _chosen(game: Game, played: Round, seat: int) -> Action:
    """What this seat did at this point of the round that was played."""
    now = game.now
    assert now is not None
    match now.phase:
        case Phase.TRUMP:
            return NameTrump(played.trump)
        case Phase.BID:
            return Bid(played.bids[seat] or 0)
        case Phase.PASS:
            passed = played.tricks[len(now.tricks) - 1].passed
            assert passed is not None
            return PassCard(passed[seat])
        case Phase.CHANGE:
            return ChangeBid(played.change or 0)
        case _:
            assert now.trick is not None
            return Play(played.tricks[len(now.tricks)].faces[len(now.trick.faces)])


def judged(game: Game, seat: int, chosen: Action, worlds: int) -> Judged | None:
    """The coach's verdict on one action; None if there was only one legal action."""
    seen = view(game, seat)
    if len(seen.legal) < 2 or seen.now is None:
        return None
    odds = weighed_up(seen, worlds, Random(f"{seat}/{seen.decision}"), made=chosen)
    made, best = odds.of(chosen), odds.best
    is_mistake = made.behind > _SURE * made.behind_error
    return Judged(
        round=seen.now.number,
        decision=odds.decision,
        seat=seat,
        action=made.action,
        best=best.action,
        points=made.points,
        best_points=best.points,
        best_error=best.error,
        cost=made.behind if is_mistake else 0.0,
        cost_error=made.behind_error,
    )


def review(game: Game, *, worlds: int = WORLDS, worst: int = 3) -> Review:
    """The review of a whole game; takes some milliseconds for each choice."""
    found = [
        one
        for before, seat, chosen in choices_of(game)
        if (one := judged(before, seat, chosen, worlds)) is not None
    ]
    return summed_up(game, found, worlds, worst)


def summed_up(game: Game, found: list[Judged], worlds: int, worst: int) -> Review:
    """The review that these verdicts add up to."""
    cards = [
        [_cards(found, place, seat, one) for seat in range(game.seats)]
        for place, one in enumerate(game.rounds)
    ]
    seats = []
    all_cards_error = _together(error for row in cards for _, error in row) / game.seats
    for seat in range(game.seats):
        mine = [one for one in found if one.seat == seat]
        held = sum(row[seat][0] for row in cards)
        average = sum(sum(points for points, _ in row) / len(row) for row in cards)
        mistakes_error = _together(one.cost_error for one in mine)
        mistakes = sum(one.cost for one in mine)
        fortune = game.score[seat] - held + mistakes
        seats.append(
            SeatReview(
                seat=seat,
                name=game.names[seat],
                points=game.score[seat],
                cards=held,
                cards_error=_together(row[seat][1] for row in cards),
                mistakes=mistakes,
                mistakes_error=mistakes_error,
                fortune=fortune,
                luck=held - average + fortune,
                # The seat's own cards are not in it: what they were expected to score is a part of its fortune.
                luck_error=_together((all_cards_error, mistakes_error)),
                choices=len(mine),
                by_bids=sum(one.cost for one in mine if one.action.startswith("bid")),
                by_plays=sum(one.cost for one in mine if one.action.startswith("play")),
                worst=tuple(
                    sorted((one for one in mine if one.cost), key=lambda one: -one.cost)[:worst]
                ),
            )
        )
    return Review(worlds=worlds, seats=tuple(seats), choices=tuple(found))


def _cards(found: list[Judged], place: int, seat: int, played: Round) -> tuple[float, float]:
    """What the best bid was expected to score, and its error; what the seat scored, if it had no choice of bids."""
    for one in found:
        if one.seat == seat and one.decision.startswith(f"{place + 1}:{Phase.BID}"):
            return one.best_points, one.best_error
    return float(round_points(played)[seat]), 0.0


def _together(errors: Iterable[float]) -> float:
    """The standard error of a sum, by those of its terms; the same on every machine, which `hypot` is not."""
    return sqrt(fsum(error * error for error in errors))
