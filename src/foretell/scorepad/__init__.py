"""The Block of Truth: the score pad for a table with real cards, on the same rules as the engine.

`pad` is the value, `text` its JSON form, `sheet` the paper's form; `prompts` asks for it in a terminal, `keep` holds it
in a file.
"""

from foretell.scorepad.entries import Bid, Cloud, Correction, Entry, Tricks
from foretell.scorepad.pad import Pad, PadLine, correct, enter, missing, new_pad, undo
from foretell.scorepad.round import Awaits, PadRound
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
