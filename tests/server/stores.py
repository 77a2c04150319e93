"""Rows to put into a store."""

from foretell.rules import Rules
from foretell.server.keys import random_keys
from foretell.server.store.interface import GameRow, LoggedAction, Setup


def a_game(table: str = "t") -> GameRow:
    setup = Setup(
        rules=Rules(),
        names=("a", "b", "c"),
        bots=(None, None, "random"),
        first_dealer=0,
        peoples=None,
        secret="00" * 32,
        words=("", "", ""),
    )
    return GameRow(id=random_keys.id(), table=table, setup=setup, started=1.0)


def an_action(number: int) -> LoggedAction:
    return LoggedAction(number, 0, "bid 0", False, 1.0)
