"""What the net is shown, as bits in words: the contract between training and play.  docs/training.md explains it.

An observation is an array of words.  Input number `64 x word + bit` of the net is that bit, as 0 or 1.  Bit 63 is
never used, so that a word is the same number in Python, in C and in NumPy.  Seats are counted from the seat that
decides, which is 0.  Colours are in the order of `encoding.order_colours`, so that hands that differ only in the names
of their colours look the same.  A word of cards is a mask of kinds (`foretell.kernel.state.codes`).

Weights belong to one layout, and are refused with another; VERSION counts the changes.  If a change only gives a
meaning to bits that were always 0, earlier weights can be kept, with zeros for the new inputs.
"""

from foretell.kernel.state.codes import KINDS, SEATS, TRICK_COUNTS

__all__: list[str] = []

VERSION = 2
WORD_BITS = 64

# Words of cards.
HAND = 0  # the seat's hand; empty while it is bidding by foresight
PLAYED = 1  # by seat: the cards played in this round
TRICK = PLAYED + SEATS  # the cards of the trick on the table
BEST = TRICK + 1  # the card that wins it so far
KNOWN = BEST + 1  # by seat from seat 1 on: cards that this seat is known to hold
TURNED_UP = KNOWN + SEATS - 1
TAKES = TURNED_UP + 1  # the cards that may be played now and would win the trick so far

# Words of flags.
SEAT = TAKES + 1  # by seat: see SEAT_*
TALLY = SEAT + SEATS  # by seat: see TALLY_*
TABLE = TALLY + SEATS  # see TABLE_*
SUMS = TABLE + 1  # see SUMS_*
RULES = SUMS + 1  # see RULES_*
LEGAL = RULES + 1  # the actions that are allowed, in the net's colours; see ACTION_*
WORDS = LEGAL + 1  # what the acting seat may know ends here

# What only the critic sees, while training.
ALL_HANDS = WORDS  # by seat: its hand
HIDDEN = ALL_HANDS + SEATS  # see HIDDEN_*
CRITIC_WORDS = HIDDEN + 1

# How many Wizards and Jesters there are among some cards: six bits, for two, three and four of each.
COPY_BITS = 6

# Bits of the words SEAT.
SEAT_PRESENT = 0
SEAT_DEALS = 1
SEAT_BID = 2  # one of 21 bits
SEAT_BID_KNOWN = SEAT_BID + TRICK_COUNTS
SEAT_NEEDS = SEAT_BID_KNOWN + 1  # tricks still needed, from 3 too many to 9 missing: one of 13 bits
FEWEST_NEEDED, MOST_NEEDED = -3, 9
SEAT_CLOUD = SEAT_NEEDS + 13  # X8: it must change its bid
SEAT_WEREWOLF = SEAT_CLOUD + 1  # X6: it has exchanged the Werewolf
SEAT_VOID = SEAT_WEREWOLF + 1  # shown to hold none of a colour (four bits) or no Wizard (F1)
SEAT_VOID_BEFORE = SEAT_VOID + 5  # the same, but shown before the cards were passed (X7)
SEAT_WINS = SEAT_VOID_BEFORE + 5  # its card wins the trick so far
SEAT_LEADS = SEAT_WINS + 1
SEAT_HAS_PLAYED = SEAT_LEADS + 1  # to this trick
# How the bids of another seat went in earlier rounds: a bit for each step reached (`encoding.record_bits`).
SEAT_SHORT = SEAT_HAS_PLAYED + 1  # tricks missing to its bids
SHORT_STEPS = 6
SEAT_OVER = SEAT_SHORT + SHORT_STEPS  # tricks beyond its bids
OVER_STEPS = 5
RECORD_UNIT = 16  # parts of a trick a round
RECORD_STEP = 3  # of these parts

# Bits of the words TALLY.
TALLY_WON = 0  # tricks won: one of 21 bits
TALLY_SCORE = (
    TALLY_WON + TRICK_COUNTS
)  # its lead over the deciding seat: one of 17 bits, 20 points each
SCORE_STEPS = 17
SCORE_STEP = 20
TALLY_PLAYED_COPIES = TALLY_SCORE + SCORE_STEPS
TALLY_HELD_COPIES = TALLY_PLAYED_COPIES + COPY_BITS  # of HAND for seat 0, of KNOWN for the others
TALLY_TRICK_COPIES = TALLY_HELD_COPIES + COPY_BITS  # of TRICK, for seat 0 only

