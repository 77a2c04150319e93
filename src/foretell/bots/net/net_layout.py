"""The sizes of the nets, and where their numbers are: the contract between their files and the code that reads them.

There are four nets: the one that plays, a small one that plays nearly as well, the belief net (`belief_layout`) and the
value net (`value_layout`).
They differ only in their inputs, their width and the number of their answers.

A net has LAYERS layers of its width.  All but the first are residual: their result is added to what they are given.
Its weights are integers in two arrays, a row for each input of a layer:

    wide     16 bits each: the first layer, then the head; in some files the first layer has 8
    narrow   8 bits each: the layers between them

A value between two layers is a whole number of STEPs of 1/64, from 0 to MOST_VALUE.  A layer adds up its bias and the
rows of its inputs, times their values.  A sum of 0 or less becomes the value 0.  Another one is multiplied by the
multiplier of its column and divided by 2 to the power of SHIFT, rounded to the nearest, half up.  The head's sums are
the answers, in units of 1/ANSWER_UNIT.

`desk` is an array of 32-bit integers on which a net works.  Its first words come from the file.
"""

from foretell.bots.net.belief_layout import BELIEF_ANSWERS, BELIEF_WORDS
from foretell.bots.net.layout import WORD_BITS
from foretell.kernel.state.codes import SEATS

__all__: list[str] = []

LAYERS = 3
MOST_WIDTH = 1024
MOST_INPUTS = BELIEF_WORDS * WORD_BITS
MOST_ANSWERS = BELIEF_ANSWERS

STEP = 64  # how many steps make a value of 1
MOST_VALUE = 4095
SHIFT = 24
HEAD_SCALE = 1 << 11
ANSWER_UNIT = STEP * HEAD_SCALE

# Words of `desk` that come from the file.
BIAS = 0  # by layer and column
MULTIPLIER = BIAS + LAYERS * MOST_WIDTH  # by layer and column
HEAD_BIAS = MULTIPLIER + LAYERS * MOST_WIDTH  # by answer
INPUT_WORDS = HEAD_BIAS + MOST_ANSWERS  # how many words the net is shown
ANSWER_COUNT = INPUT_WORDS + 1
WIDTH = ANSWER_COUNT + 1  # how many columns a layer has

# Words to work in.
TRAITS = WIDTH + 1  # those of the rule set (`from_view.traits_of`)
LOT = TRAITS + 1  # by seat: a random number below LOTS, for a secret bid that has to be guessed
LOTS = 1 << 30
SUMS = LOT + SEATS
VALUES = SUMS + MOST_WIDTH
PAIRS = VALUES + MOST_WIDTH  # the inputs of a layer that are not 0: a row, and its value
ANSWERS = PAIRS + 2 * MOST_INPUTS
DESK_WORDS = ANSWERS + MOST_ANSWERS
