"""The sizes of the net, and where its numbers are: the contract between its file and the code that evaluates it.

The net has LAYERS layers of WIDTH.  All but the first are residual: their result is added to what they are given.  Its
weights are integers in two arrays, a row for each input of a layer:

    wide     16 bits each: the first layer, then the head
    narrow   8 bits each: the layers between them

A value between two layers is a whole number of STEPs of 1/64, from 0 to MOST_VALUE.  A layer adds up its bias and the
rows of its inputs, times their values.  A sum of 0 or less becomes the value 0.  Another one is multiplied by the
multiplier of its column and divided by 2 to the power of SHIFT, rounded to the nearest, half up.  The head's sums are
the answers, in units of 1/ANSWER_UNIT.

`desk` is an array of 32-bit integers on which the net works.  Its first TERMS words come from the file.
"""

from foretell.bots.net.layout import ACTIONS, WORD_BITS, WORDS
from foretell.kernel.state.codes import SEATS

__all__: list[str] = []

INPUTS = WORDS * WORD_BITS
WIDTH = 1024
LAYERS = 3
WIDE = INPUTS * WIDTH + WIDTH * ACTIONS  # how many weights the array has
NARROW = (LAYERS - 1) * WIDTH * WIDTH
HEAD_AT = INPUTS * WIDTH  # where the head begins in `wide`

STEP = 64  # how many steps make a value of 1
MOST_VALUE = 4095
SHIFT = 24
MOST_MULTIPLIER = 1 << 20  # so that a sum times a multiplier is exact even as a float
HEAD_SCALE = 1 << 11
ANSWER_UNIT = STEP * HEAD_SCALE

# Words of `desk` that come from the file.
BIAS = 0  # by layer and column
HEAD_BIAS = BIAS + LAYERS * WIDTH
MULTIPLIER = HEAD_BIAS + ACTIONS  # by layer and column
TERMS = MULTIPLIER + LAYERS * WIDTH

# Words to work in.
TRAITS = TERMS  # those of the rule set (`from_view.traits_of`)
LOT = TRAITS + 1  # by seat: a random number below LOTS, for a secret bid that has to be guessed
LOTS = 1 << 30
SUMS = LOT + SEATS
VALUES = SUMS + WIDTH
PAIRS = VALUES + WIDTH  # the inputs of a layer that are not 0: a row, and its value
ANSWERS = PAIRS + 2 * INPUTS
DESK_WORDS = ANSWERS + ACTIONS
