"""Work done ahead in a second process."""

from __future__ import annotations

import os

import pytest

from kb import ahead as module
from kb.ahead import ahead
from kb.errors import RecordError

HERE = os.getpid()
ITEMS = [str(n) for n in range(500)]


@pytest.fixture(autouse=True)
def two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine with two cores, whatever threads the test runner has."""
    monkeypatch.setattr(module, "_can_fork", lambda: True)


def where(item: str) -> tuple[str, int]:
    """The item and the process that did it."""
    return item, os.getpid()


def test_results_come_in_order_from_another_process() -> None:
    """Every item once, in the order given, none of them done here."""
    done = [call() for call in ahead(ITEMS, where)]
    assert [item for item, _ in done] == ITEMS
    assert all(pid != HERE for _, pid in done)


def test_without_a_second_process_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a process cannot be forked the results are the same."""
    monkeypatch.setattr(module, "_can_fork", lambda: False)
    assert [call() for call in ahead(ITEMS, where)] == [(item, HERE) for item in ITEMS]


def test_errors_are_raised_here() -> None:
    """An error that no pickle can carry is raised by the call for its item; the others are not touched."""

    def work(item: str) -> str:
        if item == "3":
            raise RecordError("KB101", "x.md", 1, "not a record")
        return item

    calls = list(ahead(ITEMS[:6], work))
    with pytest.raises(RecordError, match="not a record"):
        calls[3]()
    assert [call() for n, call in enumerate(calls) if n != 3] == ["0", "1", "2", "4", "5"]


def test_a_process_that_dies_is_replaced() -> None:
    """When the second process is killed half-way the rest is done here."""

    def work(item: str) -> str:
        if item == "250" and os.getpid() != HERE:
            os._exit(9)
        return item

    assert [call() for call in ahead(ITEMS, work)] == ITEMS


def test_a_reader_that_leaves_early_ends_the_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results that nobody takes any more do not keep a process alive."""
    started: list[int] = []
    fork = os.fork

    def remembered() -> int:
        started.append(fork())
        return started[-1]

    monkeypatch.setattr(os, "fork", remembered)
    results = ahead(ITEMS, lambda item: item * 10_000)
    assert next(results)() == "0" * 10_000
    results.close()
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


def test_large_results_pass() -> None:
    """A result larger than the pipe arrives whole."""
    assert [len(call()) for call in ahead(["1", "2"], lambda item: item * 5_000_000)] == [5_000_000, 5_000_000]
