"""The lookup tables of a rule set, made by asking the readable rules everything they can be asked.

No rule is written down here.  The kernel's turn loop takes shortcuts: once a demand is decided, it stays; the strength
of a face does not depend on later faces; of the earlier bids only their sum matters.  Each shortcut is checked against
the readable rules.  A rule for which it does not hold is refused by name and never played wrongly.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from foretell.cards import Card, Colour, Face, Kind
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state.card_numbers import COLOURS, KNOWN_KINDS, face_number, kind_of
from foretell.kernel.state.refusals import CHANGES, refuse, refuse_unknown_effects
from foretell.rules import (
    Naming,
    Rules,
    change_after,
    exchange_in,
    is_nobodys,
    naming_open_to,
    pass_after,
    points,
    trump_after,
)

__all__ = ["Tables", "compile_rules"]


@dataclass(frozen=True, slots=True)
class Tables:
    """A rule set for a number of players, ready for the kernel: `words` is the array `lookup` of its functions."""

    rules: Rules
    players: int
    peoples: tuple[Colour, ...] | None
    deck: tuple[
        Card, ...
    ]  # every card; in unicolor first the cards of seat 0, then those of seat 1, and so on
    numbers: tuple[int, ...]  # the number of each round
    words: Ints


@lru_cache(maxsize=256)
def compile_rules(
    rules: Rules, players: int = 4, peoples: tuple[Colour, ...] | None = None
) -> Tables:
    """The tables of these rules; refuses a number of players for which the rules have no game."""
    peoples = rules.seats(players, peoples)
    numbers = rules.round_numbers(players)
    sizes = [rules.deck.hand_size(number) for number in numbers]
    deck, own = _whole_deck(rules, players, peoples)
    _refuse_unknown_cards(deck)
    sums = (players - 1) * max(sizes) + 1
    words = ints(in_lookup.OPEN_BIDS + len(numbers) * players * sums)

    words[in_lookup.PLAYERS], words[in_lookup.ROUNDS], words[in_lookup.DECK_SIZE] = (
        players,
        len(numbers),
        len(deck),
    )
    words[in_lookup.OWN_CARDS], words[in_lookup.BID_SUMS] = own, sums
    words[in_lookup.BIDS_AT_ONCE] = int(len(rules.disclosure.bidders((None,) * players, 0)) > 1)
    _fill(words, in_lookup.DECK, [kind_of(card) for card in deck])
    _fill(words, in_lookup.HAND_SIZES, sizes)
    _fill(
        words, in_lookup.IS_FORESIGHT, [int(rules.sight.is_foresight(number)) for number in numbers]
    )
    _count_alike(words)
    _ask_faces(words)
    _ask_trump(words)
    _ask_tricks(words, rules, deck)
    _ask_bids(words, rules, players, sizes)
    _ask_points(words)
    _ask_changes(words, deck, sizes)
    return Tables(rules, players, peoples, deck, numbers, words)


def _fill(words: Ints, start: int, values: Sequence[int]) -> None:
    for place, value in enumerate(values):
        words[start + place] = value


def _mask(cards: Sequence[Card]) -> int:
    made = 0
    for card in cards:
        made |= 1 << kind_of(card)
    return made


def _whole_deck(
    rules: Rules, players: int, peoples: tuple[Colour, ...] | None
) -> tuple[tuple[Card, ...], int]:
    """All cards, in the order in which the deck passes them to a shuffle, and how many cards each seat owns (V6)."""
    offered: list[tuple[Card, ...]] = []
    owners: list[int | None] = []

    def shuffle(cards: Sequence[Card], seat: int | None) -> Sequence[Card]:
        offered.append(tuple(cards))
        owners.append(seat)
        return cards

    rules.deck.deal(shuffle, players, peoples, rules.round_numbers(players)[0], 0)
    if owners == [None]:
        return offered[0], 0
    if owners == list(range(players)) and len({len(cards) for cards in offered}) == 1:
        return tuple(card for cards in offered for card in cards), len(offered[0])
    raise refuse(rules.deck, "one deck for all, or one of the same size for each seat")


def _refuse_unknown_cards(deck: Sequence[Card]) -> None:
    """Refuses a special card that the turn loop has no room for, or whose effect it does not know."""
    for card in deck:
        if card not in KNOWN_KINDS:
            raise refuse(card.code, f"there are at most {codes.KINDS} kinds of card")
    refuse_unknown_effects([card.special for card in deck if card.special is not None])


def _count_alike(words: Ints) -> None:
    """How COPIES counts Wizards and Jesters: not a rule, only the way in which the kernel stores a hand."""
    alike = ((codes.WIZARD, 1), (codes.JESTER, codes.ONE_JESTER))
    for kind, worth in alike:
        words[in_lookup.COPIES_OF_KIND + kind] = worth
        for copies in range(codes.ONE_JESTER * 8):
            held = copies // worth % codes.ONE_JESTER > 0
            words[in_lookup.BITS_OF_COPIES + copies] |= int(held) << kind


def _ask_faces(words: Ints) -> None:
    for card, kind in KNOWN_KINDS.items():
        faces = [face_number(face) for face in card.faces]
        words[in_lookup.DECLARATIONS + kind] = (1 << len(faces)) - 1
        words[in_lookup.FIRST_FACE + kind] = min(faces, default=0)
        words[in_lookup.NEEDS_DECLARATION] |= int(len(faces) > 1) << kind
        words[in_lookup.MUST_BE_EXCHANGED] |= int(exchange_in([(card,)]) is not None) << kind
        for face in faces:
            words[in_lookup.KIND_OF_FACE + face] = kind
            if len(faces) == 1 and face != kind:
                raise refuse(card, "a kind without a declaration has the number of its face")


def _ask_trump(words: Ints) -> None:
    """Asks with seat 0 as dealer and seat 1 as holder of an exchanged card, to see which of them names the trump."""
    for card in (*KNOWN_KINDS, None):
        place = in_lookup.TRUMP_AFTER + (codes.NO_CARD if card is None else kind_of(card))
        answer = trump_after(card, 0, None)
        if isinstance(answer, Naming):
            words[place] = codes.DEALER_NAMES
            words[in_lookup.DEALER_MAY_NAME] = _named(answer)
        else:
            words[place] = COLOURS.index(answer.colour)
        exchange = None if card is None else exchange_in([(), (card,)])
        if exchange is None:
            continue
        for turned_up in (*KNOWN_KINDS, None):
            held = trump_after(turned_up, 0, exchange)
            if not isinstance(held, Naming) or held.seat != 1:
                raise refuse(card, "the seat that exchanges a card names the trump")
            words[in_lookup.WEREWOLF_MAY_NAME] = _named(held)


def _named(naming: Naming) -> int:
    return sum(1 << COLOURS.index(colour) for colour in naming_open_to(naming))


def _ask_tricks(words: Ints, rules: Rules, deck: Sequence[Card]) -> None:
    cards = list({kind_of(card): card for card in deck}.values())
    faces = [face for card in cards for face in card.faces]
    demands = _ask_demands(words, rules, faces)
    _ask_playable(words, rules, cards)
    _ask_strength(words, rules, faces, demands)


def _demands_and_trumps() -> Iterator[tuple[int, Colour | None, int, Colour | None]]:
    """Every demand with every trump, each as its number and its colour; FREE and UNDECIDED have no colour."""
    for demand in range(codes.DEMANDS):
        for trump, colour in enumerate(COLOURS):
            yield demand, COLOURS[min(demand, codes.FREE)], trump, colour


def _ask_demands(words: Ints, rules: Rules, faces: Sequence[Face]) -> dict[Face, int]:
    """P5-P7: the demand that each face sets while nothing is decided."""
    demanded = rules.tricks.demanded
    numbers = {face.colour: face for face in faces if face.card.kind is Kind.NUMBER}

    def decided(played: Sequence[Face]) -> int:
        """The demand after these faces; UNDECIDED if a number played next would still set it."""
        now = demanded(played)
        if now is not None:
            return COLOURS.index(now)
        after = {colour: demanded((*played, face)) for colour, face in numbers.items()}
        if all(answer is colour for colour, answer in after.items()):
            return codes.UNDECIDED
        if any(answer is not None for answer in after.values()):
            raise refuse(rules.tricks, "a demand is the first colour, or everyone is free")
        return codes.FREE

    result = {face: decided((face,)) for face in faces}
    for face, demand in result.items():
        words[in_lookup.DEMAND_OF_FACE + face_number(face)] = demand
    first = {demand: face for face, demand in reversed(result.items())}
    for demand, opening in first.items():
        for face in faces:
            stays = result[face] if demand == codes.UNDECIDED else demand
            if decided((opening, face)) != stays:
                raise refuse(rules.tricks, "once a demand is decided, it stays")
    return result


def _ask_playable(words: Ints, rules: Rules, cards: Sequence[Card]) -> None:
    """P3, P4, F1: three masks for each demand and trump (`lookup_layout`), found by asking about suitable hands."""
    random = Random(0)
    for demand, demanded, trump, colour in _demands_and_trumps():

        def playable(
            hand: Sequence[Card],
            demanded: Colour | None = demanded,
            colour: Colour | None = colour,
        ) -> tuple[Card, ...]:
            return rules.tricks.playable(hand, demanded, colour)

        everything = playable(cards)
        rest = [card for card in cards if card not in everything]
        rest_alone = playable(rest)
        follows = [card for card in everything if len(playable([card, *rest])) <= len(rest_alone)]
        unbound = playable([card for card in cards if card not in follows])
        row = demand * codes.TRUMPS + trump
        words[in_lookup.OBLIGING + row] = _mask(follows)
        words[in_lookup.IF_OBLIGED + row] = _mask(everything)
        # A hand that is not obliged holds no obliging cards, so it does no harm that this mask includes them.
        words[in_lookup.IF_NOT_OBLIGED + row] = _mask([*unbound, *follows])
        for _ in range(20):
            hand = random.sample(cards, random.randint(1, min(len(cards), 12)))
            if _mask(playable(hand)) != _legal_of(words, row, _mask(hand)):
                raise refuse(
                    rules.tricks,
                    "what may be played depends only on whether an obliging card is held",
                )
        for card in cards:
            kind = kind_of(card)
            words[in_lookup.RULED_OUT + row * codes.KINDS + kind] = _ruled_out_by(words, row, kind)


def _legal_of(words: Ints, row: int, hand: int) -> int:
    """What may be played from this hand, found with the three masks as `turn_loop.legal` does."""
    layer = (
        in_lookup.IF_OBLIGED if hand & words[in_lookup.OBLIGING + row] else in_lookup.IF_NOT_OBLIGED
    )
    return hand & words[layer + row] or hand


def _ruled_out_by(words: Ints, row: int, kind: int) -> int:
    """A mask of the kinds that a hand cannot have held when this kind was played from it."""
    follows, bound, unbound = (
        words[in_lookup.OBLIGING + row],
        words[in_lookup.IF_OBLIGED + row],
        words[in_lookup.IF_NOT_OBLIGED + row],
    )
    if bound >> kind & 1:
        return 0
    return int(follows) if unbound >> kind & 1 else int(follows | unbound)


def _ask_strength(
    words: Ints, rules: Rules, faces: Sequence[Face], demands: dict[Face, int]
) -> None:
    """K1-K4, F1: numbers the strengths in their order, and notes the one face that wins although it is weaker (X4)."""
    strength = rules.tricks.strength
    values = sorted(
        {
            strength(face, demanded, colour)
            for _, demanded, _, colour in _demands_and_trumps()
            for face in faces
        }
    )
    upset = _upsets(rules, faces)
    for demand, demanded, trump, colour in _demands_and_trumps():
        row = in_lookup.STRENGTH + (demand * codes.TRUMPS + trump) * codes.FACES
        for face in faces:
            rank = values.index(strength(face, demanded, colour)) + 1
            words[row + face_number(face)] = rank | _effects(face, upset) << codes.EFFECT_SHIFT
            if demands[face] == codes.UNDECIDED and strength(face, None, colour) != strength(
                face, demanded, colour
            ):
                raise refuse(
                    rules.tricks,
                    "the strength of a face that demands nothing does not depend on the demand",
                )
    if len(values) >= codes.UNBEATABLE:
        raise refuse(rules.tricks, f"fewer than {codes.UNBEATABLE} strengths")


def _upsets(rules: Rules, faces: Sequence[Face]) -> tuple[frozenset[Face], frozenset[Face]]:
    """The faces that beat a stronger one in the same trick, and the faces that they beat."""
    tricks = rules.tricks
    against: set[tuple[Face, Face]] = set()
    for one in faces:
        for other in faces:
            if one.card is other.card:
                continue
            demanded = tricks.demanded((one, other))
            first, second = (tricks.strength(face, demanded, None) for face in (one, other))
            wins = tricks.winning_place((one, other), None)
            if wins != int(second > first):
                against.add((one, other) if wins == 0 else (other, one))
    winners = frozenset(one for one, _ in against)
    losers = frozenset(other for _, other in against)
    if len(against) != len(winners) * len(losers) or len(winners) > 1:
        raise refuse(tricks, "at most one face beats stronger faces")
    return winners, losers


def _effects(face: Face, upset: tuple[frozenset[Face], frozenset[Face]]) -> int:
    asked: tuple[tuple[Callable[[Sequence[Face]], bool], int], ...] = (
        (is_nobodys, codes.BOMBS),
        (lambda played: pass_after(played) is not None, codes.JUGGLES),
        (lambda played: change_after(played) is not None, codes.CLOUDS),
        (lambda played: played[0] in upset[0], codes.UPSETS),
        (lambda played: played[0] in upset[1], codes.IS_UPSET),
    )
    return sum(flag for holds, flag in asked if holds((face,)))


def _ask_bids(words: Ints, rules: Rules, players: int, sizes: Sequence[int]) -> None:
    """B1, V1: the open bids, which may depend only on how many seats have bid and on the sum of their bids."""
    sums = words[in_lookup.BID_SUMS]
    for place, size in enumerate(sizes):
        for made in range(players):
            row = in_lookup.OPEN_BIDS + (place * players + made) * sums
            for total in range(made * size + 1):
                answers = {
                    rules.bidding.open_bids(size, earlier, players)
                    for earlier in _bids_with_sum(total, made, size)
                }
                if len(answers) > 1:
                    raise refuse(rules.bidding, "of the earlier bids only their sum matters")
                words[row + total] = sum(1 << bid for bid in answers.pop())


def _bids_with_sum(total: int, made: int, size: int) -> set[tuple[int, ...]]:
    """Some bids with this sum: as even as possible, and as uneven as possible in both directions."""
    if not made:
        return {()}
    even = [total // made + (place < total % made) for place in range(made)]
    uneven = [min(size, max(0, total - place * size)) for place in range(made)]
    return {tuple(even), tuple(uneven), tuple(reversed(uneven))}


def _ask_points(words: Ints) -> None:
    for bid in range(codes.TRICK_COUNTS):
        for won in range(codes.TRICK_COUNTS):
            words[in_lookup.POINTS_FOR + bid * codes.TRICK_COUNTS + won] = points(bid, won)


def _ask_changes(words: Ints, deck: Sequence[Card], sizes: Sequence[int]) -> None:
    """X8: the changes that are open to each bid, if a special card in the deck changes bids."""
    steps = [card.special.after_round for card in deck if card.special is not None]
    for step in filter(None, steps):
        for place, size in enumerate(sizes):
            for bid in range(size + 1):
                words[in_lookup.OPEN_CHANGES + place * codes.TRICK_COUNTS + bid] = sum(
                    1 << CHANGES.index(change) for change in step.answers(bid, size)
                )
