"""Rounds of one card: a bid of 1 pays exactly if the chance of the trick is at least 3/7, for every card of the deck."""

from fractions import Fraction
from itertools import permutations
from math import prod
from random import Random

import pytest

from foretell.bots import bot
from foretell.bots.search.one_card_round import chance_of_the_trick, one_card_bid
from foretell.bots.search.search import Model
from foretell.bots.search.situation import situation
from foretell.bots.search.worlds import bid_chance
from foretell.cards import CARDS, Card, card
from foretell.engine import Bid, View, act, deal, new_game, view
from foretell.kernel.backend.compiled import Floats
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import kind_of
from foretell.rules import Deal, Rules
from foretell.rules.presets import preset

DECK = [one for one in CARDS.values() if not one.is_special]


def first_round(held: str, turned_up: str | None, players: int, seat: int = 0) -> View:
    """A round of one card in which `seat` is the first to bid and has `held`."""
    game = new_game(Rules(), [f"P{n}" for n in range(players)], first_dealer=(seat - 1) % players)
    up = card(turned_up) if turned_up else None
    rest = [one for one in DECK if one.code != held and one is not up]
    hands = [(one,) for one in rest[:players]]
    hands[seat] = (card(held),)
    game, _ = deal(game, Deal(tuple(hands), up))
    return view(game, seat)


def enumerated(held: str, turned_up: str, players: int) -> Fraction:
    """The chance over all deals to the others, one by one, as the rules decide each trick."""
    rules, up = Rules(), card(turned_up)
    rest = [one for one in DECK if one.code != held and one is not up]
    mine = card(held).faces[0]
    won = total = 0
    for others in permutations(rest, players - 1):
        faces = (mine, *(one.faces[0] for one in others))
        won += rules.tricks.winning_place(faces, up.colour) == 0
        total += 1
    return Fraction(won, total)


@pytest.mark.parametrize("held", ["ZB", "NB", "R13", "R9", "R1", "G13", "G12", "G9", "G2"])
def test_the_chance_is_that_of_all_deals(held: str) -> None:
    assert chance_of_the_trick(first_round(held, "R5", 3)) == enumerated(held, "R5", 3)


def test_the_chance_of_a_later_seat_is_that_of_all_deals() -> None:
    """Not the first to play: what is demanded may come from others."""
    rules, up = Rules(), card("R5")
    for held in ("ZB", "R7", "G12", "NB"):
        game = new_game(Rules(bids="hidden"), ["A", "B", "C"], first_dealer=0)
        rest = [one for one in DECK if one.code != held and one is not up]
        game, _ = deal(game, Deal(((rest[0],), (rest[1],), (card(held),)), up))
        won = total = 0
        for first, last in permutations(rest, 2):
            faces = (first.faces[0], card(held).faces[0], last.faces[0])
            won += rules.tricks.winning_place(faces, up.colour) == 1
            total += 1
        assert chance_of_the_trick(view(game, 2)) == Fraction(won, total)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("turned_up", ["R5", "NB"], ids=["red trump", "no trump"])
def test_it_bids_one_exactly_from_three_sevenths_on(players: int, turned_up: str) -> None:
    search = bot("skilled")
    for one in DECK:
        if one.code == turned_up:
            continue
        seen = first_round(one.code, turned_up, players)
        pays = chance_of_the_trick(seen) >= Fraction(3, 7)
        assert search.choose(seen, Random(1)) == Bid(1 if pays else 0), one


def after_bids(
    held: str, turned_up: str, players: int, *bids: int, rules: Rules | None = None
) -> View:
    """The view after these bids, seat by seat from the first; the next seat holds `held`."""
    game = new_game(rules or Rules(), [f"P{n}" for n in range(players)], first_dealer=players - 1)
    rest = [one for one in DECK if one.code not in (held, turned_up)]
    hands = [(one,) for one in rest[:players]]
    hands[len(bids)] = (card(held),)
    game, _ = deal(game, Deal(tuple(hands), card(turned_up)))
    for seat, tricks in enumerate(bids):
        game, _ = act(game, seat, Bid(tricks))
    return view(game, len(bids))


