"""One release's files as a scan reads them: paths and text, wherever they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from kb.globs import matches

MAX_TEXT = 4 << 20
"""Bytes of one file; a larger one is compared by its digest only."""


@dataclass(frozen=True, eq=False)
class Tree:
    """Files of one release. Paths are relative to the source's root, with forward slashes."""

    label: str
    """What it is, for people: a version, a tag, a folder."""
    paths: tuple[str, ...]
    content: Callable[[str], bytes] = field(repr=False)
    """Bytes of a path; asked only for files that are looked at."""

    @cached_property
    def _there(self) -> frozenset[str]:
        """Names of files may have brackets in them: such a one is no pattern."""
        return frozenset(self.paths)

    def __contains__(self, path: str) -> bool:
        return path in self._there

    def text(self, path: str) -> str:
        """Text of a file; bytes that are no UTF-8 are kept as replacement marks, so that a scan never fails on one."""
        return self.content(path).decode("utf-8", "replace")

    def under(self, globs: Iterable[str]) -> Iterator[str]:
        """Paths that match any of the patterns; `**` crosses folders, `*` does not."""
        globs = tuple(globs)
        exact = frozenset(globs)
        patterns = tuple(glob for glob in globs if set("*?[") & set(glob) and glob not in self._there)
        return (path for path in self.paths if path in exact or any(matches(path, pattern) for pattern in patterns))
