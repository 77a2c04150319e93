"""Someone at a table: sees the newest View, acts, and comes back by itself whenever the line is cut."""

import asyncio
import contextlib
from collections.abc import Callable
from types import TracebackType
from typing import Any

from foretell.client.doors import Connection, Cut, Door
from foretell.engine import Action, View
from foretell.server.wire import protocol as p

__all__ = ["Player", "RefusedByTable"]

_NEVER_AGAIN = frozenset({4009})  # close codes that a new connection would meet again
_PASSING = frozenset({"server_failed"})  # refusals of a hello that the next one may not meet


class RefusedByTable(Exception):
    """The server said no; `error` says why."""

    def __init__(self, error: p.Error) -> None:
        super().__init__(error.sentence)
        self.error = error

    @property
    def code(self) -> str:
        return self.error.code


class Player:
    """A seat with its token, or a spectator without one.

    `heard` is called with every message, for who wants the events and the chat as well.
    """

    def __init__(
        self,
        door: Door,
        table: str,
        token: str | None = None,
        *,
        name: str | None = None,
        heard: Callable[[p.FromServer], None] | None = None,
        pause: float = 0.05,
        most_pause: float = 5.0,
    ) -> None:
        self._door, self._key, self._token, self._name = door, table, token, name
        self._heard = heard or (lambda _message: None)
        self._pause, self._most_pause = pause, most_pause
        self.table: p.Table | None = None
        self.snapshot: p.Snapshot | None = None
        self.seat: int | None = None
        self.chat: list[p.ChatLine] = []
        self.reconnections = -1
        self._line: Connection | None = None
        self._asked: dict[int, asyncio.Future[p.FromServer]] = {}
        self._id = 0
        self._changed = asyncio.Event()
        self._welcome = asyncio.Event()
        self._failed: Exception | None = None
        self._living: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Player":
        self._failed = None
        self._living = asyncio.ensure_future(self._live())
        await self._welcomed()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Whoever still waits for something is told that it will not come."""
        if self._living is not None:
            self._living.cancel()
            await asyncio.gather(self._living, return_exceptions=True)
            self._living = None
        self._failed = self._failed or Cut()
        self._notify()

    # What is known

    @property
    def view(self) -> View | None:
        """The newest."""
        return None if self.snapshot is None else self.snapshot.view

    async def until(self, is_so: Callable[["Player"], bool]) -> "Player":
        """Waits until something is so: `await player.until(lambda me: me.table.phase == "playing")`."""
        while not is_so(self):
            self._refuse_if_failed()
            self._changed.clear()
            await self._changed.wait()
        self._refuse_if_failed()
        return self

    async def turn(self) -> View | None:
        """The View in which this seat is asked something; None when the game is over."""
        await self.until(lambda me: me._is_asked or me._is_over)
        return None if self._is_over else self.view

    @property
    def _is_asked(self) -> bool:
        seen = self.view
        return self._welcome.is_set() and seen is not None and seen.decision is not None

    @property
    def _is_over(self) -> bool:
        # The snapshot of the last action comes before the table's change of phase.
        return self.view is not None and self.view.phase == "over"

    # What is done

    async def act(self, chosen: Action | str, decision: str | None = None) -> None:
        """Answers what is asked; returns when the action is stored.

        If the line is cut before the answer, the View after reconnecting tells whether it had arrived: where the same
        decision is still awaited, it is said again.
        """
        seen, was_cut = self.view, False
        decision = decision or (seen.decision if seen is not None else None) or ""
        while True:
            try:
                await self.ask(p.Act(decision=decision, action=str(chosen)))
                return
            except Cut:
                was_cut = True
                await self._welcomed()
                if self.view is None or self.view.decision != decision:
                    return
            except RefusedByTable as refused:
                if was_cut and refused.code == "stale":
                    return  # the first one arrived after all, late
                raise

    async def start(self, level: str | None = None) -> None:
        await self.ask(p.Start(level=level))

    async def say(self, text: str) -> None:
        await self.ask(p.Chat(text=text))

    async def ask(self, message: Any) -> p.FromServer:
        """Sends a message and waits for its answer; raises RefusedByTable, or Cut if the line went first."""
        await self._welcomed()
        return await self._ask(message)

    async def _ask(self, message: Any) -> p.FromServer:
        line = self._line
        if line is None:
            raise Cut
        self._id += 1
        message.id = self._id
        answer: asyncio.Future[p.FromServer] = asyncio.get_running_loop().create_future()
        self._asked[message.id] = answer
        try:
            await line.send(message)
            found = await answer
        finally:
            self._asked.pop(message.id, None)
        if isinstance(found, p.Refusal):
            raise RefusedByTable(found.error)
        if isinstance(message, p.Leave):
            self._token = None  # a line cut later must not take the seat back
        return found

    # The line

    async def _welcomed(self) -> None:
        while not self._welcome.is_set():
            self._refuse_if_failed()
            self._changed.clear()
            await self._changed.wait()
        self._refuse_if_failed()

    def _refuse_if_failed(self) -> None:
        if self._failed is not None:
            raise self._failed

    async def _live(self) -> None:
        pause = self._pause
        try:
            while True:
                known = self.reconnections
                try:
                    await self._visit()
                except Cut as cut:
                    if cut.code in _NEVER_AGAIN:
                        raise
                except RefusedByTable as refused:
                    if refused.code not in _PASSING:
                        raise
                if self.reconnections > known:
                    pause = self._pause
                await asyncio.sleep(pause)
                pause = min(self._most_pause, pause * 2)
        except Exception as error:
            # Whatever it is, who waits has to know; `heard` is someone else's code.
            self._failed = error
            self._notify()

    async def _visit(self) -> None:
        """One connection, from hello to its end; raises Cut."""
        self._line = await self._door.line()
        listening = asyncio.ensure_future(self._listen())
        hello = p.Hello(version=p.VERSION, table=self._key, token=self._token, name=self._name)
        asked = asyncio.ensure_future(self._ask(hello))
        try:
            await asyncio.wait({asked, listening}, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                asked.result()
                self.reconnections += 1
                self._welcome.set()
                self._notify()
            await listening
        finally:
            self._welcome.clear()
            for task in (asked, listening):
                task.cancel()
            await asyncio.gather(asked, listening, return_exceptions=True)
            await self._hang_up()

    async def _hang_up(self) -> None:
        line, self._line = self._line, None
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(Cut())
        self._notify()
        if line is not None:
            with contextlib.suppress(Exception):
                await line.close()

    async def _listen(self) -> None:
        while self._line is not None:
            message = await self._line.receive()
            self._take(message)
            self._heard(message)
            self._notify()

    def _take(self, message: p.FromServer) -> None:
        match message:
            case p.Welcome():
                self.table, self.snapshot, self.seat = message.table, message.snapshot, message.seat
                self.chat = list(message.chat)
            case p.Snapshot():
                self.snapshot = message
            case p.TableChanged():
                self.table, self.seat = message.table, message.seat
            case p.Said():
                self.chat.append(message.line)
            case p.Seated():
                self._token, self.seat = message.token, message.seat
            case p.Removed():
                self._token = None
        answer = self._asked.get(getattr(message, "id", None) or 0)
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _notify(self) -> None:
        self._changed.set()
