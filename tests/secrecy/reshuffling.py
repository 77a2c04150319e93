"""Another game that looks the same from one seat: what the seat cannot see is dealt and done differently.

A game is told as its happenings: deals, and actions with their seats.  What a seat cannot see of the round being played:

    cards   that are neither its own, nor turned up, nor played, nor received in a pass (X7).  Until all have bid in
            foresight it is the other way round: its own are hidden, the others' known, and remembered after (V4, V5).
            In unicolor a hidden card is one of its owner's fifteen (V6).  Who was dealt the Werewolf is public (X6).
    bids    of the others, while they are not shown (V2, V3).
    passes  of the others: which card each has chosen (X7).

Cards change places two at a time, in the deal and in the passes, and the whole round is played again with the same
public actions; a change that would break a rule somewhere on the way, such as a shown void (P3), is not made.  Of rounds
that are over, a seat is shown the score alone: they are told again in other colours.
"""

from collections.abc import Sequence
from random import Random

from foretell.cards import CARDS, Card, Colour, Face, Kind, card, face
from foretell.engine import (
    Action,
    Bid,
    Event,
    Game,
    NameTrump,
    PassCard,
    Phase,
    Play,
    Round,
    act,
    deal,
)
from foretell.errors import ForetellError
from foretell.rules import Deal
from tables import Happening, Setup, now

Story = Sequence[Happening]

SWAPS = 8


def retold(start: Game, story: Story) -> tuple[Game, list[Event]]:
    """The game that the story tells, and what everyone heard since the last deal."""
    game, heard = start, []
    for happening in story:
        if isinstance(happening, Deal):
            game, events = deal(game, happening)
            heard = list(events)
        else:
            game, events = act(game, *happening)
            heard += events
    return game, heard


def hidden_cards(game: Game, seat: int | None) -> set[Card]:
    """The cards of the deck whose place the seat does not know."""
    round_now = now(game)
    deck = {c for c in CARDS.values() if not c.is_special or c.kind.value in game.rules.specials}
    return deck - _known(round_now, seat)


def _known(round_now: Round, seat: int | None) -> set[Card]:
    known = {c for c in CARDS.values() if c.kind is Kind.WEREWOLF}
    known |= {round_now.deal.turned_up} if round_now.deal.turned_up else set()
    tricks = (*round_now.tricks, *((round_now.trick,) if round_now.trick else ()))
    known |= {one.card for trick in tricks for one in trick.faces}
    if seat is None:
        return known
    if round_now.rules.sight.is_foresight(round_now.number):
        known |= {c for o, hand in enumerate(round_now.deal.hands) if o != seat for c in hand}
    if not round_now.is_foreseen:
        known |= set(round_now.deal.hands[seat])
        known |= {trick.passed[seat - 1] for trick in tricks if trick.passed}
    return known


def reshuffled(setup: Setup, seat: int | None, random: Random) -> list[Happening]:
    """The same game as far as the seat can see, and as different as may be otherwise."""
    start, story = setup.start(), list(setup.happenings())
    game, heard = retold(start, story)
    story = _in_other_colours(story, game, random)
    story = _with_other_bids(story, game, seat, random)
    hidden = sorted(hidden_cards(game, seat), key=lambda c: c.index)
    dealt = [c for hand in now(game).deal.hands for c in hand if c in hidden]
    for _ in range(SWAPS if dealt else 0):
        one = random.choice(dealt)
        other = random.choice([c for c in hidden if not game.peoples or c.people is one.people])
        story = _if_it_can_be_told(start, _swapped(story, one, other), heard) or story
    return _with_other_passes(story, start, seat, random)


def _if_it_can_be_told(
    start: Game, story: list[Happening], heard: list[Event]
) -> list[Happening] | None:
    try:
        _, same = retold(start, story)
    except ForetellError:
        return None
    assert same == heard
    return story


def _last_deal(story: Story) -> int:
    return max(place for place, one in enumerate(story) if isinstance(one, Deal))


def _swapped(story: list[Happening], one: Card, other: Card) -> list[Happening]:
    """Two hidden cards change places, in the deal and in the passes of the round being played."""
    swap = {one: other, other: one}
    began = _last_deal(story)
    return story[:began] + [_mapped(happening, swap) for happening in story[began:]]


def _mapped(happening: Happening, swap: dict[Card, Card]) -> Happening:
    if isinstance(happening, Deal):
        hands = tuple(tuple(swap.get(c, c) for c in hand) for hand in happening.hands)
        return Deal(hands, happening.turned_up)
    seat, action = happening
    if isinstance(action, PassCard):
        return seat, PassCard(swap.get(action.card, action.card))
    return happening


def _with_other_bids(
    story: list[Happening], game: Game, seat: int | None, random: Random
) -> list[Happening]:
    if now(game).bids_are_shown:
        return story
    began = _last_deal(story)
    size = now(game).hand_size
    return story[:began] + [
        (happening[0], Bid(random.randint(0, size)))
        if isinstance(happening, tuple) and isinstance(happening[1], Bid) and happening[0] != seat
        else happening
        for happening in story[began:]
    ]


def _with_other_passes(
    story: list[Happening], start: Game, seat: int | None, random: Random
) -> list[Happening]:
    """While a pass is going on nobody knows what the others have chosen."""
    game, _ = retold(start, story)
    if now(game).phase is not Phase.PASS:
        return story
    chosen = sum(one is not None for one in now(game).passing)
    told, last = story[: len(story) - chosen], story[len(story) - chosen :]
    for happening in last:
        assert isinstance(happening, tuple)
        giver, action = happening
        hand = now(game).hands[giver]
        told.append((giver, action if giver == seat else PassCard(random.choice(hand))))
    return told


def _in_other_colours(story: list[Happening], game: Game, random: Random) -> list[Happening]:
    """Rounds that are over, each colour become another; in unicolor a seat's people is public, and stays."""
    if game.peoples is not None:
        return story
    colours = list(Colour)
    random.shuffle(colours)
    became = dict(zip(Colour, colours, strict=True))
    began = _last_deal(story)
    return [_recoloured(happening, became) for happening in story[:began]] + story[began:]


def _recoloured(happening: Happening, became: dict[Colour, Colour]) -> Happening:
    def of_card(one: Card) -> Card:
        if one.people is None:
            return one
        people = became[one.people]
        marks = {Kind.WIZARD: f"Z{people}", Kind.JESTER: f"N{people}"}
        return card(marks.get(one.kind, f"{people}{one.value:.0f}"))

    def of_face(one: Face) -> Face:
        if one.card.people is not None:
            return face(of_card(one.card).code)
        said = became[one.colour] if one.colour is not None else one.declared
        return face(f"{one.card}:{said}" if said else one.card.code)

    def of_action(one: Action) -> Action:
        match one:
            case Play():
                return Play(of_face(one.face))
            case PassCard():
                return PassCard(of_card(one.card))
            case NameTrump():
                return NameTrump(None if one.colour is None else became[one.colour])
            case _:
                return one

    if isinstance(happening, Deal):
        hands = tuple(tuple(of_card(c) for c in hand) for hand in happening.hands)
        turned_up = happening.turned_up
        return Deal(hands, turned_up and of_card(turned_up))
    return happening[0], of_action(happening[1])
