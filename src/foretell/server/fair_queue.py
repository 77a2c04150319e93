"""A queue that is fair: owners take turns, urgent work comes first, and nothing waits for ever.

An owner is whatever must not take the place of others, such as a table.  Work has a class of urgency, and 0 is the most
urgent.  Within a class the owners take turns, however much work each of them has.  Of every few turns, one goes to the
work of a less urgent class that has waited longest.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

__all__ = ["FairQueue", "Job"]

_SHARE = 8  # of so many turns, one goes to less urgent work
_MOST_OF_ONE = 16  # jobs of one owner that may wait in one class


class Job:
    """Work that waits for its turn.  `since` is when it began to wait."""

    __slots__ = ("_work", "owner", "since", "urgency")

    def __init__(self, owner: str, urgency: int, work: Callable[[], Any], since: float) -> None:
        self.owner, self.urgency, self.since = owner, urgency, since
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
    """Jobs by class and owner.  It is not safe to use from several threads without a lock."""

    def __init__(self, classes: int) -> None:
        # For each class, its owners with their jobs.  The first owner is the next to get a turn.
        self._classes: list[OrderedDict[str, deque[Job]]] = [OrderedDict() for _ in range(classes)]
        self._turn = 0

    def __len__(self) -> int:
        return sum(len(jobs) for owners in self._classes for jobs in owners.values())

    def put(self, job: Job) -> bool:
        """Adds a job; False if its owner has too many waiting already."""
        jobs = self._classes[job.urgency].setdefault(job.owner, deque())
        if len(jobs) >= _MOST_OF_ONE:
            return False
        jobs.append(job)
        return True

    def remove(self, job: Job) -> bool:
        """Removes a job; False if it does not wait any more."""
        owners = self._classes[job.urgency]
        jobs = owners.get(job.owner)
        if jobs is None or job not in jobs:
            return False
        jobs.remove(job)
        job.taken()
        if not jobs:
            del owners[job.owner]
        return True

    def hurry(self, owner: str, urgency: int) -> None:
        """Moves this owner's less urgent jobs to a more urgent class."""
        for owners in self._classes[urgency + 1 :]:
            for job in owners.pop(owner, ()):
                job.urgency = urgency
                self._classes[urgency].setdefault(owner, deque()).append(job)

    def take(self, least_urgent: int | None = None) -> Job | None:
        """The next job, if there is one of class `least_urgent` or a more urgent one."""
        classes = self._classes if least_urgent is None else self._classes[: least_urgent + 1]
        waiting = [owners for owners in classes if owners]
        if not waiting:
            return None
        self._turn += 1
        owners = waiting[0]
        if len(waiting) > 1 and self._turn % _SHARE == 0:
            owners = min(waiting[1:], key=_waits_since)
        owner, jobs = owners.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            owners[owner] = jobs  # behind all other owners
        return job


def _waits_since(owners: OrderedDict[str, deque[Job]]) -> float:
    return next(iter(owners.values()))[0].since
