"""Work spread over the machine's cores, with the same answers in the same order."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

J = TypeVar("J")
R = TypeVar("R")

MOST = 4
"""Processes that are started at most: every one holds syntax trees."""
AT_ONCE = 8
"""Jobs that go to a process in one parcel."""


def spread(work: Callable[[J], R], jobs: Iterable[J]) -> list[R]:
    """What the work makes of each job; both travel to other processes and back.

    Where no process can be started, or one is ended from outside, the work is done here.
    """
    jobs = list(jobs)
    count = min(cores(), MOST, len(jobs))
    if count < 2 or multiprocessing.current_process().daemon:
        return list(map(work, jobs))
    try:
        with ProcessPoolExecutor(count, initializer=gc.disable) as pool:
            return list(pool.map(work, jobs, chunksize=AT_ONCE))
    except (BrokenProcessPool, OSError):
        return list(map(work, jobs))


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
