"""Who can think in this browser now.  The nets are large, so each is loaded when somebody first needs it."""

from random import Random
from typing import TYPE_CHECKING

from foretell.bots import LEVELS, bot
from foretell.bots.levels import COACH_NETS, NETS, STRONGEST
from foretell.bots.net import weights
from foretell.engine import Action, View

if TYPE_CHECKING:
    from foretell.bots import Bot

__all__ = ["COACH", "WITHOUT_NETS", "can_think", "chosen", "level_here", "nets_of"]

COACH = "coach"
"""The coach among those who think; the others are named by their level."""

WITHOUT_NETS = "counting"
"""Plays where nothing better can: it needs neither nets nor the kernel."""

_PLAYER = frozenset({"weights.bin"})
_MOST_SECONDS = 5.0
"""For a choice of the strongest level.  A usual machine needs less, and then chooses as a server does."""


def nets_of(who: str) -> frozenset[str]:
    """The files that this level or the coach thinks with.  In plain Python, which cannot search, that is less."""
    if who not in NETS and who != COACH:
        return frozenset()
    nets = frozenset(COACH_NETS if who == COACH else NETS[who])
    return nets if _is_compiled() or who not in (COACH, STRONGEST) else nets & _PLAYER


def can_think(who: str) -> bool:
    """Whether all of these files are there."""
    return all(map(weights.is_here, nets_of(who)))


def level_here(level: str) -> str:
    """This level, or the strongest one below it whose nets are there."""
    if level not in NETS:
        return level
    names = list(LEVELS)
    weaker = reversed(names[: names.index(level) + 1])
    return next(filter(can_think, weaker), WITHOUT_NETS)


def chosen(level: str, view: View, random: Random) -> tuple[Action, str]:
    """What a bot of this level does, and the level that it really played as."""
    playing = level_here(level)
    return _bot(playing).choose(view, random), playing


def _bot(level: str) -> "Bot":
    if level != STRONGEST:
        return bot(level)
    from foretell.bots.net.net_search import NetSearch  # noqa: PLC0415 (as the levels do)

    return NetSearch(seconds=_MOST_SECONDS)


def _is_compiled() -> bool:
    from foretell.kernel.backend.compiled import IS_COMPILED  # noqa: PLC0415 (as the levels do)

    return IS_COMPILED
