"""kb.collector: the collector is patient while records are made, and only then."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from kb.alike import Alike
from kb.collector import patient_collector
from kb.config import read
from kb.library import open_library
from kb.library import read_file as read_one
from kb.reading import Loaded

FIXTURE = Path(__file__).parent / "fixtures" / "base"


def test_thresholds_come_back() -> None:
    """Also when what went on inside failed."""
    before, inside = gc.get_threshold(), []

    def fail() -> None:
        with patient_collector():
            inside.append(gc.get_threshold())
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert inside[0] != before == gc.get_threshold()


def test_a_base_is_read_under_it() -> None:
    """Of a thousand large records Python's own thresholds took three quarters of the time."""
    seen = []

    def read_file(path: Path, shown: str, alike: Alike) -> Loaded:
        seen.append(gc.get_threshold())
        return read_one(path, shown, alike)

    before = gc.get_threshold()
    open_library(read(FIXTURE), read_file)
    assert seen[0] != before == gc.get_threshold()
