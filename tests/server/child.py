"""A server that tests can kill: `python -m server.child FOLDER PORT`, run in `tests`.  It prints "ready" when it is.

With a third argument it has the limits that every server has.
"""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

from foretell.server.network.limits import Limits
from foretell.server.network.serve import ServerSettings, run
from foretell.server.table.services import Timeouts
from ports import lasting_port
from server.rooms import OPEN

__all__ = ["Child"]


class Child:
    """A server in its own process."""

    def __init__(self, folder: Path, *, has_usual_limits: bool = False) -> None:
        self.folder = folder
        self.has_usual_limits = has_usual_limits
        self.port = lasting_port()
        self.process: subprocess.Popen[str] | None = None

    async def start(self) -> None:
        command = [sys.executable, "-m", "server.child", str(self.folder), str(self.port)]
        self.process = subprocess.Popen(
            [*command, *(["limited"] if self.has_usual_limits else [])],
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
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    timeouts = Timeouts(grace=0.5, sleep=0.3)
    run(
        ServerSettings(
            data=folder,
            port=port,
            is_port_fixed=True,
            limits=Limits() if sys.argv[3:] else OPEN,
            timeouts=timeouts,
            stand_in="counting",
        ),
        lambda _port: print("ready", flush=True),
    )