def weighed(seen: View, model: Model) -> float:
    """The chance over all deals to the others, each weighted by how likely its cards would have made the bids."""
    now, me = seen.now, seen.seat
    assert now is not None
    assert now.hand is not None
    assert me is not None
    ready, x = situation(seen), model.array()

    def likely(seat: int, held: Card) -> float:
        kind = kind_of(held)
        ready.state[in_state.HAND + seat] = 1 << kind
        ready.state[in_state.COPIES + seat] = ready.t[in_lookup.COPIES_OF_KIND + kind]
        args = (ready.t, ready.m, ready.f, ready.counting, ready.i, x, ready.state, seat)
        return float(bid_chance(*args, ready.scratch[3]))

    rest = [one for one in DECK if one not in (now.hand[0], now.turned_up)]
    others = [seat for seat in range(seen.seats) if seat != me]
    chance = {(seat, one): likely(seat, one) for seat in others for one in rest}
    won = total = 0.0
    for dealt in permutations(rest, len(others)):
        cards = dict(zip(others, dealt, strict=True)) | {me: now.hand[0]}
        weight = prod(chance[seat, cards[seat]] for seat in others)
        faces = tuple(cards[seat].faces[0] for seat in range(seen.seats))
        total += weight
        won += weight * (seen.rules.tricks.winning_place(faces, now.trump) == me)
    return won / total


@pytest.mark.parametrize("rules", [Rules(), preset("fr")], ids=["base", "French rule"])
@pytest.mark.parametrize("turned_up", ["R5", "NB"], ids=["red trump", "no trump"])
@pytest.mark.parametrize("bids", [(0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)], ids=str)
def test_after_other_bids_the_chance_is_that_of_all_deals(
    bids: tuple[int, ...], turned_up: str, rules: Rules
) -> None:
    model = Model()
    for held in (
        ("ZB", "NR", "R11", "R2", "G13", "G11", "G4") if turned_up == "R5" else ("G13", "G9")
    ):
        seen = after_bids(held, turned_up, 3, *bids, rules=rules)
        chance = weighed(seen, model)
        assert float(chance_of_the_trick(seen, model.array())) == pytest.approx(chance, abs=1e-12)
        assert one_card_bid(seen, model.array()) == Bid(1 if chance >= 3 / 7 else 0), held


def test_what_others_bid_moves_the_bid() -> None:
    """If the leader bids 1, fewer cards are worth a bid of 1 than if it bids 0."""
    x = Model().array()
    bold = [one for one in DECK if one.code != "R5" and _bids_one(one.code, 0, x)]
    shy = [one for one in DECK if one.code != "R5" and _bids_one(one.code, 1, x)]
    assert set(shy) < set(bold)


def _bids_one(held: str, earlier: int, model: Floats) -> bool:
    return one_card_bid(after_bids(held, "R5", 4, earlier), model) == Bid(1)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_wizard_led_is_bid(players: int) -> None:
    """A Wizard led: nothing beats it."""
    for name in ("skilled", "champion"):
        assert bot(name).choose(first_round("ZB", "R5", players), Random(5)) == Bid(1)


@pytest.mark.parametrize("name", ["skilled", "expert"])
@pytest.mark.parametrize("earlier", [0, 1])
def test_it_never_bids_none_with_an_unbeatable_card(name: str, earlier: int) -> None:
    """A Wizard that is led, and two Wizards in one hand, whatever the others have bid."""
    for seed in range(3):
        assert bot(name).choose(first_round("ZB", "R5", 4), Random(seed)) == Bid(1)
    game = new_game(Rules(rounds=(2, 3)), ["A", "B", "C"], first_dealer=2)
    hands = ((card("R1"), card("G1")), (card("ZB"), card("ZR")), (card("Y1"), card("Y2")))
    game, _ = deal(game, Deal(hands, card("R5")))
    game, _ = act(game, 0, Bid(earlier))
    assert bot(name).choose(view(game, 1), Random(0)) != Bid(0)
