"""Lines of code as its parsers count them: a form feed or U+2028 in a string ends none, unlike for `str.splitlines`."""

from __future__ import annotations

from io import StringIO


def lines(text: str) -> list[str]:
    """Lines without their ends."""
    return [each.rstrip("\r\n") for each in whole_lines(text)]


def whole_lines(text: str) -> list[str]:
    """Lines with their ends, which are \\n, \\r\\n or \\r."""
    return StringIO(text, newline="").readlines()
