"""Reviews of finished games: the coach goes through every choice, which takes from seconds to a minute.

Anyone who knows a finished game's address may ask for its review, so a review must cost the host little.  One review is
made at a time, and one choice at a time in a bot's thread, so that the bots of other tables get their turns.  Only so
many reviews may wait, only one for each address, and one that nobody asks for any more is given up.  A review is made
once: it is stored.  A client asks again to learn how far its review is, and to get it once it is ready.

A client may also send a record and ask for its review.  The same limits hold, but nothing is stored: such a review is
only kept in memory, among the last ones.
"""

import asyncio
import math
import time
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

import msgspec

from foretell.coach.review import WORLDS as USUAL_WORLDS
from foretell.coach.review import Judged, SeatReview, choices_of, judged, summed_up
from foretell.engine import Game, view
from foretell.engine.codec import decoded
from foretell.errors import NotAllowed
from foretell.server.game.finished import PlayedGame
from foretell.server.logs import log
from foretell.server.metrics import Metrics
from foretell.server.store.interface import Store
from foretell.server.thinking import Thinkers, Thinking
from foretell.server.wire import protocol as p

__all__ = ["Reviews"]

WORLDS = USUAL_WORLDS
WORST = 3
MOST_WAITING = 16
MOST_KEPT = 32  # in memory: a review is about 100 kB
FORGOTTEN = 10.0  # seconds without being asked for
SWITCHED = (
    3.0  # seconds without being asked for by one address, after which it may ask for another review
)

_STORED: msgspec.json.Decoder[p.GameReview] = msgspec.json.Decoder(p.GameReview, dec_hook=decoded)


@dataclass(slots=True)
class _Work:
    """A review that is being made, or waits for its turn.

    `askers` has the addresses that wait for it, and when each of them last asked.
    """

    game: PlayedGame
    askers: dict[str, float] = field(default_factory=dict)
    done: int = 0
    found: list[Judged] = field(default_factory=list)
    mistakes: dict[tuple[int, str], Game] = field(default_factory=dict)  # the game before each

    @property
    def total(self) -> int:
        """The number of actions in the game."""
        return sum(map(len, self.game.rounds))


