"""A unified diff, taken apart: what it does to each file, with git's renames and copies.

Formats: https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html and
https://git-scm.com/docs/diff-format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.errors import KbError

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_COMBINED = ("diff --cc ", "diff --combined ")
_BINARY = re.compile(r"Binary files .* differ$|GIT binary patch$")
_HEADER = re.compile(r"(?:old|new) mode |(?:deleted|new) file mode |(?:dis)?similarity index |index |(?:rename|copy) ")
_PREFIXES = frozenset("abciwo12")
"""What git writes before a path (diff.mnemonicPrefix): commit, index, work tree, object; two of them differ."""
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abfnrtv"\\])')
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


@dataclass
class Hunk:
    """Lines that go together, as they are in the old file."""

    start: int
    """First line in the old file, from 1; the line before it when nothing of it is in the hunk."""
    lines: list[str] = field(default_factory=list)
    """With their mark (a blank, `-` or `+`) and their end."""

    @property
    def old(self) -> list[str]:
        return [line[1:] for line in self.lines if line[0] in " -"]


@dataclass
class FileDiff:
    """What a diff does to one file; `old` is None for a new one, `new` for one that goes."""

    old: str | None = None
    new: str | None = None
    hunks: list[Hunk] = field(default_factory=list)
    copied: bool = False
    """Whether `old` stays as it is."""
    binary: bool = False
    """Whether it differs in a way that the diff does not tell as lines."""
    step: int = 0
    """Files of one commit have one number: what is said of them is said of the state before it."""
    named: bool = False
    """Whether git said where it comes from, so that it needs no hunk."""
    headed: bool = False
    """Whether its `---` and `+++` were seen."""


def lines_of(text: str) -> list[str]:
    """Lines with their ends, as diffs count them: only a newline ends one."""
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


def parsed(diff: str) -> Iterator[FileDiff]:
    """The files of a diff. Raises KbError when something in it is cut short or cannot be understood."""
    lines = [line.removesuffix("\n") for line in lines_of(diff)]
    if lines and all(line.endswith("\r") for line in lines):
        lines = [line[:-1] for line in lines]  # the whole diff went through a tool that ends lines so
    at, step = 0, 0
    current: FileDiff | None = None
    while at < len(lines):
        line = lines[at].removesuffix("\r")
        if line.startswith(_COMBINED) or (current and line.startswith("@@@")):
            raise KbError("the diff of a merge against both its parents is not read", "`git diff A B` compares two")
        if line.startswith("diff --git ") or _heads(lines, at, current):
            yield from _whole(current)
            current = FileDiff(step=step)
        if current and line.startswith("@@ "):
            hunk, at = _hunk(lines, at, current)
            current.hunks.append(hunk)
            continue
        if _heads(lines, at, None) and current:
            current.old, current.new = _pair(line[4:], lines[at + 1][4:].removesuffix("\r"), current)
            current.headed = True
            at += 2
            continue
        if not (current and _named(current, line)):
            yield from _whole(current)
            current, step = None, step + 1  # words between: of the next commit
        at += 1
    yield from _whole(current)


def _heads(lines: list[str], at: int, current: FileDiff | None) -> bool:
    """Whether two lines name a file, and not that which git named above them."""
    pair = lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")
    return pair and (current is None or current.headed)


def _whole(found: FileDiff | None) -> Iterator[FileDiff]:
    """A file of which something was understood. Raises KbError when nothing was, or when it ends before its lines."""
    if found is None:
        return
    named = found.new or found.old
    if not (found.hunks or found.binary or found.named) and named:
        raise KbError(f"nothing that the diff says of {named} is understood", "give it whole")
    if not (found.hunks or found.binary) and (found.headed or not named):
        raise KbError("the diff is cut short", "give the whole of it")
    yield found


def _named(current: FileDiff, line: str) -> bool:
    """Reads a line of git's own about a file; False when it is none."""
    if line.startswith("diff --git "):
        current.old = current.new = _same(line.removeprefix("diff --git "))
        return True
    if _BINARY.match(line):
        current.binary = True
        return True
    if current.hunks or not _HEADER.match(line):
        return line.startswith("\\") or (current.binary and line != "-- " and not line.startswith("From "))
    what, _, name = line.partition(" from ") if " from " in line else line.partition(" to ")
    if what in {"rename", "copy"}:
        current.copied = what == "copy"
        setattr(current, "old" if " from " in line else "new", _unquoted(name))
    if line.startswith("new file mode "):
        current.old = None
    if line.startswith("deleted file mode "):
        current.new = None
    current.named = current.named or not line.startswith("index ")
    return True


