"""A bad network: a TCP proxy that delays data, cuts connections, and delivers data long after a cut."""

import asyncio
import contextlib
from random import Random


class BadNetwork:
    """A proxy between players and a server.  Each connection has its own random delays and cuts."""

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
        server_writer: asyncio.StreamWriter | None = None
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._port)
            to_server = asyncio.ensure_future(self._forward(reader, server_writer))
            to_player = asyncio.ensure_future(self._forward(server_reader, writer))
            try:
                await asyncio.wait({to_server, to_player}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in (to_server, to_player):
                    one.cancel()
                await asyncio.gather(to_server, to_player, return_exceptions=True)
            writer.transport.abort()
            # The last data from the player reaches the server late.  By then the player has reconnected, and the server
            # believes that the old connection still works.
            with contextlib.suppress(OSError, TimeoutError):
                late = await asyncio.wait_for(reader.read(65536), 0.05)
                await asyncio.sleep(self._random.uniform(0, 0.2))
                server_writer.write(late)
                await server_writer.drain()
                await asyncio.sleep(self._random.uniform(0, 0.1))
        except OSError:
            pass
        finally:
            for end in (writer, server_writer):
                if end is not None:
                    end.transport.abort()
            self._tasks.discard(task)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        passed = 0
        with contextlib.suppress(OSError):
            while chunk := await reader.read(4096):
                if not self.is_calm:
                    await asyncio.sleep(self._random.uniform(0, self._delay))
                    # Never cut before the handshake is done: a player who never connects does not play at all.  Cut at
                    # least once, however short the game is.
                    is_due = self._random.random() < self._cuts or (passed > 8 and not self.cut)
                    if passed > 2 and is_due:
                        self.cut += 1
                        writer.write(chunk[: self._random.randrange(len(chunk))])
                        return
                writer.write(chunk)
                await writer.drain()
                passed += 1
