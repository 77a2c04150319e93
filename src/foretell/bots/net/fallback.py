"""The fallback for rules that the kernel refuses: a bot that needs the kernel plays as `counting` does, and says so.

The kernel refuses by name a rule that it cannot play (`kernel/state/tables.py`).  A level must still be able to sit at
such a table.  The reason is logged as a warning, once for each rule set: a server writes it to its log, and a command
in a terminal writes it to standard error.
"""

import logging
from functools import lru_cache

from foretell.bots.simple.counting import Counting
from foretell.cards import Colour
from foretell.engine import View
from foretell.errors import RulesClash
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules

__all__ = ["substitute"]

_log = logging.getLogger(__name__)


def substitute(view: View) -> Counting | None:
    """The bot that has to play in place of one that needs the kernel; None where the kernel can play the rules."""
    refused = _is_refused(view.rules, view.seats, view.peoples)
    return Counting() if refused else None


@lru_cache(maxsize=256)
def _is_refused(rules: Rules, players: int, peoples: tuple[Colour, ...] | None) -> bool:
    try:
        compile_rules(rules, players, peoples)
    except RulesClash as refusal:
        if refusal.code != "kernel_cannot":
            raise
        _log.warning("%s; bots that need the kernel play as counting does", refusal)
        return True
    return False
