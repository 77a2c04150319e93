"""A game on a server, in the terminal: sits down at a table by its link, and plays to the end of the game.

The connection lives in a thread of its own.  So it answers the server while this thread waits for the keyboard.
"""

import asyncio
import contextlib
import queue
import secrets
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from foretell.client import ConnectionLost, Player, RefusedByTable, Remote
from foretell.engine import Action, View
from foretell.errors import NotAllowed
from foretell.i18n import Catalogue, plainly_typed
from foretell.server.wire import protocol as p
from foretell.terminal.lines import Left, Lines
from foretell.terminal.table_talk import TableTalk
from foretell.terminal.wrapping import wrapped

__all__ = ["play_together"]

T = TypeVar("T")
_LOOK_EVERY = 0.1  # seconds, for news and typed lines


def play_together(
    link: str,
    name: str,
    texts: Catalogue,
    read_line: Callable[[], str],
    show: Callable[[str], None],
) -> None:
    """Plays one game at the table behind a link such as http://host:8000/#/t/ABCDEF; raises Left if the person quits.

    `read_line` waits for a line from the keyboard, and raises EOFError when there will be no more.
    """
    address, code = _parts(link)
    with _Background() as background:
        talk = TableTalk(texts)
        seat = _SeatAtTerminal(background, talk, texts, read_line, show)
        lines = Lines(texts, seat.ask, show)

        def hear(message: p.FromServer) -> None:
            talk.hear(message)
            lines.hear(message)

        key = secrets.token_urlsafe(24)
        remote = Remote(address)
        player = Player(remote, code, name=name, key=key, on_message=hear)
        try:
            # A player would try again and again to reach a server that is not there.
            background.run(remote.ask("GET", f"/api/tables/{quote(code)}", None, p.Table))
            seat.sit(player, name)
            loop = asyncio.new_event_loop()
            with contextlib.closing(loop):
                loop.run_until_complete(lines.play(seat))  # type: ignore[arg-type]
        except ConnectionLost as lost:
            raise NotAllowed("not_reached", address=address) from lost
        except RefusedByTable as refused:
            raise NotAllowed("refused_by_table", why=refused.error.sentence) from refused
        finally:
            background.run(player.close())


def _parts(link: str) -> tuple[str, str]:
    """The address of the server, and the code of the table."""
    found = urlsplit(link if "://" in link else f"http://{link}")
    code = found.fragment.rpartition("/")[2].partition("?")[0]
    if not found.netloc or not code:
        raise NotAllowed("not_a_link", link=link)
    return f"{found.scheme}://{found.netloc}", code


class _Background:
    """An event loop in a thread.  `run` waits for a result there; Ctrl-C still reaches this thread."""

    def __enter__(self) -> "_Background":
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def start(self, work: Coroutine[Any, Any, T]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        found: T = self.start(work).result()
        return found

    def __exit__(self, *_error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class _SeatAtTerminal:
    """The player as `Lines` uses one, and the keyboard.  While the player waits, news are shown and commands obeyed."""

    def __init__(
        self,
        background: _Background,
        talk: TableTalk,
        texts: Catalogue,
        read_line: Callable[[], str],
        show: Callable[[str], None],
    ) -> None:
        self._background, self._talk, self._texts, self._show = background, talk, texts, show
        self._leaving = {"quit", "exit", "q", plainly_typed(texts.say("play.word.quit"))}
        self._typed: queue.Queue[str | None] = queue.Queue()
        self._player: Player
        threading.Thread(target=self._read, args=(read_line,), daemon=True).start()

    def _read(self, read_line: Callable[[], str]) -> None:
        with contextlib.suppress(EOFError, KeyboardInterrupt):
            while True:
                self._typed.put(read_line())
        self._typed.put(None)  # there will be no more lines

    def sit(self, player: Player, name: str) -> None:
        """Connects and takes a seat, and waits until it is active."""
        self._player = player
        self._background.run(player.__aenter__())
        self._background.run(player.ask(p.TakeSeat(name=name)))
        self._wait_until(lambda: player.seat is not None or not self._is_waiting)
        if player.seat is None:
            raise Left
        if player.table is not None and player.table.phase == "gathering":
            self._background.run(player.ask(p.Ready()))
            self._show(self._texts.say("talk.ready"))

    @property
    def _is_waiting(self) -> bool:
        return self._player.request is not None or self._player.next_seat is not None

    # As `Lines` uses a player

    @property
    def view(self) -> View | None:
        return self._player.view

    async def turn(self) -> View | None:
        waiting = self._background.start(self._player.turn())
        self._wait_until(waiting.done)
        found: View | None = waiting.result()
        return found

    async def act(self, chosen: Action | str, decision: str | None = None) -> None:
        self._background.run(self._player.act(chosen, decision))

    # The keyboard

    def ask(self, question: str) -> str:
        """A line that answers the question.  Commands to the table are obeyed, and the question stays."""
        while True:
            self._tell()
            self._show(f"{question} >")
            typed = self._typed.get()
            if typed is None:
                raise Left
            if not self._obey(typed):
                return typed

    def _wait_until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            self._tell()
            with contextlib.suppress(queue.Empty):
                typed = self._typed.get(timeout=_LOOK_EVERY)
                if typed is None or plainly_typed(typed) in self._leaving:
                    self._leave()
                elif not self._obey(typed):
                    self._show(wrapped(self._texts.say("talk.help")))
        self._tell()

    def _leave(self) -> None:
        with contextlib.suppress(RefusedByTable, ConnectionLost):
            self._background.run(self._player.ask(p.Leave()))
        raise Left

    def _tell(self) -> None:
        self._talk.notice_late()
        while self._talk.news:
            self._show(self._talk.news.popleft())
        if self._talk.is_removed:
            raise Left

    def _obey(self, typed: str) -> bool:
        """Carries out a command; False if the line is none."""
        message = self._talk.command(typed)
        if message is None:
            return False
        try:
            self._background.run(self._player.ask(message))
        except RefusedByTable as refused:
            self._show(f"  {refused.error.sentence}")
        return True
