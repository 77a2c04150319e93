"""The numbers that stand for cards, phases, trumps and demands.  `state_layout` and `lookup_layout` say which words
hold them.

A *kind* is what matters about a card in play.  There are 61: 52 numbers, Wizard, Jester and seven special cards.  A
hand is one mask of kinds.  The four Wizards share one bit, and so do the four Jesters; the word COPIES of the state
counts how many of each the hand holds.

A *face* is a kind as it lies on the table, with its declaration.  There are 67.  A seat that plays a card with a
declaration makes two decisions: first the kind, then the declaration (phase DECLARING).

An *action* is a number below 61.  The phase says what it means:

    NAMING_TRUMP   0-3 a colour, 4 no trump
    BIDDING        the number of tricks
    PLAYING        a kind
    DECLARING      0-3 a colour; for the Shapeshifter 0 Wizard, 1 Jester
    PASSING        a kind
    CHANGING_BID   0 one more, 1 one fewer
"""

__all__: list[str] = []

# Kinds.  Value v of colour c is 13c + v - 1; then come Wizard, Jester and the special cards in the order of C4.
WIZARD = 52
JESTER = 53
KINDS = 61  # how many kinds there are
NO_CARD = 61  # in place of a kind: no card was turned up

# COPIES of a hand is the number of its Wizards + 16 x the number of its Jesters.
WIZARD_COUNT_MASK = 15
ONE_JESTER = 16

# Faces.  A kind before the Juggler has one face, with the kind's own number.  Then come four faces of the Juggler, four
# of the Cloud and two of the Shapeshifter.  The Werewolf's number stands for no face: it is never played.
FACES = 68

# Phases: what the seat on turn has to do.  A round is in progress while its phase is below DEALING.
NAMING_TRUMP = 0
BIDDING = 1
PLAYING = 2
DECLARING = 3  # a card was chosen; its declaration is still missing
PASSING = 4  # each seat chooses a card to pass to the left (X7)
CHANGING_BID = 5  # the seat that took the Cloud's trick changes its bid (X8)
DEALING = 6  # the round is scored, or none has begun; the next deal is awaited
GAME_OVER = 7

# Trumps: a colour 0-3, or NO_TRUMP.
NO_TRUMP = 4
TRUMPS = 5  # how many trumps there are
DEALER_NAMES = 5  # in place of a trump: the dealer names it after this turned-up card

# Demands: a colour 0-3 that must be followed, or one of these.
FREE = 4  # a Wizard was first: nobody has to follow for the whole trick (P6)
UNDECIDED = 5  # no card played so far demands anything (P7)
DEMANDS = 6  # how many demands there are

# The effects of a face besides its strength.  UPSETS and IS_UPSET are a pair: the face with UPSETS is weaker, but it
# beats the face with IS_UPSET if both are in the same trick (X4).
BOMBS, JUGGLES, CLOUDS, UPSETS, IS_UPSET = 1, 2, 4, 8, 16

# A word of STRENGTH in the lookup tables is a strength + 256 x the effects of the face.
STRENGTH_MASK = 255
EFFECT_SHIFT = 8
UNBEATABLE = 255  # stronger than every face; only a face that upsets another gets this strength

NOBODY = -1  # in place of a seat
NOT_YET = -1  # in place of a bid or a passed kind

SEATS = 6  # the most players that a state has room for
TRICK_COUNTS = 21  # a bid, or the tricks of a seat: 0 to 20
