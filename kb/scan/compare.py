"""Two releases of a component, compared: its own code by symbol, its neighbours by file."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import unified_diff

from kb.change import Change
from kb.component import Component
from kb.scan.continuing import continued
from kb.scan.elsewhere import bound_elsewhere, found_elsewhere, is_test
from kb.scan.facts import What
from kb.scan.foreign import is_foreign
from kb.scan.gather import changed
from kb.scan.guards import guards, options_read, tells_options
from kb.scan.history import History
from kb.scan.history import of as commits_of
from kb.scan.kinds import judge_all, world
from kb.scan.match import Match, Matched, Status, match
from kb.scan.pins import declares, is_wheel
from kb.scan.propose import propose
from kb.scan.reads import read
from kb.scan.report import Difference, FileDifference, Report, Row, differing
from kb.scan.symbols import Module, Symbol, module
from kb.scan.tree import MAX_TEXT, Tree
from kb.versions import contains, parse


def scan(
    old: Tree, new: Tree, component: Component, changes: Iterable[Change] = (), history: History | None = None
) -> Report:
    """What differs in a component between two releases, and drafts of change records beside those given.

    The trees' labels are versions of its distribution; labels that are none are compared with all its paths.
    """
    with _collector_paused():
        return _scan(old, new, component, changes, history)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Syntax trees have no cycles, yet the collector walks their nodes again and again: a third of the time without."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _scan(old: Tree, new: Tree, component: Component, changes: Iterable[Change], history: History | None) -> Report:
    paths = (_paths(old, component, False), _paths(new, component, False))
    reader = _Reader()
    before, after = reader.both((old, new), paths)
    matched = pairs(Side(old, paths[0], before), Side(new, paths[1], after))
    around = (_paths(old, component, True), _paths(new, component, True))
    broken = {each.path for each in (*before, *after) if each.broken}
    files = [*_others(old, new, paths, False, broken), *_neighbours(old, new, around, reader)]
    found = Report(
        component.id,
        old.label,
        new.label,
        tuple(_differences(matched, before, after, history)),
        tuple(files),
        **_facts(old, new, {*paths[0], *paths[1], *_declaring(around)}),
        notes=tuple(_notes(component, (old, new), paths, (*before, *after))),
    )
    return replace(found, proposed=tuple(each.as_dict() for each in propose(found, component, changes)))


@dataclass(frozen=True)
class Side:
    """One release of a component while it is compared."""

    tree: Tree
    paths: list[str]
    """The component's own files."""
    modules: list[Module]


def pairs(old: Side, new: Side) -> Matched:
    """Symbols of two releases in pairs; what left the component's files or came into them is no removal or addition."""
    found = _beyond(match(old.modules, new.modules), old, new)
    return _readable(found, old.modules, new.modules)


def matching(trees: Iterable[Tree], component: Component) -> bool:
    """Whether any of the releases has a file of the component."""
    return any(_paths(tree, component, False) for tree in trees)


def _paths(tree: Tree, component: Component, neighbour: bool) -> list[str]:
    """Files of the component at a release, tests left out; an own file is no neighbour."""
    there = [each for each in component.paths if parse(tree.label) is None or contains(each.versions, tree.label)]
    own = set(tree.under(each.glob for each in there if not each.neighbour))
    wanted = set(tree.under(each.glob for each in there if each.neighbour)) - own if neighbour else own
    return sorted(path for path in wanted if not is_test(path))


class _Reader:
    """Parses each text once: most files of two releases are the same. Trees of what is the same are let go."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Module] = {}

    def both(self, trees: tuple[Tree, Tree], paths: Paths) -> tuple[list[Module], list[Module]]:
        """Modules of both releases; old and new of one path are taken apart one after the other."""
        found: tuple[list[Module], list[Module]] = ([], [])
        sides = list(zip(trees, map(frozenset, paths), strict=True))
        for path in sorted({*paths[0], *paths[1]}):
            made = [
                self._module(path, tree.text(path)) if path.endswith(".py") and path in side else None
                for tree, side in sides
            ]
            _let_go(*made)
            for side, each in zip(found, made, strict=True):
                if each:
                    side.append(each)
        return found

    def _module(self, path: str, text: str) -> Module:
        if (path, text) not in self._known:
            self._known[path, text] = module(path, text)
            read(text)  # looks at the same tree, for the facts
        return self._known[path, text]


def _let_go(old: Module | None, new: Module | None) -> None:
    """Without the trees of symbols that are the same in both; those that tell options are looked at again."""
    if old and new:
        there = {(each.kind, each.name, each.text) for each in old.symbols}
        same = there & {(each.kind, each.name, each.text) for each in new.symbols}
        for each in (*old.symbols, *new.symbols):
            if (each.kind, each.name, each.text) in same and not tells_options(each):
                each.code.let_go()


Paths = tuple[list[str], list[str]]

_LISTS = {What.OPTION: "options", What.ENV: "env", What.REQUIREMENT: "requirements"}
"""Kind of fact -> where a report lists it; the others are defaults."""


def _facts(old: Tree, new: Tree, paths: Iterable[str]) -> dict[str, tuple[Row, ...]]:
    """What the releases read and require differently."""
    found: dict[str, list[Row]] = defaultdict(list)
    telling = sorted(path for path in paths if path.endswith(".py") or is_foreign(path) or declares(path))
    for each in changed(old, new, telling):
        found[_LISTS.get(each.what, "defaults")].append(each.as_dict())
    return {name: tuple(rows) for name, rows in found.items()}


def _declaring(paths: Paths) -> set[str]:
    """Neighbouring files that declare requirements."""
    return {path for side in paths for path in side if path.endswith((".txt", ".toml", ".cfg", "setup.py"))}


def _beyond(matched: Matched, old: Side, new: Side) -> Matched:
    """With removed symbols found in the rest of the new release, and added ones in the rest of the old."""
    gone = [each.old for each in matched.matches if each.old and not each.new]
    come = [each.new for each in matched.matches if each.new and not each.old]
    beyond = (
        *bound_elsewhere(gone, new.tree, new.modules),
        *found_elsewhere(gone, new.tree, new.paths, new.modules),
    )
    left = {id(a): Match(a, b, why) for a, b, why in beyond}
    came = (
        {id(a): Match(b, a, why) for a, b, why in found_elsewhere(come, old.tree, old.paths, old.modules)}
        if old.paths
        else {}
    )
    lost = {id(each): Match(each, None, why) for each in gone if (why := _imported(each, new.modules))}
    found = {**lost, **left, **came}
    return replace(matched, matches=tuple(found.get(id(each.symbol), each) for each in matched.matches))


def _readable(matched: Matched, before: Iterable[Module], after: Iterable[Module]) -> Matched:
    """Without what only seems removed or added because the other release's file could not be parsed."""
    lost = {each.path for each in after if each.broken}
    unread = {each.path for each in before if each.broken}
    kept = tuple(
        each
        for each in matched.matches
        if not (each.new is None and each.old and each.old.path in lost)
        and not (each.old is None and each.new and each.new.path in unread)
    )
    return replace(matched, matches=kept)


