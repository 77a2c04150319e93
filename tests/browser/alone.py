"""A device without a browser: what `web/src/device` does for the tables, in plain Python.

It needs the package and nothing else, so that it also runs where everything that a browser does not have is blocked.
"""

import asyncio
import json
from collections import defaultdict
from typing import Any

from foretell.browser.device import Device, device_keys, opened
from foretell.browser.worker_thinkers import done
from foretell.server.keys import Keys
from foretell.server.wire import protocol as p


class PlainHost:
    """Storage in a dictionary, and a second worker that answers in the next turn of the event loop."""

    def __init__(self, stored: dict[str, dict[str, str]] | None = None) -> None:
        self.stored = defaultdict[str, dict[str, str]](dict, stored or {})
        self.device: Device | None = None
        self.messages = asyncio.Queue[dict[str, Any]]()
        self.restarts = 0
        self.unreadable = 0  # how often the page was told
        self.is_stuck = False  # the second worker does not answer
        self.is_broken = False  # the second worker fails at once
        self.prepared: list[str] = []
        self.levels: list[tuple[str, str]] = []  # as what bots of a level play, when that changes

    async def load(self) -> str:
        return json.dumps({kind: sorted(rows.items()) for kind, rows in self.stored.items()})

    async def put(self, writes: str) -> None:
        await asyncio.sleep(0)
        for kind, key, value in json.loads(writes):
            if value is None:
                self.stored[kind].pop(key, None)
            else:
                self.stored[kind][key] = value

    def report_unreadable(self) -> None:
        self.unreadable += 1

    def deliver(self, connection: int, message: str) -> None:
        self.messages.put_nowait(json.loads(message))

    def think(self, job: int, who: str, work: str) -> None:
        device = self.device
        assert device is not None
        if not self.is_stuck:
            loop = asyncio.get_running_loop()
            is_broken = self.is_broken
            loop.call_soon(lambda: device.thought(job, "" if is_broken else done(who, work)))

    def prepare(self, who: str) -> None:
        self.prepared.append(who)

    def report_level(self, level: str, played: str) -> None:
        self.levels.append((level, played))

    def restart_thinking(self) -> None:
        self.restarts += 1
        self.is_stuck = False


class Alone:
    """A person at a device: asks, sends, and reads what comes back."""

    def __init__(self, host: PlainHost, device: Device) -> None:
        self.host, self.device = host, device
        self.last_id = 0

    @classmethod
    async def at(cls, host: PlainHost, keys: Keys = device_keys) -> "Alone":
        host.device = await opened(host, keys)
        host.device.connect(1)
        return cls(host, host.device)

    async def ask(self, method: str, address: str, body: Any = None) -> Any:
        is_right, answer = await self.device.ask(method, address, json.dumps(body))
        assert is_right, answer
        return json.loads(answer)

    async def send(self, kind: str, **values: Any) -> None:
        self.last_id += 1
        await self.device.handle(1, json.dumps({"type": kind, "id": self.last_id, **values}))

    async def hello(self, table: str, token: str) -> None:
        await self.send("hello", version=p.VERSION, table=table, token=token)

    async def until(self, kind: str) -> dict[str, Any]:
        """The next message of this kind."""
        while True:
            message = await asyncio.wait_for(self.host.messages.get(), 20)
            assert message["type"] != "refused", message
            if message["type"] == kind:
                return message

    async def play(self, most: int = 10_000) -> str | None:
        """Plays the first legal action each time; the id of the game when it is over, None after so many actions."""
        while True:
            snapshot = await self.until("snapshot")
            view = snapshot["view"]
            if view["winners"]:
                return str(snapshot["game"])
            if view["legal"]:
                if not most:
                    return None
                most -= 1
                await self.send("act", decision=view["decision"], action=view["legal"][0])


OPTIONS = {"bots": ["counting", "casual", "beginner"], "bot_pause_ms": 0}


async def started(host: PlainHost, options: dict[str, Any] | None = None) -> tuple[Alone, str, str]:
    """A person at a table with bots whose game has begun, its id and the person's token."""
    alone = await Alone.at(host)
    asked = {"name": "Anna", "options": {**OPTIONS, **(options or {})}}
    seated = await alone.ask("POST", "/api/tables", asked)
    await alone.hello(seated["table"], seated["token"])
    await alone.until("welcome")
    await alone.send("start")
    return alone, seated["table"], seated["token"]
