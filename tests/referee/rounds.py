"""One round of a record, from the deal to the pad."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from .cards import (
    COLOURS,
    EVERY_CARD,
    JESTERS,
    NUMBERED,
    card_of,
    check_may_play,
    deck,
    is_card,
    own_deck,
    settled,
    settled_in_unicolor,
)
from .deals import Table, fair_deal, is_whole, need
from .refusal import Refused

Hands = list[list[str]]
SCORE_KEYS = ("cloud", "won", "points", "totals")


def check_round(
    table: Table,
    now: Any,
    *,
    number: int,
    earlier_dealer: int | None,
    earlier_totals: Sequence[int],
    may_stop: bool,
) -> list[int] | None:
    """The running totals after the round, or None if it is not scored yet.

    Dealer, deal, fairness, trump, bids, tricks, Cloud and score are checked in this order, each
    resting on the ones before. Only where `may_stop` may the round be less than whole.
    """
    for key in ("dealer", "hands", "turned_up", "werewolf", "named_by", "trump", "bids", "tricks"):
        need(now, key, "a round")
    is_scored = any(key in now for key in SCORE_KEYS)
    may_stop = may_stop and not is_scored
    size = table.cards_dealt(number)

    dealer = checked_dealer(table, now["dealer"], earlier_dealer)
    hands = dealt_hands(table, now, size)
    if table.secret is not None:
        fair_hands, fair_card = fair_deal(table, number, dealer)
        if [set(hand) for hand in hands] != fair_hands or now["turned_up"] != fair_card:
            raise Refused("FAIR", "these are not the cards that secret and words deal")
    open_duty = check_trump(table, now, hands, dealer)
    bids = checked_bids(table, now["bids"], size, dealer)
    tricks = now["tricks"]
    if not isinstance(tricks, list):
        raise Refused("FORMAT", f"tricks is a list, not {tricks!r}")

    if open_duty is not None:
        if tricks or not may_stop or any(bid is not None for bid in bids):
            raise Refused(open_duty, "the trump is named before anyone bids")
        return None
    if now["werewolf"] is not None:
        hand = hands[now["werewolf"]]
        hand[hand.index("WEREWOLF")] = now["turned_up"]
    if (tricks or not may_stop) and any(bid is None for bid in bids):
        raise Refused("B1", "everyone bids before the first trick")

    won, cloud_seat = played_tricks(table, now, hands, dealer, size, may_stop=may_stop)
    if may_stop:
        return None
    if not is_scored:
        raise Refused("S3", "the round is over but not on the pad")
    made = [bid for bid in bids if bid is not None]
    if cloud_seat is not None or now.get("cloud") is not None:
        made[cloud_seat or 0] += cloud_change(now.get("cloud"), cloud_seat, made, size)
    return checked_pad(table, now, made, won, earlier_totals)


def checked_dealer(table: Table, dealer: Any, earlier_dealer: int | None) -> int:
    if not is_whole(dealer):
        raise Refused("FORMAT", f"dealer is a seat, not {dealer!r}")
    if not 0 <= dealer < table.seats:
        raise Refused("D2", f"there is no seat {dealer} to deal")
    if earlier_dealer is not None and dealer != (earlier_dealer + 1) % table.seats:
        raise Refused("D2", f"after seat {earlier_dealer} its left neighbour deals, not {dealer}")
    return int(dealer)


def dealt_hands(table: Table, now: dict[str, Any], size: int) -> Hands:
    """Copies of the hands, once every card of them and of the turned-up one is found in order."""
    hands, turned_up = now["hands"], now["turned_up"]
    if not isinstance(hands, list) or len(hands) != table.seats:
        raise Refused("FORMAT", "hands has one list of cards a seat")
    if not all(isinstance(hand, list) for hand in hands):
        raise Refused("FORMAT", "hands has one list of cards a seat")
    seen: set[str] = set()
    stock = set(deck(table.specials))
    shown = [] if turned_up is None else [turned_up]
    for card in [*(card for hand in hands for card in hand), *shown]:
        if not is_card(card):
            raise Refused("FORMAT", f"{card!r} is not a card")
        if card not in stock:
            raise Refused("C4", f"{card} is not in this game")
        if card in seen:
            raise Refused("C1", f"{card} is there twice")
        seen.add(card)
    for seat, hand in enumerate(hands):
        if len(hand) != size:
            rule = "V6" if table.unicolor else "D3"
            raise Refused(rule, f"seat {seat} is dealt {size} cards, not {len(hand)}")
    if table.unicolor:
        for seat, hand in enumerate(hands):
            for card in hand:
                if card not in own_deck(table.peoples[seat]):
                    raise Refused("V6", f"seat {seat} does not own {card}")
        if turned_up is not None:
            raise Refused("V6", "unicolor turns no card up")
        return [list(hand) for hand in hands]
    left = len(stock) - size * table.seats
    if left > 0 and turned_up is None:
        raise Refused("T1", f"a card must be turned up: {left} are left")
    if left == 0 and turned_up is not None:
        raise Refused("T4", "no card is left to turn up")
    return [list(hand) for hand in hands]


def check_trump(table: Table, now: dict[str, Any], hands: Hands, dealer: int) -> str | None:
    """None if the trump is settled; otherwise the rule by which someone has still to name it."""
    turned_up, werewolf = now["turned_up"], now["werewolf"]
    named_by, trump = now["named_by"], now["trump"]
    for key in ("werewolf", "named_by"):
        if now[key] is not None and not is_whole(now[key]):
            raise Refused("FORMAT", f"{key} is a seat or null, not {now[key]!r}")
    if trump is not None and trump not in COLOURS:
        raise Refused("FORMAT", f"trump is a colour or null, not {trump!r}")
    nothing_yet = werewolf is None and named_by is None and trump is None

    if table.unicolor:
        if not nothing_yet:
            raise Refused("V6", "unicolor has no trump, no one names one")
        return None
    holders = [seat for seat, hand in enumerate(hands) if "WEREWOLF" in hand]
    if holders:
        if nothing_yet:
            return "X6"
        if werewolf != holders[0]:
            raise Refused("X6", f"seat {holders[0]} exchanges the Werewolf, not {werewolf}")
        if named_by != holders[0]:
            raise Refused("X6", f"the Werewolf's seat {holders[0]} names the trump, not {named_by}")
        return None
    if werewolf is not None:
        raise Refused("X6", f"seat {werewolf} was not dealt the Werewolf")

    if turned_up is None:
        check_not_named("T4", "nothing turned up", now, None)
    elif turned_up in NUMBERED:
        check_not_named("T1", f"{turned_up} turned up", now, NUMBERED[turned_up][0])
    elif turned_up in JESTERS:
        check_not_named("T2", f"{turned_up} turned up", now, None)
    elif turned_up == "FAIRY":
        check_not_named("X4", "the Fairy turned up", now, None)
    elif turned_up == "BOMB":
        check_not_named("X5", "the Bomb turned up", now, None)
    elif nothing_yet:
        return "T3"
    elif named_by != dealer:
        raise Refused("T3", f"the dealer, seat {dealer}, names the trump, not {named_by}")
    elif trump is None:
        raise Refused("T3", "the dealer must name a colour")
    return None


def check_not_named(rule: str, what: str, now: dict[str, Any], trump: str | None) -> None:
    if now["trump"] != trump:
        raise Refused(rule, f"{what}: trump is {trump}, not {now['trump']}")
    if now["named_by"] is not None:
        raise Refused(rule, f"{what}: no one names the trump, nor does seat {now['named_by']}")


def checked_bids(table: Table, bids: Any, size: int, dealer: int) -> list[int | None]:
    if not isinstance(bids, list) or len(bids) != table.seats:
        raise Refused("FORMAT", f"bids has one entry a seat, not {bids!r}")
    for seat, bid in enumerate(bids):
        if bid is not None and not is_whole(bid):
            raise Refused("FORMAT", f"a bid is a whole number or null, not {bid!r}")
        if bid is not None and not 0 <= bid <= size:
            raise Refused("B1", f"seat {seat} bids from 0 to {size}, not {bid}")
    in_order = [bids[(dealer + 1 + turn) % table.seats] for turn in range(table.seats)]
    if table.bids == "open":
        for earlier, later in pairwise(in_order):
            if earlier is None and later is not None:
                raise Refused("B2", "open bids are made in turn, from the dealer's left")
    if table.plus_minus_one and None not in bids and sum(bids) == size:
        raise Refused("V1", f"the bids may not add up to {size}")
    return list(bids)


def played_tricks(
    table: Table, now: dict[str, Any], hands: Hands, dealer: int, size: int, *, may_stop: bool
) -> tuple[list[int], int | None]:
    """Tricks won by each seat, and the seat that won the trick with the Cloud, if any."""
    won = [0] * table.seats
    cloud_seat: int | None = None
    leader = (dealer + 1) % table.seats
    tricks = now["tricks"]
    for index, trick in enumerate(tricks):
        try:
            if index >= size:
                raise Refused("D3", f"the round has {size} tricks")
            plays = checked_plays(table, trick, hands, leader, now["trump"])
            trick_may_stop = may_stop and index == len(tricks) - 1
            if len(plays) < table.seats:
                check_open_trick(trick, may_stop=trick_may_stop)
                continue
            leader, is_taken = settled_trick(table, trick, plays, leader, now["trump"])
            check_pass(
                trick,
                plays,
                hands,
                is_last_of_round=index == size - 1,
                may_wait=trick_may_stop,
            )
        except Refused as refused:
            raise Refused(refused.rule, refused.message, trick=index + 1) from None
        if is_taken:
            won[leader] += 1
            if any(play.startswith("CLOUD:") for play in plays):
                cloud_seat = leader
    if len(tricks) < size and not may_stop:
        raise Refused("D3", f"the round has {size} tricks, not {len(tricks)}")
    return won, cloud_seat


def checked_plays(
    table: Table, trick: Any, hands: Hands, leader: int, trump: str | None
) -> list[str]:
    """The plays of a trick, taken out of the hands one by one."""
    named_leader, plays = need(trick, "leader", "a trick"), need(trick, "plays", "a trick")
    if not is_whole(named_leader) or not isinstance(plays, list):
        raise Refused("FORMAT", "a trick has a leader and a list of plays")
    if named_leader != leader:
        raise Refused("P1", f"seat {leader} leads this trick, not {named_leader}")
    if len(plays) > table.seats:
        raise Refused("P1", f"{table.seats} cards make a trick, not {len(plays)}")
    for turn, play in enumerate(plays):
        seat = (leader + turn) % table.seats
        card = card_of(play)
        if card == "WEREWOLF":
            raise Refused("X1", "the Werewolf is never played")
        if card not in hands[seat]:
            raise Refused("P3" if turn else "P2", f"seat {seat} does not hold {card}")
        if not table.unicolor:
            check_may_play(card, hands[seat], plays[:turn], trump, barred=table.barred)
        hands[seat].remove(card)
    return plays


def check_open_trick(trick: dict[str, Any], *, may_stop: bool) -> None:
    if not may_stop:
        raise Refused("P1", "everyone plays a card to each trick")
    for key in ("winner", "next_leader", "passed"):
        if key in trick:
            raise Refused("FORMAT", f"a trick that is not whole has no {key!r}")


def settled_trick(
    table: Table, trick: dict[str, Any], plays: list[str], leader: int, trump: str | None
) -> tuple[int, bool]:
    """Who leads next, and whether this seat has also taken the trick."""
    winner = need(trick, "winner", "a whole trick")
    for key in ("winner", "next_leader"):
        if trick.get(key) is not None and not is_whole(trick[key]):
            raise Refused("FORMAT", f"{key} is a seat or null, not {trick[key]!r}")
    usual = settled(plays, trump, barred=table.barred)
    outcome = settled_in_unicolor(plays) if table.unicolor else usual
    seat = (leader + outcome.place) % table.seats
    if not outcome.is_taken:
        if winner is not None:
            raise Refused("X5", f"a trick with the Bomb belongs to no one, not to seat {winner}")
        if trick.get("next_leader") != seat:
            raise Refused("X5", f"after the Bomb seat {seat} leads, not {trick.get('next_leader')}")
        return seat, False
    if winner != seat:
        raise Refused(outcome.rule, f"{outcome.why}: seat {seat}, not {winner}")
    if "next_leader" in trick:
        raise Refused("X5", "only a trick with the Bomb has a next_leader")
    return seat, True


def check_pass(
    trick: dict[str, Any],
    plays: list[str],
    hands: Hands,
    *,
    is_last_of_round: bool,
    may_wait: bool,
) -> None:
    """X7: moves the cards that are passed."""
    is_due = any(play.startswith("JUGGLER:") for play in plays) and not is_last_of_round
    if "passed" not in trick:
        if is_due and not may_wait:
            raise Refused("X7", "after the Juggler's trick everyone passes a card")
        return
    if not is_due:
        raise Refused("X7", "no card is passed after this trick")
    passed = trick["passed"]
    if not isinstance(passed, list) or len(passed) != len(hands):
        raise Refused("X7", f"everyone passes one card, not {passed!r}")
    for seat, card in enumerate(passed):
        if not isinstance(card, str) or card not in EVERY_CARD:
            raise Refused("FORMAT", f"{card!r} is not a card")
        if card not in hands[seat]:
            raise Refused("X7", f"seat {seat} does not hold {card} to pass it")
    for seat, card in enumerate(passed):
        hands[seat].remove(card)
        hands[(seat + 1) % len(hands)].append(card)


def cloud_change(cloud: Any, cloud_seat: int | None, bids: list[int], size: int) -> int:
    if cloud_seat is None:
        raise Refused("X8", "no one has won a trick with the Cloud")
    if cloud is None:
        raise Refused("X8", f"seat {cloud_seat} must change its bid for the Cloud")
    seat, change = need(cloud, "seat", "cloud"), need(cloud, "change", "cloud")
    if not is_whole(seat) or not is_whole(change):
        raise Refused("FORMAT", f"cloud has a seat and a change, not {cloud!r}")
    if seat != cloud_seat:
        raise Refused("X8", f"seat {cloud_seat} has won the Cloud's trick, not {seat}")
    if change not in (1, -1):
        raise Refused("X8", f"the Cloud changes a bid by 1 or -1, not by {change}")
    if not 0 <= bids[seat] + change <= size:
        raise Refused("X8", f"a bid of {bids[seat]} of {size} cannot change by {change}")
    return int(change)


def checked_pad(
    table: Table,
    now: dict[str, Any],
    bids: list[int],
    won: list[int],
    earlier_totals: Sequence[int],
) -> list[int]:
    for key in SCORE_KEYS:
        value = need(now, key, "a scored round")
        if key == "cloud":
            continue
        if not isinstance(value, list) or len(value) != table.seats:
            raise Refused("FORMAT", f"{key} has one number a seat, not {value!r}")
        if not all(is_whole(number) for number in value):
            raise Refused("FORMAT", f"{key} has one number a seat, not {value!r}")
    totals = []
    for seat in range(table.seats):
        if now["won"][seat] != won[seat]:
            raise Refused("K5", f"seat {seat} has won {won[seat]}, not {now['won'][seat]}")
    for seat in range(table.seats):
        is_met = bids[seat] == won[seat]
        points = 20 + 10 * won[seat] if is_met else -10 * abs(bids[seat] - won[seat])
        if now["points"][seat] != points:
            rule = "S1" if is_met else "S2"
            raise Refused(rule, f"seat {seat} makes {points}, not {now['points'][seat]}")
        totals.append(earlier_totals[seat] + points)
    for seat in range(table.seats):
        if now["totals"][seat] != totals[seat]:
            raise Refused("S3", f"seat {seat} has {totals[seat]}, not {now['totals'][seat]}")
    return totals
