"""The lines that differ in one symbol."""

from __future__ import annotations

import pytest

from kb.scan.hunks import compared, hunk
from tests.scan.made import matched

OLD = "import os\n\n\ndef f(a):\n    b = a\n    c = b\n    d = c\n    return 1\n"


def test_places_are_those_of_the_file() -> None:
    """A hunk points to the lines of the files, not of the function."""
    (found,) = matched(OLD, OLD.replace("return 1", "return 2")).matches
    assert (hunk(found.old, found.new) or "").splitlines() == [
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
    assert hunk(found.old, found.new) is None


def test_an_added_symbol_is_all_new() -> None:
    """Every line of it comes with a plus."""
    found = [each for each in matched("X = 1\n", "X = 1\ndef f():\n    return 1\n").matches if each.name == "f"]
    assert (hunk(found[0].old, found[0].new) or "").splitlines()[3:] == ["+def f():", "+    return 1"]


def test_changed_lines_are_counted_within_the_symbol() -> None:
    """Both sides, from 0."""
    (found,) = matched(OLD, OLD.replace("    c = b\n", "").replace("return 1", "return 2")).matches
    assert found.old
    assert found.new
    lines = compared(found.old, found.new)
    assert (lines.gone, lines.come) == ((2, 4), (3,))


@pytest.mark.parametrize("odd", ["\f", "\u2028", "\x1c", "\x85"])
def test_only_what_ends_a_line_for_the_parser_ends_one(odd: str) -> None:
    """Places stay those of the file, and a line is shown whole."""
    text = OLD.replace("    b = a\n", f"    b = a, '{odd}'\n")
    (found,) = matched(text, text.replace("return 1", "return 2")).matches
    shown = (hunk(found.old, found.new) or "").split("\n")
    assert shown[2] == "@@ -6,3 +6,3 @@"
    (found,) = matched(OLD, text).matches
    assert f"+    b = a, '{odd}'" in (hunk(found.old, found.new) or "").split("\n")
