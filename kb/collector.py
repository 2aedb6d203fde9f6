"""The garbage collector where records are made by the thousand."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def patient_collector() -> Iterator[None]:
    """Garbage is collected rarely: records make many objects and few cycles, and looking for those takes a third of
    the time, or most of it where a process keeps to Python's own thresholds."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 50, 1_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
