"""Which symbol of the new release is which of the old one."""

from __future__ import annotations

import pytest

from tests.scan.made import matched, statuses

LONG = "    a = open_agent(x)\n    b = a.post(y)\n    c = b.wait(z)\n    return c\n"
BODY = "        a = open_agent(x)\n        b = a.post(y)\n        c = b.wait(z)\n        return c\n"
OTHER = """\
        for each in self.waiting:
            each.close()
        self.waiting.clear()
        self.done = True
"""


def test_a_module_that_became_a_package_moved() -> None:
    """A function in another file is moved, not removed and added."""
    old = {"pkg/worker.py": f"LIMIT = 3\ndef read(x):\n{LONG}"}
    new = {
        "pkg/worker/__init__.py": "from pkg.worker.core import read\n",
        "pkg/worker/core.py": f"LIMIT = 3\ndef read(x):\n{LONG}",
    }
    assert statuses(old, new) == {"LIMIT": "moved", "read": "moved"}


def test_a_class_split_into_bases_behind_a_shim_is_followed() -> None:
    """The old name is an alias now; methods went to the new class and to its base."""
    old = {"pkg/worker.py": f"class Worker:\n    def read(self, x):\n{BODY}    def stop(self):\n{OTHER}"}
    new = {
        "pkg/base.py": f"class BaseWorker:\n    def stop(self):\n{OTHER}",
        "pkg/pull.py": f"from pkg.base import BaseWorker\nclass PullWorker(BaseWorker):\n    def read(self, x):\n{BODY}",  # noqa: E501
        "pkg/push.py": "from pkg.base import BaseWorker\nclass Push(BaseWorker):\n    def write(self): return 1\n",
        "pkg/worker.py": "from pkg.pull import PullWorker\nWorker = PullWorker\n",
    }
    found = statuses(old, new)
    assert found["PullWorker.read"] == found["BaseWorker.stop"] == "moved"
    assert "removed" not in found.values()
    assert "Worker" not in found  # the alias keeps an old name alive; it is nothing new


def test_a_renamed_class_is_known_by_its_methods() -> None:
    """Without an alias, the class that has the methods took over, those that changed included."""
    old = f"class Worker:\n    def read(self, x):\n{BODY}    def stop(self):\n{OTHER}    def size(self): return 1\n"
    new = f"class Reader:\n    def read(self, x):\n{BODY}    def stop(self):\n{OTHER}    def size(self): return 2\n"
    found = matched(old, new)
    assert {each.old.name: each.new.name for each in found.matches if each.old and each.new}[
        "Worker.size"
    ] == "Reader.size"
    assert found.heirs.heirs == {"Worker": "Reader"}
    assert found.heirs.why["Worker"] == "Worker is Reader now: 2 of its 3 members are there"


def test_a_method_that_went_to_a_base_is_still_the_classes() -> None:
    """The class inherits it: moved."""
    old = f"class Base: pass\nclass Worker(Base):\n    def stop(self):\n{OTHER}"
    new = f"class Base:\n    def stop(self):\n{OTHER}class Worker(Base): pass\n"
    assert statuses(old, new)["Base.stop"] == "moved"


def test_a_method_that_changed_on_its_way_is_changed() -> None:
    """Moved and changed is changed, with both places known."""
    old = f"class Base: pass\nclass Worker(Base):\n    def stop(self):\n{OTHER}"
    new = f"class Base:\n    def stop(self):\n{OTHER}        self.gone = 1\nclass Worker(Base): pass\n"
    assert statuses(old, new)["Base.stop"] == "changed"


def test_a_function_under_another_name_is_known_by_its_body() -> None:
    """A body of some substance that only changed its name is moved."""
    assert statuses(f"def read(x):\n{LONG}", f"def pull(x):\n{LONG}") == {"pull": "moved"}


def test_a_renamed_and_changed_function_is_known_by_its_callers() -> None:
    """Callers call the new name where they called the old one, and the bodies share something."""
    old = f"def ids(x):\n{LONG}def go(x):\n    return ids(x) + 1\n"
    new = f"def desc_ids(x, n):\n{LONG.replace('z', 'n')}def go(x):\n    return desc_ids(x, 2) + 1\n"
    found = matched(old, new)
    assert [each.how for each in found.matches if each.name == "desc_ids"] == [
        "callers call desc_ids where they called ids"
    ]


REMOVED = [
    pytest.param(f"def read(x):\n{LONG}def pull(x):\n{LONG}", f"def pull(x):\n{LONG}", id="a twin stays"),
    pytest.param(
        f"def read(x):\n{LONG}def pull(x):\n{LONG}",
        f"def pull(x):\n{LONG.replace('z', 'w')}",
        id="a similar one changed",
    ),
    pytest.param("def read(x):\n    return x\n", "def pull(x):\n    return x\n", id="too little to be known by"),
    pytest.param(f"def read(x):\n{LONG}", "def pull(q):\n    yield q\n", id="nothing alike"),
]


@pytest.mark.parametrize(("old", "new"), REMOVED)
def test_a_deleted_function_is_removed(old: str, new: str) -> None:
    """A neighbour that is or looks the same is not where it went."""
    assert statuses(old, new)["read"] == "removed"


def test_swapped_bodies_of_two_classes_are_changed() -> None:
    """The name decides before the body."""
    old = f"class A:\n    def f(self, x):\n{BODY}class B:\n    def f(self, x):\n{OTHER}"
    new = f"class A:\n    def f(self, x):\n{OTHER}class B:\n    def f(self, x):\n{BODY}"
    assert statuses(old, new) == {"A.f": "changed", "B.f": "changed"}


def test_files_that_swapped_their_names_are_moved() -> None:
    """Two files with a function of one name each: what they contain tells which is which."""
    old = {
        "pkg/a.py": f"def f(x):\n{LONG}def one(): return 1\n",
        "pkg/b.py": "def f(x):\n    return x\ndef two(): return 2\n",
    }
    new = {"pkg/b.py": old["pkg/a.py"], "pkg/a.py": old["pkg/b.py"]}
    assert set(statuses(old, new).values()) == {"moved"}


def test_constructors_of_unrelated_classes_are_no_candidates() -> None:
    """Constructors look alike by nature: one that went and one that came are two."""
    old = f"class A:\n    def __init__(self, x):\n{BODY}"
    new = f"class Z:\n    def other(self): return 1\n    def __init__(self, x):\n{BODY.replace('z', 'q')}"
    assert statuses(old, new)["A.__init__"] == "removed"


def test_every_symbol_is_in_a_pair() -> None:
    """Nothing is dropped on the way, and nothing is in two pairs."""
    found = matched(
        f"X = 1\ndef a(x):\n{LONG}class C:\n    y = 2\n", f"X = 2\ndef b(x):\n{LONG}class D:\n    z = 3\n"
    ).matches
    old = [each.old.name for each in found if each.old]
    assert sorted(old) == ["C", "C.y", "X", "a"]
