"""The coach's advice during a game.  The coach thinks in a bot's thread, and the table does not wait for it."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Protocol

from foretell.coach import odds
from foretell.engine import View
from foretell.errors import NotAllowed
from foretell.server.coach.advice_cache import AdviceCache
from foretell.server.thinking import Thinkers, Thinking
from foretell.server.wire import protocol as p

__all__ = ["Adviser", "OddsCoach", "ask_coach"]

_thread_time = getattr(time, "thread_time", time.perf_counter)  # a browser's Python has no threads


class Adviser(Protocol):
    """A coach, as the server needs it: its advice on each legal action."""

    def advise(self, view: View) -> tuple[p.Advice, ...]: ...


class OddsCoach:
    """The odds of `foretell.coach`, in the form of the protocol."""

    def advise(self, view: View) -> tuple[p.Advice, ...]:
        return tuple(
            p.Advice(action=one.action, points=round(one.points, 2), chance=round(one.chance, 4))
            for one in odds(view).options
        )


def ask_coach(
    coach: Adviser,
    seen: View,
    *,
    game: str,
    ask: p.AskCoach,
    answer: Callable[[p.Coach], None],
    refuse: Callable[[NotAllowed], None],
    is_needed: Callable[[], bool],
    bot_threads: Thinkers,
    cache: AdviceCache,
    payer: str | None = None,
    on_thought: Callable[[float], None] = lambda _seconds: None,
) -> None:
    """Calls `answer` as soon as the coach has thought.  The coach sees the player's View and nothing else.

    `refuse` is called where the coach cannot think now, and says why.
    `is_needed` is asked when a thread is free, in that thread.  If the decision has been made by then, there is no
    advice.
    `on_thought` is called with the seconds of processor time that it took, unless the advice was there already.
    """
    assert seen.seat is not None

    def tell(done: "asyncio.Future[tuple[p.Advice, ...]]") -> None:
        if done.cancelled():
            return
        problem = done.exception()
        if isinstance(problem, NotAllowed):
            refuse(problem)
            return
        advice = () if problem else done.result()
        best = max(advice, key=lambda one: one.points or 0.0, default=None)
        answer(
            p.Coach(
                id=ask.id,
                decision=ask.decision,
                is_available=bool(advice),
                advice=advice,
                best=None if best is None else best.action,
            )
        )

    async def think() -> tuple[p.Advice, ...]:
        found: tuple[p.Advice, ...]
        found, seconds = await bot_threads.run(
            f"advice {game}", Thinking.ADVICE, partial(_timed, coach, seen), is_needed, payer=payer
        )
        on_thought(seconds)
        return found

    thought = cache.ask((game, ask.decision, seen.seat), think)
    thought.add_done_callback(tell)


def _timed(coach: Adviser, seen: View) -> tuple[tuple[p.Advice, ...], float]:
    begun = _thread_time()
    return coach.advise(seen), _thread_time() - begun
