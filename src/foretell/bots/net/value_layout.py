"""What the value net is shown and what it answers: the contract between its training and its use.

The value net says what each seat will get in this round, if the net plays on in every seat and always takes what it
likes best.  It is shown all hands: the observation of the seat on turn, and what only the critic sees (`layout`).

Its first answers are the rewards of the seats, counted from the seat on turn: the seat's points less the mean of the
others'.  They are in units of REWARD_UNIT x (2 + cards dealt to a seat / players) points, so that in every round a
usual reward is about 1.
"""

from foretell.bots.net.layout import CRITIC_WORDS
from foretell.kernel.state.codes import SEATS

__all__: list[str] = []

VALUE_WORDS = CRITIC_WORDS
VALUE_ANSWERS = 16  # the last ten are never used
REWARD = 0  # by seat
REWARD_UNIT = 10

# In training alone the net also says how far each seat will be from its bid: a softmax over these classes, 0 for a bid
# that is met and MISSES - 1 for one missed by that many tricks or more.
MISSES = 8
MISSED = VALUE_ANSWERS  # answer MISSED + MISSES x seat + class
TRAINED_ANSWERS = MISSED + MISSES * SEATS
