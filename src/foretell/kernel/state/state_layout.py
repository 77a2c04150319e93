"""The index of each word in the state of a game, one flat array of integers, used as `state[in_state.TURN]`.

`codes` explains the numbers that these words hold.  Where each seat has a word, add the seat: `state[in_state.BID +
seat]`.
"""

from foretell.kernel.state.codes import SEATS

__all__: list[str] = []

PHASE = 0
TURN = 1  # the seat that acts
DEALER = 2
ROUND = 3  # which of the game's rounds this is, from 0; -1 before the first deal
HAND_SIZE = 4  # cards dealt to each seat
TRICKS_LEFT = 5  # tricks still to be completed
TRUMP = 6

# The trick on the table, or the round of bids or passes in progress.
DEMAND = 7
BEST_STRENGTH = 8  # the strength of the best face so far; 0 while the trick is empty
BEST_SEAT = 9  # the seat that played it
ACTED = 10  # how many seats have played to this trick, have bid or have passed, as the phase says
EFFECTS = 11  # of all faces in the trick
UPSETTER = 12  # the seat that played the face with UPSETS
LEADER = 13

FACES_PLAYED = 14  # how many faces are in HISTORY
BID_SUM = 15  # of the bids made so far
TURNED_UP = 16  # a kind, or NO_CARD
WEREWOLF_SEAT = 17  # the seat that exchanged the Werewolf (X6), or NOBODY
CLOUD_SEAT = 18  # the seat that took the Cloud's trick (X8), or NOBODY
BID_CHANGE = 19  # +1 or -1 once the Cloud's seat has changed its bid, otherwise 0
DECLARING_KIND = 20  # the card that was chosen and waits for its declaration

# One word for each seat.
HAND = 21  # the mask of kinds held
COPIES = HAND + SEATS  # the Wizards and Jesters held, counted as in `codes`
BID = COPIES + SEATS  # before a change by the Cloud; NOT_YET until it is made
TRICKS_WON = BID + SEATS
PASSED_KIND = TRICKS_WON + SEATS  # the kind passed to the left after the Juggler (X7), or NOT_YET
ROUND_POINTS = PASSED_KIND + SEATS  # of the round just scored
SCORE = ROUND_POINTS + SEATS  # of the whole game so far
SIZE_FOR_PLAY = SCORE + SEATS  # the words up to here decide how play goes on

HISTORY = SIZE_FOR_PLAY  # the faces of this round in the order played
MOST_FACES = 60

# How the bids of the rounds scored so far have gone.  Nothing in the rules depends on it: it tells a bot whom it plays.
SCORED = HISTORY + MOST_FACES  # how many rounds
SHORT = SCORED + 1  # by seat: tricks missing to its bids, in all these rounds
OVER = SHORT + SEATS  # by seat: tricks beyond its bids
SIZE = OVER + SEATS
