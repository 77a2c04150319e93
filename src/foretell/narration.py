"""Turns the events of a game into sentences, for the terminal and for replays."""

from collections.abc import Iterable, Sequence

from foretell.cards import Card, Colour
from foretell.engine.events import (
    BidChanged,
    BidMade,
    BidsShown,
    CardsPassed,
    Event,
    Exchanged,
    GameOver,
    Played,
    RoundDealt,
    RoundScored,
    TrickEnded,
    TrumpSettled,
)
from foretell.i18n import Catalogue, Term, listed
from foretell.scorepad.sheet import signed

__all__ = ["bids_told", "colour_term", "over_or_under", "tell", "trump_told"]


def tell(event: Event, names: Sequence[str], texts: Catalogue) -> list[str]:
    """The sentences for one event: usually one; at the end of a round, one for each player."""
    say = texts.say
    match event:
        case RoundDealt(number, dealer, size, turned_up):
            dealt = say("event.round_dealt", number=number, dealer=names[dealer], count=size)
            return [dealt, *_turned_up(turned_up, texts)]
        case Exchanged(seat, card):
            return [say("event.exchanged", name=names[seat], card=card)]
        case TrumpSettled(colour, named_by, _):
            return [trump_told(colour, None if named_by is None else names[named_by], texts)]
        case BidMade(seat, None):
            return [say("event.has_bid", name=names[seat])]
        case BidMade(seat, bid):
            return [say("event.bid_made", name=names[seat], bid=bid)]
        case BidsShown(bids):
            return [say("event.bids_shown", bids=bids_told(bids, names))]
        case Played(seat, face):
            return [say("event.played", name=names[seat], card=face)]
        case TrickEnded(None, leader):
            return [say("event.trick_bombed", name=names[leader])]
        case TrickEnded(winner, _) if winner is not None:
            return [say("event.trick_taken", name=names[winner])]
        case CardsPassed():
            return [say("event.cards_passed")]
        case BidChanged(seat, change):
            return [say("event.bid_changed", name=names[seat], change=signed(change))]
        case RoundScored():
            return list(_scored(event, names, texts))
        case GameOver(winners):
            name = listed([names[seat] for seat in winners], say)
            return [say("event.game_over", name=name, count=len(winners))]
        case _:
            return []


def _turned_up(card: Card | None, texts: Catalogue) -> list[str]:
    return [] if card is None else [texts.say("event.turned_up", card=card)]


def trump_told(colour: Colour | None, namer: str | None, texts: Catalogue) -> str:
    """The trump of the round, or that there is none, and who named it, if anyone did."""
    how = "settled" if namer is None else "named"
    what = "none" if colour is None else "colour"
    return texts.say(f"event.trump_{how}_{what}", colour=colour_term(colour), name=namer)


def _scored(event: RoundScored, names: Sequence[str], texts: Catalogue) -> Iterable[str]:
    rows = zip(names, event.bids, event.won, event.points, event.totals, strict=True)
    for name, bid, won, points, total in rows:
        key = "met" if bid == won else "over" if won > bid else "under"
        yield texts.say(
            f"event.bid_{key}",
            name=name,
            bid=bid,
            won=won,
            count=abs(won - bid),
            points=signed(points),
            total=signed(total).lstrip("+"),
        )


def bids_told(bids: Sequence[int | None], names: Sequence[str]) -> str:
    """Each name with its bid, or with a question mark if the bid is not shown."""
    return ", ".join(
        f"{name} {'?' if bid is None else bid}" for name, bid in zip(names, bids, strict=True)
    )


def over_or_under(bids: Sequence[int | None], tricks: int, texts: Catalogue) -> str:
    """By how many the bids are over or under the tricks of the round."""
    difference = sum(bid or 0 for bid in bids) - tricks
    key = "over" if difference > 0 else "under" if difference < 0 else "even"
    return texts.say(f"table.bids_{key}", count=abs(difference))


def colour_term(colour: Colour | None) -> Term:
    return Term(f"colour.{colour or 'none'}")
