"""Budgets: how much one address may do over time.  Memory stays bounded, however many addresses come.

A budget is a token bucket: it allows a burst, and earns back so much a second.  An account holds what one address has
used of each budget.  A wider account, that of the network around the address, pays a share of everything.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

__all__ = ["Account", "Accounts", "Bucket", "Budget"]

Clock = Callable[[], float]


class Budget(NamedTuple):
    """`rate` a second over time, and `burst` at once.  The name is its key in every account."""

    name: str
    rate: float
    burst: float


class Bucket:
    """One budget of one user: a single number says how much of it is used."""

    __slots__ = ("_burst_s", "_full_at", "_now", "_rate")

    def __init__(self, rate: float, burst: float, now: Clock = time.monotonic) -> None:
        self._rate, self._burst_s, self._now = rate, burst / rate, now
        self._full_at = 0.0  # when everything taken so far is earned back

    def take(self) -> bool:
        """Takes one, and says whether there was one."""
        return self.take_up_to(1) == 1

    def take_up_to(self, most: int) -> int:
        """Takes as many whole ones as there are, and says how many."""
        now = self._now()
        used_s = max(self._full_at - now, 0.0)
        # A tiny amount is forgiven: 5 / 0.001 * 0.001 is a little less than 5.
        count = min(most, int((self._burst_s - used_s) * self._rate + 1e-6))
        if count <= 0:
            return 0
        self._full_at = now + used_s + count / self._rate
        return count


class Account:
    """What one address, or one network, has used of each budget.

    `sockets` and `requests` are its connections that are open now.
    """

    __slots__ = (
        "_full_at",
        "_now",
        "address",
        "key",
        "requests",
        "seen",
        "share",
        "sockets",
        "wider",
    )

    def __init__(
        self, key: str, *, wider: "Account | None" = None, share: float = 1.0, now: Clock
    ) -> None:
        self.key = key
        self.address = key or None  # None: the client has no address, as with a Unix socket
        self.wider, self.share = wider, share  # the wider account pays this part of every amount
        self.sockets = self.requests = 0
        self.seen = 0.0
        self._now = now
        self._full_at: dict[str, float] = {}  # by budget: when everything used is earned back

    def wait(self, budget: Budget, amount: float = 1.0) -> float:
        """The seconds until this amount is there; 0 if it is there now."""
        used_s = max(self._full_at.get(budget.name, 0.0) - self._now(), 0.0)
        wait = used_s + (amount - budget.burst) / budget.rate
        if self.wider is not None:
            wait = max(wait, self.wider.wait(budget, amount * self.share))
        return wait if wait > 1e-9 else 0.0

    def charge(self, budget: Budget, amount: float = 1.0) -> None:
        """Uses this amount, even if it is not there.  A negative amount gives something back."""
        full_at = max(self._full_at.get(budget.name, 0.0), self._now())
        self._full_at[budget.name] = full_at + amount / budget.rate
        if self.wider is not None:
            self.wider.charge(budget, amount * self.share)

    def take(self, budget: Budget, amount: float = 1.0) -> float:
        """Uses this amount if it is there, and returns 0.  Otherwise it returns the seconds to wait."""
        wait = self.wait(budget, amount)
        if not wait:
            self.charge(budget, amount)
        return wait

    @property
    def is_in_use(self) -> bool:
        return self.sockets > 0 or self.requests > 0


class Accounts:
    """The accounts of all addresses.

    An account with open connections is always kept.  Of the others, at most `most` are kept, the last seen; and after
    `forget_after` seconds everything is earned back, so an old account is the same as a new one.
    """

    def __init__(
        self,
        *,
        share: float = 1.0,
        most: int = 20_000,
        forget_after: float = 1800.0,
        now: Clock = time.monotonic,
    ) -> None:
        self._share, self._most, self._forget_after, self._now = share, most, forget_after, now
        self._in_use: dict[str, Account] = {}
        self._idle: OrderedDict[str, Account] = OrderedDict()  # the last seen comes last

    def __len__(self) -> int:
        return len(self._in_use) + len(self._idle)

    def of(self, keys: Sequence[str]) -> Account:
        """The account of the first key; the other keys are the networks around it, each wider than the last."""
        found: Account | None = None
        for key in reversed(keys):
            found = self._one(key, found)
        assert found is not None, "an address has at least one key"
        return found

    def _one(self, key: str, wider: Account | None) -> Account:
        account = self._in_use.get(key) or self._idle.pop(key, None)
        if account is None:
            account = Account(key, wider=wider, share=self._share, now=self._now)
        if wider is not None and not account.is_in_use:
            account.wider = wider  # the one before may have been forgotten
        account.seen = self._now()
        if not account.is_in_use:
            self._idle[key] = account
            self._forget()
        return account

    def _forget(self) -> None:
        # Two for each one that comes: the number of old accounts shrinks.
        for _ in range(2):
            oldest = next(iter(self._idle.values()))
            if oldest.seen > self._now() - self._forget_after and len(self._idle) <= self._most:
                return
            del self._idle[oldest.key]
            if not self._idle:
                return

    def count(self, account: Account, *, sockets: int = 0, requests: int = 0) -> None:
        """Counts connections that were opened, or closed if the number is negative."""
        one: Account | None = account
        while one is not None:
            one.sockets += sockets
            one.requests += requests
            if one.is_in_use:
                self._idle.pop(one.key, None)
                self._in_use[one.key] = one
            elif self._in_use.pop(one.key, None) is not None:
                one.seen = self._now()
                self._idle[one.key] = one
                self._forget()
            one = one.wider
