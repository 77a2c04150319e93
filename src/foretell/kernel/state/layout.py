"""Where everything stands: kinds of card, faces, the state of a game, the tables of a rule set.  All are integers.

A *kind* is what matters of a card in play: 52 numbers, Wizard, Jester and the seven special cards, 61 in all.  A hand
is one mask of kinds; how many Wizards and Jesters stand behind the two bits is in COPIES.  A *face* is a kind as
played, with its declaration: 67 of them.  A seat that plays a card with a declaration takes two small decisions: the
kind, then what is said (phase DECLARE).

An *action* is a number below 61 whose meaning follows from the phase:

    TRUMP    0-3 a colour, 4 "no trump"
    BID      the tricks
    PLAY     a kind
    DECLARE  0-3 a colour; Shapeshifter: 0 Wizard, 1 Jester
    PASS     a kind
    CHANGE   0 one more, 1 one fewer
"""

__all__: list[str] = []

# Kinds: number v of colour c is 13c + v - 1; then Wizard, Jester and the specials in the order of C4.
WIZARD, JESTER, KINDS = 52, 53, 61
NOTHING = 61  # where a kind is expected: no card was turned up
COPIES_OF_JESTER = 16  # COPIES holds Wizards + 16 x Jesters
MOST_COPIES = 15

# Faces: up to the Werewolf's the face is the kind; then the Juggler's four, the Cloud's four, the Shapeshifter's two.
FACES = 68

# Phases.  A round goes on while the phase is below DEAL.
TRUMP_NAMED, BIDDING, PLAYING, DECLARING, PASSING, CHANGING, DEALING, OVER = range(8)

# TRUMP is a colour 0-3 or NO_TRUMP; DEMAND a colour, FREE (P6) or UNDECIDED (P7).
NO_TRUMP, TRUMPS = 4, 5
FREE, UNDECIDED, DEMANDS = 4, 5, 6

NOBODY = -1

# What a face does beyond its strength.
BOMBS, JUGGLES, CLOUDS, UPSETS, IS_UPSET = 1, 2, 4, 8, 16
EFFECT_SHIFT = 8  # a word of STRENGTH is strength + 256 x effects
UNBEATABLE = 255

# The state.
PHASE = 0
TURN = 1  # the seat that acts
DEALER = 2
ROUND = 3  # the place of this round among those played, from 0; -1 before the first deal
HAND_SIZE = 4  # cards dealt to each
LEFT = 5  # tricks still to be completed
TRUMP = 6
DEMAND = 7
BEST = 8  # strength of the best face in the trick
WINNER = 9  # its seat
COUNT = 10  # faces in the trick, bids made, or cards passed, by phase
EFFECTS = 11  # of the faces in the trick
UPSETTER = 12  # the seat whose face wins if the face it upsets is in the trick (X4)
LEADER = 13
PLAYED = 14  # faces in HISTORY
BID_SUM = 15
TURNED_UP = 16  # a kind, or NOTHING
WEREWOLF = 17  # the seat that exchanged it, or NOBODY
CLOUD = 18  # the seat that took the Cloud's trick, or NOBODY
CHANGE = 19  # +1 or -1 once made
DECLARED = 20  # the kind that waits for its declaration
SEATS = 6  # room for so many
HAND = 21
COPIES = HAND + SEATS
BID = COPIES + SEATS  # as made; NOBODY until then
WON = BID + SEATS
PASSED = WON + SEATS  # the kind given to the left after the Juggler, or NOBODY
POINTS = PASSED + SEATS  # of the round just scored
SCORE = POINTS + SEATS
CORE = SCORE + SEATS  # so far goes what play depends on
HISTORY = CORE  # faces in the order played
STATE = HISTORY + 60

# The tables: single words first.
PLAYERS = 0
ROUNDS = 1
CARDS = 2  # in the deck
OWN_CARDS = 3  # each seat's own cards (V6), or 0 for a common deck
NEEDS_WORD = 4  # mask of kinds that are played with a declaration
WEREWOLVES = 5  # mask of kinds that must be exchanged
AT_ONCE = 6  # 1 where all bid at the same time (V2, V3)
NAMING = 7  # masks of what may be named: by the dealer, by who held the Werewolf
SUMS = 9  # room for so many sums of earlier bids
BIDS_AT = 10  # where OPEN_BIDS begins
# Then tables of fixed size.
DECK = 16  # the kind of each card of the deck
SIZES = DECK + 72  # cards dealt to each, by round
FORESEEN = SIZES + 24  # 1 where a round is bid in foresight (V4, V5)
NUMBERS = FORESEEN + 24  # the round's number
TRUMP_AFTER = NUMBERS + 24  # by kind turned up: a colour, NO_TRUMP, or DEALER_NAMES
DEALER_NAMES = 5
WORDS = TRUMP_AFTER + 64  # by kind: mask of declarations
FIRST_FACE = WORDS + 64  # by kind: the face of its first declaration
KIND_OF = FIRST_FACE + 64  # by face
DEMANDED_BY = KIND_OF + FACES  # by face, while undecided
FOLLOWS = DEMANDED_BY + FACES  # three masks of kinds for each demand and trump: those that oblige,
WITH = FOLLOWS + DEMANDS * TRUMPS  # those open to a hand that holds one of them,
WITHOUT = (
    WITH + DEMANDS * TRUMPS
)  # and to one that holds none; to a hand with none of these, everything
COUNTS = WITHOUT + DEMANDS * TRUMPS  # by kind: what it adds to COPIES
STILL_HELD = COUNTS + 64  # by COPIES: the bits of Wizard and Jester that stand for them
STRENGTH = STILL_HELD + 128  # by demand, trump and face
SHOWS = (
    STRENGTH + DEMANDS * TRUMPS * FACES
)  # by demand, trump, kind: the kinds that its player cannot hold
POINTS_FOR = SHOWS + DEMANDS * TRUMPS * KINDS  # by bid and tricks
MOST_TRICKS = 21
CHANGES = POINTS_FOR + MOST_TRICKS * MOST_TRICKS  # by round and bid
OPEN_BIDS = (
    CHANGES + 20 * MOST_TRICKS
)  # by round, bids made and their sum: PLAYERS x SUMS words a round
