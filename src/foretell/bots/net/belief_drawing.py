"""Draws a deal of the hidden cards by the belief net, in compiled loops.

The cards are drawn in random order and in a few steps.  At each step the net is asked where the rest of the cards is,
given those drawn before; then the next cards go to places by these chances.  Between two steps a chance is multiplied
by the room that a place has left for each card that is expected there.  Without this, the last cards would have to go
wherever there is room, and it would take many more steps to draw a world that is as likely.

Every deal fits the sizes of the hands and what each seat was shown not to hold.  A set of places has a *slack*: the
room in it, less the cards that may only be there.  It can never be negative.  So a card may go to a place unless the
place belongs to a set without slack, in which the card need not be.  By Hall's theorem there is always such a place.
"""

from foretell.bots.net import belief_layout as in_belief
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.evaluation import evaluate_net
from foretell.kernel.backend.compiled import ONE, Ints, Ints8, Ints16, Ints32, inlined, jit, lowest
from foretell.kernel.backend.exponentials import exp
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state.random_numbers import below
from foretell.kernel.state.turn_loop import give

__all__ = ["begin_drawing", "deal_by_belief", "first_chances", "put_card"]


@inlined
def begin_drawing(words: Ints, plan: Ints) -> None:
    """Nothing is drawn yet, besides the cards whose place is certain."""
    for place in range(in_belief.PLACES):
        plan[in_belief.EXPECTED + place] = plan[in_belief.FIRST_EXPECTED + place]
    for place in range(in_belief.PLACES * plan[in_belief.CARDS]):
        plan[in_belief.CHANCE + place] = plan[in_belief.FIRST_CHANCE + place]
    for place in range(in_belief.PLACES + 1):
        words[in_belief.DRAWN + place] = plan[in_belief.FIRST_DRAWN + place]
    for place in range(in_belief.PLACES):
        plan[in_belief.COPIES + place] = plan[in_belief.FIRST_COPIES + place]
        plan[in_belief.ROOM + place] = plan[in_belief.FIRST_ROOM + place]
    for places in range(in_belief.SETS):
        plan[in_belief.SLACK + places] = plan[in_belief.FIRST_SLACK + places]
    for card in range(plan[in_belief.CARDS]):
        plan[in_belief.ORDER + card] = card


@inlined
def free_places(plan: Ints, card: int) -> int:
    """The set of places where a card may go now."""
    allowed = plan[in_belief.ALLOWED + card]
    free = allowed
    for places in range(in_belief.SETS):
        if plan[in_belief.SLACK + places] == 0 and allowed & ~places:
            free &= ~places
    return free


@jit
def read_chances(plan: Ints, desk: Ints32, done: int) -> None:
    """Reads the chances of all cards that are not drawn yet off the net's answers, and adds them up by place."""
    for place in range(in_belief.PLACES):
        plan[in_belief.EXPECTED + place] = 0
    for number in range(done, plan[in_belief.CARDS]):
        card = plan[in_belief.ORDER + number]
        allowed = plan[in_belief.ALLOWED + card]
        answers = in_net.ANSWERS + in_belief.PLACES * plan[in_belief.ASKED + card]
        highest = desk[answers + lowest(allowed)]
        for place in range(in_belief.PLACES):
            if (allowed >> place) & 1:
                highest = max(highest, desk[answers + place])
        total = 0.0
        for place in range(in_belief.PLACES):
            if (allowed >> place) & 1:
                total += exp((desk[answers + place] - highest) / in_net.ANSWER_UNIT)
        for place in range(in_belief.PLACES):
            chance = 0
            if (allowed >> place) & 1:
                part = exp((desk[answers + place] - highest) / in_net.ANSWER_UNIT)
                chance = int(part / total * in_belief.CERTAIN)
            plan[in_belief.CHANCE + in_belief.PLACES * card + place] = chance
            plan[in_belief.EXPECTED + place] += chance


