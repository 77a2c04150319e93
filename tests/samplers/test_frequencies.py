"""How often each holding is dealt, against a full enumeration of those that fit: on deals small enough to list."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, sqrt
from random import Random

import pytest

from foretell.cards import CARDS, Card
from foretell.engine import View, view
from foretell.kernel.backend.compiled import ints
from foretell.kernel.hidden.hidden_hands import Hidden, hidden_hands
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng
from foretell.rules import Rules
from samplers.histories import Played, fits, stops

PROVE = bool(os.environ.get("FORETELL_PROVE"))
SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")

Holding = tuple[frozenset[Card], ...]


def unseen_cards(played: Played, seen: View) -> list[Card]:
    """Every card that this seat cannot see lying or hold, taken from the whole truth."""
    now = played.game.now
    assert now is not None
    deck = {
        card for card in CARDS.values() if not card.is_special or card.kind in now.rules.specials
    }
    if now.rules.unicolor:
        deck = {card for card in deck if card.people in (played.game.peoples or ())}
    tricks = [*now.tricks, *([now.trick] if now.trick else [])]
    deck -= {face.card for trick in tricks for face in trick.faces}
    deck -= set((seen.now.hand or ()) if seen.now else ())
    deck -= {card for hand in foreseen(seen).values() for card in hand}
    if now.werewolf is None:
        deck -= {now.deal.turned_up}
    else:
        deck = {card for card in deck if card.faces}
    return sorted(deck, key=lambda card: card.index)


def foreseen(seen: View) -> dict[int, tuple[Card, ...]]:
    """V4: in a round of one card, the others' cards as long as they are held."""
    now = seen.now
    if now is None or now.foreseen is None:
        return {}
    return {
        seat: hand[: now.hand_sizes[seat]]
        for seat, hand in enumerate(now.foreseen)
        if hand is not None
    }


def assignments(cards: Sequence[Card], sizes: Sequence[int]) -> Iterator[list[tuple[Card, ...]]]:
    if not sizes:
        yield []
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in assignments(rest, sizes[1:]):
            yield [hand, *others]


def how_many(cards: int, sizes: Sequence[int]) -> int:
    ways = 1
    for size in sizes:
        ways *= comb(cards, size)
        cards -= size
    return ways


def small_stops(
    rules: Rules, players: int, number: int, random: Random, *, most: int, late: int = 0
) -> Iterator[tuple[Played, View, list[int], list[Card]]]:
    """Views from which few enough holdings are thinkable, found in random rounds."""
    while True:
        for played in stops(rules, players, random, numbers=[number], share=0.5, late=late):
            seen = view(played.game, random.randrange(players))
            assert seen.now is not None
            unseen = unseen_cards(played, seen)
            own = set() if seen.now.hand is None else {seen.seat}
            hidden = [seat for seat in range(players) if seat not in own | foreseen(seen).keys()]
            sizes = [seen.now.hand_sizes[seat] for seat in hidden]
            if hidden and 1 < how_many(len(unseen), sizes) <= most:
                yield played, seen, hidden, unseen


def enumerated(
    played: Played, seen: View, hidden: Sequence[int], unseen: Sequence[Card]
) -> list[Holding]:
    assert seen.now is not None
    found = []
    for hands in assignments(unseen, [seen.now.hand_sizes[seat] for seat in hidden]):
        whole: dict[int, Sequence[Card]] = dict(zip(hidden, hands, strict=True))
        whole |= foreseen(seen)
        if seen.seat is not None and seen.now.hand is not None:
            whole[seen.seat] = seen.now.hand
        every = [whole[seat] for seat in range(len(whole))]
        if fits(played, seen, every):
            found.append(tuple(frozenset(hand) for hand in every))
    return found


def drawn(hidden: Hidden, count: int, seed: int) -> Counter[Holding]:
    state, rng = ints(in_state.SIZE), ints(RNG_WORDS)
    for place in range(in_state.SIZE):
        state[place] = hidden.state[place]
    seed_rng(rng, seed, 0)
    return Counter(
        tuple(frozenset(hand) for hand in hidden.next_deal(state, rng)) for _ in range(count)
    )


