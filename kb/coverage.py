"""What is known of an interval of a component's releases: where nobody looked, and what no change record accounts for.

A statement of coverage only says that the interval was looked at. What differs there stands in the tables of symbols;
what is accounted for is asked of the change records each time, so that a record that goes, or comes, counts at once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from packaging.version import Version

from kb.change import Change
from kb.component import Component, Coverage
from kb.digests import Differing, Table
from kb.globs import matches
from kb.library import Library
from kb.versions import contains, parse
from kb.vocabulary import Ships


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """A symbol that behaves differently, of which no change record by a person speaks."""

    component: str
    symbol: str
    release: str
    """First scanned release in which it is so."""
    after: str
    """The scanned release before."""
    status: str
    """changed, added or removed."""
    file: str | None = None
    draft: str | None = None
    """Draft by scan that names it: still nobody has read it."""

    @property
    def anchor(self) -> str:
        """As claims write it."""
        return f"{self.component}:{self.symbol}"


@dataclass(frozen=True, slots=True)
class Gap:
    """Releases of a component between which nothing is known."""

    component: str
    since: str
    until: str
    why: str


@dataclass(frozen=True)
class Cover:
    """What is known of an interval of a component's releases."""

    component: str
    since: str
    until: str
    gaps: tuple[Gap, ...] = ()
    """Parts that no statement reaches over, or whose differences cannot be listed."""
    statements: tuple[Coverage, ...] = ()
    unrecorded: tuple[Unrecorded, ...] = ()
    """Own code that behaves differently."""
    around: tuple[Unrecorded, ...] = ()
    """The same in neighbouring files, from the table of the component whose they are."""
    open: tuple[str, ...] = ()
    """What differs and has no symbol: pins, options, files of other languages."""

    @property
    def complete(self) -> bool:
        """Whether all was looked at and everything that differs is accounted for."""
        return not (self.gaps or self.unrecorded or self.around or self.open)


@dataclass(frozen=True)
class Accounts:
    """What the tables of a library's components tell and its records account for; worked out once a component."""

    library: Library

    @cached_property
    def _known(self) -> dict[tuple[str, str | None], tuple[list[int], list[Unrecorded]]]:
        return {}

    def unrecorded(self, component: Component, low: int, high: int, of: Component | None) -> list[Unrecorded]:
        """What no record by a person speaks of, after one scanned release up to another (positions in the table); with
        `of` only in files that are neighbours of that component."""
        key = (component.id, of.id if of else None)
        if key not in self._known:
            near = _Near(of) if of else None
            found = [pair for pair in self._everywhere(component) if near is None or near.has(pair[1])]
            self._known[key] = [position for position, _ in found], [each for _, each in found]
        positions, symbols = self._known[key]
        return symbols[bisect_right(positions, low) : bisect_right(positions, high)]

    def _everywhere(self, component: Component) -> tuple[tuple[int, Unrecorded], ...]:
        """The same in every file; the neighbourhoods of several components are parts of one package."""
        if component.id not in self._every:
            self._every[component.id] = tuple(_unrecorded(component, self.library))
        return self._every[component.id]

    @cached_property
    def _every(self) -> dict[str, tuple[tuple[int, Unrecorded], ...]]:
        return {}

    def cover(self, component: Component, first: str, second: str) -> Cover:
        """What is known between two releases of a component, whichever is the older one."""
        a, b = parse(first), parse(second)
        if a is None or b is None:
            return Cover(component.id, first, second, (Gap(component.id, first, second, "no release"),))
        if a == b:
            return Cover(component.id, first, second)
        low, high = (first, second) if a < b else (second, first)
        reaching = tuple(each for each in component.coverage if _overlaps(each, low, high))
        scanned = [each for each in reaching if each.by == "scan"]
        listed = _listed(component, scanned, low, high, self)
        around = _around(component, scanned, low, high, self)
        return Cover(
            component.id,
            low,
            high,
            (*_gaps(component.id, reaching, low, high), *listed.gaps, *around.gaps),
            reaching,
            listed.found,
            around.found,
            tuple(text for each in reaching for text in each.open if _is_within(text, low, high)),
        )


@dataclass(frozen=True, slots=True)
class _Listed:
    found: tuple[Unrecorded, ...] = ()
    gaps: tuple[Gap, ...] = ()


def _version(text: str) -> Version:
    return parse(text) or Version("0")


def _overlaps(stated: Coverage, low: str, high: str) -> bool:
    return _version(stated.since) < _version(high) and _version(low) < _version(stated.until)


