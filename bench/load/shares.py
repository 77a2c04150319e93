"""Limits a process to a share of a core, as if its machine were slower.  Needs Linux and root.

With it, two servers need less than the cores that are here, so that they and not the machine are the bottleneck.
Stopping and continuing a process from outside would also limit it, but it would spoil every waiting time.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

__all__ = ["Unavailable", "limited"]

_ROOT = Path("/sys/fs/cgroup")
_PERIOD = 10_000  # microseconds: so short that a pause is hardly longer than a move takes


class Unavailable(Exception):
    """This machine does not let us limit processes."""


@contextlib.contextmanager
def limited(pid: int, share: float) -> Iterator[None]:
    """Gives a process, with its threads, so much of one core and no more."""
    group = None
    try:
        group = _new_group(f"foretell-{os.getpid()}-{pid}", round(share * _PERIOD))
        (group / "cgroup.procs").write_text(str(pid))
    except OSError as error:
        if group is not None:
            _remove(group)
        raise Unavailable(f"no control group for CPU time can be made here: {error}") from error
    try:
        yield
    finally:
        _remove(group)


def _new_group(name: str, quota: int) -> Path:
    if (_ROOT / "cpu" / "cpu.cfs_quota_us").exists():  # version 1
        group = _ROOT / "cpu" / name
        group.mkdir()
        (group / "cpu.cfs_period_us").write_text(str(_PERIOD))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
        return group
    (_ROOT / "cgroup.subtree_control").write_text("+cpu")
    group = _ROOT / name
    group.mkdir()
    (group / "cpu.max").write_text(f"{quota} {_PERIOD}")
    return group


def _remove(group: Path) -> None:
    """It is removed once the kernel has noticed that the process has ended, or been moved out of it."""
    for _ in range(100):
        with contextlib.suppress(OSError):
            for pid in (group / "cgroup.procs").read_text().split():
                (group.parent / "cgroup.procs").write_text(pid)
            group.rmdir()
            return
        time.sleep(0.05)
