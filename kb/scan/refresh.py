"""Every component against the newest release of what it ships in: what a base would gain by catching up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from kb.component import Component, Release
from kb.digests import Table
from kb.errors import KbError
from kb.library import Library
from kb.rewrite import rewrite
from kb.scan.compare import matching, scan
from kb.scan.listing import Listing
from kb.scan.report import Report, Row
from kb.scan.tree import Tree
from kb.scan.web import Offline
from kb.versions import contains, parse


class Source(Protocol):
    """Where releases come from: kb.scan.index.Index, or a stand-in."""

    def listing(self, distribution: str) -> Listing: ...

    def tree(self, distribution: str, version: str) -> Tree: ...


@dataclass(frozen=True)
class Due:
    """What is due for one component."""

    component: Component
    distribution: str
    since: str | None = None
    """The newest release that the base knows; None when it knows none."""
    until: str | None = None
    """The newest release there is."""
    releases: tuple[Release, ...] = ()
    """Releases that its record does not list, or does not know to be withdrawn."""
    report: Report | None = None
    """What differs between both, where there is anything to compare."""
    trees: tuple[Tree, Tree] | None = None
    why_not: str = ""
    """Why nothing could be said."""
    held_back: tuple[str, ...] = ()
    """Releases that only this one of the component's distributions has: whether they can be used is for a person."""
    elsewhere: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Releases that this distribution lacks and another one of the component has, by the other."""
    scanned: bool = True
    """Whether anybody has looked at the component's code; otherwise no more than its releases is known."""
    kept: str | None = None
    """Day of the list, when the index could not be reached and one kept from then was used."""

    @property
    def anything(self) -> bool:
        """Whether the base would gain something."""
        return bool(self.releases or self.report)

    def facts(self) -> tuple[tuple[str, Row], ...]:
        """Facts that differ, each with the list that the report has it in."""
        if self.report is None:
            return ()
        lists = ("options", "env", "defaults", "requirements")
        return tuple((name, row) for name in lists for row in getattr(self.report, name))

    def as_dict(self) -> dict[str, Any]:
        """For `kb scan --all --json`."""
        report = self.report
        found = report.as_dict() if report else {}
        return {
            "component": self.component.id,
            "distribution": self.distribution,
            "since": self.since,
            "until": self.until,
            "releases": [each.model_dump(mode="json") for each in self.releases],
            "symbols": dict(Counter(each.status.value for each in report.symbols)) if report else {},
            **{key: found.get(key, []) for key in ("options", "env", "defaults", "requirements", "proposed")},
            "notes": list(report.notes) if report else [],
            "held_back": list(self.held_back),
            "elsewhere": {name: list(versions) for name, versions in self.elsewhere.items()},
            "scanned": self.scanned,
            "why_not": self.why_not,
            "list_kept_from": self.kept,
        }


def due(library: Library, source: Source) -> Iterator[Due]:
    """What is due for each component, in order of their ids. Raises Offline when the index cannot be reached."""
    for _, component in sorted(library.components.items()):
        distribution = component.ships_in or (component.id if component.releases else "")
        if not distribution:
            yield Due(component, "", why_not="it does not say in which distribution it ships")
            continue
        try:
            yield _due(component, distribution, library, source)
        except Offline:
            raise
        except KbError as error:
            yield Due(component, distribution, why_not=error.message)


