"""A queue that is fair: payers take turns, urgent work comes first, and nothing waits for ever.

Work belongs to a table, or to something else that must not take the place of others, such as a review.  It is done for
a payer: the network address that caused it, or the table itself if no address is known.  Work has a class of urgency,
and 0 is the most urgent.  Within a class the payers take turns, and so do the tables of one payer, however much work
each of them has.  Of every few turns, one goes to the work of a less urgent class that has waited longest.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

__all__ = ["FairQueue", "Job"]

_SHARE = 8  # of so many turns, one goes to less urgent work
_MOST_OF_ONE = 16  # jobs of one table that may wait in one class

# The tables of one payer with their jobs, and the payers of one class.  The first of each is the next to get a turn.
_Tables = OrderedDict[str, deque["Job"]]
_Payers = OrderedDict[str, _Tables]


class Job:
    """Work that waits for its turn.  `since` is when it began to wait."""

    __slots__ = ("_work", "payer", "since", "table", "urgency")

    def __init__(
        self,
        table: str,
        urgency: int,
        work: Callable[[], Any],
        since: float,
        *,
        payer: str | None = None,
    ) -> None:
        self.table, self.urgency, self.since = table, urgency, since
        self.payer = payer or table
        self._work: Callable[[], Any] | None = work

    def taken(self) -> Callable[[], Any]:
        """The work, which the job then forgets.

        The work often refers to something that refers to the job.  Without this cycle, all of it is freed without
        garbage collection, which rarely runs on a server.
        """
        work, self._work = self._work, None
        assert work is not None
        return work


class FairQueue:
    """Jobs by class, payer and table.  It is not safe to use from several threads without a lock."""

    def __init__(self, classes: int) -> None:
        self._classes: list[_Payers] = [OrderedDict() for _ in range(classes)]
        self._turn = 0

    def __len__(self) -> int:
        return sum(
            len(jobs)
            for payers in self._classes
            for tables in payers.values()
            for jobs in tables.values()
        )

    def put(self, job: Job) -> bool:
        """Adds a job; False if its table has too many waiting already."""
        jobs = self._jobs(job)
        if len(jobs) >= _MOST_OF_ONE:
            return False
        jobs.append(job)
        return True

    def _jobs(self, job: Job) -> deque[Job]:
        """The jobs among which this one waits, or is to wait."""
        tables = self._classes[job.urgency].setdefault(job.payer, OrderedDict())
        return tables.setdefault(job.table, deque())

    def remove(self, job: Job) -> bool:
        """Removes a job; False if it does not wait any more."""
        payers = self._classes[job.urgency]
        tables = payers.get(job.payer)
        jobs = None if tables is None else tables.get(job.table)
        if tables is None or jobs is None or job not in jobs:
            return False
        jobs.remove(job)
        job.taken()
        if not jobs:
            del tables[job.table]
        if not tables:
            del payers[job.payer]
        return True

    def hurry(self, table: str, urgency: int, payer: str | None = None) -> None:
        """Moves this table's less urgent jobs to a more urgent class, where `payer` pays for them from now on."""
        for payers in self._classes[urgency + 1 :]:
            for former in list(payers):
                for job in payers[former].pop(table, ()):
                    job.urgency = urgency
                    job.payer = payer or job.payer
                    self._jobs(job).append(job)
                if not payers[former]:
                    del payers[former]

    def take(self, least_urgent: int | None = None) -> Job | None:
        """The next job, if there is one of class `least_urgent` or a more urgent one."""
        classes = self._classes if least_urgent is None else self._classes[: least_urgent + 1]
        waiting = [payers for payers in classes if payers]
        if not waiting:
            return None
        self._turn += 1
        payers = waiting[0]
        if len(waiting) > 1 and self._turn % _SHARE == 0:
            payers = min(waiting[1:], key=_waits_since)
        payer, tables = payers.popitem(last=False)
        table, jobs = tables.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            tables[table] = jobs  # behind the payer's other tables
        if tables:
            payers[payer] = tables  # behind all other payers
        return job


def _waits_since(payers: _Payers) -> float:
    tables = next(iter(payers.values()))
    return next(iter(tables.values()))[0].since
