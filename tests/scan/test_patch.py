"""A diff applied to a tree in memory."""

from __future__ import annotations

import pytest

from kb.errors import KbError
from kb.scan.patch import patched
from tests.scan.made import tree

BEFORE = {"a.py": "one\ntwo\nthree\n", "b.py": "x = 1\n"}
CHANGE = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"


def after(diff: str) -> dict[str, str]:
    made = patched(tree(BEFORE), diff)
    return {path: made.text(path) for path in made.paths}


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        (CHANGE, {**BEFORE, "a.py": "one\n2\nthree\n"}),
        (CHANGE.split("\n", 1)[1], {**BEFORE, "a.py": "one\n2\nthree\n"}),
        (CHANGE.replace("@@\n one", "@@ def f():\n one"), {**BEFORE, "a.py": "one\n2\nthree\n"}),
        ("--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+new\n", {**BEFORE, "n.py": "new\n"}),
        ("--- a/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n", {"a.py": BEFORE["a.py"]}),
        (
            "diff --git a/b.py b/c.py\nsimilarity index 100%\nrename from b.py\nrename to c.py\n",
            {"a.py": BEFORE["a.py"], "c.py": "x = 1\n"},
        ),
        ("--- a/a.py\n+++ b/a.py\n@@ -1,0 +2 @@\n+1.5\n", {**BEFORE, "a.py": "one\n1.5\ntwo\nthree\n"}),
        (
            CHANGE + "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n",
            {"a.py": "one\n2\nthree\n", "b.py": "x = 2\n"},
        ),
        (
            "--- a/b.py\n+++ b/b.py\n@@ -1 +1,2 @@\n x = 1\n+-- y\n\\ No newline at end of file\n",
            {**BEFORE, "b.py": "x = 1\n-- y\n"},
        ),
    ],
    ids=[
        "change",
        "without git's head",
        "with a title",
        "new",
        "gone",
        "renamed",
        "no context",
        "two files",
        "no newline",
    ],
)
def test_applied(diff: str, expected: dict[str, str]) -> None:
    """Changed, new, removed and renamed files, however the diff was made."""
    assert after(diff) == expected


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        (CHANGE.replace(" one", " eins"), "does not fit a.py at line 1"),
        (CHANGE.replace("a.py", "z.py"), "changes z.py, which 1.0 does not have"),
        (CHANGE.removesuffix(" three\n"), "cut short"),
        (CHANGE.replace(" three", "?three"), "damaged"),
        ("", "no unified diff"),
        ("just words\n", "no unified diff"),
    ],
)
def test_refused(diff: str, said: str) -> None:
    """A diff of another commit, half a diff and no diff are said to be so; nothing is guessed."""
    with pytest.raises(KbError, match=said):
        after(diff)
