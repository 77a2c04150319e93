"""Budgets: how much one address may do over time.  Memory stays bounded, however many addresses come.

A budget is a token bucket: it allows a burst, and earns back so much a second.  An account holds what one address has
used of each budget.  A wider account, that of the network around the address, pays a share of everything.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

__all__ = ["Account", "Accounts", "Bucket", "Budget", "NotesUse", "PaidElsewhere"]

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


class NotesUse(Protocol):
    """Is told of every amount that an account uses."""

    def note(self, account: "Account", budget: Budget, amount: float, *, is_new: bool) -> None: ...


class Account:
    """What one address, or one network, has used of each budget.

    `sockets` and `requests` are its connections that are open now.
    """

    __slots__ = (
        "_full_at",
        "_noted_by",
        "_now",
        "address",
        "key",
        "requests",
        "seen",
        "share",
        "sockets",
        "untold",
        "wider",
    )

    def __init__(
        self,
        key: str,
        *,
        wider: "Account | None" = None,
        share: float = 1.0,
        now: Clock,
        noted_by: NotesUse | None = None,
    ) -> None:
        self.key = key
        self.address = key or None  # None: the client has no address, as with a Unix socket
        self.wider, self.share = wider, share  # the wider account pays this part of every amount
        self.sockets = self.requests = 0
        self.seen = 0.0
        self._now = now
        self._full_at: dict[str, float] = {}  # by budget: when everything used is earned back
        self._noted_by = noted_by
        self.untold: dict[str, float] = {}  # by budget: used, and not yet told to other processes

    def used(self, budget: Budget) -> float:
        """How much of a budget is used, and not yet earned back."""
        return max(self._full_at.get(budget.name, 0.0) - self._now(), 0.0) * budget.rate

    def wait(self, budget: Budget, amount: float = 1.0) -> float:
        """The seconds until this amount is there; 0 if it is there now."""
        used_s = max(self._full_at.get(budget.name, 0.0) - self._now(), 0.0)
        wait = used_s + (amount - budget.burst) / budget.rate
        if self.wider is not None:
            wait = max(wait, self.wider.wait(budget, amount * self.share))
        return wait if wait > 1e-9 else 0.0

    def charge(self, budget: Budget, amount: float = 1.0) -> None:
        """Uses this amount, even if it is not there.  A negative amount gives something back."""
        if self._noted_by is not None:
            is_new = self._full_at.get(budget.name, 0.0) <= self._now()
            self._noted_by.note(self, budget, amount, is_new=is_new)
        self.charge_only(budget, amount)
        if self.wider is not None:
            self.wider.charge(budget, amount * self.share)

    def charge_only(self, budget: Budget, amount: float) -> None:
        """Charges this account alone, and tells nobody."""
        full_at = max(self._full_at.get(budget.name, 0.0), self._now())
        self._full_at[budget.name] = full_at + amount / budget.rate

    def take(self, budget: Budget, amount: float = 1.0) -> float:
        """Uses this amount if it is there, and returns 0.  Otherwise it returns the seconds to wait."""
        wait = self.wait(budget, amount)
        if not wait:
            self.charge(budget, amount)
        return wait

    @property
    def is_in_use(self) -> bool:
        return self.sockets > 0 or self.requests > 0


class PaidElsewhere(Account):
    """The account of a client that came through another process, which has made it pay for everything but `here`."""

    __slots__ = ("_account", "_here")

    def __init__(self, account: Account, here: frozenset[str]) -> None:
        super().__init__(account.key, now=account._now)
        self._account, self._here = account, here

    def wait(self, budget: Budget, amount: float = 1.0) -> float:
        return self._account.wait(budget, amount) if budget.name in self._here else 0.0

    def charge(self, budget: Budget, amount: float = 1.0) -> None:
        if budget.name in self._here:
            self._account.charge(budget, amount)


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
        self.noted_by: NotesUse | None = None  # set before the first account is made
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
            account = Account(
                key, wider=wider, share=self._share, now=self._now, noted_by=self.noted_by
            )
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
