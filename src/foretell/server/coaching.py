"""Asking the coach: it thinks in a bot's thread, and the table does not wait for it."""

import asyncio

from foretell.engine import View
from foretell.server import protocol as p
from foretell.server.guests import Guest
from foretell.server.house import Adviser, House

__all__ = ["ask_coach"]


def ask_coach(house: House, coach: Adviser, guest: Guest, ask: p.AskCoach, seen: View) -> None:
    """The answer comes when it is there; from the View alone, as everything does."""

    def tell(done: "asyncio.Future[tuple[p.Advice, ...]]") -> None:
        if done.cancelled():
            return
        advice = () if done.exception() else done.result()
        best = max(advice, key=lambda one: one.points or 0.0, default=None)
        guest.answer(
            p.Coach(
                id=ask.id,
                decision=ask.decision,
                is_available=bool(advice),
                advice=advice,
                best=None if best is None else best.action,
            )
        )

    asyncio.ensure_future(house.thinkers.run(lambda: coach.advise(seen))).add_done_callback(tell)
