"""What happens in a round, from the deal to its points.  `step` returns a new round; the old one does not change.

The order of things: the trump is settled or named (T1-T4, X6), everyone bids (B1-B3), tricks are played (P1-K5), some
of them followed by a pass (X7), one bid may be changed (X8), points are counted (S1, S2).  Each special card's module
says which extra step it asks for (`cards/specials/`).
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from foretell.cards import Card, Face, codes
from foretell.engine.actions import BIDS, PLAYS, Action, Bid, ChangeBid, NameTrump, PassCard, Play
from foretell.engine.events import (
    BidChanged,
    BidMade,
    BidsShown,
    CardsPassed,
    Event,
    Exchanged,
    Played,
    RoundDealt,
    TrickEnded,
    TrumpSettled,
)
from foretell.engine.round_state import Phase, Round, Trick, round_points, with_value
from foretell.errors import NotAllowed
from foretell.i18n import Term
from foretell.rules import (
    Deal,
    Naming,
    Rules,
    Trump,
    change_after,
    exchange_in,
    is_nobodys,
    naming_open_to,
    pass_after,
)

__all__ = [
    "Phase",
    "Round",
    "Trick",
    "awaited",
    "deal_round",
    "legal",
    "open_to",
    "round_points",
    "step",
]


_PLAY = Phase.PLAY  # asked for at every card, and found faster by this name


def deal_round(
    rules: Rules, number: int, dealer: int, deal: Deal
) -> tuple[Round, tuple[Event, ...]]:
    """A round just dealt: a card exchanged (X6), and the trump settled unless a seat must name it."""
    seats = len(deal.hands)
    exchange = exchange_in(deal.hands)
    now = Round(
        rules=rules,
        number=number,
        dealer=dealer,
        deal=deal,
        phase=Phase.TRUMP,
        hands=deal.hands,
        bids=(None,) * seats,
        won=(0,) * seats,
        exchange=exchange,
    )
    events: list[Event] = [RoundDealt(number, dealer, now.hand_size, deal.turned_up)]
    if exchange is not None and deal.turned_up is not None:
        hand = exchange.hand_after(deal.hands[exchange.seat], deal.turned_up)
        now = replace(now, hands=with_value(deal.hands, exchange.seat, hand))
        events.append(Exchanged(exchange.seat, deal.turned_up))
    match now.naming:
        case Trump(colour, rule):
            now = replace(now, trump=colour, phase=Phase.BID)
            events.append(TrumpSettled(colour, None, rule))
        case Naming():
            pass
    return now, tuple(events)


def awaited(now: Round) -> tuple[int, ...]:
    """The seats that may act now; several at once in V2, V3 and X7."""
    phase, trick = now.phase, now.trick
    if phase is _PLAY and trick is not None:
        return ((trick.leader + len(trick.faces)) % len(now.hands),)
    match phase:
        case Phase.BID:
            return now.rules.disclosure.bidders(now.bids, now.first)
        case Phase.TRUMP:
            return (now.naming.seat,) if isinstance(now.naming, Naming) else ()
        case Phase.PASS:
            return now.pass_step.asked(now.passing)
        case Phase.CHANGE:
            return () if now.cloud_seat is None else (now.cloud_seat,)
        case _:
            return ()


def legal(now: Round, seat: int) -> tuple[Action, ...]:
    """What this seat may do now: nothing, unless it is awaited."""
    return open_to(now, seat) if seat in awaited(now) else ()


def open_to(now: Round, seat: int) -> tuple[Action, ...]:
    """What a seat that is awaited may do."""
    if now.phase is _PLAY:
        plays: list[Play] = []
        for card in _playable(now, seat):
            plays.extend(PLAYS[card])
        return tuple(plays)
    match now.phase:
        case Phase.BID:
            return tuple([BIDS[bid] for bid in _open_bids(now)])
        case Phase.TRUMP if isinstance(now.naming, Naming):
            return tuple(NameTrump(colour) for colour in naming_open_to(now.naming))
        case Phase.PASS:
            return tuple(PassCard(card) for card in now.pass_step.answers(now.hands[seat]))
        case Phase.CHANGE:
            return tuple(ChangeBid(change) for change in _open_changes(now, seat))
        case _:
            return ()


def step(now: Round, seat: int, action: Action) -> tuple[Round, tuple[Event, ...]]:
    """The round after `seat` has done `action`, and the events that tell everyone about it."""
    awaited_seats = awaited(now)
    if seat not in awaited_seats:
        raise _not_awaited(now, seat, awaited_seats)
    asked, takes = _STEPS[now.phase]
    if not isinstance(action, asked):
        raise NotAllowed("wrong_phase", tried=str(action), phase=Term(f"phase.{now.phase}"))
    return takes(now, seat, action)


def _open_bids(now: Round) -> tuple[int, ...]:
    earlier = [bid for bid in now.bids if bid is not None]
    return now.rules.bidding.open_bids(now.hand_size, earlier, now.seats)


def _open_changes(now: Round, seat: int) -> tuple[int, ...]:
    step = now.change_step
    return () if step is None else step.answers(now.bids[seat] or 0, now.hand_size)


def _playable(now: Round, seat: int) -> tuple[Card, ...]:
    faces = now.trick.faces if now.trick else ()
    tricks = now.rules.tricks
    return tricks.playable(now.hands[seat], tricks.demanded(faces), now.trump)


def _name_trump(now: Round, seat: int, action: NameTrump) -> tuple[Round, tuple[Event, ...]]:
    naming = now.naming
    if isinstance(naming, Naming) and action.colour not in naming_open_to(naming):
        raise NotAllowed("must_name_colour", rule="T3")
    after = replace(now, trump=action.colour, named_by=seat, phase=Phase.BID)
    return after, (TrumpSettled(action.colour, seat, naming.rule),)


def _bid(now: Round, seat: int, action: Bid) -> tuple[Round, tuple[Event, ...]]:
    if action.tricks not in _open_bids(now):
        if not 0 <= action.tricks <= now.hand_size:
            raise NotAllowed("bid_range", rule="B1", bid=action.tricks, most=now.hand_size)
        raise NotAllowed("bid_adds_up", rule="V1", bid=action.tricks, tricks=now.hand_size)
    after = replace(now, bids=with_value(now.bids, seat, action.tricks))
    made = BidMade(seat, action.tricks if now.bids_are_shown else None)
    if not after.all_bid:
        return after, (made,)
    after = replace(after, phase=Phase.PLAY, trick=Trick(after.first))
    return after, (made, BidsShown(after.final_bids)) if after.bids_are_shown else (made,)


def _play(now: Round, seat: int, action: Play) -> tuple[Round, tuple[Event, ...]]:
    hand, face = now.hands[seat], action.face
    if face.card not in hand:
        rule = "P3" if now.trick and now.trick.faces else "P2"
        raise NotAllowed("not_in_hand", rule=rule, card=face.card.code, hand=codes(hand))
    playable = _playable(now, seat)
    if face.card not in playable:
        raise _not_playable(now, seat, face, playable)
    trick = now.trick or Trick(seat)
    faces = (*trick.faces, face)
    place = hand.index(face.card)
    hand = hand[:place] + hand[place + 1 :]
    hands = with_value(now.hands, seat, hand)
    after = replace(now, hands=hands, trick=Trick(trick.leader, faces))
    events: tuple[Event, ...] = (Played(seat, face),)
    if len(faces) < len(hands):
        return after, events
    after, more = _end_trick(after, trick.leader, faces)
    return after, events + more


def _end_trick(now: Round, leader: int, faces: tuple[Face, ...]) -> tuple[Round, tuple[Event, ...]]:
    """K1-K4: who takes it.  X5: if it is nobody's, the seat that would have won it leads.  X7: a pass may follow."""
    best = (leader + now.rules.tricks.winning_place(faces, now.trump)) % now.seats
    winner = None if is_nobodys(faces) else best
    done = Trick(leader, faces, winner, best)
    won = now.won if winner is None else with_value(now.won, winner, now.won[winner] + 1)
    changes = now.cloud_seat if change_after(faces) is None else winner
    after = replace(now, tricks=(*now.tricks, done), trick=None, won=won, cloud_seat=changes)
    event = TrickEnded(winner, best)
    if after.all_played:
        after, more = _end_play(after)
        return after, (event, *more)
    if pass_after(faces) is not None:
        return replace(after, phase=Phase.PASS, passing=(None,) * now.seats), (event,)
    return replace(after, trick=Trick(best)), (event,)


