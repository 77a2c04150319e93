"""What the belief net is shown and what it answers: the contract between its training and its use.

The belief net says where the cards are that a seat does not see.  A *place* is a number: STOCK for the cards that were
not dealt, or a seat, counted from the seat that decides (1 to 5).

Its input is the observation (`layout`), and then seven words: the cards whose place was already drawn.  So a whole deal
can be drawn in a few steps, each of which knows the cards drawn before.

Its answers are a number for each kind of card and place.  The softmax over the places is the chance that a card of this
kind, whose place is not drawn yet, is there.
"""

from foretell.bots.net.layout import COPY_BITS, WORDS
from foretell.kernel.state.codes import KINDS, SEATS

__all__: list[str] = []

STOCK = 0
PLACES = SEATS  # the stock and five other seats

DRAWN = WORDS  # by place: the kinds of the cards drawn there
DRAWN_COPIES = (
    DRAWN + PLACES
)  # by place, COPY_BITS each: whether there are two, three or four Wizards and Jesters
BELIEF_WORDS = DRAWN_COPIES + 1
COPIES_BITS = COPY_BITS

CHANCES = KINDS * PLACES  # answer PLACES x kind + place
BELIEF_ANSWERS = 384  # the last few are never used

# Words of the array `plan`: the cards to be drawn, and the room that there is for them (`belief_drawing`).
CARDS = 0  # how many cards
STEPS = 1  # how many steps to draw them in
PLACE_SEAT = 2  # by place: the seat; -1 for the stock
FIRST_COPIES = PLACE_SEAT + PLACES  # by place: Wizards + 16 x Jesters whose place is certain
COPIES = FIRST_COPIES + PLACES  # the same with the cards drawn so far
FIRST_DRAWN = COPIES + PLACES  # the words from DRAWN on, with the cards whose place is certain
FIRST_ROOM = FIRST_DRAWN + PLACES + 1  # by place: how many cards it has room for
ROOM = FIRST_ROOM + PLACES  # the same, less the cards drawn so far
EXPECTED = ROOM + PLACES  # by place: the sum of the chances of the cards not drawn yet
SETS = 1 << PLACES
FIRST_SLACK = EXPECTED + PLACES  # by set of places: see SLACK, before anything is drawn
SLACK = FIRST_SLACK + SETS  # by set of places: room in them, less the cards that must go there
MOST_CARDS = 72  # more than any deck has
KIND = SLACK + SETS  # by card: its kind
ASKED = KIND + MOST_CARDS  # by card: its kind with the colours in the net's order
ALLOWED = ASKED + MOST_CARDS  # by card: the set of places where it may be
ORDER = ALLOWED + MOST_CARDS  # the cards in the order in which they are drawn
CHANCE = ORDER + MOST_CARDS  # by card and place: the chance that it is there, in parts of CERTAIN
CERTAIN = 1 << 30
FIRST_EXPECTED = CHANCE + PLACES * MOST_CARDS  # EXPECTED before anything is drawn
FIRST_CHANCE = FIRST_EXPECTED + PLACES  # CHANCE before anything is drawn
PLAN_WORDS = FIRST_CHANCE + PLACES * MOST_CARDS
