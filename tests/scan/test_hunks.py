"""The lines that differ in one symbol."""

from __future__ import annotations

from kb.scan.hunks import changed_lines, hunk
from tests.scan.made import matched

OLD = "import os\n\n\ndef f(a):\n    b = a\n    c = b\n    d = c\n    return 1\n"


def test_places_are_those_of_the_file() -> None:
    """A hunk points to the lines of the files, not of the function."""
    (found,) = matched(OLD, OLD.replace("return 1", "return 2")).matches
    assert (hunk(found) or "").splitlines() == [
        "--- pkg/worker.py:4 f",
        "+++ pkg/worker.py:4 f",
        "@@ -6,3 +6,3 @@",
        "     c = b",
        "     d = c",
        "-    return 1",
        "+    return 2",
    ]


def test_equal_text_has_no_hunk() -> None:
    """Moved code shows nothing."""
    (found,) = matched({"pkg/a.py": OLD}, {"pkg/b.py": OLD}).matches
    assert hunk(found) is None


def test_an_added_symbol_is_all_new() -> None:
    """Every line of it comes with a plus."""
    found = [each for each in matched("X = 1\n", "X = 1\ndef f():\n    return 1\n").matches if each.name == "f"]
    assert (hunk(found[0]) or "").splitlines()[3:] == ["+def f():", "+    return 1"]


def test_changed_lines_are_counted_within_the_symbol() -> None:
    """Both sides, from 0."""
    (found,) = matched(OLD, OLD.replace("    c = b\n", "").replace("return 1", "return 2")).matches
    assert changed_lines(found) == ([2, 4], [3])
