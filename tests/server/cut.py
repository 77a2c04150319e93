"""A proxy in front of PostgreSQL, which cuts a connection just before or just after a chosen request is carried out."""

import contextlib
import socket
import threading
from collections.abc import Callable

__all__ = ["Cutter"]

_READY = b"Z\x00\x00\x00\x05"  # with one more byte, the end of every answer of PostgreSQL


class Cutter:
    """Listens on a port of its own, with threads: processes connect while the event loop of the test is busy."""

    def __init__(self, port: int) -> None:
        self._there = port
        self._chosen: Callable[[bytes], bool] | None = None
        self._is_carried_out = False
        self.cuts = 0
        self._goes_on = threading.Event()
        self._goes_on.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, chosen: Callable[[bytes], bool], *, is_carried_out: bool) -> None:
        """Cuts the connection of the next request for which `chosen` is true, once.

        With `is_carried_out`, the database has carried it out, and only the answer is lost.
        """
        self._is_carried_out, self._chosen = is_carried_out, chosen

    def separate(self) -> None:
        """From now on nothing arrives any more, as in a network that has broken: no connection is closed."""
        self._goes_on.clear()

    def join(self) -> None:
        """Everything arrives that was sent meanwhile."""
        self._goes_on.set()

    def url(self, url: str) -> str:
        """The address of a database, through this proxy."""
        return url.replace(f":{self._there}/", f":{self.port}/")

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                self._goes_on.wait()
                there = socket.create_connection(("127.0.0.1", self._there))
                is_lost = threading.Event()  # the answer that comes now
                for one in (self._send, self._receive):
                    threading.Thread(target=one, args=(here, there, is_lost), daemon=True).start()

    def _send(self, here: socket.socket, there: socket.socket, is_lost: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := here.recv(65536):
                self._goes_on.wait()
                chosen = self._chosen
                if chosen is not None and chosen(data):
                    self._chosen = None
                    self.cuts += 1
                    if not self._is_carried_out:
                        break
                    is_lost.set()
                there.sendall(data)
        _close(here, there)

    def _receive(self, here: socket.socket, there: socket.socket, is_lost: threading.Event) -> None:
        answer = b""
        with contextlib.suppress(OSError):
            while data := there.recv(65536):
                self._goes_on.wait()
                if not is_lost.is_set():
                    here.sendall(data)
                    continue
                answer += data
                if answer[-6:-1] == _READY:
                    break
        _close(here, there)


def _close(*sockets: socket.socket) -> None:
    for one in sockets:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
