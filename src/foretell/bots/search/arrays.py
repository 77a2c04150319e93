"""The arrays that the search's compiled functions pass around: their short names, and the index of each word.

lookup    the lookup tables of the rule set (kernel/state/lookup_layout.py); `t` in a Situation
state     the state of a round (kernel/state/state_layout.py); `s0` is the state that worlds or rollouts start from,
          `r` the state in which the round is played again for the snapshots
rng       a random number generator (kernel/state/random_numbers.py)
h, hf, b  the kernel's arrays `plan`, `ways` and `scratch`, to deal hidden hands again (kernel/hidden/redealing.py)
counting  the plain policy's words for the counting bot (kernel/bulk/policies.py)
m, f      the masks and the tables of the heuristic (card_chances.py, heuristic_tables.py)
j         by kind: the cost of each play (heuristic.py)
w         worlds, one after another (below)
i         what is known about the round (below)
x         how the other players are modelled (below)
a         what the search maximises (below)
by        chances by kind of player: of a bid in words 0 and 1; then for each seat two logarithms, of the plays seen
c         by seat: the chance of the bid that it made (worlds.py)
"""

from foretell.kernel.state import state_layout as in_state

__all__: list[str] = []

# A world: hands, copies, bids and kinds of player, each by seat.
W_HAND, W_COPIES, W_BID, W_KIND = 0, 6, 12, 18
WORLD = 24  # how many words a world has
# Kinds of player: one that plays as the search's heuristic does, and one that plays as the counting bot does.
HEURISTIC, COUNTER = 0, 1

# `i`: what is known about the round, filled in by `situation.py`.
ME = 0
CAN_SWAP = 1  # 1 if any two hidden cards may be swapped that BARRED allows in their new hands
# Before the first play: the mask and the number of the cards that are not turned up.
OUT_FIRST, LYING_FIRST = 2, 3
SNAPSHOTS = 4  # how many plays of others there are to explain
STEPS = 5  # how many swaps of cards are tried between one world and the next
BIDDERS = 6  # mask of the seats whose bid is known and was made with their hand in sight
UNTOLD = 7  # mask of the seats whose bid is made but not known
BARRED = 8  # by seat: kinds that it cannot hold
PLAYED = 14  # by seat: kinds that it has played,
PLAYED_COPIES = 20  # and how many Wizards and Jesters
OPEN_BIDS = 26  # by seat: the bids that were open to it
ABOVE = 32  # by seat: hundredths of a trick by which the bids before its own were above their share
SNAPSHOTS_AT = 38
# A snapshot: the state before a play; then the kinds that its player played from there on, with their copies; the mask
# and the number of the cards that were neither played nor turned up; and the kind played.
SNAP_LATER, SNAP_LATER_COPIES, SNAP_OUT, SNAP_LYING, SNAP_KIND = range(
    in_state.SIZE_FOR_PLAY, in_state.SIZE_FOR_PLAY + 5
)
SNAPSHOT = in_state.SIZE_FOR_PLAY + 5
INFO = SNAPSHOTS_AT + SNAPSHOT * 60

# `x`: how the other players are modelled.
SPREAD, SPREAD_EACH = 0, 1  # the standard deviation of a bid from its line, and what each card adds
# The extra cost that makes a play e times less likely, and what each trick left adds to it.
HEAT, HEAT_EACH = 2, 3
ODD_PLAYS = 4  # the share of plays that do not depend on their cost
TRUST = 5  # how far the weights by plays are trusted, 0 to 1
# The plain line of bids (`bid_model.py`) is
#   tricks expected + SHIFT + SHIFT_EACH x cards + STEEP x (tricks expected - share) + OF_SHARE x share
#   + OF_BIDS x cards x (how far earlier bids are above their share) + HABIT of the seat
SHIFT, SHIFT_EACH, STEEP, OF_SHARE, OF_BIDS = 6, 7, 8, 9, 10
ODD_COUNTS = 11  # the share of bids and plays in which a counting player does something else
# By seat; some levels read these from the score sheet (`habits.py`):
COUNTS = 12  # the chance that it is a counting player
HABIT = 18  # how much more it bids than others would
ODDITY = 24  # the share of its bids that do not depend on its hand
IS_CLOSE = 30  # 1 where the close line of bids is used as well
LINE = 31  # the weights of the close line, one for each feature
# Features: PLAIN ones about the round and the bids so far, then PARTS of the hand twice: as they are, and times tens.
# `tens` is the number of cards in tens.
PARTS = 9  # Wizards, Jesters, trumps, high trumps; high, middle, low side cards; empty colours, the longest one
# The constant 1, tens, tens squared, tricks above share (and times tens), earlier bids above share (and times tens),
# whether the seat is not the first to bid, whether it is the last.
PLAIN = 9
FEATURES = PLAIN + 2 * PARTS
ROOM = LINE + FEATURES  # room to compute the features of one hand
MODEL = ROOM + FEATURES

# `a`: what the search maximises, and how freely it lets the others play.
OF_MEAN = 0  # how much of the other seats' mean points is subtracted from the seat's points
OF_WIN = 1  # what winning the game is worth, in points
SCALE = 2  # the lead, in points, that makes winning likely; 0 if the game ends with this round
WHIM = 3  # how freely the others choose plays: 0 the cheapest, 1 at random by cost as HEAT says
AIM = 4  # how many words `a` has
