"""The special cards, one module for each, in the order of C4."""

from collections.abc import Iterable
from types import MappingProxyType

from foretell.cards.kinds import Kind
from foretell.cards.specials.bomb import BOMB
from foretell.cards.specials.cloud import CLOUD
from foretell.cards.specials.dragon import DRAGON
from foretell.cards.specials.fairy import FAIRY
from foretell.cards.specials.juggler import JUGGLER
from foretell.cards.specials.shapeshifter import SHAPESHIFTER
from foretell.cards.specials.special import (
    JESTER_STRENGTH,
    WIZARD_STRENGTH,
    AfterRound,
    AfterTrick,
    Special,
    WhenDealt,
)
from foretell.cards.specials.werewolf import WEREWOLF

__all__ = [
    "BY_KIND",
    "JESTER_STRENGTH",
    "WIZARD_STRENGTH",
    "AfterRound",
    "AfterTrick",
    "Special",
    "WhenDealt",
    "named_specials",
]

BY_KIND = MappingProxyType(
    {one.kind: one for one in (DRAGON, FAIRY, BOMB, WEREWOLF, JUGGLER, CLOUD, SHAPESHIFTER)}
)
"""C4: every special card, in the order that records and fair deals use."""


def named_specials(names: Iterable[str]) -> tuple[Special, ...]:
    """The special cards with these names."""
    return tuple(BY_KIND[Kind(name)] for name in names)
