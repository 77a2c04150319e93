"""What the worker's TypeScript does for Python.  `web/src/device/table-worker.ts` has the other side."""

from collections.abc import Awaitable
from typing import Protocol

__all__ = ["Host"]


class Host(Protocol):
    """The worker around the tables: its storage, the page, and the second worker.  Everything is passed as text."""

    def load(self) -> Awaitable[str]:
        """All that is stored: `{kind: [[key, value], ...]}`, in the order of the keys."""

    def put(self, writes: str) -> Awaitable[None]:
        """Stores `[[kind, key, value], ...]`, all of it or nothing, after everything that was put before.

        A row whose value is None is removed.  It is done when that would survive the end of the browser.  Where nothing
        can be stored, the host tells the page, and it is done at once.
        """

    def report_unreadable(self) -> None:
        """Tells the page that some of what is stored cannot be read."""

    def deliver(self, connection: int, message: str) -> None:
        """Sends a message to the page."""

    def think(self, job: int, who: str, work: str) -> None:
        """Lets the second worker do this work of a level or the coach; the answer comes as `Device.thought`.

        The nets that `who` thinks with are loaded first, if that is possible.  An empty answer: the worker has failed.
        """

    def prepare(self, who: str) -> None:
        """Lets the second worker load the nets that a level, or the coach, thinks with."""

    def report_level(self, level: str, played: str) -> None:
        """Tells the page as what the bots of a level play, when that has changed."""

    def restart_thinking(self) -> None:
        """Ends the second worker, whatever it does, and starts another one."""
