"""Servers in processes of their own, which end with the program that started them."""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from bench.load.shares import limited

from foretell.server.network.limits import Limits
from foretell.server.network.serve import ServerSettings, run
from foretell.server.table.services import Timeouts

__all__ = ["Process", "busy_seconds", "end_with_parent", "ports", "serve_real"]


def serve_real(folder: str, port: int, database: str | None = None) -> None:
    limits = Limits(
        messages=1e9,
        message_burst=1e9,
        queue=10_000,
        inbox=10_000,
        sockets=100_000,
        per_address=1e6,
    )
    timeouts = Timeouts(grace=1e6, sleep=1.0, hello=1e6)
    run(
        ServerSettings(
            data=Path(folder),
            port=port,
            is_port_fixed=True,
            limits=limits,
            timeouts=timeouts,
            stand_in="counting",
            database=database,
        ),
        lambda _port: print("ready", flush=True),
    )


def end_with_parent() -> None:
    """Ends this process when its standard input is closed, as happens when the parent ends for any reason."""

    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()


class Process:
    """A server on its core, running inside a `with` block."""

    def __init__(
        self,
        program: str,
        arguments: Sequence[str],
        port: int,
        cores: Collection[int] = (),
        share: float | None = None,
    ) -> None:
        """`program` is a file that serves when it is called with `--serve` and these arguments.

        Once it serves, it gets no more than this share of a core, if one is given.
        """
        self.port, self._share = port, share
        self._limits = contextlib.ExitStack()
        command = [sys.executable, program, "--serve", *arguments, str(port)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if cores:
            with contextlib.suppress(OSError, AttributeError):
                os.sched_setaffinity(self._process.pid, cores)

    def __enter__(self) -> "Process":
        assert self._process.stdout is not None
        if self._process.stdout.readline().strip() != "ready":
            self.__exit__()
            raise RuntimeError("the server did not start")
        if self._share is not None:
            try:
                self._limits.enter_context(limited(self._process.pid, self._share))
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        self._limits.close()
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._process.communicate()

    def memory(self) -> float:
        """Megabytes in use."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    def busy(self) -> float:
        """Seconds of CPU time that all its threads have used so far."""
        return busy_seconds(self._process.pid)


def busy_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ports() -> Iterator[int]:
    return itertools.count(18_400 + os.getpid() % 1000)
