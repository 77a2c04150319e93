"""Where everything stands in the arrays that the search's compiled functions pass around.

lookup  the tables of the rule set     (kernel/state/lookup_layout.py)
state  the state of a round            (kernel/state/state_layout.py)
rng  a stream of random numbers        (kernel/state/random_numbers.py)
h, hf, b  what is hidden, and room to deal it again  (kernel/hidden/redealing.py)
counting  the counting bot's words     (kernel/bulk/policies.py)
m, f  masks and tables of the heuristic, j its room for the cost of each play  (heuristic.py)
w  worlds, one after another           below
i  what is known of the round          below
x  how the other players are modelled  below
a  what a choice is valued by          below
by  room for chances by kind of player; c  each seat's chance of the bid it made
"""

from foretell.kernel.state import state_layout as in_state

__all__: list[str] = []

# A world: hands, copies, bids and kinds of player, each by seat.
W_HAND, W_COPIES, W_BID, W_KIND = 0, 6, 12, 18
WORLD = 24  # words of a world
# Kinds of player: one who plays as the search's heuristic does, or a counting one.
HEURISTIC, COUNTER = 0, 1

# `i`: what is known of the round, filled in by `situation.py`.
ME = 0
CAN_SWAP = 1  # 1 where two hidden cards may change places whenever BARRED allows both
OUT_FIRST, LYING_FIRST = (
    2,
    3,
)  # before the first play: mask and number of the cards that are not turned up
SNAPSHOTS = 4  # how many plays of others there are to explain
STEPS = 5  # exchanges of cards that are tried between one world and the next
BIDDERS = 6  # mask of the seats whose bid is known and was made with their hand in sight
UNTOLD = 7  # mask of the seats that have made a bid that is not known
BARRED = 8  # by seat: kinds that it cannot hold
PLAYED = 14  # by seat: kinds that it has played,
PLAYED_COPIES = 20  # and how many Wizards and Jesters
OPEN_BIDS = 26  # by seat: the bids that were open to it
ABOVE = 32  # by seat: hundredths of a trick by which the bids before its own were above their share
SNAPSHOTS_AT = 38
# A snapshot: the state before a play, then what its player played from there on, the mask and number of cards that were
# neither played nor turned up, and the kind played.
SNAP_LATER, SNAP_LATER_COPIES, SNAP_OUT, SNAP_LYING, SNAP_KIND = range(
    in_state.SIZE_FOR_PLAY, in_state.SIZE_FOR_PLAY + 5
)
SNAPSHOT = in_state.SIZE_FOR_PLAY + 5
INFO = SNAPSHOTS_AT + SNAPSHOT * 60

# `x`: how the other players are modelled.
SPREAD, SPREAD_EACH = 0, 1  # the deviation of a bid from its line, and what each card adds to it
HEAT, HEAT_EACH = (
    2,
    3,
)  # the cost that makes a play e times less likely, and what each trick left adds to it
ODD_PLAYS = 4  # the part of plays that have nothing to do with their cost
TRUST = 5  # how far the weights by plays are trusted, 0 to 1
# The plain line of bids (`bid_model.py`) is
#   tricks expected + SHIFT + SHIFT_EACH x cards + STEEP x (tricks expected - share) + OF_SHARE x share
#   + OF_BIDS x cards x (what was bid before, above its share) + HABIT of the seat
SHIFT, SHIFT_EACH, STEEP, OF_SHARE, OF_BIDS = 6, 7, 8, 9, 10
ODD_COUNTS = 11  # the part of bids and plays in which a counting player does not count
# By seat; some levels read these from the score sheet (`habits.py`):
COUNTS = 12  # the chance that it is a counting player
HABIT = 18  # how much more it bids than others would
ODDITY = 24  # the part of its bids that have nothing to do with its hand
IS_CLOSE = 30  # 1 where the close line of bids is used as well
LINE = 31  # its numbers, one for each feature
# Features: PLAIN ones of the round and the bids so far, then PARTS of the hand, twice: as they are, and for ten cards.
PARTS = 9  # Wizards, Jesters, trumps, high trumps; beside trump high, middle, low; empty colours, the longest one
PLAIN = 9  # one, tens, tens squared, tricks above share (and by tens), bids above share (and by tens), not first, last
FEATURES = PLAIN + 2 * PARTS
ROOM = LINE + FEATURES  # here the features of one hand are put together
MODEL = ROOM + FEATURES

# `a`: what a choice is valued by.
OF_MEAN = 0  # the part of the others' mean that is taken off the seat's points
OF_WIN = 1  # what the victory is worth, in points
SCALE = (
    2  # the lead, in points, that makes the victory likely; 0 when the game ends with this round
)
WHIM = 3  # how freely the others play: 0 always their cheapest play, 1 by its cost as HEAT says
AIM = 4
