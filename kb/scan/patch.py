"""A tree with a unified diff applied, in memory: what a pull request would make of a release.

Format: https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html, with git's renames.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.errors import KbError
from kb.scan.tree import Tree

_BINARY = re.compile(r"^(?:Binary files .* differ|GIT binary patch)$", re.MULTILINE)
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")


@dataclass
class Hunk:
    """Lines that go together, as they are in the old file."""

    start: int
    """First line in the old file, from 1; 0 when the file was empty."""
    lines: list[str] = field(default_factory=list)
    """With their mark: a blank, `-` or `+`."""

    @property
    def old(self) -> list[str]:
        return [line[1:] for line in self.lines if line[0] in " -"]

    @property
    def new(self) -> list[str]:
        return [line[1:] for line in self.lines if line[0] in " +"]


@dataclass
class FileDiff:
    """What a diff does to one file; `old` is None for a new one, `new` for one that goes."""

    old: str | None
    new: str | None
    hunks: list[Hunk] = field(default_factory=list)


def patched(tree: Tree, diff: str, label: str = "") -> Tree:
    """The tree with the diff applied. Raises KbError when it does not fit."""
    changed: dict[str, bytes] = {}
    gone: set[str] = set()
    found = [each for each in parsed(diff) if each.old or each.new]
    if not found and _BINARY.search(diff):
        raise KbError("the diff speaks of binary files only: there is no code in it to read")
    if not found:
        raise KbError("no unified diff was given", "`git diff A B` or a pull request's .diff is one")
    for each in found:
        before = _before(tree, each)
        gone |= {each.old} if each.old and each.old != each.new else set()
        if each.new:
            changed[each.new] = _applied(before, each).encode("utf-8", "surrogateescape")
    paths = tuple(sorted(({*tree.paths} - gone) | changed.keys()))
    return Tree(label or tree.label, paths, lambda path: changed[path] if path in changed else tree.content(path))


def _before(tree: Tree, each: FileDiff) -> str:
    if each.old is None:
        return ""
    if each.old not in tree.paths:
        raise KbError(
            f"the diff changes {each.old}, which {tree.label} does not have",
            "it is of another repository, or of another commit: name that with --from",
        )
    return tree.content(each.old).decode("utf-8", "surrogateescape")


def _applied(before: str, each: FileDiff) -> str:
    lines = before.splitlines(keepends=True)
    out: list[str] = []
    done = 0
    for hunk in each.hunks:
        at = hunk.start - 1 if hunk.old else hunk.start
        if at < done or [line.rstrip("\r\n") for line in lines[at : at + len(hunk.old)]] != hunk.old:
            place = f"{each.old or each.new} at line {hunk.start}"
            raise KbError(f"the diff does not fit {place}", "it was made from another commit; name it with --from")
        out += lines[done:at] + [f"{line}\n" for line in hunk.new]
        done = at + len(hunk.old)
    return "".join(out + lines[done:])


def parsed(diff: str) -> Iterator[FileDiff]:
    """The files of a diff. Raises KbError when a hunk is cut short."""
    lines = diff.splitlines()
    at = 0
    current: FileDiff | None = None
    while at < len(lines):
        line = lines[at]
        if line.startswith("diff --git ") or (line.startswith("--- ") and (current is None or current.hunks)):
            if current:
                yield current
            current = FileDiff(None, None)
        if current and (found := _HUNK.match(line)):
            hunk, at = _hunk(lines, at, found)
            current.hunks.append(hunk)
            continue
        if current:
            _named(current, line)
        at += 1
    if current and (current.old or current.new):
        yield current


def _named(current: FileDiff, line: str) -> None:
    for mark, side in (("--- ", "old"), ("+++ ", "new")):
        if line.startswith(mark):
            setattr(current, side, _path(line[4:]))
    for mark, side in (("rename from ", "old"), ("rename to ", "new")):
        if line.startswith(mark):
            setattr(current, side, line[len(mark) :].strip('"'))


def _path(text: str) -> str | None:
    """A path as diffs write it: a/pkg/x.py, possibly with a date behind a tab."""
    name = text.partition("\t")[0].strip().strip('"')
    return None if name == "/dev/null" else re.sub(r"^[ab]/", "", name)


def _hunk(lines: list[str], at: int, found: re.Match[str]) -> tuple[Hunk, int]:
    """The hunk that begins at a line, and the line after it."""
    start, old, new = int(found[1]), int(found[2] or 1), int(found[3] or 1)
    hunk = Hunk(start)
    at += 1
    while old > 0 or new > 0:
        if at >= len(lines):
            raise KbError("the diff is cut short", "give the whole of it")
        line = lines[at] or " "
        at += 1
        if line[0] == "\\":
            continue
        if line[0] not in " -+":
            raise KbError(f"the diff is damaged at its line {at}", "give it as git wrote it")
        old -= line[0] in " -"
        new -= line[0] in " +"
        hunk.lines.append(line)
    return hunk, at
