"""The index of each word of a game among many, and of each word of the settings that all of them share.

The words of a game lie one after another in one array, `room`: those named here, the kernel's state, its deck, and what
has been noted of the plays.
"""

from foretell.bots.net.layout import SCRATCH_WORDS
from foretell.kernel.bulk.playouts import ROOM_FOR_DECK
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.codes import SEATS
from foretell.kernel.state.random_numbers import RNG_WORDS

__all__: list[str] = []

# Words of a game.
LOOKUP_AT = 0  # where the lookup tables of its rule set begin among `rules`
POLICY_AT = 1  # where the words of the plain policy for them begin
TRAITS = 2  # the traits of the rule set, for the observation
NUMBER = 3  # of the game being played: with the seed it decides the cards
LEGAL = 4  # the actions of the decision awaited, as in the observation; 0 if none is
ROUND_OVER = 5  # 1 if a round has ended since the last decision
GAME_OVER = 6
DEALS = 7  # the random numbers of the deals, which depend on nothing that is played
CHOICES = DEALS + RNG_WORDS  # those of random choices
STATE = CHOICES + RNG_WORDS
DECK = STATE + in_state.SIZE
NOTES = DECK + ROOM_FOR_DECK
ROOM_WORDS = NOTES + SCRATCH_WORDS

# Settings.
SEED = 0
STRIDE = 1  # how far the number of a table's next game is from that of its last; 0: no game follows
IS_BY_GAME = (
    2  # 1: seats are rewarded at the end of a game with its score; 0: with the points of each round
)
SKIPS_FORCED = 3  # 1: nobody is asked where only one action is legal
POLICY = 4  # by seat: who plays it, ASKED or a policy of `policies`
SETTINGS_WORDS = POLICY + SEATS

ASKED = -1  # in place of a policy: the seat's action comes from outside
