"""Reviews of finished games: the coach goes through every choice, which takes from seconds to a minute.

Anyone who knows a finished game's address may ask for its review, so a review must cost the host little.  One review is
made at a time, and one choice at a time in a bot's thread, so that the bots of other tables get their turns.  Only so
many reviews may wait, and one that nobody asks for any more is given up.  A client asks again to learn how far its
review is, and to get it once it is ready.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from foretell.coach.review import Judged, SeatReview, choices_of, judged, summed_up
from foretell.engine import Action, Game, view
from foretell.errors import NotAllowed
from foretell.server.bot_threads import BotThreads, Thinking
from foretell.server.game.finished import FinishedGame
from foretell.server.game.live_game import DealingOf, resumed
from foretell.server.logs import log
from foretell.server.metrics import Metrics
from foretell.server.wire import protocol as p

__all__ = ["Reviews"]

WORLDS = 200
WORST = 3
MOST_WAITING = 16
MOST_KEPT = 32  # a review is about 100 kB
FORGOTTEN = 10.0  # seconds without being asked for


@dataclass(slots=True)
class _Work:
    """A review that is being made, or waits for its turn."""

    game: FinishedGame
    asked: float
    done: int = 0
    found: list[Judged] = field(default_factory=list)
    mistakes: dict[tuple[int, str], Game] = field(default_factory=dict)  # the game before each


class Reviews:
    """All reviews of a process."""

    def __init__(
        self,
        *,
        has_coach: bool,
        bot_threads: BotThreads,
        dealing: DealingOf,
        metrics: Metrics,
        forgotten: float = FORGOTTEN,
    ) -> None:
        self._has_coach = has_coach
        self._bot_threads = bot_threads
        self._dealing = dealing
        self._metrics = metrics
        self._forgotten = forgotten
        self._works: OrderedDict[str, _Work] = OrderedDict()  # the first is being made
        # None: the coach failed.
        self._kept: OrderedDict[str, p.GameReview | None] = OrderedDict()
        self._making: asyncio.Task[None] | None = None

    async def ask(self, game: str, load: Callable[[], Awaitable[FinishedGame]]) -> p.GameReview:
        """The review, or how far it is; `load` reads the game when it is asked for the first time."""
        if not self._has_coach:
            raise NotAllowed("no_coach")
        if game in self._kept:
            self._kept.move_to_end(game)
            found = self._kept[game]
            if found is None:
                raise NotAllowed("server_failed")
            return found
        if game not in self._works:
            loaded = await load()
            self._forget()
            if len(self._works) >= MOST_WAITING:
                raise NotAllowed("reviews_busy")
            self._works.setdefault(game, _Work(loaded, 0.0))
        work = self._works[game]
        work.asked = time.monotonic()
        if self._making is None or self._making.done():
            self._making = asyncio.ensure_future(self._make())
        ahead = list(self._works).index(game)
        return p.GameReview(game=game, done=work.done, total=len(work.game.log), ahead=ahead)

    async def close(self) -> None:
        if self._making is not None:
            self._making.cancel()
            await asyncio.gather(self._making, return_exceptions=True)

    def _forget(self) -> None:
        """Drops waiting reviews that nobody asks for any more.  The first one is being made: `_review` gives it up."""
        for game, work in list(self._works.items())[1:]:
            if self._is_forgotten(work):
                del self._works[game]

    def _is_forgotten(self, work: _Work) -> bool:
        return time.monotonic() - work.asked > self._forgotten

    async def _make(self) -> None:
        while self._works:
            game, work = next(iter(self._works.items()))
            try:
                if not self._is_forgotten(work):
                    found = await self._review(work)
                    if found is not None:
                        self._keep(game, found)
            except Exception as error:
                self._metrics.failures.inc()
                log.error("review failed", game=game, error=type(error).__name__)
                self._keep(game, None)
            finally:
                del self._works[game]

    def _keep(self, game: str, found: p.GameReview | None) -> None:
        self._kept[game] = found
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    async def _review(self, work: _Work) -> p.GameReview | None:
        """The review; None where nobody asks for it any more."""
        run = partial(self._bot_threads.run, f"review {work.game.id}", Thinking.REVIEW)
        replayed = await run(lambda: resumed(work.game.row, work.game.log, self._dealing))
        choices = choices_of(replayed.game)
        while await run(lambda: _one_more(work, choices)):
            if self._is_forgotten(work):
                return None
        found: p.GameReview = await run(lambda: _told(replayed.game, work))
        return found


def _one_more(work: _Work, choices: Iterator[tuple[Game, int, Action]]) -> bool:
    """Judges the next choice; False where there is none left."""
    following = next(choices, None)
    if following is None:
        return False
    before, seat, chosen = following
    one = judged(before, seat, chosen, WORLDS)
    if one is not None:
        work.found.append(one)
        if one.cost > 0:
            work.mistakes[one.seat, one.decision] = before
    work.done += 1
    return True


def _told(game: Game, work: _Work) -> p.GameReview:
    found = summed_up(game, work.found, WORLDS, WORST)
    review = p.Review(
        worlds=found.worlds,
        seats=tuple(_seat(one, work) for one in found.seats),
        choices=tuple(map(_choice, found.choices)),
    )
    return p.GameReview(
        game=work.game.id, done=work.done, total=len(work.game.log), ahead=0, review=review
    )


def _seat(one: SeatReview, work: _Work) -> p.SeatReview:
    return p.SeatReview(
        seat=one.seat,
        points=one.points,
        cards=round(one.cards, 1),
        mistakes=round(one.mistakes, 1),
        fortune=round(one.fortune, 1),
        luck=round(one.luck, 1),
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
    )
