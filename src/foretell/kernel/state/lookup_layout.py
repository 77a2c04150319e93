"""The index of each word in the lookup tables of a rule set, one flat array, used as `lookup[in_lookup.PLAYERS]`.

`tables.compile_rules` fills the array with the answers of the readable rules; nothing changes it afterwards.  `codes`
explains the numbers.  A table "by kind" is read with the kind added: `lookup[in_lookup.COPIES_OF_KIND + kind]`.  A
table "by demand, trump and face" is read at `(demand * TRUMPS + trump) * FACES + face`.
"""

from foretell.kernel.state.codes import DEMANDS, FACES, KINDS, TRICK_COUNTS, TRUMPS

__all__: list[str] = []

# Single words.
PLAYERS = 0
ROUNDS = 1
DECK_SIZE = 2
OWN_CARDS = 3  # how many cards each seat has of its own (V6); 0 where there is one deck for all
NEEDS_DECLARATION = 4  # mask of the kinds that are played with a declaration
MUST_BE_EXCHANGED = 5  # mask of the kinds that are exchanged for the turned-up card (X6)
BIDS_AT_ONCE = 6  # 1 where all seats bid at the same time (V2, V3)
DEALER_MAY_NAME = 7  # mask of the trumps that a dealer may name
WEREWOLF_MAY_NAME = 8  # mask of the trumps that the holder of the Werewolf may name
BID_SUMS = 9  # how many sums of earlier bids OPEN_BIDS has room for

# Tables of a fixed size.
DECK = 16  # the kind of each card of the deck
HAND_SIZES = DECK + 72  # by round: cards dealt to each seat
IS_FORESIGHT = HAND_SIZES + 24  # by round: 1 where seats bid without seeing their own hand (V4, V5)
TRUMP_AFTER = IS_FORESIGHT + 24  # by kind turned up: a trump, or DEALER_NAMES
DECLARATIONS = TRUMP_AFTER + 64  # by kind: mask of the declarations it can be played with
FIRST_FACE = DECLARATIONS + 64  # by kind: its face with declaration 0
KIND_OF_FACE = FIRST_FACE + 64  # by face
DEMAND_OF_FACE = KIND_OF_FACE + FACES  # by face: the demand that it sets while nothing is decided

# P3, P4, F1: what may be played, as three masks of kinds by demand and trump.  A hand is obliged if it holds one of the
# obliging kinds.  A hand that holds none of the kinds it may play may play everything.
OBLIGING = DEMAND_OF_FACE + FACES
IF_OBLIGED = OBLIGING + DEMANDS * TRUMPS  # what an obliged hand may play
IF_NOT_OBLIGED = IF_OBLIGED + DEMANDS * TRUMPS  # what any other hand may play

COPIES_OF_KIND = IF_NOT_OBLIGED + DEMANDS * TRUMPS  # by kind: what one such card adds to COPIES
BITS_OF_COPIES = COPIES_OF_KIND + 64  # by COPIES: the bits of Wizard and Jester that a hand has
STRENGTH = BITS_OF_COPIES + 128  # by demand, trump and face: strength and effects, as in `codes`
# By demand, trump and kind: a mask of the kinds that a hand cannot hold if this kind was played from it.
RULED_OUT = STRENGTH + DEMANDS * TRUMPS * FACES
POINTS_FOR = RULED_OUT + DEMANDS * TRUMPS * KINDS  # by bid and tricks won
# By round and bid: a mask of the changes that the Cloud allows (X8).
OPEN_CHANGES = POINTS_FOR + TRICK_COUNTS * TRICK_COUNTS

# The size of the last table depends on the rule set.  By round, number of bids made and their sum (there is room for
# BID_SUMS sums): a mask of the bids that are open.
OPEN_BIDS = OPEN_CHANGES + 20 * TRICK_COUNTS
