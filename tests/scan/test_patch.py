"""A diff applied to a tree in memory."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kb.errors import KbError
from kb.scan.patch import patched
from kb.scan.tree import Tree
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
            {**BEFORE, "b.py": "x = 1\n-- y"},
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


COPY = "diff --git a/b.py b/c.py\nsimilarity index 100%\ncopy from b.py\ncopy to c.py\n"
WORDS = "-- \n2.39.5\n\nFrom 1234 Mon Sep 17 00:00:00 2001\nSubject: Next\n\nrename from a\n---\n a.py | 2 +-\n\n"
AGAIN = CHANGE.replace("-two\n+2", "-2\n+zwei")


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        (CHANGE + WORDS + AGAIN, {**BEFORE, "a.py": "one\nzwei\nthree\n"}),
        (CHANGE + AGAIN, {**BEFORE, "a.py": "one\nzwei\nthree\n"}),
        (COPY, {**BEFORE, "c.py": "x = 1\n"}),
        (
            "diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n" + COPY,
            {**BEFORE, "b.py": "x = 2\n", "c.py": "x = 1\n"},
        ),
        (CHANGE.replace("a/a.py", "i/a.py").replace("b/a.py", "w/a.py"), {**BEFORE, "a.py": "one\n2\nthree\n"}),
        (CHANGE.replace("a/a.py", "a.py").replace("b/a.py", "a.py"), {**BEFORE, "a.py": "one\n2\nthree\n"}),
        (CHANGE.replace("\n", "\r\n"), {**BEFORE, "a.py": "one\n2\nthree\n"}),
        ("diff --git a/e.py b/e.py\nnew file mode 100644\nindex 0000000..e69de29\n", {**BEFORE, "e.py": ""}),
    ],
    ids=["two commits", "no words between", "copy", "copy of before", "mnemonic", "no prefix", "CRLF", "empty"],
)
def test_as_git_writes_them(diff: str, expected: dict[str, str]) -> None:
    """Commits one after the other; within one, copies are of what was before it."""
    assert after(diff) == expected


@pytest.mark.parametrize(
    "before", ["x = 1\n\f\ny = 2\nz = 3\n", "x = '\x85'\ny = '\u2028'\nz = 3\n", "x = 1\r\ny = 2\r\nz = 3\r\n"]
)
def test_only_a_newline_ends_a_line(before: str, tmp_path: Path) -> None:
    """What git makes of other ends of lines fits, and gives what git has."""
    now = before.replace("z = 3", "z = 4")
    (tmp_path / "p\u00e9.py").write_bytes(before.encode())
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    (tmp_path / "p\u00e9.py").write_bytes(now.encode())
    words = ["git", "-c", "diff.mnemonicPrefix=true", "diff"]
    diff = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True).stdout.decode()
    assert '"i/p\\303\\251.py"' in diff
    made = patched(Tree("1.0", ("p\u00e9.py",), {"p\u00e9.py": before.encode()}.__getitem__), diff)
    assert made.content("p\u00e9.py") == now.encode()


def test_binary_beside_code() -> None:
    """What a diff does not tell as lines differs all the same."""
    made = patched(tree(BEFORE), CHANGE + "diff --git a/b.py b/b.py\nBinary files a/b.py and b/b.py differ\n")
    assert b"\0" in made.content("b.py")


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        ("diff --cc a.py\nindex 1,2..3\n--- a/a.py\n+++ b/a.py\n@@@ -1,1 -1,1 +1,1 @@@\n++x\n", "of a merge"),
        ("--- a/a.py\n+++ b/a.py\n@@@ -1,1 -1,1 +1,1 @@@\n++x\n", "of a merge"),
        ("--- a/a.py\n+++ b/a.py\n", "nothing that the diff says of a.py"),
        ("--- a/a.py\n+++ b/a.py\nwords\n" + CHANGE, "nothing that the diff says of a.py"),
        ("diff --git a/e.py b/e.py\nnew file mode 100644\n--- /dev/null\n+++ b/e.py\n", "cut short"),
        (CHANGE + "diff --git a/b.py b/", "cut short"),
        ("--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+new\n", "does not fit: a.py would be new"),
        (CHANGE.replace("-1,3", "-" + "1" * 5000 + ",3"), "damaged at its line 4"),
        (CHANGE.replace("-1,3", "-1," + "3" * 5000), "damaged at its line 4"),
        ("--- a/a.py\n+++ b/a.py\n@@ -9,0 +10 @@\n+x\n", "does not fit a.py at line 9"),
    ],
)
def test_not_understood(diff: str, said: str) -> None:
    """What is not read is refused: "no code differs" would be a lie."""
    with pytest.raises(KbError, match=said):
        after(diff)
