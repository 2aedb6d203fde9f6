"""What the acceptance on real releases counts, on made ones."""

from __future__ import annotations

import pytest

from acceptance.oracle import lost, mentions, misjudged
from acceptance.watcher import watch
from kb.scan import scan
from kb.scan.match import Status
from tests.scan.made import component, tree

BASE = "class Base:\n    def stop(self):\n        return self.halt(1)\n    def go(self):\n        return self.run(1)\n"
PULL = "from pkg.base import Base\nclass Pull(Base):\n    def read(self):\n        return self.get(1)\n"
SHIM = "from pkg.pull import Pull\nWorker = Pull\n"
FILES = {"pkg/base.py": BASE, "pkg/pull.py": PULL, "pkg/worker.py": SHIM}
GLOBS = ("pkg/base.py", "pkg/pull.py")


def watched(change: dict[str, str], gone: str = "") -> tuple[int, int, list[str], list[str]]:
    """Alarms, false symbols, files with nothing but false alarms, names missed."""
    old, new = (
        tree(FILES, "1.0"),
        tree({path: text for path, text in {**FILES, **change}.items() if path != gone}, "2.0"),
    )
    found = watch(scan(old, new, component(*GLOBS, "pkg/moved.py")), old, new)
    return len(found.alarms), found.false, found.false_files, found.missed


@pytest.mark.parametrize(
    ("change", "gone", "expected"),
    [
        ({}, "", (0, 0, [], [])),
        ({"pkg/base.py": f"# A comment\n{BASE}"}, "", (1, 3, ["pkg/base.py"], [])),
        ({"pkg/moved.py": BASE}, "pkg/base.py", (1, 3, ["pkg/base.py"], [])),
        (
            {"pkg/base.py": BASE.replace("halt(1)", "halt(2)")},
            "",
            (1, 2, [], ["pull.py: Pull", "worker.py: Pull", "worker.py: Worker"]),
        ),
        ({"pkg/pull.py": PULL.replace("1", "2")}, "", (1, 1, [], ["worker.py: Pull", "worker.py: Worker"])),
        ({"pkg/worker.py": f"# A comment\n{SHIM}"}, "", (1, 0, ["pkg/worker.py"], [])),
    ],
    ids=["nothing", "comment", "move", "base", "behind a shim", "shim alone"],
)
def test_a_watcher_of_hashes(change: dict[str, str], gone: str, expected: tuple[object, ...]) -> None:
    """False alarms are symbols that behave as before; misses are names behind which another file changed."""
    assert watched(change, gone) == expected


LONG = "class Base:\n    def stop(self):\n" + "".join(f"        self.step({n})\n" for n in range(5))


def test_what_is_called_removed_though_it_is_there() -> None:
    """A body that is somewhere else in the new release is found by its tree; one that is gone is not."""
    old = tree({"pkg/kv_connector/a.py": LONG}, "1.0")
    report = scan(old, tree({"pkg/kv_connector/a.py": "X = 1\n"}, "2.0"), component())
    assert [each.status for each in report.symbols if each.name == "Base.stop"] == [Status.REMOVED]
    there = tree({"pkg/kv_connector/b.py": LONG.replace("stop", "halt")}, "2.0")
    assert lost(report, old, there) == ["Base.stop is Base.halt in pkg/kv_connector/b.py"]
    assert lost(report, old, tree({"pkg/kv_connector/b.py": LONG.replace("3", "4")}, "2.0")) == []


def test_a_second_opinion() -> None:
    """Functions whose trees say otherwise than the report; docstrings and annotations are no difference."""
    old, new = (
        tree({"pkg/a.py": LONG}, "1.0"),
        tree({"pkg/a.py": LONG.replace("(self):", "(self) -> None:\n        'Stops.'")}, "2.0"),
    )
    assert misjudged(scan(old, new, component()), old, new) == ([], [], 1)
    changed = tree({"pkg/a.py": LONG.replace("3", "4")}, "2.0")
    assert misjudged(scan(old, changed, component()), old, changed) == ([], [], 1)
    untouched = scan(old, old, component())
    assert misjudged(untouched, old, changed) == ([], ["Base.stop"], 1)


def test_mentions() -> None:
    """Files in which a name stands as a word."""
    assert mentions(tree({"a.py": "stop()", "b.py": "stopper()", "c.txt": "stop"}), "stop") == 1
