"""Two releases of a component, compared: its own code by symbol, its neighbours by file."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import unified_diff
from functools import partial

from kb.change import Change
from kb.component import Component
from kb.scan.continuing import continued
from kb.scan.elsewhere import bound_elsewhere, found_elsewhere, is_test
from kb.scan.facts import What
from kb.scan.foreign import is_foreign
from kb.scan.gather import changed
from kb.scan.guards import guards, options_read
from kb.scan.history import History
from kb.scan.history import of as commits_of
from kb.scan.kinds import formed, judge_all, undecided, world
from kb.scan.looking import beside
from kb.scan.match import Match, Matched, Status, match
from kb.scan.pins import declares, is_wheel
from kb.scan.propose import propose
from kb.scan.report import Difference, FileDifference, Report, Row, differing
from kb.scan.seen import Condition, Judged
from kb.scan.symbols import Module
from kb.scan.taking import Taker, let_go
from kb.scan.texts import lines
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
    taker = Taker()
    before, after = taker.both((old, new), paths)
    matched = pairs(Side(old, paths[0], before), Side(new, paths[1], after))
    around = (_paths(old, component, True), _paths(new, component, True))
    known = world(matched, before, after)
    hard = undecided(matched.matches, known)
    stating = {*paths[0], *paths[1], *_declaring(around)}
    facts, *forms = taker.together(
        [partial(_facts, old, new, stating, taker), *(partial(formed, each, known) for each in hard)]
    )
    judged = judge_all(matched.matches, known, dict(zip(map(id, hard), forms, strict=True)))
    broken = {each.path for each in (*before, *after) if each.broken}
    files = [*_others(old, new, paths, False, broken), *_neighbours(old, new, around, taker)]
    found = Report(
        component.id,
        old.label,
        new.label,
        tuple(_differences(matched, judged, (*before, *after), history)),
        tuple(files),
        **facts,
        notes=tuple(_notes(component, (old, new), paths, (*before, *after))),
    )
    found = replace(found, proposed=tuple(each.as_dict() for each in propose(found, component, changes)))
    let_go((*before, *after))
    return found


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


def own(tree: Tree, component: Component) -> list[str]:
    """The component's own files at a release, tests left out."""
    return _paths(tree, component, False)


def _paths(tree: Tree, component: Component, neighbour: bool) -> list[str]:
    """Files of the component at a release, tests left out; an own file is no neighbour."""
    there = [each for each in component.paths if parse(tree.label) is None or contains(each.versions, tree.label)]
    own = set(tree.under(each.glob for each in there if not each.neighbour))
    wanted = set(tree.under(each.glob for each in there if each.neighbour)) - own if neighbour else own
    return sorted(path for path in wanted if not is_test(path))


Paths = tuple[list[str], list[str]]

_LISTS = {What.OPTION: "options", What.ENV: "env", What.REQUIREMENT: "requirements"}
"""Kind of fact -> where a report lists it; the others are defaults."""


def _facts(old: Tree, new: Tree, paths: Iterable[str], taker: Taker) -> dict[str, tuple[Row, ...]]:
    """What the releases read and require differently."""
    found: dict[str, list[Row]] = defaultdict(list)
    telling = sorted(path for path in paths if path.endswith(".py") or is_foreign(path) or declares(path))
    for each in changed(old, new, telling, read=taker.reading):
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
    origins = _origins(new.modules) if gone else {}
    lost = {id(each): Match(each, None, _imported(origins[each.plain])) for each in gone if each.plain in origins}
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


def _origins(modules: Iterable[Module]) -> Mapping[str, set[str]]:
    """Imported name -> the modules it comes from, as written."""
    found: dict[str, set[str]] = defaultdict(set)
    for each in modules:
        for name, origin in each.origins.items():
            found[name].add(origin)
    return found


def _imported(origins: Iterable[str]) -> str:
    """Where a name that is gone comes from now, when the source at hand does not have that file."""
    return f"imported from {', '.join(sorted(origins))} now, not among the files given"


def _differences(
    matched: Matched, judged: list[Judged], modules: Iterable[Module], history: History | None = None
) -> Iterator[Difference]:
    options = options_read(symbol for each in modules for symbol in each.symbols)
    perhaps = continued(each for each, found in zip(matched.matches, judged, strict=True) if found.kind)
    for each, found in zip(matched.matches, judged, strict=True):
        suggested = guards(each, options, _around(each)) if each.status in _GUARDED else ()
        commits = commits_of(each, history or {}) if found.kind else ()
        why = "; ".join(filter(None, (each.how, found.why)))
        yield Difference(each, found.kind, why, suggested, commits, perhaps.get(id(each.old)))


_GUARDED = {Status.CHANGED, Status.ADDED, Status.REMOVED}


def _around(each: Match) -> Iterable[Condition]:
    return beside(each.old, each.new).around if each.old and each.new else ()


def _neighbours(old: Tree, new: Tree, around: Paths, taker: Taker) -> Iterator[FileDifference]:
    """Neighbouring files that differ, with what differs in them."""
    before, after = _contents(old, around[0]), _contents(new, around[1])
    differ = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    python = [path for path in differ if path.endswith(".py")]
    was, now = taker.both(
        (old, new), ([path for path in python if path in before], [path for path in python if path in after])
    )
    by_file: dict[str, list[Difference]] = defaultdict(list)
    matched = match(was, now)
    judged = judge_all(matched.matches, world(matched, was, now))
    for each in differing(_differences(matched, judged, (*was, *now))):
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
    before, after = (lines(text.decode("utf-8", "replace")) for text in (old, new))
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
