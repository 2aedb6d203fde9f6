"""kb.scan.underway: what a diff alters, as a change that `kb impact` can be asked about."""

from __future__ import annotations

from kb.change import Change
from kb.conditions import Condition
from kb.scan import Tree, scan
from kb.scan.patch import patched
from kb.scan.underway import underway
from kb.vocabulary import ChangeStatus, Ships
from tests.scan.made import component, tree

OLD = """\
class PushWorker:
    def go(self, blocks):
        return self.agent.write(blocks)

    def _lease(self, until):
        if self.use_mla:
            return until + 1
        return until
"""
DIFF = """\
--- a/pkg/worker.py
+++ b/pkg/worker.py
@@ -2,2 +2,2 @@
     def go(self, blocks):
-        return self.agent.write(blocks)
+        return self.agent.write(blocks[:8])
"""


def diffed(old: str, diff: str) -> tuple[Tree, Tree]:
    before = tree(old, "1.0")
    return before, patched(before, diff, "1.0-diff")


def keys(change: Change) -> set[str]:
    return {each.key for each in change.guards if isinstance(each, Condition)}


def test_a_diff_is_a_change_in_hand() -> None:
    """It names what it touches and nothing else, is proposed, and ships nowhere that is known."""
    of = component()
    found = underway(scan(*diffed(OLD, DIFF), of), of, "pr-7")
    assert found is not None
    assert (found.id, found.component, found.status, found.symbols) == (
        "pr-7",
        "push",
        ChangeStatus.PROPOSED,
        ("push:PushWorker.go",),
    )
    assert found.ships_in("dist", "1.0") is Ships.NOT_ESTABLISHED
    assert found.proposed_by == "scan"
    assert keys(found) == {"connector.mode"}


def test_guards_hold_for_all_of_it() -> None:
    """A condition around one of two functions that differ is none of the change."""
    of = component()
    new = OLD.replace("until + 1", "until + 2")
    one = underway(scan(tree(OLD, "1.0"), tree(new, "2.0"), of), of)
    two = underway(scan(tree(OLD, "1.0"), tree(new.replace("(blocks)\n", "(blocks, 1)\n"), "2.0"), of), of)
    assert one is not None
    assert two is not None
    assert keys(one) == {"connector.mode", "kv_form"}
    assert keys(two) == {"connector.mode"}
    assert set(two.symbols) == {"push:PushWorker._lease", "push:PushWorker.go"}


def test_an_old_name_is_named_too() -> None:
    """Claims may rest on a class under the name it had."""
    body = "".join(f"    def m{n}(self, x):\n        return x.a{n}(x).b(x)\n" for n in range(4))
    of = component()
    renamed = f"class New:\n{body.replace('a2', 'c2')}"
    found = underway(scan(tree(f"class Old:\n{body}", "1.0"), tree(renamed, "2.0"), of), of)
    assert found is not None
    assert {"push:New.m2", "push:Old.m2"} <= set(found.symbols)


def test_what_alters_nothing_is_no_change() -> None:
    """Docs, logs and moves."""
    of = component()
    quiet = OLD.replace("class PushWorker:\n", 'class PushWorker:\n    """Pushes."""\n')
    assert underway(scan(tree(OLD, "1.0"), tree(quiet, "2.0"), of), of) is None
    moved = tree({"pkg/other.py": OLD}, "2.0")
    assert underway(scan(tree(OLD, "1.0"), moved, of), of) is None
