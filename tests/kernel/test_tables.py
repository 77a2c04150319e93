"""Tables are what the rules answer; a rule that does not fit the turn loop is refused by name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

import pytest

from foretell.cards import CARDS, SPECIALS, Card, Colour, Face, Kind
from foretell.cards.specials import BY_KIND, Special
from foretell.errors import RulesClash
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state.card_numbers import COLOURS, FACE_LIST, face_number, kind_of
from foretell.kernel.state.refusals import refuse_unknown_effects
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules, is_nobodys, points
from foretell.rules.bidding import AnyBid
from foretell.rules.tricks import ColourTricks

T = TypeVar("T")
ALL = Rules(specials=tuple(kind.value for kind in SPECIALS))


def test_there_are_61_kinds_and_67_ways_to_play_them() -> None:
    assert {kind_of(card) for card in CARDS.values()} == set(range(codes.KINDS))
    assert sum(face is not None for face in FACE_LIST) == 67
    assert len(FACE_LIST) == codes.FACES
    for place, face in enumerate(FACE_LIST):
        assert face is None or face_number(face) == place


@pytest.mark.parametrize(
    "rules", [Rules(), ALL, Rules(wizards_on_trump="barred"), Rules(unicolor=True)]
)
def test_random_tricks_are_taken_as_the_rules_say(rules: Rules) -> None:
    tables = compile_rules(rules, 4)
    lookup, random = tables.words, Random(1)
    faces = [face for card in tables.deck for face in card.faces]
    for _ in range(3000):
        played: list[Face] = []
        for face in random.sample(faces, 20):
            if all(face.card is not other.card for other in played) and len(played) < 6:
                played.append(face)
        trump = random.choice(COLOURS)
        demand, best, place, upsetter, effects = codes.UNDECIDED, 0, 0, 0, 0
        for turn, face in enumerate(played):
            number = face_number(face)
            demand = (
                int(lookup[in_lookup.DEMAND_OF_FACE + number])
                if demand == codes.UNDECIDED
                else demand
            )
            row = (demand * codes.TRUMPS + COLOURS.index(trump)) * codes.FACES
            word = int(lookup[in_lookup.STRENGTH + row + number])
            if word % 256 > best:
                best, place = word % 256, turn
            effects |= word >> codes.EFFECT_SHIFT
            if word >> codes.EFFECT_SHIFT & codes.UPSETS:
                upsetter = turn
            if effects & codes.UPSETS and effects & codes.IS_UPSET:
                best, place = codes.UNBEATABLE, upsetter
        assert place == rules.tricks.winning_place(played, trump)
        assert bool(effects & codes.BOMBS) == is_nobodys(played)
        wanted = rules.tricks.demanded(played)
        assert COLOURS[min(demand, codes.FREE)] is wanted


def test_points_are_the_rules_points() -> None:
    lookup = compile_rules(Rules(), 3).words
    for bid in range(21):
        for won in range(21):
            assert lookup[in_lookup.POINTS_FOR + bid * codes.TRICK_COUNTS + won] == points(bid, won)


@dataclass(frozen=True)
class LastColourDemands(ColourTricks):
    def demanded(self, played: Sequence[Face]) -> Colour | None:
        return next((face.colour for face in reversed(played) if face.colour), None)


@dataclass(frozen=True)
class LowestFirst(ColourTricks):
    """One may play the lowest number held, and nothing else."""

    def playable(
        self, hand: Sequence[Card], demanded: Colour | None, trump: Colour | None
    ) -> tuple[Card, ...]:
        return (min(hand, key=lambda card: card.index),)


@dataclass(frozen=True)
class JesterBeatsThirteen(ColourTricks):
    def winning_place(self, played: Sequence[Face], trump: Colour | None) -> int:
        if any(face.value == 13 for face in played):
            for place, face in enumerate(played):
                if face.kind is Kind.JESTER or face.value == 1:
                    return place
        return ColourTricks.winning_place(self, played, trump)


@dataclass(frozen=True)
class NobodyRepeats(AnyBid):
    def open_bids(self, hand_size: int, earlier: Sequence[int], bidders: int) -> tuple[int, ...]:
        return tuple(bid for bid in range(hand_size + 1) if bid not in earlier)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("tricks", LastColourDemands()),
        ("tricks", LowestFirst()),
        ("tricks", JesterBeatsThirteen()),
        ("bidding", NobodyRepeats()),
    ],
    ids=lambda one: one if isinstance(one, str) else type(one).__name__,
)
def test_a_rule_that_the_turn_loop_cannot_play_is_refused_by_name(
    question: str, answer: object
) -> None:
    rules = Rules(rounds=(3, 4))
    rules.__dict__[question] = answer  # where `Rules` keeps the answer it has found
    with pytest.raises(RulesClash, match=type(answer).__name__):
        compile_rules.__wrapped__(rules, 4)


def test_a_table_that_the_rules_have_no_game_for_is_refused() -> None:
    with pytest.raises(RulesClash, match="V6"):
        compile_rules(Rules(unicolor=True), 5)
    with pytest.raises(RulesClash, match="D1"):
        compile_rules(Rules(), 7)


@dataclass(frozen=True)
class PassToTheRight:
    rule: str = "X7"

    def asked(self, chosen: Sequence[T | None]) -> tuple[int, ...]:
        return tuple(seat for seat, card in enumerate(chosen) if card is None)

    def answers(self, hand: Sequence[T]) -> tuple[T, ...]:
        return tuple(hand)

    def hands_after(
        self, hands: Sequence[Sequence[T]], given: Sequence[T]
    ) -> tuple[tuple[T, ...], ...]:
        kept = [[card for card in hand if card not in given] for hand in hands]
        return tuple((*hand, given[(seat + 1) % len(hands)]) for seat, hand in enumerate(kept))


@dataclass(frozen=True)
class ChangeByTwo:
    rule: str = "X8"

    def answers(self, bid: int, hand_size: int) -> tuple[int, ...]:
        return tuple(change for change in (+2, -2) if 0 <= bid + change <= hand_size)

    def bid_after(self, bid: int, change: int) -> int:
        return bid + change


@dataclass(frozen=True)
class KeepsTheCard:
    def hand_after(self, hand: Sequence[T], own: T, turned_up: T) -> tuple[T, ...]:
        return tuple(hand)

    def answers(self) -> tuple[Colour | None, ...]:
        return (None,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirrored(Special):
    copies_the_card_before: bool = False


@pytest.mark.parametrize(
    "special",
    [
        replace(BY_KIND[Kind.JUGGLER], after_trick=PassToTheRight()),
        replace(BY_KIND[Kind.CLOUD], after_round=ChangeByTwo()),
        replace(BY_KIND[Kind.WEREWOLF], when_dealt=KeepsTheCard()),
        Mirrored(kind=Kind.BOMB, rule="X5", copies_the_card_before=True),
    ],
    ids=lambda special: special.kind,
)
def test_a_special_card_that_the_turn_loop_cannot_play_is_refused_by_name(
    special: Special,
) -> None:
    with pytest.raises(RulesClash, match=f"cannot play {special.kind.value}:"):
        refuse_unknown_effects([special])


def test_two_special_cards_that_cause_the_same_step_are_refused_by_name() -> None:
    other = replace(BY_KIND[Kind.BOMB], after_trick=BY_KIND[Kind.JUGGLER].after_trick)
    with pytest.raises(RulesClash, match="cannot play BOMB:"):
        refuse_unknown_effects([BY_KIND[Kind.JUGGLER], other])


def test_all_special_cards_that_there_are_can_be_played() -> None:
    refuse_unknown_effects(tuple(BY_KIND.values()))