def _imported(gone: Symbol, modules: Iterable[Module]) -> str:
    """Where a name that is gone comes from now, when the source at hand does not have that file."""
    origins = {each.origins[gone.plain] for each in modules if gone.plain in each.origins}
    return f"imported from {', '.join(sorted(origins))} now, not among the files given" if origins else ""


def _differences(
    matched: Matched, old: list[Module], new: list[Module], history: History | None = None
) -> Iterator[Difference]:
    options = options_read(symbol for each in (*old, *new) for symbol in each.symbols)
    judged = judge_all(matched.matches, world(matched, old, new))
    perhaps = continued(each for each, found in zip(matched.matches, judged, strict=True) if found.kind)
    for each, found in zip(matched.matches, judged, strict=True):
        suggested = guards(each, options) if each.status in {Status.CHANGED, Status.ADDED, Status.REMOVED} else ()
        commits = commits_of(each, history or {}) if found.kind else ()
        why = "; ".join(filter(None, (each.how, found.why)))
        yield Difference(each, found.kind, why, suggested, commits, perhaps.get(id(each.old)))


def _neighbours(old: Tree, new: Tree, around: Paths, reader: _Reader) -> Iterator[FileDifference]:
    """Neighbouring files that differ, with what differs in them."""
    before, after = _contents(old, around[0]), _contents(new, around[1])
    differ = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    python = [path for path in differ if path.endswith(".py")]
    was, now = reader.both(
        (old, new), ([path for path in python if path in before], [path for path in python if path in after])
    )
    by_file: dict[str, list[Difference]] = defaultdict(list)
    for each in differing(_differences(match(was, now), was, now)):
        by_file[each.match.symbol.path].append(each)
    broken = {each.path for each in (*was, *now) if each.broken}
    for path in python:
        if path not in broken and (by_file[path] or not (path in before and path in after)):
            status = _status(path, before, after)
            yield FileDifference(*_sides(path, status), status, True, tuple(by_file[path]))
    yield from _others(old, new, around, True, broken)


def _status(path: str, before: Container[str], after: Container[str]) -> Status:
    return Status.ADDED if path not in before else Status.REMOVED if path not in after else Status.CHANGED


def _sides(path: str, status: Status) -> tuple[str | None, str | None]:
    return (None if status is Status.ADDED else path), (None if status is Status.REMOVED else path)


def _others(
    old: Tree, new: Tree, paths: Paths, neighbour: bool, broken: Container[str] = ()
) -> Iterator[FileDifference]:
    """Files that are no Python, or none that can be parsed, by their bytes; one that moved is found by them."""
    before, after = (
        _contents(tree, (path for path in side if not path.endswith(".py") or path in broken))
        for tree, side in zip((old, new), paths, strict=True)
    )
    gone = {text: path for path, text in before.items() if path not in after}
    moved = {gone[text]: path for path, text in after.items() if path not in before and text in gone}
    for was, path in sorted(moved.items()):
        yield FileDifference(was, path, Status.MOVED, neighbour, why="the same bytes in another place")
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path) and path not in moved and path not in moved.values():
            status = _status(path, before, after)
            changed = _diff(path, before.get(path, b""), after.get(path, b""))
            yield FileDifference(*_sides(path, status), status, neighbour, hunk=changed)


def _contents(tree: Tree, paths: Iterable[str]) -> dict[str, bytes]:
    return {path: tree.content(path) for path in paths}


def _diff(path: str, old: bytes, new: bytes) -> str | None:
    if any(b"\0" in text[:4096] or len(text) > MAX_TEXT for text in (old, new)):
        return None
    before, after = (text.decode("utf-8", "replace").splitlines() for text in (old, new))
    return "\n".join(unified_diff(before, after, path, path, n=2, lineterm="")) + "\n"


ONE_WHEEL = "one side is a wheel, which has no requirement files: pins are compared by metadata only"


def _notes(component: Component, trees: tuple[Tree, Tree], paths: Paths, modules: Iterable[Module]) -> Iterator[str]:
    if is_wheel(trees[0]) != is_wheel(trees[1]):
        yield ONE_WHEEL
    for tree, own in zip(trees, paths, strict=True):
        if not own:
            yield f"{component.id} has no files in {tree.label}"
    for each in modules:
        if each.broken:
            yield f"{each.path} cannot be parsed ({each.broken}); compared by lines"
