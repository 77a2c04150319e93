"""A bad network: a TCP proxy that delays, cuts, and delivers what was sent before a cut long after it."""

import asyncio
import contextlib
from random import Random


class BadNetwork:
    """Stands between players and a server.  Each connection has its own misfortune."""

    def __init__(
        self, port: int, random: Random, *, cuts: float = 0.02, delay: float = 0.01
    ) -> None:
        self._port, self._random = port, random
        self._cuts, self._delay = cuts, delay
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.cut = 0
        self.is_calm = False

    @property
    def port(self) -> int:
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> "BadNetwork":
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        far: asyncio.StreamWriter | None = None
        try:
            far_reader, far = await asyncio.open_connection("127.0.0.1", self._port)
            there = asyncio.ensure_future(self._pass_on(reader, far))
            back = asyncio.ensure_future(self._pass_on(far_reader, writer))
            try:
                await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in (there, back):
                    one.cancel()
                await asyncio.gather(there, back, return_exceptions=True)
            writer.transport.abort()
            # What the player had sent reaches the server late: when the player has long come back by another
            # connection, and the server takes the old one for alive.
            with contextlib.suppress(OSError, TimeoutError):
                left = await asyncio.wait_for(reader.read(65536), 0.05)
                await asyncio.sleep(self._random.uniform(0, 0.2))
                far.write(left)
                await far.drain()
                await asyncio.sleep(self._random.uniform(0, 0.1))
        except OSError:
            pass
        finally:
            for end in (writer, far):
                if end is not None:
                    end.transport.abort()
            self._tasks.discard(task)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        passed = 0
        with contextlib.suppress(OSError):
            while chunk := await reader.read(4096):
                if not self.is_calm:
                    await asyncio.sleep(self._random.uniform(0, self._delay))
                    # Never before the handshake is through: a player who is never let in plays nothing.
                    # And once at least, however short the game.
                    is_due = self._random.random() < self._cuts or (passed > 8 and not self.cut)
                    if passed > 2 and is_due:
                        self.cut += 1
                        writer.write(chunk[: self._random.randrange(len(chunk))])
                        return
                writer.write(chunk)
                await writer.drain()
                passed += 1