class Reviews:
    """All reviews of a process."""

    def __init__(
        self,
        *,
        has_coach: bool,
        store: Store,
        now: Callable[[], float] = time.time,
        bot_threads: Thinkers,
        metrics: Metrics,
        forgotten: float = FORGOTTEN,
    ) -> None:
        self._has_coach = has_coach
        self._store, self._now = store, now
        self._bot_threads = bot_threads
        self._metrics = metrics
        self._forgotten = forgotten
        self._works: OrderedDict[str, _Work] = OrderedDict()  # the first is being made
        # None: the coach failed.  An error: it could not think then, and may be asked again.
        self._kept: OrderedDict[str, p.GameReview | NotAllowed | None] = OrderedDict()
        self._making: asyncio.Task[None] | None = None

    async def ask(
        self, game: str, load: Callable[[], Awaitable[PlayedGame]], address: str
    ) -> p.GameReview:
        """The review, or how far it is; `load` reads the game when it is asked for the first time.

        `game` is the id of a game, or any other name for a record that is not in the store.  An address that waits for
        the review of another game is refused.
        """
        if not self._has_coach:
            raise NotAllowed("no_coach")
        if game in self._kept:
            self._kept.move_to_end(game)
            found = self._kept[game]
            if found is None:
                raise NotAllowed("server_failed")
            if isinstance(found, NotAllowed):
                del self._kept[game]
                raise found
            return found
        if game not in self._works:
            stored = await self._stored(game)
            if stored is not None:
                self._keep(game, stored)
                return stored
            loaded = await load()
            self._leave_others(game, address)
            self._forget()
            if len(self._works) >= MOST_WAITING:
                raise NotAllowed("reviews_busy")
            self._works.setdefault(game, _Work(loaded))
        work = self._works[game]
        work.askers[address] = time.monotonic()
        if self._making is None or self._making.done():
            self._making = asyncio.ensure_future(self._make())
        ahead = list(self._works).index(game)
        return p.GameReview(game=work.game.id, done=work.done, total=work.total, ahead=ahead)

    def is_ready(self, game: str) -> bool:
        """Whether this process has the review in memory."""
        return game in self._kept

    async def close(self) -> None:
        if self._making is not None:
            self._making.cancel()
            await asyncio.gather(self._making, return_exceptions=True)

    async def _stored(self, game: str) -> p.GameReview | None:
        packed = await self._store.review(game)
        if packed is None:
            return None
        try:
            return await asyncio.to_thread(lambda: _STORED.decode(zlib.decompress(packed)))
        except (msgspec.MsgspecError, zlib.error, ValueError) as error:
            # Perhaps it was stored by another version.  It is made again.
            log.error("stored review unreadable", game=game, error=type(error).__name__)
            return None

    def _leave_others(self, game: str, address: str) -> None:
        """Lets an address that no longer asks for its other review wait for this one; refuses one that still does."""
        now = time.monotonic()
        for other, work in self._works.items():
            if other == game:
                continue
            if now - work.askers.get(address, -math.inf) < SWITCHED:
                raise NotAllowed("review_waiting")
            work.askers.pop(address, None)

    def _forget(self) -> None:
        """Drops waiting reviews that nobody asks for any more.  The first one is being made: `_review` gives it up."""
        for game, work in list(self._works.items())[1:]:
            if self._is_forgotten(work):
                del self._works[game]

    def _is_forgotten(self, work: _Work) -> bool:
        work.askers = {
            address: asked
            for address, asked in work.askers.items()
            if time.monotonic() - asked <= self._forgotten
        }
        return not work.askers

    async def _make(self) -> None:
        while self._works:
            game, work = next(iter(self._works.items()))
            try:
                if not self._is_forgotten(work):
                    found = await self._review(work)
                    if found is not None:
                        self._keep(game, found)
                        if found.game:
                            await self._save(found)
            except NotAllowed as error:
                self._keep(game, error)
            except Exception as error:
                self._metrics.failures.inc()
                log.error("review failed", game=game, error=type(error).__name__)
                self._keep(game, None)
            finally:
                del self._works[game]

    async def _save(self, found: p.GameReview) -> None:
        try:
            packed = await asyncio.to_thread(lambda: zlib.compress(p.write(found)))
            await self._store.save_review(found.game, packed, self._now())
        except Exception as error:  # it is in memory, and can be made again
            log.error("review not stored", game=found.game, error=type(error).__name__)

    def _keep(self, game: str, found: p.GameReview | NotAllowed | None) -> None:
        self._kept[game] = found
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    async def _review(self, work: _Work) -> p.GameReview | None:
        """The review; None where nobody asks for it any more."""
        run = partial(self._bot_threads.run, f"review {work.game.id}", Thinking.REVIEW)
        for before, seat, chosen in choices_of(work.game.game):
            one: Judged | None = await run(partial(judged, before, seat, chosen, WORLDS))
            if one is not None:
                work.found.append(one)
                if one.cost > 0:
                    work.mistakes[one.seat, one.decision] = before
            work.done += 1
            if self._is_forgotten(work):
                return None
        found: p.GameReview = await run(partial(_told, work.game.game, work))
        return found


def _told(game: Game, work: _Work) -> p.GameReview:
    found = summed_up(game, work.found, WORLDS, WORST)
    review = p.Review(
        worlds=found.worlds,
        seats=tuple(_seat(one, work) for one in found.seats),
        choices=tuple(map(_choice, found.choices)),
    )
    return p.GameReview(
        game=work.game.id,
        done=work.done,
        total=work.total,
        ahead=0,
        review=review,
    )


def _seat(one: SeatReview, work: _Work) -> p.SeatReview:
    return p.SeatReview(
        seat=one.seat,
        points=one.points,
        cards=round(one.cards, 1),
        cards_error=round(one.cards_error, 1),
        mistakes=round(one.mistakes, 1),
        mistakes_error=round(one.mistakes_error, 1),
        fortune=round(one.fortune, 1),
        luck=round(one.luck, 1),
        luck_error=round(one.luck_error, 1),
        by_bids=round(one.by_bids, 1),
        by_plays=round(one.by_plays, 1),
        choices=one.choices,
        worst=tuple(
            p.Mistake(
                choice=_choice(bad),
                view=view(work.mistakes[bad.seat, bad.decision], bad.seat),
            )
            for bad in one.worst
        ),
    )


def _choice(one: Judged) -> p.ReviewedChoice:
    return p.ReviewedChoice(
        round=one.round,
        decision=one.decision,
        seat=one.seat,
        action=one.action,
        best=one.best,
        points=round(one.points, 1),
        best_points=round(one.best_points, 1),
        cost=round(one.cost, 1),
        cost_error=round(one.cost_error, 1),
    )