def _end_play(now: Round) -> tuple[Round, tuple[Event, ...]]:
    """V3: secret bids are shown now.  X8: then a bid is changed, if a trick asks for it."""
    was_shown = now.rules.disclosure.are_shown(all_made=True, all_played=False)
    events = () if was_shown else (BidsShown(now.final_bids),)
    phase = Phase.SCORED if now.cloud_seat is None else Phase.CHANGE
    return replace(now, phase=phase), events


def _pass(now: Round, seat: int, action: PassCard) -> tuple[Round, tuple[Event, ...]]:
    step, hand = now.pass_step, now.hands[seat]
    if action.card not in step.answers(hand):
        raise NotAllowed("not_in_hand", rule=step.rule, card=action.card.code, hand=codes(hand))
    passing = with_value(now.passing, seat, action.card)
    if step.asked(passing):
        return replace(now, passing=passing), ()
    given = tuple(card for card in passing if card is not None)
    done = replace(now.tricks[-1], passed=given)
    after = replace(
        now,
        phase=Phase.PLAY,
        hands=step.hands_after(now.hands, given),
        passing=(),
        tricks=(*now.tricks[:-1], done),
        trick=Trick(done.next_leader or 0),
    )
    return after, (CardsPassed(),)


def _change(now: Round, seat: int, action: ChangeBid) -> tuple[Round, tuple[Event, ...]]:
    if action.change not in _open_changes(now, seat):
        raise NotAllowed(
            "change_range",
            rule=_rule_of(now),
            bid=now.bids[seat] or 0,
            change=f"{action.change:+d}",
            most=now.hand_size,
        )
    return replace(now, change=action.change, phase=Phase.SCORED), (
        BidChanged(seat, action.change),
    )