def _same(text: str) -> str | None:
    """The path in `a/PATH b/PATH`; None when they are two, which other lines name then."""
    if found := re.fullmatch(r'("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")', text):
        old, new = map(_unquoted, found.groups())
    else:
        old, new = text[: len(text) // 2], text[len(text) // 2 + 1 :]
    old, new = _without_prefixes(old, new)
    return old if old == new else None


def _pair(old: str, new: str, current: FileDiff) -> tuple[str | None, str | None]:
    """The paths of two lines, possibly with a date behind a tab; git's other lines know better."""
    before, after = (_unquoted(each.partition("\t")[0].strip()) for each in (old, new))
    if current.named and (current.old or current.new):
        return current.old, current.new
    nothing = "/dev/null"
    if before == nothing or after == nothing:
        there = (after if before == nothing else before).removeprefix("./")
        path = there[2:] if there[:1] in _PREFIXES and there[1:2] == "/" else there
        path = current.old or current.new or path
        return (None if before == nothing else path), (None if after == nothing else path)
    return _without_prefixes(before, after)


def _without_prefixes(old: str, new: str) -> tuple[str, str]:
    both = old[1:2] == new[1:2] == "/" and {old[0], new[0]} <= _PREFIXES and old[0] != new[0]
    return (old[2:], new[2:]) if both else (old, new)


def _unquoted(name: str) -> str:
    """A path as git writes it when it has bytes beyond ASCII: in quotes, bytes as octal numbers."""
    if not (len(name) > 1 and name[0] == name[-1] == '"'):
        return name
    raw = name[1:-1].encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(_byte, raw).decode("utf-8", "surrogateescape")


def _byte(found: re.Match[bytes]) -> bytes:
    return _ESCAPED.get(found[1], found[1]) if len(found[1]) == 1 else bytes([int(found[1], 8) & 255])


def _hunk(lines: list[str], at: int, of: FileDiff) -> tuple[Hunk, int]:
    """The hunk that begins at a line, and the line after it."""
    found = _HUNK.match(lines[at])
    if found is None or not (of.old or of.new):
        raise KbError(f"the diff is damaged at its line {at + 1}", "give it as git wrote it")
    start, old, new = int(found[1]), int(found[2] or 1), int(found[3] or 1)
    hunk = Hunk(start)
    at += 1
    while old > 0 or new > 0 or (at < len(lines) and lines[at].startswith("\\ ")):
        if at >= len(lines):
            raise KbError("the diff is cut short", "give the whole of it")
        line = lines[at] if lines[at] not in {"", "\r"} else f" {lines[at]}"
        at += 1
        if line[0] == "\\" and hunk.lines:
            hunk.lines[-1] = hunk.lines[-1].removesuffix("\n")
            continue
        if line[0] not in " -+":
            raise KbError(f"the diff is damaged at its line {at}", "give it as git wrote it")
        old -= line[0] in " -"
        new -= line[0] in " +"
        hunk.lines.append(f"{line}\n")
    if at < len(lines) and lines[at].startswith("+") and not lines[at].startswith("+++ "):
        raise KbError(f"the diff is damaged at its line {at + 1}", "give it as git wrote it")
    return hunk, at
