"""Somebody else at the table, who has no page: over a socket, one step at a time, as the test wants it."""

import json
from contextlib import ExitStack
from hashlib import sha256
from secrets import token_hex
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import connect

from foretell.server.wire.protocol import VERSION
from web.serving import Served

__all__ = ["Friend"]

_PATIENCE = 30  # seconds, for a busy machine


class Friend:
    """A player or, without a seat, a spectator."""

    def __init__(self, served: Served, code: str, name: str, token: str | None = None) -> None:
        self.name = name
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self._id = 0
        self._answered = ""
        self.greeting = {"version": VERSION, "table": code, "name": name, "key": token_hex(16)}
        if token is not None:
            self.greeting["token"] = token
        self._address = f"{served.address.replace('http', 'ws')}ws/{code}"
        self._open = ExitStack()
        self.come_back()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.leave()

    def leave(self) -> None:
        """Closes the connection; the seat stays."""
        self._open.close()

    def come_back(self) -> None:
        self._socket = self._open.enter_context(connect(self._address))
        self.ask("hello", **self.greeting)

    def ask(self, what: str, **values: Any) -> dict[str, Any]:
        """Sends a message.  Returns the answer, which may be a refusal."""
        self._id += 1
        self._socket.send(json.dumps({"type": what, "id": self._id, **values}))
        while True:
            heard = self._hear(_PATIENCE)
            if heard.get("id") == self._id:
                return heard

    def until(self, what: str) -> dict[str, Any]:
        """The next message of this type."""
        while (heard := self._hear(_PATIENCE))["type"] != what:
            pass
        return heard

    def seal_a_word(self) -> None:
        """Fixes a word for the deals, and never shows it."""
        hashed = sha256(b"a word").hexdigest()
        self.ask("word_hash", commit=self.table["next_commit"], hash=hashed)

    def is_asked(self) -> bool:
        """Whether this player has to decide something."""
        try:
            while True:
                self._hear(0)
        except TimeoutError:
            return self.view.get("decision") not in (None, self._answered)

    def play(self) -> None:
        """Makes the first choice that is offered, if it is this player's turn."""
        if self.is_asked():
            self._answered = self.view["decision"]
            self.ask("act", decision=self._answered, action=self.view["legal"][0])

    def answer(self, name: str, *, is_admitted: bool) -> None:
        """As the host: whether somebody may sit down."""
        while not (asking := [one for one in self.table["requests"] if one["name"] == name]):
            self._hear(_PATIENCE)
        self.ask("answer_request", request=asking[0]["request"], is_admitted=is_admitted)

    def _hear(self, seconds: float) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(self._socket.recv(timeout=seconds))
        if heard["type"] == "seated":
            self.greeting["token"] = heard["token"]
        if heard["type"] in ("welcome", "table"):
            self.table = heard["table"]
        snapshot = heard if heard["type"] == "snapshot" else heard.get("snapshot")
        if snapshot:
            self.view = snapshot["view"]
        return heard
