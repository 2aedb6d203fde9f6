"""Work spread over the machine's cores, with the same answers in the same order."""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import BaseContext
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
    return list(in_order(work, list(jobs), AT_ONCE, gc.disable))


def in_order(
    work: Callable[[J], R], jobs: Sequence[J], at_once: int = 1, begin: Callable[[], None] | None = None
) -> Iterator[R]:
    """The same one after another, as it comes back; `at_once` jobs go to a process in one parcel, and each process
    begins with `begin`."""
    done = 0
    count = min(cores(), MOST, len(jobs))
    if count > 1 and not multiprocessing.current_process().daemon and threading.active_count() == 1:
        try:
            for each in _elsewhere(work, jobs, count, at_once, begin):
                yield each
                done += 1
        except (BrokenProcessPool, OSError):
            pass  # what is left is done below
    yield from map(work, jobs[done:])


def _elsewhere(
    work: Callable[[J], R], jobs: Sequence[J], count: int, at_once: int, begin: Callable[[], None] | None
) -> Iterator[R]:
    before = _inherited[:]
    gc.freeze()  # what is there stays there: nobody need copy it to look at it
    try:
        with ProcessPoolExecutor(count, mp_context=_context(), initializer=begin) as pool:
            if not forks():
                yield from pool.map(work, jobs, chunksize=at_once)
                return
            _inherited[:] = [work, jobs]  # processes that are forked have the jobs already
            yield from pool.map(_numbered, range(len(jobs)), chunksize=at_once)
    finally:
        gc.unfreeze()
        _inherited[:] = before


def together(calls: Iterable[Callable[[], R]]) -> list[R]:
    """What each call returns: in forked processes, which have all that this one has, or else here."""
    calls = list(calls)
    return spread(_called, calls) if forks() else list(map(_called, calls))


def _called(call: Callable[[], R]) -> R:
    return call()


def forks() -> bool:
    """Whether a process that is started has what this one has in memory."""
    return sys.platform == "linux"


def _context() -> BaseContext:
    """How a process is started: forked where that is safe, whatever Python does when it is not told (3.14 does not)."""
    return multiprocessing.get_context("fork" if forks() else None)


_inherited: list[Any] = []
"""What is to be done and the jobs, while processes are being forked."""


def _numbered(number: int) -> Any:
    work, jobs = _inherited
    return work(jobs[number])


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
