"""The four colours and the kinds of card (C1, C2, C4)."""

from enum import StrEnum

__all__ = ["Colour", "Kind"]


class Colour(StrEnum):
    """C2: the four colours, in the order used everywhere."""

    BLUE = "B"
    RED = "R"
    GREEN = "G"
    YELLOW = "Y"


class Kind(StrEnum):
    """The kinds of card (C1, C4); the special cards are in the order of C4."""

    NUMBER = "NUMBER"
    WIZARD = "WIZARD"
    JESTER = "JESTER"
    DRAGON = "DRAGON"
    FAIRY = "FAIRY"
    BOMB = "BOMB"
    WEREWOLF = "WEREWOLF"
    JUGGLER = "JUGGLER"
    CLOUD = "CLOUD"
    SHAPESHIFTER = "SHAPESHIFTER"