# Bits of the word TABLE.
TABLE_PHASE = 0  # one of 6 bits
TABLE_DEMAND = TABLE_PHASE + 6  # one of 6 bits
TABLE_ACTED = TABLE_DEMAND + 6  # cards in the trick, or bids made: one of 6 bits
TABLE_HAS_TRUMP = TABLE_ACTED + SEATS  # the trump is always the first colour
TABLE_PLAYERS = TABLE_HAS_TRUMP + 1  # 3 to 6: one of 4 bits
TABLE_HAND_SIZE = TABLE_PLAYERS + 4  # 1 to 20: one of 20 bits
TABLE_TRICKS_LEFT = TABLE_HAND_SIZE + 20  # 1 to 20: one of 20 bits; none after the last trick

# Bits of the word SUMS.
SUMS_BIDS = (
    0  # the bids that are known, less the tricks of the round, from -10 to 10: one of 21 bits
)
MOST_OVERBID = 10
SUMS_NEEDS = (
    SUMS_BIDS + 2 * MOST_OVERBID + 1
)  # the tricks still needed, less those left, from -8 to 8: one of 17 bits
MOST_CONTESTED = 8
SUMS_ROUNDS_LEFT = SUMS_NEEDS + 2 * MOST_CONTESTED + 1  # after this one, 0 to 19: one of 20 bits
SUMS_SCORED = SUMS_ROUNDS_LEFT + 20  # rounds scored: three bits, for one, four and seven of them

# Bits of the word RULES.  The first 12 are the same for the whole game (`from_view.traits_of`).
RULES_PLUS_MINUS_ONE = 0
RULES_BIDS_AT_ONCE = 1
RULES_SECRET = 2
RULES_UNICOLOR = 3
RULES_BARRED = 4  # F1
RULES_SPECIALS = 5  # the special cards in the deck: seven bits
FIRST_SPECIAL = KINDS - 7
RULES_FORESIGHT = RULES_SPECIALS + 7  # in this round
RULES_UNSEEN_HAND = RULES_FORESIGHT + 1  # the seat does not see its own hand now
RULES_DECLARING = RULES_UNSEEN_HAND + 1  # the card that waits for its declaration: one of 3 bits
FIRST_DECLARED = KINDS - 3  # Juggler, Cloud and Shapeshifter need a declaration
RULES_BEST_DECLARED = (
    RULES_DECLARING + 3
)  # how the best card was declared: four colours, Wizard, Jester
RULES_EFFECTS = RULES_BEST_DECLARED + 6  # the effects of the cards in the trick: five bits
RULES_PASSED = RULES_EFFECTS + 5  # the cards were passed in this round (X7)

# Bits of the word HIDDEN, for each seat from seat 1 on.
HIDDEN_COPIES = 0
HIDDEN_BIDS = (
    HIDDEN_COPIES + (SEATS - 1) * COPY_BITS
)  # the bid + 1 in five bits; 0 if there is none yet
HIDDEN_BID_BITS = 5

# The net's answer: a number for each action, and where the actions of each phase begin.  The phase DECLARING has four
# colours, then Wizard and Jester.
ACTION_PLAY = 0
ACTION_PASS = ACTION_PLAY + KINDS
ACTION_BID = ACTION_PASS + KINDS
ACTION_TRUMP = ACTION_BID + TRICK_COUNTS
ACTION_DECLARE = ACTION_TRUMP + 5
ACTION_CHANGE = ACTION_DECLARE + 6
ACTIONS = 160  # the last few are never used
SHAPES = 4  # among declarations: where those of the Shapeshifter begin

# Scratch words for `encoding.observe`.
SCRATCH_PLAYED = 0
SCRATCH_COPIES = SCRATCH_PLAYED + SEATS
SCRATCH_SINCE_PASS = SCRATCH_COPIES + SEATS
SCRATCH_VOID = SCRATCH_SINCE_PASS + SEATS
SCRATCH_VOID_BEFORE = SCRATCH_VOID + SEATS
SCRATCH_PLACE = SCRATCH_VOID_BEFORE + SEATS  # by colour: its place in the net's order
SCRATCH_SHIFT = SCRATCH_PLACE + 4  # by colour: where its cards begin in the net's order
SCRATCH_TRICK = SCRATCH_SHIFT + 4  # the cards of the trick on the table, or of the last one
SCRATCH_TRICK_COPIES = SCRATCH_TRICK + 1  # how many Wizards and Jesters are among them
SCRATCH_WORDS = SCRATCH_TRICK_COPIES + 1
