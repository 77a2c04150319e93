"""A recorded game as text: hands, trump, bids, every trick, the score sheet."""

from collections.abc import Iterator, Sequence

from foretell.cards import Card
from foretell.engine import Phase, Round, Trick, view
from foretell.engine.round import round_points
from foretell.i18n import Catalogue, listed
from foretell.narration import bids_told, over_or_under, trump_told
from foretell.record import Record
from foretell.scorepad.sheet import sheet, signed
from foretell.scorepad.width import fit, shown, width

__all__ = ["replayed", "sorted_hand"]


def replayed(record: Record, texts: Catalogue) -> Iterator[str]:
    """The game as lines of text."""
    game, say = record.game, texts.say
    # Anyone may have written the record: a name must not control the terminal.
    names = tuple(map(shown, game.names))
    yield say("replay.title", names=listed(names, say), rulebook=game.rules.rulebook)
    for now in game.rounds:
        yield ""
        yield from _round(names, now, texts)
        if now.phase is Phase.SCORED:
            yield f"  {_points(names, now)}"
    yield ""
    yield sheet(names, view(game, None).sheet, language=texts.language)
    yield ""
    if game.is_over:
        winners = [names[seat] for seat in game.winners]
        yield say("event.game_over", name=listed(winners, say), count=len(winners))
    else:
        yield say("replay.unfinished")


def _round(names: Sequence[str], now: Round, texts: Catalogue) -> Iterator[str]:
    say = texts.say
    yield say("event.round_dealt", number=now.number, dealer=names[now.dealer], count=now.hand_size)
    widest = max(map(width, names))
    for name, hand in zip(names, now.deal.hands, strict=True):
        yield f"  {fit(name, widest)}  {' '.join(card.code for card in sorted_hand(hand))}"
    yield f"  {_trump(names, now, texts)}"
    if any(bid is not None for bid in now.bids):
        told = say("event.bids_shown", bids=bids_told(now.bids, names))
        yield f"  {told} {over_or_under(now.bids, now.hand_size, texts) if now.all_bid else ''}".rstrip()
    tricks = [*now.tricks, now.trick] if now.trick and now.trick.faces else now.tricks
    for number, trick in enumerate(tricks, start=1):
        yield f"  {number:>2}  {_trick(names, trick, texts)}"
        if trick.passed is not None:
            passed = ", ".join(f"{n} {c.code}" for n, c in zip(names, trick.passed, strict=True))
            yield f"      {say('replay.passed', cards=passed)}"
    if now.change is not None and now.cloud_seat is not None:
        change = signed(now.change)
        yield f"  {say('event.bid_changed', name=names[now.cloud_seat], change=change)}"


def _trump(names: Sequence[str], now: Round, texts: Catalogue) -> str:
    say, parts = texts.say, []
    if now.deal.turned_up is not None:
        parts.append(say("event.turned_up", card=now.deal.turned_up))
    if now.werewolf is not None:
        parts.append(say("event.exchanged", name=names[now.werewolf], card=now.deal.turned_up))
    if now.phase is not Phase.TRUMP:
        namer = None if now.named_by is None else names[now.named_by]
        parts.append(trump_told(now.trump, namer, texts))
    return " ".join(parts)


def _trick(names: Sequence[str], trick: Trick, texts: Catalogue) -> str:
    """The cards in the order played; a star marks the card whose player leads next."""
    seats = [(trick.leader + place) % len(names) for place in range(len(trick.faces))]
    played = [
        f"{names[seat]} {face.code}{'*' if seat == trick.next_leader else ''}"
        for seat, face in zip(seats, trick.faces, strict=True)
    ]
    line = " · ".join(played)
    if trick.next_leader is not None and trick.winner is None:
        line += f"  {texts.say('event.trick_bombed', name=names[trick.next_leader])}"
    return line


def _points(names: Sequence[str], now: Round) -> str:
    rows = zip(names, now.final_bids, now.won, round_points(now), strict=True)
    return ", ".join(f"{name} {won}/{bid} {signed(points)}" for name, bid, won, points in rows)


def sorted_hand(hand: Sequence[Card]) -> list[Card]:
    """Colour by colour, low to high, then Wizards, Jesters and special cards."""
    return sorted(hand, key=lambda card: card.index)
