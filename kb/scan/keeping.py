"""What a scan leaves in the base beside its drafts: the table of symbols, and the statement of what was looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from kb.component import Component, Facts
from kb.digests import SUFFIX, Table, write
from kb.errors import KbError
from kb.files import write_text
from kb.globs import matches
from kb.rewrite import rewrite
from kb.scan.compare import ONE_WHEEL
from kb.scan.digesting import extended, table
from kb.scan.match import Status
from kb.scan.report import Report, Row
from kb.scan.restating import FIELDS
from kb.scan.seen import Kind
from kb.scan.symbols import STATEMENT
from kb.scan.tree import Tree
from kb.versions import contains, parse

BECAUSE = "own code and neighbours compared by symbol, pins, options and variables by value: kb scan"
"""How a scan looked; what it found is in the table of symbols."""
FEW = 3
"""Files of one pattern that are named; names of a list that is cut."""
MANY = 8
"""Facts of one kind that stand on lines of their own."""
LONGEST = 200
"""Letters of an open point; a long default is cut."""


@dataclass(frozen=True)
class Keeping:
    """Where a scan is kept, and when."""

    component: Component
    known: Table | None
    """The table that the base, or what it mounts, has of the component."""
    entries: Path
    today: str
    source: str
    """What was read, in words, for the head of a new table."""
    host: Component | None = None
    """What the component ships in, whose table speaks of its neighbours."""

    def keep(self, report: Report, trees: tuple[Tree, Tree]) -> Iterator[Path | KbError]:
        """Write the table and the statement; what was written, and why something was not."""
        made = self.known
        try:
            made = joined(trees, self.component, self.known, self.source, self.today)
            if path := self._put(made):
                yield path
        except KbError as error:
            yield error
        if made and all(made.position(each) is not None for each in (report.old, report.new)):
            if (
                _is_elsewhere(self.component, self.entries)
                and _is_interval(report)
                and not _is_stated(report, self.component)
            ):
                id_ = self.component.id
                yield KbError(f"that it was looked at is not stated: the record of {id_} is in a base that is mounted")
            left_open = tuple(unlisted(report, self.component, self.host))
            if path := keep_coverage(report, self.component, self.entries, self.today, left_open, self.source):
                yield path

    def _put(self, made: Table | None) -> Path | None:
        path = self.entries / "components" / f"{self.component.id}{SUFFIX}"
        if made is None or made == self.known:
            return None
        write_text(path, write(made))
        return path


def joined(
    trees: tuple[Tree, Tree], component: Component, known: Table | None, source: str, today: str
) -> Table | None:
    """The component's table with both releases in it; none when they are no releases.

    Raises KbError when the table ends at another release than the scan starts from.
    """
    if any(parse(tree.label) is None for tree in trees):
        return None
    return extended(known, *trees, component, today) if known else table(trees, component, source, today)


def _is_elsewhere(component: Component, entries: Path) -> bool:
    """Whether a component's record lies in a mounted base, where nothing is written."""
    return not (entries / "components" / f"{component.id}.yaml").is_file()


def keep_coverage(
    report: Report,
    component: Component,
    entries: Path,
    today: str,
    left_open: tuple[str, ...] = (),
    source: str = "",
) -> Path | None:
    """State in the component's record that the interval was looked at; its path when that changed anything."""
    path = entries / "components" / f"{component.id}.yaml"
    if _is_elsewhere(component, entries) or not _is_interval(report) or _is_stated(report, component):
        return None
    because = f"{BECAUSE} ({source})" if source else BECAUSE
    return path if rewrite(path, lambda record: _add(record, report, today, left_open, because)) else None


def unlisted(report: Report, component: Component, host: Component | None = None) -> Iterator[str]:
    """What differs and no table of symbols, fact or record of the component can say; each with the release."""
    for each in dict.fromkeys(_unlisted(report, component, host)):
        text = f"{report.new}: {each}"
        yield text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _unlisted(report: Report, component: Component, host: Component | None) -> Iterator[str]:
    yield from (each for each in report.notes if each == ONE_WHEEL)
    for each in report.behaviour():
        if each.match.symbol.kind == STATEMENT:
            yield f"statement {each.name} {each.status.value} in {each.match.symbol.path}"
    yield from _files(report, component, host)
    yield from _facts(report, component, host)