def _due(component: Component, distribution: str, library: Library, source: Source) -> Due:
    listing = source.listing(distribution)
    others = [source.listing(each) for each in component.also_ships_in]
    carried = {parse(each.version) for other in others for each in other.releases()}
    listed = {parse(each.version) for each in listing.releases()}
    elsewhere = {
        other.distribution: missing
        for other in others
        if (missing := tuple(each.version for each in _fresh(component, other.releases()) if _lacks(listed, each)))
    }
    there = [each for each in listing.releases() if not others or parse(each.version) in carried]
    alone = [each for each in listing.releases() if others and parse(each.version) not in carried]
    table = library.digests.table(component.id)
    newest, since = _newest(there), _known(component, table, library)
    fresh, held_back = tuple(_fresh(component, there)), tuple(each.version for each in _fresh(component, alone))
    scanned = not component.paths or bool(table or component.coverage)
    found = Due(
        component,
        distribution,
        since,
        newest,
        fresh,
        held_back=held_back,
        elsewhere=elsewhere,
        scanned=scanned,
        kept=listing.kept,
    )
    if since is None or newest is None or not component.paths or not _older(since, newest):
        return found
    try:
        trees = source.tree(distribution, since), source.tree(distribution, newest)
    except Offline:
        raise
    except KbError as error:
        return replace(found, why_not=error.message)
    if not matching(trees, component) and _has_code(component, newest):
        return replace(found, why_not=_not_in(found))
    report = scan(*trees, component, library.changes.values())
    own = report.symbols or any(not each.neighbour for each in report.files)
    return replace(found, report=report, trees=trees) if own else found


def _has_code(component: Component, version: str) -> bool:
    """Whether its record says where its own code is at a release: that of one that went is nowhere."""
    return any(not each.neighbour and contains(each.versions, version) for each in component.paths)


def _not_in(found: Due) -> str:
    """Why "nothing differs" would be a lie."""
    return (
        f"none of its files is in {found.distribution} {found.since} or {found.until} as the index has them: its code "
        f"is known up to {found.since}, and later releases need a clone with their tags (--git)"
    )


def _lacks(listed: Container[object], release: Release) -> bool:
    return not release.yanked and parse(release.version) not in listed


def _older(one: str, other: str) -> bool:
    a, b = parse(one), parse(other)
    return a is not None and b is not None and a < b


def _final(release: Release) -> bool:
    version = parse(release.version)
    return version is not None and not version.is_prerelease


def _newest(releases: Iterable[Release]) -> str | None:
    final = [each.version for each in releases if _final(each) and not each.yanked]
    return max(final, key=lambda version: parse(version) or parse("0"), default=None)  # type: ignore[arg-type, return-value]


def _known(component: Component, table: Table | None, library: Library) -> str | None:
    """The newest release up to which the base knows the component's code: scanned, stated as covered, or recorded."""
    stated = [each.until for each in component.coverage if parse(each.until)]
    scanned = [table.releases[-1]] if table and table.releases else []
    if scanned or stated:
        return max((*scanned, *stated), key=lambda version: parse(version) or parse("0"))  # type: ignore[arg-type, return-value]
    hosts = (component, library.components.get(component.ships_in or ""))
    recorded = [newest.version for each in hosts if each and (newest := each.newest())]
    return recorded[0] if recorded else None


def _fresh(component: Component, there: Iterable[Release]) -> Iterator[Release]:
    """Final releases later than the first recorded one that are not recorded, and recorded ones withdrawn since."""
    known: Mapping[object, Release] = {parse(each.version): each for each in component.releases}
    first = min((version for each in component.releases if (version := parse(each.version))), default=None)
    for each in there:
        version = parse(each.version)
        if first is None or version is None or version < first:
            continue
        recorded = known.get(version)
        if (recorded is None and _final(each)) or (recorded is not None and each.yanked and not recorded.yanked):
            yield each


def add_releases(found: Due, entries: Path) -> Path | None:
    """Write the releases into the component's record; its path when that changed anything."""
    path = entries / "components" / f"{found.component.id}.yaml"
    if not found.releases or not path.is_file():
        return None
    return path if rewrite(path, lambda record: _add(record, found.releases)) else None


def _add(record: Any, releases: Iterable[Release]) -> None:
    listed = record.setdefault("releases", CommentedSeq())
    by_version = {parse(str(each["version"])): each for each in listed}
    for each in releases:
        there = by_version.get(parse(each.version))
        if there is not None:
            there["yanked"] = "true"
            continue
        table = CommentedMap(version=DoubleQuotedScalarString(each.version))
        if each.date:
            table["date"] = str(each.date)
        if each.yanked:
            table["yanked"] = "true"
        table.fa.set_flow_style()
        listed.append(table)
