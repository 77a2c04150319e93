"""What this process does because others share its store: it renews its lease, and exchanges small news with them."""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Protocol

from foretell.server.logs import log
from foretell.server.store.bus import News, Used, read_news, write_news
from foretell.server.store.interface import SharedStore
from foretell.server.table.lobby import Lobby

__all__ = ["Membership"]

_DELAY = 0.25  # seconds: changes of the list within this time are published together
_USE = 0.5  # seconds after which the others learn what addresses have used here


class UseOfAddresses(Protocol):
    """What addresses use at all processes."""

    def told(self) -> Iterable[tuple[Used, ...]]: ...

    def charge(self, used: tuple[Used, ...]) -> None: ...


class Membership:
    """Runs beside the tables of a lobby whose store is shared.

    `send_away` closes all sockets, when this process is cut off from the store.
    """

    def __init__(
        self, lobby: Lobby, use: UseOfAddresses, send_away: Callable[[], None] = lambda: None
    ) -> None:
        assert isinstance(lobby.services.store, SharedStore)
        self._lobby, self._store, self._use = lobby, lobby.services.store, use
        self._has_news = asyncio.Event()  # the list has changed, here or elsewhere
        self._published: bytes | None = None
        self._send_away = send_away
        self._renewed = time.monotonic()  # before the last renewal that succeeded
        self._has_failed = False  # since then

    async def run(self) -> None:
        """Works until it is cancelled."""
        self._lobby.public.on_change = self._has_news.set
        self._store.bus.listen(self._hear)
        await asyncio.gather(self._renew_for_ever(), self._share_for_ever(), self._tell_use())

    def _hear(self, message: bytes) -> None:
        if not message:  # some may have been missed
            self._has_news.set()
            return
        news = read_news(message)
        if news is None or news.process == self._store.name:
            return
        self._use.charge(news.used)
        if news.is_list_new:
            self._has_news.set()

    # The lease

    async def _renew_for_ever(self) -> None:
        """By the time at which the lease has run out, this process has no tables any more, if it could not renew it.

        Whoever comes here could not play, and would stay, while other processes can have the tables.  A process that
        only slept tries once before that: perhaps nobody has taken them.
        """
        lease = self._store.lease
        while True:
            asked = time.monotonic()
            left = self._renewed + lease - asked
            if left <= 0 and self._has_failed:
                self._cut_off()
            try:
                most = left if self._has_failed and left > 0 else max(left, lease / 3)
                await asyncio.wait_for(self._renew(), most)
            except Exception as error:
                log.warning("lease not renewed", error=type(error).__name__)
                self._has_failed = True
                left = self._renewed + lease - time.monotonic()
                if left <= 0:
                    self._cut_off()
                await asyncio.sleep(lease / 4 if left <= 0 else min(lease / 4, left))
                continue
            self._renewed, self._has_failed = asked, False
            if self._lobby.is_cut_off:
                log.warning("lease renewed again")
                self._lobby.is_cut_off = False
            await asyncio.sleep(lease / 4)

    def _cut_off(self) -> None:
        if not self._lobby.is_cut_off:
            log.error("cut off from the database", tables=len(self._lobby.tables))
            self._lobby.cut_off()
            self._send_away()

    async def _renew(self) -> None:
        """If the lease had run out, others may have taken tables: those are dropped before anyone plays on.

        If the lease of another process has run out, our players at its tables must not wait for it.
        """
        living, still_ours = await self._store.renew()
        for tell in tuple(self._lobby.on_living):
            tell(living)
        if still_ours is None:
            return
        for table in tuple(self._lobby.tables.values()):
            if (table.lease.table, table.lease.epoch) not in still_ours:
                table.drop()

    # News

    async def _share_for_ever(self) -> None:
        while True:
            try:
                await self._share()
            except Exception as error:
                log.warning("list of tables not shared", error=type(error).__name__)
            try:  # without news, it still looks now and then: some may have been lost
                await asyncio.wait_for(self._has_news.wait(), self._store.lease)
            except TimeoutError:
                continue
            await asyncio.sleep(_DELAY)

    async def _share(self) -> None:
        self._has_news.clear()
        own = self._lobby.public.shared()
        if own != self._published:
            await self._store.publish(own)
            await self._tell(News(self._store.name, is_list_new=True))
            self._published = own
        self._lobby.public.set_elsewhere(await self._store.listings())

    async def _tell_use(self) -> None:
        while True:
            await asyncio.sleep(_USE)
            for used in self._use.told():
                await self._tell(News(self._store.name, used=used))

    async def _tell(self, news: News) -> None:
        try:
            await self._store.bus.tell(write_news(news))
        except Exception as error:  # only freshness depends on it
            log.warning("news lost", error=type(error).__name__)
