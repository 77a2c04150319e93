"""The index of each word that a table has besides the kernel's state, and of each word of the settings."""

from foretell.kernel.state.codes import SEATS

# Words of a table.
RULES = 0  # the place of its rule set in the bundle
NUMBER = 1  # of the next deal: with the seed it decides the cards
LEAGUE = 2  # NO_LEAGUE, PAST_NETS or ONE_LEARNER
ROUNDS = 3  # rounds completed
SEAT_KIND = 4  # by seat: LEARNER, FROZEN or a kind of scripted player
BIDS_MET = SEAT_KIND + SEATS  # by seat: how many bids were met, for statistics
EXCHANGE_AT = (
    BIDS_MET + SEATS
)  # at how many tricks left cards change hands; one more: while bidding; or as follows
BID_SHIFT = EXCHANGE_AT + 1  # by seat: how many tricks more a past net bids than it would
TABLE_WORDS = BID_SHIFT + SEATS

# Words of EXCHANGE_AT that are no number of tricks.
NO_EXCHANGE = 0
EXCHANGED = -1  # it has happened in this round

# Whether other nets sit at a table.
NO_LEAGUE = 0
PAST_NETS = 1  # in some seats, drawn anew for each game
ONE_LEARNER = 2  # in all seats but one

# Settings, the same for all tables.
SEED = 0
IS_TRAINING = (
    1  # 1: games go on forever, with random rules and players; 0: one given game for each table
)
SCRIPTED_SHARE = 2  # how many of 256 games have scripted players
KIND_COUNT = 3  # how many scripted kinds are used in training, beginning with FIRST_SCRIPTED
DRAWS = 4  # how many entries the list of rule sets to draw from has
EXCHANGE_SHARE = 5  # in how many of 256 rounds cards change hands (`exchanges`)
SHIFTED_SHARE = 6  # how many of 256 past nets bid more or fewer tricks than they would
SETTINGS_WORDS = 8

# Who plays a seat.
LEARNER = 0
FROZEN = 1  # another net
FIRST_SCRIPTED = 2
COUNTING = 2
OVERBIDDER = 3  # counting, but bids one more
UNDERBIDDER = 4  # counting, but bids one fewer
CARELESS = 5  # counting, but one action in five is random
RANDOM = 6
TRAINING_KINDS = 5  # those above are used in training
RANDOM_BIDDER = 7  # held out: counting, but its bids are random
NIL_BIDDER = 8  # held out: counting, but it bids as few tricks as it may

# What happened since the last decision: the outcome of a call.
ENDED = 0  # 1 where a round has ended; its points follow, by seat
POINTS = 1
HAS_EXCHANGED = POINTS + SEATS  # 1 where cards have changed hands
OUTCOME_WORDS = HAS_EXCHANGED + 1

# The two as one number, for each step of a table.
ROUND_ENDED = 1
CARDS_EXCHANGED = 2
