"""What anyone may ask about games: summaries, records, replays and reviews; also of a record that a client sends."""

from functools import partial
from hashlib import sha256

from foretell.server.coach.reviews import Reviews
from foretell.server.game.finished import (
    FinishedGame,
    PlayedGame,
    finished_game,
    played_game,
    posted_game,
    stored_row,
)
from foretell.server.game.replay import replay, summary
from foretell.server.table.services import Services
from foretell.server.wire import protocol as p

__all__ = ["GameRequests"]


class GameRequests:
    """The answers.  It knows nothing of HTTP, and who may ask how often is decided before.

    `sender` is the network address that asks.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self.reviews = Reviews(
            has_coach=services.coach is not None,
            store=services.store,
            now=services.now,
            bot_threads=services.bot_threads,
            metrics=services.metrics,
        )

    async def summary(self, game: str, *, sender: str) -> p.GameSummary:
        row, actions = await stored_row(self._services.store, game)
        work = partial(summary, row, actions, self._services.dealing)
        return await self._services.wakeups.look_up(row.id, work, sender)

    async def finished(self, game: str) -> FinishedGame:
        return await finished_game(self._services.store, game)

    async def replay(self, game: str, number: int, seat: int | None, *, sender: str) -> bytes:
        found = await self.finished(game)

        def work() -> bytes:
            return p.write(replay(played_game(found, self._services.dealing), number, seat))

        return await self._services.wakeups.look_up(found.id, work, sender)

    async def posted_replay(
        self, record: bytes, number: int | None, seat: int | None, *, sender: str
    ) -> bytes:
        """A round of a record.  Nothing is stored: a client sends the record again with every request."""

        def work() -> bytes:
            return p.write(replay(posted_game(record), number, seat))

        return await self._services.wakeups.look_up(_turn_of(sender), work, sender)

    async def review(self, game: str, *, sender: str) -> p.GameReview:
        """The review of a game, or how far it is."""

        async def load() -> PlayedGame:
            found = await self.finished(game)
            work = partial(played_game, found, self._services.dealing)
            return await self._services.wakeups.look_up(found.id, work, sender)

        return await self.reviews.ask(game[:32], load, sender)

    async def posted_review(self, record: bytes, *, sender: str) -> p.GameReview:
        """The review of a record, or how far it is."""

        async def load() -> PlayedGame:
            return await self._services.wakeups.look_up(
                _turn_of(sender), partial(posted_game, record), sender
            )

        return await self.reviews.ask(self.name_of(record), load, sender)

    @staticmethod
    def name_of(record: bytes) -> str:
        """By this name a record that was sent is reviewed; no game has such an id."""
        return f"record {sha256(record).hexdigest()}"


def _turn_of(sender: str) -> str:
    """Whose turn it is among those who have sent a record."""
    return f"records of {sender}"
