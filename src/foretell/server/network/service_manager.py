"""Tells systemd that the server is ready, or that it stops (`Type=notify`).  Without systemd, nothing happens."""

import contextlib
import os
import socket

__all__ = ["say_ready", "say_stopping"]


def say_ready() -> None:
    _say(b"READY=1")


def say_stopping() -> None:
    _say(b"STOPPING=1")


def _say(state: bytes) -> None:
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    # The service manager is told, not asked: whatever goes wrong here is no reason to stop.
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sending:
        sending.sendto(state, address.replace("@", "\0", 1))