def _is_within(text: str, low: str, high: str) -> bool:
    """Whether an open point is of the interval: its text begins with the release, else it counts everywhere."""
    release = parse(text.partition(":")[0])
    return release is None or _version(low) < release <= _version(high)


def _gaps(component: str, stated: Iterable[Coverage], low: str, high: str) -> Iterator[Gap]:
    """Parts over which no statement reaches."""
    at = low
    for each in sorted(stated, key=lambda each: _version(each.since)):
        if _version(at) < _version(each.since):
            yield Gap(component, at, each.since, "nobody has stated that all changes were looked at")
        at = max(at, each.until, key=_version)
    if _version(at) < _version(high):
        yield Gap(component, at, high, "nobody has stated that all changes were looked at")


def _listed(
    component: Component, stated: Iterable[Coverage], low: str, high: str, known: Accounts, of: Component | None = None
) -> _Listed:
    """What differs in the parts that a scan states, from a table; `of` says whose neighbour the code is."""
    table = known.library.digests.table(component.id)
    found: list[Unrecorded] = []
    gaps: list[Gap] = []
    for each in stated:
        since, until = max(low, each.since, key=_version), min(high, each.until, key=_version)
        span = _positions(table, since, until) if table else None
        if span is None:
            gaps.append(Gap(component.id, since, until, "its table of symbols does not speak of these releases"))
            continue
        known_before = {id(one) for one in found}  # where statements overlap both list one object
        found += [one for one in known.unrecorded(component, *span, of) if id(one) not in known_before]
    return _Listed(tuple(found), tuple(gaps))


def _positions(table: Table, since: str, until: str) -> tuple[int, int] | None:
    """Scanned releases around an interval, which may begin or end at one that was not scanned."""
    versions = [_version(each) for each in table.releases]
    low = max((n for n, each in enumerate(versions) if each <= _version(since)), default=None)
    high = min((n for n, each in enumerate(versions) if each >= _version(until)), default=None)
    return None if low is None or high is None else (low, high)


def _around(component: Component, stated: Iterable[Coverage], low: str, high: str, known: Accounts) -> _Listed:
    """What differs in neighbouring files, from the table of what the component ships in."""
    host = known.library.components.get(component.ships_in or "")
    if host is None or host.id == component.id or not any(each.neighbour for each in component.paths):
        return _Listed()
    return _listed(host, stated, low, high, known, component)


class _Near(dict[tuple[str, str], bool]):
    """(File, release) -> whether it is a neighbour by a component's paths; each is looked up once."""

    def __init__(self, of: Component) -> None:
        super().__init__()
        self._paths = [path for path in of.paths if path.neighbour]
        self._spans: dict[str, list[str]] = {}
        """File -> ranges of releases in which it is one: a file is there in dozens."""

    def __missing__(self, key: tuple[str, str]) -> bool:
        file, release = key
        if file not in self._spans:
            self._spans[file] = [path.versions for path in self._paths if matches(file, path.glob)]
        self[key] = any(contains(versions, release) for versions in self._spans[file])
        return self[key]

    def has(self, each: Unrecorded) -> bool:
        """Whether what differs lies in a neighbouring file."""
        return each.file is not None and (self[each.file, each.release] or self[each.file, each.after])


def _unrecorded(component: Component, library: Library) -> Iterator[tuple[int, Unrecorded]]:
    """All that differs anywhere without a record, with the position of its release, in order."""
    table = library.digests.table(component.id)
    by_name = _named(component, library.changes.values())
    for position, each in table.everything if table else ():
        records = [record for name in each.names for record in by_name.get(name, ()) if _turns(record, each, component)]
        if not any(record.proposed_by == "person" for record in records):
            draft = next((record.id for record in records), None)
            file = each.file or None
            yield (
                position,
                Unrecorded(component.id, each.symbol, each.release, each.after, each.status, file, draft),
            )


def _named(component: Component, changes: Iterable[Change]) -> dict[str, list[Change]]:
    """Symbol -> records that name it."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        for symbol in change.symbols:
            owner, _, name = symbol.partition(":")
            if component.id in {owner, change.component, *change.also}:
                found.setdefault(name, []).append(change)
    return found


def _turns(change: Change, each: Differing, component: Component) -> bool:
    """Whether a record's shipping turns where the symbol does, or is not established: then the record is judged."""
    distribution = component.ships_in or component.id
    before, after = (change.ships_in(distribution, version) for version in (each.after, each.release))
    return before is not after or Ships.NOT_ESTABLISHED in {before, after}
