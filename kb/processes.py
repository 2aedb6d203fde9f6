"""Work spread over the machine's cores, with the same answers in the same order."""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

J = TypeVar("J")
R = TypeVar("R")

MOST = 4
"""Processes that are started at most: every one holds syntax trees."""
AT_ONCE = 8
"""Jobs that go to a process in one parcel."""


def spread(work: Callable[[J], R], jobs: Iterable[J]) -> list[R]:
    """What the work makes of each job, which comes back from other processes.

    Where no process can be started, another thread runs beside (forking then may never end), or one is ended from
    outside, the work is done here.
    """
    jobs = list(jobs)
    count = min(cores(), MOST, len(jobs))
    if count < 2 or multiprocessing.current_process().daemon or threading.active_count() > 1:
        return list(map(work, jobs))
    try:
        with ProcessPoolExecutor(count, initializer=gc.disable) as pool:
            if not forks():
                return list(pool.map(work, jobs, chunksize=AT_ONCE))
            _inherited[:] = [work, jobs]  # processes that are forked have the jobs already
            return list(pool.map(_numbered, range(len(jobs)), chunksize=AT_ONCE))
    except (BrokenProcessPool, OSError):
        return list(map(work, jobs))
    finally:
        _inherited.clear()


def together(calls: Iterable[Callable[[], R]]) -> list[R]:
    """What each call returns: in forked processes, which have all that this one has, or else here."""
    calls = list(calls)
    return spread(_called, calls) if forks() else list(map(_called, calls))


def _called(call: Callable[[], R]) -> R:
    return call()


def forks() -> bool:
    """Whether a process that is started has what this one has in memory."""
    return multiprocessing.get_start_method() == "fork"


_inherited: list[Any] = []
"""What is to be done and the jobs, while processes are being forked."""


def _numbered(number: int) -> Any:
    work, jobs = _inherited
    return work(jobs[number])


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
