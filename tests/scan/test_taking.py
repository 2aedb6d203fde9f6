"""kb.scan.taking: files of two releases taken apart, near at hand or in other processes, with the same answers."""

from __future__ import annotations

import json
import pickle
from textwrap import dedent

import pytest

from kb import processes
from kb.scan import taking
from kb.scan.taking import Job, closely
from tests.scan.made import scanned

HELPER = """\
    def _lease(self, until):
        for each in self.blocks:
            each.lease(until + 1)
            each.note()
        return until
"""
OLD = f"""\
import os
from agents import post as send
LIMIT = int(os.environ.get("PUSH_LIMIT", "3"))
if LIMIT > 4:
    send = None


class Base:
    def wait(self, a):
        return a.wait()


class Worker(Base):
    depth: int = 4

    def go(self, blocks):
        total = 0
        for each in blocks:
            total += send(each)
        return total

    def close(self):
        self.agent.close()

    def pull(self, blocks):
        if self.use_mla:
            return self.agent.read(blocks)
        return self.agent.read(blocks, 2)

{HELPER}
    @platform("cuda")
    def gone(self):
        return 1
"""
NEW = (
    OLD.replace("total", "count")  # names of locals
    .replace('"3"', '"4"')  # a default
    .replace("self.agent.close()", 'self.agent.close()\n        logger.info("closed")')
    .replace("            return self.agent.read(blocks)\n", "            return self.agent.read(blocks, 9)\n")
    .replace(
        HELPER,
        """\
    def _lease(self, until):
        self._each(until)
        return until

    def _each(self, until):
        for each in self.blocks:
            each.lease(until + 1)
            each.note()
""",
    )
    .replace("def gone", "def come")
    .replace(
        "class Worker(Base)",
        "class Pusher:\n    def stop(self):\n        raise NotImplementedError\n\n\nclass Worker(Pusher)",
    )
)
MOVED = "class Moved:\n    def one(self, a):\n        b = a.open()\n        b.post(1)\n        return b\n"
BEFORE = {"pkg/worker.py": OLD, "pkg/same.py": OLD, "pkg/old.py": MOVED, "pkg/bad.py": "def f(:\n"}
AFTER = {"pkg/worker.py": NEW, "pkg/same.py": OLD, "pkg/new.py": MOVED.replace("post(1)", "post(2)"), "pkg/bad.py": "("}


def test_a_large_component_gets_the_same_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """In other processes and without trees: every symbol, kind, guard, fact and draft, to the last letter."""
    near = json.dumps(scanned(BEFORE, AFTER).as_dict())
    monkeypatch.setattr(taking, "LARGE", 0)
    assert json.dumps(scanned(BEFORE, AFTER).as_dict()) == near
    monkeypatch.setattr(processes, "cores", lambda: 1)
    assert json.dumps(scanned(BEFORE, AFTER).as_dict()) == near
    monkeypatch.setattr(processes, "cores", lambda: 3)
    assert json.dumps(scanned(BEFORE, AFTER).as_dict()) == near


def test_the_example_has_every_kind() -> None:
    """Otherwise the comparison above would say little."""
    kinds = {(each.status.value, each.kind and each.kind.value) for each in scanned(BEFORE, AFTER).symbols}
    assert {
        ("changed", "logging"),
        ("changed", "refactor"),
        ("changed", "behaviour"),
        ("added", "refactor"),
        ("added", "types"),
        ("unchanged", None),
    } <= kinds


def test_what_is_taken_apart_closely_travels_without_trees() -> None:
    """What goes from one process to another is small, and a tree is made again for who asks."""
    taken = pickle.loads(pickle.dumps(closely(Job("pkg/worker.py", OLD, NEW))))
    symbols = {each.name: each for each in taken.new.symbols}
    assert all(each.code.kept is None for each in symbols.values())
    assert symbols["Worker.pull"].node.lineno == NEW.splitlines().index("    def pull(self, blocks):") + 1
    assert b"FunctionDef" not in pickle.dumps(taken)


def test_a_text_that_did_not_change_is_one() -> None:
    """It is parsed once, and both releases share what it holds."""
    taken = closely(Job("pkg/same.py", OLD, OLD))
    assert taken.old is taken.new
    travelled = pickle.loads(pickle.dumps(taken))
    assert travelled.old is travelled.new


def test_a_function_is_parsed_alone() -> None:
    """Under decorators and in a class, with the lines of its file; where its text is not all of it, with its file."""
    text = dedent(
        '''
        class A:
            @property
            def one(self):
                """Has
        a line that stands left."""
                return 1
        def two(): return 2
        '''
    )
    taken = closely(Job("pkg/a.py", None, text))
    assert taken.new is not None
    lines = {each.last: (each.node.lineno, each.node.end_lineno) for each in taken.new.symbols}
    assert lines == {"A": (2, 7), "one": (4, 7), "two": (8, 8)}
    odd = closely(Job("pkg/b.py", None, "X = '\x0c'\ndef two():\n    return 2\n"))  # a form feed is a line to some
    assert odd.new is not None
    assert {each.last: each.node.lineno for each in odd.new.symbols} == {"X": 1, "two": 2}


def _ended(job: int) -> int:
    import multiprocessing
    import os

    if multiprocessing.parent_process() is not None:
        os._exit(1)
    return job + 1


def test_where_a_process_is_ended_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is short of memory ends processes; the answer is late, not lost."""
    monkeypatch.setattr(processes, "cores", lambda: 2)
    assert processes.spread(_ended, range(20)) == list(range(1, 21))


def _failing(job: int) -> int:
    raise KeyError(job)


def test_a_fault_of_the_work_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only lost processes are made good."""
    monkeypatch.setattr(processes, "cores", lambda: 2)
    with pytest.raises(KeyError):
        processes.spread(_failing, range(4))


def test_answers_come_in_the_order_of_the_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever process was first."""
    monkeypatch.setattr(processes, "cores", lambda: 3)
    assert processes.spread(str, range(500)) == [str(each) for each in range(500)]