# What each phase asks for, and what then happens.
_STEPS: dict[
    Phase, tuple[type[Action], Callable[[Round, int, Any], tuple[Round, tuple[Event, ...]]]]
] = {
    Phase.TRUMP: (NameTrump, _name_trump),
    Phase.BID: (Bid, _bid),
    Phase.PLAY: (Play, _play),
    Phase.PASS: (PassCard, _pass),
    Phase.CHANGE: (ChangeBid, _change),
}


def _not_awaited(now: Round, seat: int, awaited_seats: tuple[int, ...]) -> NotAllowed:
    if not awaited_seats:
        return NotAllowed("round_over")
    return NotAllowed(
        "not_your_turn",
        rule=_rule_of(now),
        seat=seat,
        awaited=", ".join(map(str, awaited_seats)),
        phase=Term(f"phase.{now.phase}"),
    )


def _rule_of(now: Round) -> str:
    """The rule that says whose turn it is."""
    match now.phase:
        case Phase.TRUMP:
            return "T3"
        case Phase.BID:
            return "B2"
        case Phase.PASS:
            return now.pass_step.rule
        case Phase.CHANGE if (step := now.change_step) is not None:
            return step.rule
        case _:
            return "P1"


def _not_playable(now: Round, seat: int, face: Face, playable: tuple[Card, ...]) -> NotAllowed:
    """The error for a card in the hand that may not be played now: it breaks P3 or F1."""
    demanded = now.rules.tricks.demanded(now.trick.faces if now.trick else ())
    if face.card.is_wizard:
        return NotAllowed(
            "wizard_barred", rule="F1", seat=seat, tried=face.code, allowed=codes(playable)
        )
    return NotAllowed(
        "must_follow",
        rule="P3",
        seat=seat,
        colour=Term(f"colour.{demanded}"),
        allowed=codes(playable),
        tried=face.code,
    )
