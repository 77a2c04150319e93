"""The Block of Truth: the score pad for a table with real cards, on the same rules as the engine.

`pad` is the pad as a value, `text` its JSON form, `sheet` the score sheet as text.  `setup` and `prompts` are the
dialogue in a terminal; `keep` stores a pad in a file.
"""

from foretell.scorepad.entries import Bid, Cloud, Correction, Entry, Tricks
from foretell.scorepad.pad import Pad, PadLine, correct, enter, missing, new_pad, undo
from foretell.scorepad.pad_round import Awaits, PadRound
from foretell.scorepad.sheet import Line, sheet
from foretell.scorepad.text import from_json, to_json

__all__ = [
    "Awaits",
    "Bid",
    "Cloud",
    "Correction",
    "Entry",
    "Line",
    "Pad",
    "PadLine",
    "PadRound",
    "Tricks",
    "correct",
    "enter",
    "from_json",
    "missing",
    "new_pad",
    "sheet",
    "to_json",
    "undo",
]
