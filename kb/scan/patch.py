"""A tree with a unified diff applied, in memory: what a pull request would make of a release."""

from __future__ import annotations

from itertools import groupby

from kb.errors import KbError
from kb.scan.tree import Tree
from kb.scan.unified import FileDiff, lines_of, parsed

_ANOTHER = "it was made from another commit; name it with --from"
_UNTOLD = b"\0 differs, and the diff does not say how\n"
"""Content of a binary file after a diff: no text, and not what was there."""


class _State:
    """Files as the diffs so far have made them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.paths = set(tree.paths)
        self.changed: dict[str, bytes] = {}

    def content(self, path: str) -> bytes:
        return self.changed[path] if path in self.changed else self._tree.content(path)

    def apply(self, files: list[FileDiff]) -> None:
        """What one commit does: all of it is said of the state before. Raises KbError when it does not fit."""
        made = {each.new: self._after(each) for each in files if each.new}
        for each in files:
            if each.old is not None and each.new is None:
                self._after(each)  # what goes has to be what is there
        self.paths -= {each.old for each in files if each.old and each.old != each.new and not each.copied}
        self.changed |= made
        self.paths |= made.keys()

    def _after(self, each: FileDiff) -> bytes:
        if each.old is None and each.new in self.paths:
            raise KbError(f"the diff does not fit: {each.new} would be new and is there already", _ANOTHER)
        if each.old is not None and each.old not in self.paths:
            raise KbError(
                f"the diff changes {each.old}, which {self._tree.label} does not have",
                "it is of another repository, or of another commit: name that with --from",
            )
        before = self.content(each.old) if each.old else b""
        if each.binary:
            return _UNTOLD
        return _applied(before.decode("utf-8", "surrogateescape"), each).encode("utf-8", "surrogateescape")


def patched(tree: Tree, diff: str, label: str = "") -> Tree:
    """The tree with the diff applied, commit by commit. Raises KbError when it does not fit."""
    found = list(parsed(diff))
    if found and all(each.binary for each in found):
        raise KbError("the diff speaks of binary files only: there is no code in it to read")
    if not found:
        raise KbError("no unified diff was given", "`git diff A B` or a pull request's .diff is one")
    state = _State(tree)
    for _, commit in groupby(found, key=lambda each: each.step):
        waiting: list[FileDiff] = []
        touched: set[str | None] = set()
        for each in commit:
            moved = each.copied or (None not in {each.old, each.new} and each.old != each.new)
            if not moved and ({each.old, each.new} - {None}) & touched:
                state.apply(waiting)  # the file a second time: diffs one after the other, without words between
                waiting, touched = [], set()
            waiting.append(each)
            touched |= {each.new} if each.copied else {each.old, each.new}
        state.apply(waiting)
    paths, changed = state.paths, state.changed
    return Tree(
        label or tree.label,
        tuple(sorted(paths)),
        lambda path: changed[path] if path in changed else tree.content(path),
    )


def _applied(before: str, each: FileDiff) -> str:
    lines = lines_of(before)
    out: list[str] = []
    done = 0
    for hunk in each.hunks:
        old = hunk.old
        at = hunk.start - 1 if old else hunk.start
        there = [line.rstrip("\r\n") for line in lines[at : at + len(old)]] if done <= at <= len(lines) else None
        if there != [line.rstrip("\r\n") for line in old]:
            raise KbError(f"the diff does not fit {each.old or each.new} at line {hunk.start}", _ANOTHER)
        out += lines[done:at]
        done = at
        for line in hunk.lines:
            if line[0] == "+":
                out.append(line[1:])
            else:
                out += lines[done : done + 1] if line[0] == " " else []
                done += 1
    out += lines[done:]
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in out[:-1]) + "".join(out[-1:])
