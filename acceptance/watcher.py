"""What one would learn by watching the hashes of the component's files, beside what a scan learns.

The watcher knows the files of the old release: the component's own, and the modules beside them that only pass names
on. It alarms for a file that is gone or whose bytes differ. Counted over symbols, because claims rest on symbols:
a false alarm is a symbol that behaves as before in a file with an alarm; a miss is a name that a file without an alarm
gives to others and behind which something behaves differently, a re-export or a member inherited from another file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.scan import Report, Tree
from kb.scan.lineage import Hierarchy
from kb.scan.report import Difference
from kb.scan.symbols import CLASS, STATEMENT, Module, module


@dataclass
class Watched:
    """The count of one interval."""

    files: int = 0
    alarms: list[str] = field(default_factory=list)
    false_files: list[str] = field(default_factory=list)
    """Files with an alarm in which no symbol behaves differently."""
    flagged: int = 0
    """Symbols in files with an alarm."""
    false: int = 0
    """Of them, those that behave as before."""
    missed: list[str] = field(default_factory=list)
    """Names in files without an alarm behind which something behaves differently."""


def watch(report: Report, old: Tree, new: Tree) -> Watched:
    """What a watcher of the old release's files says of the new one."""
    own = sorted({each.old_path for each in report.symbols if each.old_path})
    passing = [] if not own else [path for path in _beside(old, own) if _only_passes_on(old, path)]
    found = Watched(files=len(own) + len(passing))
    by_file = {path: [each for each in report.symbols if each.old_path == path] for path in (*own, *passing)}
    changed = {each.old_name for each in report.symbols if each.behaves_differently and each.old_name}
    behind = _Behind([module(path, old.text(path)) for path in by_file], changed)
    for path, symbols in by_file.items():
        names = list(behind.names(path, path in passing))
        if _alarms(path, old, new):
            found.alarms.append(path)
            _count(found, path, symbols, names)
        else:
            found.missed += [f"{path.rpartition('/')[2]}: {name}" for name in names]
    return found


def _count(found: Watched, path: str, symbols: list[Difference], behind: list[str]) -> None:
    same = [each for each in symbols if not each.behaves_differently]
    found.flagged += len(symbols)
    found.false += len(same)
    if len(same) == len(symbols) and not behind:
        found.false_files.append(path)


def _beside(tree: Tree, own: list[str]) -> list[str]:
    """Python files in the folders of a package that is the component's own, its own left out."""
    folders = {path.rpartition("/")[0] for path in own if len({each.rpartition("/")[0] for each in own}) == 1}
    whole = [path for path in tree.paths if path.rpartition("/")[0] in folders and path.endswith(".py")]
    return [path for path in whole if path not in own and len(own) > 1]


def _only_passes_on(tree: Tree, path: str) -> bool:
    made = module(path, tree.text(path))
    return bool(made.exports) and all(each.kind == STATEMENT or each.last in made.exports for each in made.symbols)


def _alarms(path: str, old: Tree, new: Tree) -> bool:
    return path not in new.paths or _hash(old, path) != _hash(new, path)


def _hash(tree: Tree, path: str) -> bytes:
    return hashlib.sha256(tree.content(path)).digest()


class _Behind:
    """What stands behind the names that a file gives to others."""

    def __init__(self, modules: list[Module], changed: set[str]) -> None:
        self.modules = {each.path: each for each in modules}
        self.order = Hierarchy.of(modules)
        self.changed = changed
        self.owners = {name.rpartition(".")[0] for name in changed if "." in name}

    def names(self, path: str, passes_on: bool) -> Iterator[str]:
        """Names that a file defines, or passes on, behind which something behaves differently."""
        made = self.modules[path]
        defined = {each.plain for each in made.symbols if each.kind == CLASS}
        for name in sorted(made.exports if passes_on else defined):
            target = self.order.resolve(name)
            if target in self.order.bases and self._differs(target):
                yield name

    def _differs(self, name: str) -> bool:
        return any(each in self.owners or each in self.changed for each in self.order.lineage(name))
