"""The tables of the search's heuristic, and its masks by kind and colour.

The numbers in `heuristic_tables.json` are chances in thousandths, counted in games that the heuristic played against
itself.  `bench/bots_worth.py` makes them again.
"""

import json
from functools import lru_cache
from importlib.resources import files

from foretell.bots.search import card_chances
from foretell.cards import CARDS, Card, Kind
from foretell.kernel.backend.compiled import Floats, Ints, floats, ints
from foretell.kernel.state import codes
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.tables import Tables

__all__ = ["first_guess", "masks", "worth_tables"]

_FIXED = {
    Kind.JESTER: 0.02,
    Kind.DRAGON: 0.97,
    Kind.FAIRY: 0.03,
    Kind.BOMB: 0.0,
    Kind.WEREWOLF: 0.0,
    Kind.JUGGLER: 0.35,
    Kind.CLOUD: 0.5,
    Kind.SHAPESHIFTER: 0.6,
}

# By number of players, 3 to 6: found by trial against counting players and players that follow the heuristic.
_TASTE = (
    (0.0, 0.9, 2.1, 0.05, -0.33),
    (0.05, 1.0, 1.5, 0.15, -0.37),
    (0.1, 0.9, 1.3, 0.15, -0.3),
    (0.0, 1.1, 1.5, 0.2, -0.26),
)


def masks(tables: Tables) -> Ints:
    """By kind, the kinds that beat it within its colour; by colour, all its numbers."""
    return _masks(tables.deck, tables.peoples is not None)


@lru_cache(maxsize=64)
def _masks(deck: tuple[Card, ...], is_alike: bool) -> Ints:
    m = ints(card_chances.MASKS)
    m[card_chances.ALIKE] = int(is_alike)
    kinds = {kind_of(card): card for card in deck}
    for kind in range(codes.KINDS):
        m[card_chances.COLOUR_OF + kind] = -1
    for kind, card in kinds.items():
        if card.kind is not Kind.NUMBER:
            continue
        m[card_chances.COLOUR_OF + kind] = kind // 13
        m[card_chances.HIGHER + kind] = sum(
            1 << other
            for other, against in kinds.items()
            if against.kind is Kind.NUMBER
            and against.value > card.value
            and (is_alike or against.colour is card.colour)
        )
    for colour in range(4):
        m[card_chances.SUIT + colour] = sum(
            1 << kind
            for kind in range(codes.WIZARD)
            if kind in kinds and (is_alike or kind // 13 == colour)
        )
    return m


def _with_fixed(f: Floats) -> Floats:
    for kind in range(64):
        f[card_chances.FIXED_AT + kind] = -1.0
    for card in CARDS.values():
        if card.kind in _FIXED:
            f[card_chances.FIXED_AT + kind_of(card)] = _FIXED[card.kind]
    for players, weights in enumerate(_TASTE):
        for place, weight in enumerate(weights):
            f[card_chances.TASTE_AT + players * card_chances.TASTES + place] = weight
    return f


def first_guess() -> Floats:
    """Where `bench/bots_worth.py` starts: every higher card that the others hold makes a trick less likely."""
    f = floats(card_chances.FLOATS)
    for place in range(card_chances.FIXED_AT):
        step = place % card_chances.STEPS
        cls = (
            place // card_chances.STEPS % card_chances.CLASSES
            if place < card_chances.P_AT
            else (place - card_chances.P_AT)
            // (card_chances.STEPS * card_chances.LATER)
            % card_chances.CLASSES
        )
        top = (0.95, 0.4, 0.5, 0.6, 0.7, 0.7, 0.75, 0.97, 0.9)[cls]
        f[place] = top * 0.8**step if cls == 0 else top * 0.6**step
    return _with_fixed(f)


@lru_cache(maxsize=1)
def worth_tables() -> Floats:
    """The tables that are part of the package."""
    f = floats(card_chances.FLOATS)
    text = (
        files("foretell.bots.search").joinpath("heuristic_tables.json").read_text(encoding="ascii")
    )
    numbers = json.loads(text)
    if len(numbers) != card_chances.FIXED_AT:
        raise ValueError("heuristic_tables.json does not fit the heuristic")
    for place, chance in enumerate(numbers):
        f[place] = chance / 1000
    return _with_fixed(f)
