"""kb.scan.texts: lines of code as its parser counts them."""

from __future__ import annotations

import ast

import pytest

from kb.scan.texts import lines, whole_lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\nb\r\nc\rd", ["a", "b", "c", "d"]),
        ("a\n\n", ["a", ""]),
        ("a\fb\vc\u2028d\x85e\x1cf\n", ["a\fb\vc\u2028d\x85e\x1cf"]),
    ],
)
def test_lines(text: str, found: list[str]) -> None:
    """Three ways to end a line, and no other; nothing is lost."""
    assert lines(text) == found
    assert "".join(whole_lines(text)) == text


@pytest.mark.parametrize("odd", ["\f", "\u2028", "\x85", "\x1c"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_parser_counts_the_same(odd: str, end: str) -> None:
    """A statement below an odd text stands on the line that we say."""
    text = f"a = '''{odd}{end}'''{end}b = 1{end}"
    line = ast.parse(text).body[1].lineno
    assert lines(text)[line - 1] == "b = 1"
