"""Ports for servers that stop and come back."""

import random
import socket

__all__ = ["lasting_port"]


def lasting_port() -> int:
    """A free port below those that the system hands out, so that no other program gets it while the server is down.

    A browser that tries to reconnect might even get, for its own side, the very port that it is calling.
    """
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
