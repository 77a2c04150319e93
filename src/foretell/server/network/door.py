"""The door of the server: what each address may still do, and what a client is told when that is too much."""

import asyncio
import dataclasses
import math
import time
from collections import OrderedDict

from foretell.errors import NotAllowed
from foretell.server.network.addresses import Client, networks
from foretell.server.network.budgets import Account, Accounts, Budget, PaidElsewhere
from foretell.server.network.limits import AddressBudgets, Limits
from foretell.server.network.shared_use import SharedUse
from foretell.server.store.interface import Elsewhere, TableState
from foretell.server.table import seating
from foretell.server.table.lobby import Lobby
from foretell.server.table.table import Table

__all__ = ["Door"]

_WHILE_LIMITED = (
    0.25  # seconds for every answer about a table to an address that has guessed too often
)
_WHILE_ALARMED = 10  # what one failure counts, while many addresses guess
_MOST_REMEMBERED = 2000
_EVERYONE = "\n"  # the key of an account; no address is like this
# What is only known where the table is: a client of another process pays for it there.
_PAID_AT_TABLE = frozenset({"failures", "thinking"})


class Door:
    """Knows the account of every address.  Each refusal says after how many seconds the client may try again."""

    def __init__(self, limits: Limits, *, is_shared: bool = False) -> None:
        self.limits = limits
        self.budgets = AddressBudgets.of(limits)
        self.accounts = Accounts(share=1 / limits.per_network)
        self.sockets = 0  # of all addresses
        self._all_failures = Budget("all_failures", limits.all_failures, limits.all_failure_burst)
        budgets = (*dataclasses.astuple(self.budgets), self._all_failures)
        self.use = SharedUse({one.name: one for one in budgets}, self._account_of_key)
        if is_shared:
            self.accounts.noted_by = self.use
        # Pays for all failures.
        self._everyone = Account(_EVERYONE, now=time.monotonic, noted_by=self.accounts.noted_by)
        # The reviews that each address has asked for: asking again how far one is costs nothing.
        self._reviewed: OrderedDict[tuple[str, str], None] = OrderedDict()

    def account(self, client: Client) -> Account:
        return self.accounts.of(networks(client))

    def account_elsewhere(self, client: Client) -> Account:
        """The account of a client that another process has let in."""
        return PaidElsewhere(self.account(client), _PAID_AT_TABLE)

    def _account_of_key(self, key: str) -> Account:
        return self._everyone if key == _EVERYONE else self.accounts.of((key,))

    def pay(self, account: Account, budget: Budget, amount: float = 1.0) -> None:
        """Takes something from a budget; refuses with the error `too_many_<budget>` if it is used up."""
        wait = account.take(budget, amount)
        if wait:
            raise too_many(budget, wait)

    def charge_file(self, account: Account, size: int) -> None:
        """Counts a file that is sent to an address as one request for each megabyte, the first of which is paid."""
        account.charge(self.budgets.requests, size // 1_000_000)

    def check(self, account: Account, budget: Budget) -> None:
        """Refuses if a budget that is paid afterwards is used up."""
        wait = account.wait(budget, 0.0)
        if wait:
            raise too_many(budget, wait)

    # Connections

    def is_full(self, account: Account, *, sockets: int, requests: int) -> bool:
        """Whether an address, or the network around it, has this many sockets or requests."""
        most = self.limits.per_address
        one: Account | None = account
        while one is not None:
            if one.sockets >= sockets * most or one.requests >= requests * most:
                return True
            one, most = one.wider, most * self.limits.per_network
        return False

    def open_socket(self, account: Account) -> bool:
        """Counts a socket that was opened; False if there are too many."""
        limits = self.limits
        if self.sockets >= limits.sockets:
            return False
        if self.is_full(account, sockets=limits.sockets_per_address, requests=2**31):
            return False
        self.sockets += 1
        self.accounts.count(account, sockets=1)
        return True

    def close_socket(self, account: Account) -> None:
        self.sockets -= 1
        self.accounts.count(account, sockets=-1)

    def open_request(self, client: Client) -> Account | None:
        """Counts an HTTP connection that was opened; None if there are too many, or too many new ones."""
        account = self.account(client)
        if self.is_full(account, sockets=2**31, requests=self.limits.requests_at_once):
            return None
        if account.take(self.budgets.connections):
            return None
        self.accounts.count(account, requests=1)
        return account

    def close_request(self, account: Account) -> None:
        self.accounts.count(account, requests=-1)

    # Thinking

    def _payer(self, address: str | None) -> Account:
        """The account of an address that is named as accounts name it."""
        return self.account(None if address is None else (address, 0))

    def coach_thought(self, address: str | None, seconds: float) -> None:
        """The coach has thought for an address.  Its next question is refused while it has used too much."""
        self._payer(address).charge(self.budgets.thinking, seconds)

    def bot_thought(self, address: str | None, seconds: float) -> None:
        """A bot has thought at a table of this address."""
        self._payer(address).charge(self.budgets.bot_thinking, seconds)

    def is_bot_time_used_up(self, address: str | None) -> bool:
        """Whether bots have thought so long for an address that its bots now wait for those of the others."""
        return self._payer(address).wait(self.budgets.bot_thinking, 0.0) > 0

    # Tables

    async def table(
        self, lobby: Lobby, account: Account, key: str, token: str | None
    ) -> Table | Elsewhere:
        """A table by its id or its code.  An address that has failed too often is not told which codes exist.

        A player who has a token gets in all the same, and so does everyone at a public table or with a table's id,
        which nobody can guess.  docs/hosting.md computes how hard it is to guess a code.
        """
        wait = account.wait(self.budgets.failures)
        begun = asyncio.get_running_loop().time()
        table: Table | Elsewhere | None = None
        try:
            is_player = token is not None
            table = await lobby.table(key, for_player=is_player, payer=account.key)
        except NotAllowed as error:
            self._failed(account)
            if not wait:
                raise error from None
        if table is not None:
            is_known = _is_known(table.state, key, token)
            # If the table is elsewhere, that process counts the failure.
            if token is not None and not is_known and isinstance(table, Table):
                self._failed(account)
            if is_known or not wait:
                return table
        # The same answer after the same time, whether there is such a table or not.
        await asyncio.sleep(begun + _WHILE_LIMITED - asyncio.get_running_loop().time())
        raise too_many(self.budgets.failures, wait)

    def _failed(self, account: Account) -> None:
        is_alarmed = self._everyone.take(self._all_failures) > 0
        amount = _WHILE_ALARMED if is_alarmed else 1
        # A failure beyond the limit is not added up: the address would be refused for hours.
        if account.wait(self.budgets.failures) == 0:
            account.charge(self.budgets.failures, amount)

    # Reviews

    def pay_review(self, account: Account, game: str) -> None:
        asked = account.key, game
        if asked not in self._reviewed:
            self.pay(account, self.budgets.reviews)
            self._reviewed[asked] = None
            if len(self._reviewed) > _MOST_REMEMBERED:
                self._reviewed.popitem(last=False)


def too_many(budget: Budget, wait: float) -> NotAllowed:
    """The refusal for a budget that is used up."""
    return NotAllowed(f"too_many_{budget.name}", seconds=math.ceil(wait))


def _is_known(state: TableState | None, key: str, token: str | None) -> bool:
    """Whether a client has shown more than a code: a token, or the table's id.  A public table is known to all."""
    if state is None:
        return False
    if token is not None:
        return _opens(state, token)
    return key == state.id or state.options.is_public


def _opens(state: TableState, token: str) -> bool:
    try:
        seating.seat_of_token(state, token)
    except NotAllowed:
        return False
    return True
