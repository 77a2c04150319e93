"""What addresses use at this process, told to the other processes, so that three do not allow three times as much.

Every process has accounts of its own, and decides by them at once.  It tells the others what an address has used, and
they charge it too: a moment later all of them agree.  If the news get lost, each process still has its own limit.

An address that uses little is not worth a message.  Its use is told once a quarter of a burst is used up; so players
never appear on the bus, and those who try to get around the limits soon do.
"""

import math
from collections.abc import Callable, Iterator, Mapping

from foretell.server.network.budgets import Account, Budget
from foretell.server.store.bus import Used

__all__ = ["SharedUse"]

_WORTH_TELLING = 0.25  # of a burst
_AT_ONCE = (
    80  # amounts in one message: an address of IPv6, a budget and an amount are less than 90 bytes
)
_MOST_MESSAGES = 10  # at a time


class SharedUse:
    """Notes what accounts of this process use, and charges what was used elsewhere."""

    def __init__(self, budgets: Mapping[str, Budget], account_of: Callable[[str], Account]) -> None:
        self._budgets, self._account_of = budgets, account_of
        self._touched: dict[tuple[str, str], Account] = {}

    def note(self, account: Account, budget: Budget, amount: float, *, is_new: bool) -> None:
        """An account is charged.  With `is_new`, all that it used before is earned back."""
        before = 0.0 if is_new else account.untold.get(budget.name, 0.0)
        account.untold[budget.name] = before + amount
        self._touched[account.key, budget.name] = account

    def told(self) -> Iterator[tuple[Used, ...]]:
        """What is to be told now, in a few messages.  What does not fit waits for the next time."""
        touched, self._touched = self._touched, {}
        used: list[Used] = []
        messages = 0
        for (key, name), account in touched.items():
            budget = self._budgets[name]
            if account.used(budget) < _WORTH_TELLING * budget.burst:
                continue
            if messages == _MOST_MESSAGES:
                self._touched[key, name] = account
                continue
            used.append((key, name, round(account.untold.pop(name, 0.0), 3)))
            if len(used) == _AT_ONCE:
                yield tuple(used)
                used, messages = [], messages + 1
        if used:
            yield tuple(used)

    def charge(self, used: tuple[Used, ...]) -> None:
        """Charges what another process has told."""
        for key, name, amount in used:
            budget = self._budgets.get(name)
            if budget is not None and math.isfinite(amount) and len(key) <= 64:
                self._account_of(key).charge_only(budget, amount)
