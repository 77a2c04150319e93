"""A server that tests can kill: `python -m server.child FOLDER PORT OPTIONS`, run in `tests`.  It prints "ready" when it is.

The options are those of `Child`, as JSON.
"""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from foretell.server.network.limits import Limits
from foretell.server.network.serve import ServerSettings, run
from foretell.server.store import formats
from foretell.server.table.services import Timeouts
from ports import lasting_port
from server.rooms import OPEN

__all__ = ["Child"]


class Child:
    """A server in its own process.

    `has_usual_limits` gives it the limits that every server has.  With a `database` it shares that one, with this
    `lease`, and by this `bus` (a Valkey's address).  `is_newer` makes it one of a newer version.  `grace` is the time in
    seconds after which bots play for someone whose connection is lost.  It listens at this `host`, at a free port or at
    this one.
    """

    def __init__(
        self,
        folder: Path,
        *,
        has_usual_limits: bool = False,
        database: str | None = None,
        lease: float = 1.5,
        bus: str | None = None,
        is_newer: bool = False,
        grace: float = 0.5,
        host: str = "127.0.0.1",
        port: int | None = None,
    ) -> None:
        self.folder = folder
        self._options: dict[str, Any] = {
            "has_usual_limits": has_usual_limits,
            "is_newer": is_newer,
            "grace": grace,
            "host": host,
            "shared": {}
            if database is None
            else {"database": database, "lease": lease, "bus": bus},
        }
        self.port = port or lasting_port()
        self.process: subprocess.Popen[str] | None = None

    async def start(self) -> None:
        command = [sys.executable, "-m", "server.child", str(self.folder), str(self.port)]
        self.process = subprocess.Popen(
            [*command, json.dumps(self._options)],
            cwd=Path(__file__).parents[1],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        assert line.strip() == "ready"

    async def kill(self, how: signal.Signals = signal.SIGKILL) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        code = await asyncio.to_thread(self.process.wait)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


if __name__ == "__main__":
    folder, port, options = Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
    if options["is_newer"]:
        formats.FORMAT += 1
    run(
        ServerSettings(
            data=folder,
            host=options["host"],
            port=port,
            is_port_fixed=True,
            limits=Limits() if options["has_usual_limits"] else OPEN,
            timeouts=Timeouts(grace=options["grace"], sleep=0.3),
            stand_in="counting",
            **options["shared"],
        ),
        lambda _port: print("ready", flush=True),
    )
