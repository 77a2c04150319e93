"""Someone who tries everything that the protocol allows, in order to see more cards than one seat may see.

The attacker has one network address, and any number of tabs, names and HTTP requests.  Some tabs belong to a browser,
which sends its key; others are programs that send none.  `views` has everything that the attacker was ever shown.
"""

import asyncio
import contextlib
from collections import defaultdict
from random import Random

from foretell.client import Connection, ConnectionLost, Remote
from foretell.engine import View
from foretell.errors import NotAllowed
from foretell.server.wire import protocol as p

BROWSER = "the-key-of-this-browser"


class Tab:
    """One connection of the attacker to the table."""

    def __init__(self, attacker: "Attacker", connection: Connection) -> None:
        self._attacker, self._connection = attacker, connection
        self.seat: int | None = None
        self.next_seat: int | None = None
        self.newest: View | None = None
        self.table: p.Table | None = None
        self.coached = 0
        self._answers: dict[int, asyncio.Future[p.FromServer]] = {}
        self._id = 0
        self._listening = asyncio.ensure_future(self._listen())

    async def ask(self, message: p.FromClient) -> p.FromServer:
        """Sends a message and waits for its answer, which may be a refusal."""
        self._id += 1
        message.id = self._id
        answer = self._answers[self._id] = asyncio.get_running_loop().create_future()
        await self._connection.send(message)
        return await asyncio.wait_for(answer, 10)

    async def _listen(self) -> None:
        with contextlib.suppress(ConnectionLost):
            while True:
                message = await self._connection.receive()
                self._note(message)
                answer = self._answers.pop(getattr(message, "id", None) or 0, None)
                if answer is not None and not answer.done():
                    answer.set_result(message)

    def _note(self, message: p.FromServer) -> None:
        match message:
            case p.Welcome():
                self.seat, self.next_seat = message.seat, message.next_seat
                self.table = message.table
                if message.snapshot is not None:
                    self._see(message.snapshot)
            case p.TableChanged():
                self.seat, self.next_seat = message.seat, message.next_seat
                self.table = message.table
            case p.Snapshot():
                self._see(message)
            case p.Seated():
                self._attacker.tokens.append(message.token)
            case p.Coach():
                self.coached += bool(message.advice)

    def _see(self, snapshot: p.Snapshot) -> None:
        self.newest = snapshot.view
        self._attacker.views.append((snapshot.game, snapshot.view))

    async def close(self) -> None:
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        await self._connection.close()


class Attacker:
    """One person behind one address, at one table."""

    def __init__(self, remote: Remote, table: str) -> None:
        self._remote, self._table = remote, table
        self.tokens: list[str] = []
        self.tabs: list[Tab] = []
        self.views: list[tuple[str, View]] = []

    async def open(self, token: str | None = None, *, key: str | None = BROWSER) -> Tab | None:
        """A new tab; None if the table does not let it in."""
        tab = Tab(self, await self._remote.connect())
        hello = p.Hello(version=p.VERSION, table=self._table, token=token, name="Eve", key=key)
        if isinstance(await tab.ask(hello), p.Refusal):
            await tab.close()
            return None
        self.tabs.append(tab)
        return tab

    async def join(self, seat: int | None = None, *, key: str | None = BROWSER) -> str | None:
        """Takes a seat by HTTP and returns its token; None if that is refused."""
        try:
            found = await self._remote.join(self._table, p.Join(name="Eve", seat=seat, key=key))
        except NotAllowed:
            return None
        self.tokens.append(found.token)
        return found.token

    async def close(self, tab: Tab) -> None:
        self.tabs.remove(tab)
        await tab.close()

    async def close_all(self) -> None:
        for tab in tuple(self.tabs):
            await self.close(tab)

    def seats_seen(self) -> dict[tuple[str, int], set[int]]:
        """For each round of each game: the seats through whose eyes the attacker saw it while it was played."""
        found: dict[tuple[str, int], set[int]] = defaultdict(set)
        for game, view in self.views:
            if (
                view.now is not None
                and view.seat is not None
                and view.phase not in ("deal", "over")
            ):
                found[game, view.now.number].add(view.seat)
        return dict(found)

    async def try_something(self, random: Random, seats: int) -> None:
        """One random thing: a new tab, a seat by socket or HTTP, leaving, coming back, acting, asking the coach."""
        key = random.choice((BROWSER, BROWSER, None, f"another-browser-{random.randrange(3)}"))
        seat = random.choice((None, *range(seats)))
        tab = random.choice(self.tabs) if self.tabs else None
        if tab is None or random.random() < 0.15:
            token = random.choice((None, *self.tokens)) if self.tokens else None
            await self.open(token, key=key)
            return
        seen = tab.newest
        if seen is not None and seen.decision is not None and random.random() < 0.6:
            chosen = str(random.choice(seen.legal))
            await tab.ask(p.Act(decision=seen.decision, action=chosen))
            return
        match random.randrange(8):
            case 0 | 1:
                await tab.ask(p.TakeSeat(name=random.choice(("Eve", "Mallory")), seat=seat))
            case 2:
                await self.join(seat, key=key)
            case 3 | 4:
                await tab.ask(p.Leave())
            case 5:
                await self.close(tab)
            case 6:
                awaited = "1:bid:0" if seen is None else seen.decision or "1:bid:0"
                await tab.ask(p.AskCoach(decision=awaited))
            case _:
                choices: list[p.FromClient] = [
                    p.Away(),
                    p.Back(),
                    p.Away(seat=seat),
                    p.Sit(seat=seat or 0),
                    p.Fill(seat=seat or 0, level="random"),
                    p.Remove(seat=seat or 0),
                    p.AnswerRequest(request=1, is_admitted=True),
                    p.AllowBack(name="Eve"),
                    p.PassHost(seat=seat or 0),
                ]
                await tab.ask(random.choice(choices))
