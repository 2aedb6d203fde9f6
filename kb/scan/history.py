"""Which commits, and with them which pull requests, touched each symbol between two releases of a clone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kb.component import Component
from kb.scan import git
from kb.scan.elsewhere import is_test
from kb.scan.git import Commit
from kb.scan.match import Match
from kb.scan.symbols import module
from kb.scan.tree import Tree

History = Mapping[str, tuple[Commit, ...]]
"""Qualified name, as it was in the commit -> commits that touched it, newest first."""


def history(clone: Path, old: str, new: str, component: Component) -> History:
    """Commits after `old` up to `new`, by the symbols of the component whose text they touched. Raises KbError."""
    globs = tuple(each.glob for each in component.paths if not each.neighbour)
    found: dict[str, list[Commit]] = defaultdict(list)
    for commit in git.commits(clone, old, new, globs):
        sides = git.tree(clone, f"{commit.sha}^"), git.tree(clone, commit.sha)
        for name in sorted(_touched(*sides, globs)):
            found[name].append(commit)
    return {name: tuple(commits) for name, commits in found.items()}


def _touched(old: Tree, new: Tree, globs: Iterable[str]) -> set[str]:
    """Names whose text is not the same before and after; a file that moved whole touches none."""
    paths = [{path for path in tree.under(globs) if path.endswith(".py") and not is_test(path)} for tree in (old, new)]
    same = {path for path in paths[0] & paths[1] if old.content(path) == new.content(path)}
    before, after = (set(_texts(tree, side - same)) for tree, side in zip((old, new), paths, strict=True))
    return {name for name, _ in before ^ after}


def _texts(tree: Tree, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    for path in paths:
        yield from ((each.plain, each.text) for each in module(path, tree.text(path)).symbols)


def of(match: Match, known: History) -> tuple[Commit, ...]:
    """Commits that touched a symbol under its old or its new name, newest first."""
    names = dict.fromkeys(each.plain for each in (match.new, match.old) if each)
    return tuple(dict.fromkeys(commit for name in names for commit in known.get(name, ())))
