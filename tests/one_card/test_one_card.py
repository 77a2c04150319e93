"""The solved round of one card against a count of every single deal, played by the kernel's turn loop."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import prod
from random import Random

import numpy as np
import pytest

from foretell.bots import bot
from foretell.cards import Colour, card
from foretell.engine import Bid, NameTrump, act, awaited_seats, deal, new_game, view
from foretell.kernel import compile_rules
from foretell.one_card import Chances, Solved, situations, solve
from foretell.one_card.against_levels import measure
from foretell.one_card.equilibrium import (
    SolvedSituation,
    best_bids,
    dealer_points,
    histories,
    naming,
)
from foretell.one_card.situations import Situation
from foretell.rules import Deal, Rules, points

TABLES = compile_rules(Rules(), 3)
FIRST = Rules(rounds=(1,))


@cache
def solved(players: int) -> Solved:
    return solve(players)


def situation_with(code: str) -> Situation:
    """The situation that has this card turned up."""
    found = {TABLES.deck[one.turned_up].code: one for one in situations(TABLES)}
    return found[code]


def winner(hands: tuple[int, ...], turned_up: int, trump: Colour | None) -> int:
    """Who takes the trick, by the engine."""
    game = new_game(FIRST, ["A", "B", "C", "D"][: len(hands)], first_dealer=len(hands) - 1)
    cards = Deal(tuple((TABLES.deck[one],) for one in hands), TABLES.deck[turned_up])
    game, _ = deal(game, cards)
    if view(game, None).phase == "trump":
        game, _ = act(game, len(hands) - 1, NameTrump(trump))
    while not game.is_over:
        seat = awaited_seats(game)[0]
        game, _ = act(game, seat, view(game, seat).legal[0])
    return game.sheet[-1].won.index(1)


def every_deal(situation: Situation, players: int) -> Iterator[tuple[Sequence[int], int]]:
    """Every deal and its winner."""
    cards = [place for place in range(60) if place != situation.turned_up]
    return played(situation, permutations(cards, players))


def played(
    situation: Situation, deals: Iterable[Sequence[int]]
) -> Iterator[tuple[Sequence[int], int]]:
    """Deals and their winners, by the definition of a trick: the best so far, card by card."""
    demand, stronger = situation.demand.tolist(), situation.stronger.tolist()
    undecided = demand[TABLES.deck.index(card("NB"))]
    for hands in deals:
        asked, best = undecided, 0
        for seat, held in enumerate(hands):
            asked = demand[held] if asked == undecided else asked
            if seat and stronger[asked][hands[best]][held]:
                best = seat
        yield hands, best


def test_there_is_one_situation_for_each_number_and_for_wizard_and_jester() -> None:
    found = list(situations(TABLES))
    assert sum(one.share for one in found) == 1
    assert len(found) == 15
    assert [TABLES.deck[one.turned_up].code for one in found if one.is_named] == ["ZB"]


@pytest.mark.parametrize("code", ["B7", "NB", "ZB"])
def test_the_trick_of_a_situation_is_the_engines_trick(code: str) -> None:
    situation, random = situation_with(code), Random(1)
    trump = None if situation.trump == 4 else list(Colour)[situation.trump]
    cards = [place for place in range(60) if place != situation.turned_up]
    specials = [place for place in cards if place >= 52]
    for number in range(150):
        from_these = specials + cards[:3] if number % 3 == 0 else cards
        hands = tuple(random.sample(from_these, 3))
        assert [won for _, won in played(situation, [hands])] == [
            winner(hands, situation.turned_up, trump)
        ]


@pytest.mark.parametrize("code", ["B7", "NB", "ZB"])
def test_the_values_are_those_of_a_count_of_every_deal(code: str) -> None:
    """All 195,054 deals of three players: the points, and that no seat could gain in any situation of its own."""
    part = next(
        one for one in solved(3).parts if one.situation.turned_up == situation_with(code).turned_up
    )
    weights = [1] * 60 if part.dealer is None else part.dealer.tolist()
    bids = [{h: row.tolist() for h, row in of_seat.items()} for of_seat in part.bids]
    earned = [0, 0, 0]
    by_choice: dict[tuple[int, int, tuple[int, ...]], list[int]] = defaultdict(lambda: [0, 0])
    for hands, won in every_deal(part.situation, 3):
        weight = weights[hands[2]]
        history: tuple[int, ...] = ()
        for seat, held in enumerate(hands):
            made = bids[seat][history][held]
            took = int(seat == won)
            earned[seat] += weight * points(made, took)
            for other in (0, 1):
                by_choice[seat, held, history][other] += weight * points(other, took)
            history = (*history, made)
    deals = sum(weights[one] for one in range(60) if one != part.situation.turned_up) * 58 * 57
    assert part.deals == deals
    assert [part.value(seat) for seat in range(3)] == [Fraction(one, deals) for one in earned]
    for (seat, held, heard), by_bid in by_choice.items():
        if any(by_bid):
            assert by_bid[bids[seat][heard][held]] == max(by_bid)


@pytest.mark.parametrize(("players", "seat"), [(5, 3), (5, 4), (6, 4), (6, 5)])
@pytest.mark.parametrize("code", ["B7", "NB", "ZB"])
def test_with_five_and_six_players_the_chances_are_those_of_a_count(
    code: str, players: int, seat: int
) -> None:
    """Too many deals to count them all: earlier bids leave each seat four cards, and the same ones to several seats."""
    situation, random = situation_with(code), Random(10 * players + seat)
    cards = [place for place in range(60) if place != situation.turned_up]
    specials = [place for place in cards if place >= 52]
    pool = random.sample(cards[:26], 4) + random.sample(specials, 3)
    held = [random.sample(pool, 4) for _ in range(seat)]
    bids = [np.zeros(60, dtype=np.int64) for _ in range(seat)]
    for weights, few in zip(bids, held, strict=True):
        weights[few] = [1, 2, 3, 4]
    dealer = np.array([random.randrange(4) for _ in range(60)]) if situation.is_named else None
    total, wins = Chances(situation, players, seat, dealer).count(bids)
    for own in (*pool[:2], pool[-1], *random.sample(cards, 3)):
        every = won = 0
        for earlier in product(*held):
            if len({*earlier, own}) <= seat:
                continue
            rest = [place for place in cards if place != own and place not in earlier]
            for hands, winner_of in played(
                situation,
                ((*earlier, own, *late) for late in permutations(rest, players - seat - 1)),
            ):
                weight = prod(int(bids[place][hands[place]]) for place in range(seat))
                weight *= 1 if dealer is None else int(dealer[hands[-1]])
                every += weight
                won += weight * (winner_of == seat)
        assert (total[own], wins[own]) == (every, won)


@pytest.mark.parametrize("players", [5, 6])
def test_values_of_five_and_six_players_are_those_of_deals_by_lot(players: int) -> None:
    part = best_bids(situation_with("B7"), players)
    bids = [{h: row.tolist() for h, row in of_seat.items()} for of_seat in part.bids]
    cards = [place for place in range(60) if place != part.situation.turned_up]
    random, earned = Random(players), np.zeros((2, players))
    deals = 20_000
    for hands, won in played(part.situation, (random.sample(cards, players) for _ in range(deals))):
        heard: tuple[int, ...] = ()
        for seat, own in enumerate(hands):
            made = bids[seat][heard][own]
            scored = points(made, int(seat == won))
            earned[:, seat] += scored, scored**2
            heard = (*heard, made)
    mean, square = earned / deals
    error = np.sqrt((square - mean**2) / deals)
    exact = [float(part.value(seat)) for seat in range(players)]
    assert (np.abs(mean - exact) < 4 * error).all()
    assert (error < 0.15).all()


@pytest.mark.parametrize("players", [3, 4])
def test_no_dealer_gains_by_naming_another_trump(players: int) -> None:
    part = next(one for one in solved(players).parts if one.situation.is_named)
    worth = dealer_points(part)
    own = part.situation.demand == 0
    other = part.situation.demand == 1
    assert part.dealer is not None
    for of_own, of_other, how in zip(worth[own], worth[other], part.dealer[own], strict=True):
        assert of_own >= of_other if how else of_own <= of_other


def test_a_dealer_who_names_badly_would_gain_by_another_trump() -> None:
    """The check above can fail: a dealer who never names the colour of a 13 gives points away."""
    situation = situation_with("ZB")
    never = np.zeros(60, dtype=np.int64)
    part = best_bids(situation, 3, naming(situation, never))
    worth = dealer_points(part)
    assert worth[12] > worth[13 + 12]


def test_only_earlier_bids_matter() -> None:
    """The bids of the first two are the same, whoever comes after them."""
    for three, four in zip(solved(3).parts, solved(4).parts, strict=True):
        assert set(three.bids[1]) == set(four.bids[1]) == set(histories(1))
        # A card that is enough against three others is enough against two.
        assert (three.bids[0][()] >= four.bids[0][()]).all() or three.situation.is_named


def test_nothing_is_a_tie() -> None:
    assert [solved(players).ties for players in (3, 4)] == [0, 0]


def test_floats_and_whole_numbers_count_the_same() -> None:
    situation = situation_with("B7")
    bids = [np.arange(60) % 3, np.arange(60) % 2]
    for dealer in (None, np.arange(60) % 5):
        exact = Chances(situation, 4, 2, dealer).count(bids)
        rounded = Chances(situation, 4, 2, None if dealer is None else dealer.astype(float)).count(
            [one.astype(float) for one in bids]
        )
        for one, other in zip(exact, rounded, strict=True):
            assert other.tolist() == pytest.approx(one.tolist())


class Best:
    """Plays what was solved."""

    def choose(self, seen, random):  # type: ignore[no-untyped-def]
        now = seen.now
        part, place = self._part(now)
        if seen.phase == "trump":
            return self._named(seen, part)
        seat = seen.seat
        heard = tuple(bid for bid in now.bids[:seat])
        return Bid(int(part.bids[seat][heard][place]))

    @staticmethod
    def _part(now) -> tuple[SolvedSituation, int]:  # type: ignore[no-untyped-def]
        turned, held = now.turned_up, now.hand[0]
        same = "ZB" if turned.is_wizard else "NB" if turned.is_jester else f"B{turned.code[1:]}"
        part = next(
            one for one in solved(3).parts if TABLES.deck[one.situation.turned_up].code == same
        )
        trump, mine = now.trump, held.colour
        if mine is None:
            return part, TABLES.deck.index(held)
        # Blue is the trump of every situation that has one; any other colour is not.
        colour = "B" if mine == trump else "R"
        return part, TABLES.deck.index(card(f"{colour}{held.code[1:]}"))

    @staticmethod
    def _named(seen, part: SolvedSituation):  # type: ignore[no-untyped-def]
        held = seen.now.hand[0]
        assert part.dealer is not None
        names_own = held.colour is not None and part.dealer[int(held.code[1:]) - 1] > 0
        wanted = held.colour if names_own else next(c for c in Colour if c != held.colour)
        return NameTrump(wanted)


def test_who_plays_what_was_solved_has_no_gap_to_a_best_response() -> None:
    """But for a dealer who always names the same one of three equal colours, which the others may notice."""
    found = measure(Best(), 3)
    assert found.gap == pytest.approx(0, abs=0.02)
    for seat, shortfall in enumerate(found.seats):
        assert shortfall.own == pytest.approx(float(solved(3).value(seat)), abs=0.02)


def test_weaker_levels_are_farther_from_a_best_response() -> None:
    gaps = [measure(bot(name), 3).gap for name in ("beginner", "master")]
    assert gaps == sorted(gaps, reverse=True)
    assert 0 <= gaps[-1] < 1 < gaps[0]


def test_a_level_tells_its_own_chances() -> None:
    """What `chances` says is how often the level chooses so."""
    level = bot("beginner")
    game = new_game(FIRST, ["A", "B", "C"], first_dealer=2)
    cards = Deal(((card("R9"),), (card("G1"),), (card("Y1"),)), card("B3"))
    game, _ = deal(game, cards)
    seen = view(game, 0)
    chances: Mapping[int, float] = level.chances(seen)  # type: ignore[attr-defined]
    chosen = [level.choose(seen, Random(number)) for number in range(400)]
    share = chosen.count(Bid(1)) / len(chosen)
    assert 0.05 < chances[1] < 0.95
    assert share == pytest.approx(chances[1], abs=0.08)
