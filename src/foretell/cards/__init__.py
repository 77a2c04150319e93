"""The cards: colours, kinds, the 67 cards, and the faces they show once played (C1-C4).

`kinds.py` names the colours and kinds.  `all_cards.py` has one object for each card and each face.  `specials/` has one
module for each special card.
"""

from foretell.cards.all_cards import (
    CARDS,
    FACES,
    NUMBERS,
    SPECIALS,
    Card,
    Face,
    card,
    cards,
    codes,
    colour,
    face,
    faces,
)
from foretell.cards.kinds import Colour, Kind

__all__ = [
    "CARDS",
    "FACES",
    "NUMBERS",
    "SPECIALS",
    "Card",
    "Colour",
    "Face",
    "Kind",
    "card",
    "cards",
    "codes",
    "colour",
    "face",
    "faces",
]
