"""`Namespace(...)` as Python's argparse prints it: names and values, without running anything."""

from __future__ import annotations

import re

_NAME = re.compile(r"\s*([A-Za-z_]\w*)=")
_OPEN, _CLOSE = "([{<", ")]}>"
LONGEST = 200_000


def arguments(text: str) -> dict[str, str]:
    """Names -> values as printed, quotes taken off; what follows the closing bracket is left alone."""
    start = text.find("Namespace(")
    found: dict[str, str] = {}
    at = start + len("Namespace(") if start >= 0 else len(text)
    while match := _NAME.match(text, at):
        end = _end(text, match.end())
        found[match[1]] = _unquoted(text[match.end() : end])
        at = end + 1
    return found


def _end(text: str, at: int) -> int:
    """Where the value that begins here ends: a comma or bracket outside quotes and brackets of its own."""
    depth, quote, limit = 0, "", min(len(text), at + LONGEST)
    while at < limit:
        char = text[at]
        if quote:
            at += char == "\\"
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif depth == 0 and char in ",)":
            return at
        else:
            depth += (char in _OPEN) - (char in _CLOSE)
        at += 1
    return limit


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
