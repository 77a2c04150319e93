"""Ports for servers that stop and come back."""

import random
import socket

__all__ = ["lasting_port"]


def lasting_port() -> int:
    """A free port below those that the system hands out: while its server is down, nobody else is given it.

    A browser that tries to reconnect might even be given the very port that it calls.
    """
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
