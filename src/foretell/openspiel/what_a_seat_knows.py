"""What a seat knows as a line of text, made from its View and from nothing else.

OpenSpiel's algorithms tell situations apart by this text.  The text of a round holds everything of the View that does
not follow from the rest of it, so a seat that has seen something else gets another text.
"""

from collections.abc import Iterable

from foretell.cards import Card
from foretell.engine import Game, view
from foretell.engine.view import RoundView, View
from foretell.engine.view_fields import PassSeen, TrickView

__all__ = ["seen_round"]


def seen_round(game: Game, seat: int | None) -> str:
    """What this seat knows of the round that goes on, or of the last one; a spectator has no seat."""
    seen = view(game, seat)
    return "" if seen.now is None else "; ".join(_parts(seen, seen.now))


def _parts(seen: View, now: RoundView) -> Iterable[str]:
    yield f"round {now.number} dealer {now.dealer}"
    if now.hand is not None:
        yield f"hand {_cards(now.hand)}"
    if now.foreseen is not None:
        others = ("own" if hand is None else _cards(hand) for hand in now.foreseen)
        yield f"foreseen {' / '.join(others)}"
    yield f"turned up {now.turned_up.code if now.turned_up else 'nothing'}"
    if now.werewolf is not None:
        yield f"werewolf {now.werewolf}"
    if now.named_by is not None:
        yield f"named by {now.named_by}"
    yield f"{seen.phase} trump {now.trump or 'none'}"
    yield f"bids {' '.join(map(_bid, now.bids, now.has_bid))}"
    yield from map(_trick, now.tricks)
    if now.trick is not None:
        yield _trick(now.trick)
    yield from map(_pass, now.passes)
    if now.has_passed is not None:
        yield f"passed {' '.join('yes' if one else 'no' for one in now.has_passed)}"
    if now.change is not None:
        yield f"change {now.change:+d}"
    if now.points is not None:
        yield f"points {' '.join(map(str, now.points))}"


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(card.code for card in cards)


def _bid(bid: int | None, has_bid: bool) -> str:
    return str(bid) if bid is not None else "?" if has_bid else "-"


def _trick(trick: TrickView) -> str:
    return f"{trick.leader}: {' '.join(face.code for face in trick.faces)}"


def _pass(seen: PassSeen) -> str:
    received = seen.received.code if seen.received else "?"
    return f"gave {seen.gave.code} for {received} after trick {seen.trick}"