def surprise(found: Counter[Holding], expected: dict[Holding, float]) -> float:
    """Chi-squared as a number of standard deviations (Wilson and Hilferty)."""
    chi = sum((found[one] - mean) ** 2 / mean for one, mean in expected.items())
    free = len(expected) - 1
    deviations: float = ((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / sqrt(2 / (9 * free))
    return deviations


VARIANTS = {
    "base 3": (Rules(), 3, 20),
    "base 4": (Rules(), 4, 15),
    "base 5": (Rules(), 5, 12),
    "base 6": (Rules(), 6, 10),
    "V4 3": (Rules(foresight="first_round"), 3, 1),
    "V6 3": (Rules(unicolor=True), 3, 11),
    "F1 4": (Rules(wizards_on_trump="barred"), 4, 15),
    "F1 5": (Rules(wizards_on_trump="barred"), 5, 12),
    "X7 4": (Rules(specials=("JUGGLER",)), 4, 15),
    "X7 5": (Rules(specials=("JUGGLER",)), 5, 12),
    "X6 X7 4": (Rules(specials=("WEREWOLF", "JUGGLER")), 4, 15),
    "X6 X7 3": (Rules(specials=("WEREWOLF", "JUGGLER")), 3, 20),
}


@pytest.mark.prove
@pytest.mark.parametrize("name", VARIANTS)
def test_each_holding_that_fits_is_dealt_as_often_as_the_next(name: str) -> None:
    rules, players, number = VARIANTS[name]
    random = Random(name)
    wanted = 25 if PROVE else 4
    most = 4000 if PROVE else 200
    open_to_choice = 0
    small = small_stops(rules, players, number, random, most=most)
    for looked, (played, seen, hidden_seats, unseen) in enumerate(small):
        holdings = enumerated(played, seen, hidden_seats, unseen)
        hidden = hidden_hands(seen)
        per_holding = 60
        found = drawn(hidden, per_holding * len(holdings), seed=looked)
        assert set(found) <= set(holdings)
        if len(holdings) > 1:
            assert surprise(found, dict.fromkeys(holdings, float(per_holding))) < 4
            open_to_choice += 1
        if open_to_choice >= wanted:
            break


def broken_void(seen: View) -> bool:
    """Whether a pass leaves more than one way to explain the hands."""
    return len(hidden_hands(seen).cases) > 1


@pytest.mark.prove
@pytest.mark.parametrize(
    ("name", "late"), [("X7 4", 3), ("X7 5", 2), ("X6 X7 4", 2), ("X6 X7 3", 3), ("X6 X7 3", 4)]
)
def test_after_a_late_pass_every_explanation_has_its_share(name: str, late: int) -> None:
    rules, players, number = VARIANTS[name]
    random = Random(f"late {name} {late}")
    wanted = 20 if PROVE else 3
    for played, seen, hidden_seats, unseen in small_stops(
        rules, players, number, random, most=3000 if PROVE else 700, late=late
    ):
        if not broken_void(seen):
            continue
        holdings = enumerated(played, seen, hidden_seats, unseen)
        found = drawn(hidden_hands(seen), 60 * len(holdings), seed=wanted)
        assert set(found) <= set(holdings)
        if len(holdings) > 1:
            assert surprise(found, dict.fromkeys(holdings, 60.0)) < 4
            wanted -= 1
        if not wanted:
            break


@pytest.mark.prove
@pytest.mark.parametrize("name", ["base 3", "base 4", "V6 3", "X7 4", "X6 X7 4"])
def test_odds_weigh_each_holding_by_the_product_over_its_cards(name: str) -> None:
    rules, players, number = VARIANTS[name]
    random = Random(f"odds {name}")
    seen_cases = 0
    for played, seen, hidden_seats, unseen in small_stops(rules, players, number, random, most=150):
        holdings = enumerated(played, seen, hidden_seats, unseen)
        if len(holdings) < 2:
            continue
        odds = [
            [random.choice([0.5, 1.0, 1.0, 3.0]) for _ in range(codes.KINDS)]
            for _ in range(players)
        ]
        certain = hidden_hands(seen).knowledge
        if any(case.held for case in certain.cases):
            continue  # cards that are certain in one case and not in another are weighed by neither
        weights = []
        for holding in holdings:
            weight = 1.0
            for seat in hidden_seats:
                for card in holding[seat]:
                    weight *= odds[seat][kind_of(card)]
            weights.append(weight)
        count = 150 * len(holdings)
        expected = {
            one: count * weight / sum(weights)
            for one, weight in zip(holdings, weights, strict=True)
        }
        found = drawn(hidden_hands(seen, odds=odds), count, seed=seen_cases)
        assert set(found) <= set(holdings)
        assert surprise(found, expected) < 4
        seen_cases += 1
        if seen_cases == (12 if PROVE else 3):
            break