@jit
def first_chances(words: Ints, wide: Ints16, narrow: Ints8, desk: Ints32, plan: Ints) -> None:
    """Asks the net before anything is drawn.  All deals of one moment begin with these chances."""
    begin_drawing(words, plan)
    evaluate_net(words, wide, narrow, desk)
    read_chances(plan, desk, 0)
    for place in range(in_belief.PLACES):
        plan[in_belief.FIRST_EXPECTED + place] = plan[in_belief.EXPECTED + place]
    for place in range(in_belief.PLACES * plan[in_belief.CARDS]):
        plan[in_belief.FIRST_CHANCE + place] = plan[in_belief.CHANCE + place]


@inlined
def share_of_place(plan: Ints, card: int, place: int) -> float:
    """The chance of a place, times the room there for each card expected there; never 0."""
    chance = plan[in_belief.CHANCE + in_belief.PLACES * card + place] + 1
    return plan[in_belief.ROOM + place] * chance / max(plan[in_belief.EXPECTED + place], 1)


@jit
def drawn_place(plan: Ints, card: int, lot: int) -> int:
    """A place for a card, drawn among those that are free."""
    free = free_places(plan, card)
    total = 0.0
    for place in range(in_belief.PLACES):
        if (free >> place) & 1:
            total += share_of_place(plan, card, place)
    rest = lot / in_net.LOTS * total
    chosen = 0
    for place in range(in_belief.PLACES):
        if (free >> place) & 1 and rest >= 0.0:
            chosen = place
            rest -= share_of_place(plan, card, place)
    return chosen


@jit
def put_card(lookup: Ints, words: Ints, plan: Ints, card: int, place: int) -> None:
    """Notes where a card was drawn to: for the net, and for the room that is left."""
    asked = plan[in_belief.ASKED + card]
    words[in_belief.DRAWN + place] |= ONE << asked
    held = plan[in_belief.COPIES + place] + lookup[in_lookup.COPIES_OF_KIND + asked]
    plan[in_belief.COPIES + place] = held
    wizards = held & codes.WIZARD_COUNT_MASK
    jesters = held // codes.ONE_JESTER
    more = (ONE << max(wizards - 1, 0)) - 1
    more |= ((ONE << max(jesters - 1, 0)) - 1) << 3
    words[in_belief.DRAWN_COPIES] |= more << (in_belief.COPIES_BITS * place)
    plan[in_belief.ROOM + place] -= 1
    for other in range(in_belief.PLACES):
        chance = plan[in_belief.CHANCE + in_belief.PLACES * card + other]
        plan[in_belief.EXPECTED + other] -= chance
    allowed = plan[in_belief.ALLOWED + card]
    for places in range(in_belief.SETS):
        if allowed & ~places == 0:
            plan[in_belief.SLACK + places] += 1
        if (places >> place) & 1:
            plan[in_belief.SLACK + places] -= 1


@jit
def deal_by_belief(
    lookup: Ints, world: Ints, words: Ints, wide: Ints16, narrow: Ints8, desk: Ints32, plan: Ints, rng: Ints,
) -> None:  # fmt: skip
    """Deals the hidden cards into the hands of `world`, after `first_chances`.

    The first words of `words` are the seat's observation.
    """
    begin_drawing(words, plan)
    cards = plan[in_belief.CARDS]
    steps = plan[in_belief.STEPS]
    done = 0
    for step in range(steps):
        upto = cards * (step + 1) // steps
        if done > 0 and upto > done:
            evaluate_net(words, wide, narrow, desk)
            read_chances(plan, desk, done)
        while done < upto:
            other = done + below(rng, cards - done)
            card = plan[in_belief.ORDER + other]
            plan[in_belief.ORDER + other] = plan[in_belief.ORDER + done]
            plan[in_belief.ORDER + done] = card
            place = drawn_place(plan, card, below(rng, in_net.LOTS))
            put_card(lookup, words, plan, card, place)
            seat = plan[in_belief.PLACE_SEAT + place]
            if seat >= 0:
                give(lookup, world, seat, plan[in_belief.KIND + card])
            done += 1
