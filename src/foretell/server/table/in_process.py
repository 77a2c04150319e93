"""A connection to the tables of this process: the messages of the protocol, without a network."""

from collections.abc import Callable

import msgspec

from foretell.errors import ForetellError, NotAllowed
from foretell.server.logs import log
from foretell.server.table.internal_messages import Disconnected
from foretell.server.table.lobby import Lobby
from foretell.server.table.participants import SocketParticipant
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message

__all__ = ["InProcessConnection"]


class InProcessConnection:
    """Messages come in and go out encoded, as over a socket, so that both kinds of connection behave the same.

    There are no limits: whoever holds it runs these tables.
    """

    def __init__(self, lobby: Lobby, deliver: Callable[[bytes], None]) -> None:
        self._lobby, self._deliver = lobby, deliver
        self._table: Table | None = None
        self._participant = self._new_participant()

    async def handle(self, text: bytes | str) -> None:
        """Handles a message; every message is answered."""
        try:
            message = p.read_client(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
            reason = str(error)[:200] if isinstance(error, msgspec.ValidationError) else "JSON"
            self._refuse(p.id_in(text), NotAllowed("unreadable_message", reason=reason))
            return
        except ForetellError as error:  # rules that cannot be combined
            self._refuse(p.id_in(text), error)
            return
        match message:
            case p.Ping():
                self._participant.answer(p.Pong(id=message.id))
            case p.WatchLobby():
                self._deliver(self._lobby.public.as_answer(message.id))
            case p.Hello():
                await self._enter(message)
            case _ if self._table is None or self._table.is_asleep:
                self._refuse(message.id, NotAllowed("no_hello"))
            case _:
                self._table.post(self._participant, message)

    async def _enter(self, hello: p.Hello) -> None:
        try:
            if hello.version != p.VERSION:
                raise NotAllowed("other_version", version=hello.version, spoken=p.VERSION)
            table = await self._lobby.own_table(hello.table, for_player=hello.token is not None)
        except ForetellError as error:
            self._refuse(hello.id, error)
            return
        except Exception as error:  # the store failed; the next hello may succeed
            log.error("hello failed", error=type(error).__name__)
            self._refuse(hello.id, NotAllowed("server_failed"))
            return
        self.leave_table()
        self._table, self._participant = table, self._new_participant()
        table.post(self._participant, hello)

    def _refuse(self, id_: int | None, error: ForetellError) -> None:
        refusal = p.Refusal(id=id_, error=error_message(error, self._participant.language))
        self._participant.answer(refusal)

    def _new_participant(self) -> SocketParticipant:
        return SocketParticipant(self._deliver, lambda message: self._deliver(p.write(message)))

    def leave_table(self) -> None:
        if self._table is not None:
            self._participant.disconnect()
            self._table.post(self._participant, Disconnected())
            self._table = None
