"""Round 1: bidding 1 pays if and only if the chance of the trick is at least 3/7; every card of the deck is tried."""

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from foretell.bots import bot
from foretell.bots.onecard import chance_of_the_trick
from foretell.cards import CARDS, card
from foretell.engine import Bid, View, act, deal, new_game, view
from foretell.rules import Deal, Rules

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
    """All deals of the others, one by one, through the rules themselves."""
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


@pytest.mark.parametrize("name", ["skilled", "expert"])
@pytest.mark.parametrize("earlier", [0, 1])
def test_it_never_bids_none_with_an_unbeatable_card(name: str, earlier: int) -> None:
    """The Wizard led, and the last Wizard that is out, with whatever the others have bid."""
    for seed in range(3):
        assert bot(name).choose(first_round("ZB", "R5", 4), Random(seed)) == Bid(1)
    game = new_game(Rules(rounds=(2, 3)), ["A", "B", "C"], first_dealer=2)
    hands = ((card("R1"), card("G1")), (card("ZB"), card("ZR")), (card("Y1"), card("Y2")))
    game, _ = deal(game, Deal(hands, card("R5")))
    game, _ = act(game, 0, Bid(earlier))
    assert bot(name).choose(view(game, 1), Random(0)) != Bid(0)
