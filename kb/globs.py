"""Patterns of paths in a release, as components state them: `**` crosses folders, `*` does not."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache


def matches(path: str, pattern: str) -> bool:
    """Whether a path matches a pattern in which `**` crosses folders and `*` does not."""
    folder = _folder(pattern)
    if not path.startswith(folder):
        return f"{path}/" == folder and _matches(path, pattern)  # what is below a folder can be the folder itself
    return pattern == f"{folder}**" or _matches(path, pattern)


@cache
def _folder(pattern: str) -> str:
    """Folders at the beginning that are written out."""
    before, slash, _ = re.split(r"[*?\[]", pattern, maxsplit=1)[0].rpartition("/")
    return before + slash


@cache
def _matches(path: str, pattern: str) -> bool:
    return _parts(tuple(path.split("/")), tuple(pattern.split("/")))


def _parts(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        return _parts(path, pattern[1:]) or (bool(path) and _parts(path[1:], pattern))
    return bool(path) and fnmatchcase(path[0], pattern[0]) and _parts(path[1:], pattern[1:])