def _facts(report: Report, component: Component, host: Component | None) -> Iterator[str]:
    """Pins, options, variables and defaults that no record states, those of one kind together where there are many."""
    symbols = {each.match.symbol.plain for each in report.symbols}
    together: dict[str, dict[str, str]] = defaultdict(dict)
    for row in (*report.options, *report.env, *report.defaults, *report.requirements):
        stated = any(_is_stated_fact(row, report, each) for each in (component, host) if each)
        if row["name"] not in symbols and not stated:
            said = f"{row['what']} {row['name']} {row['old'] or 'absent'} -> {row['new'] or 'absent'}"
            together[row["what"]][said] = row["name"]
    for what, rows in together.items():
        names = list(dict.fromkeys(rows.values()))
        more = f"{', '.join(names[:FEW])} and {len(names) - FEW} more"
        yield from rows if len(rows) <= MANY else [f"{len(names)} times {what}: {more}"]


def _files(report: Report, component: Component, host: Component | None) -> Iterator[str]:
    """Files without a table, those of one pattern together where there are many."""
    together: dict[str, list[str]] = defaultdict(list)
    for file in report.files:
        if file.kind is Kind.DOCS:
            continue
        beside = file.neighbour and not _is_own(file.path, report, host)
        if file.status is not Status.MOVED and (beside or not file.neighbour) and not _declares(file.path):
            glob = next((each.glob for each in component.paths if matches(file.path, each.glob)), file.path)
            together[glob].append(f"file {file.path} {file.status.value}")
    for glob, said in together.items():
        yield from said if len(said) <= FEW else [f"{len(said)} files of {glob} differ"]


def _declares(path: str) -> bool:
    """Files whose requirements are compared by value."""
    from kb.scan.pins import declares

    return declares(path)


def _is_own(path: str, report: Report, host: Component | None) -> bool:
    """Whether a neighbouring file is listed in the table of what the component ships in."""
    return (
        host is not None
        and path.endswith(".py")
        and any(
            not each.neighbour and matches(path, each.glob) and contains(each.versions, version)
            for each in host.paths
            for version in (report.old, report.new)
        )
    )


def _is_stated_fact(row: Row, report: Report, component: Component) -> bool:
    """Whether the component's facts say something else of the new release than of the old one."""
    field = FIELDS.get(row["what"], "defaults")
    old, new = (_stated(component.facts_at(version), field, row["name"]) for version in (report.old, report.new))
    return old != new


def _stated(facts: Iterable[Facts], field: str, name: str) -> set[str]:
    values = (getattr(each, field) for each in facts)
    if field == "wire_version":
        return {str(each) for each in values if each is not None}
    return {str(each[name]) for each in values if name in each}


def _is_interval(report: Report) -> bool:
    old, new = parse(report.old), parse(report.new)
    return old is not None and new is not None and old < new


def _is_stated(report: Report, component: Component) -> bool:
    """Whether a statement reaches over the whole interval."""
    old, new = parse(report.old), parse(report.new)
    spans = [(parse(each.since), parse(each.until)) for each in component.coverage]
    return any(a is not None and b is not None and old and new and a <= old and new <= b for a, b in spans)


def _add(record: Any, report: Report, today: str, left_open: tuple[str, ...], because: str) -> None:
    """A statement of its own, or the one that ends where the scan starts reaches on."""
    listed = record.setdefault("coverage", CommentedSeq())
    goes_on = [each for each in listed if each.get("by") == "scan" and parse(str(each["until"])) == parse(report.old)]
    stated = goes_on[-1] if goes_on else CommentedMap(since=DoubleQuotedScalarString(report.old))
    stated["until"] = DoubleQuotedScalarString(report.new)
    stated["date"] = today
    if not goes_on:
        stated["by"], stated["because"] = "scan", because
        listed.append(stated)
    if left_open:
        stated.setdefault("open", CommentedSeq()).extend(DoubleQuotedScalarString(each) for each in left_open)
