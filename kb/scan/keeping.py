"""What a scan leaves in the base beside its drafts: the table of symbols, and the statement of what was looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from kb.component import Component
from kb.digests import SUFFIX, Table, write
from kb.errors import KbError
from kb.files import write_text
from kb.rewrite import rewrite
from kb.scan.digesting import extended, table
from kb.scan.report import Report
from kb.scan.tree import Tree
from kb.versions import parse


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

    def keep(self, report: Report, trees: tuple[Tree, Tree]) -> Iterator[Path | KbError]:
        """Write the table and the statement; what was written, and why something was not."""
        try:
            if path := keep_table(trees, self.component, self.known, self.entries, self.source, self.today):
                yield path
        except KbError as error:
            yield error
        try:
            if path := keep_coverage(report, self.component, self.entries, self.today):
                yield path
        except KbError as error:
            yield error


def keep_table(
    trees: tuple[Tree, Tree], component: Component, known: Table | None, entries: Path, source: str, today: str
) -> Path | None:
    """Write the component's table with both releases in it; its path when that changed anything.

    Raises KbError when the table ends at another release than the scan starts from.
    """
    if any(parse(tree.label) is None for tree in trees):
        return None
    made = extended(known, *trees, component, today) if known else table(trees, component, source, today)
    path = entries / "components" / f"{component.id}{SUFFIX}"
    if made == known:
        return None
    write_text(path, write(made))
    return path


def keep_coverage(report: Report, component: Component, entries: Path, today: str) -> Path | None:
    """State in the component's record that the interval was looked at; its path when that changed anything.

    Raises KbError when the interval holds something that no record or draft speaks of.
    """
    path = entries / "components" / f"{component.id}.yaml"
    if not path.is_file() or not _is_interval(report) or _is_stated(report, component):
        return None
    if open_ := list(unrecorded(report)):
        raise KbError(
            f"{report.old} to {report.new} is not stated as covered: {'; '.join(open_)}",
            f"make a record of it, then state the coverage in entries/components/{component.id}.yaml by hand",
        )
    rewrite(path, lambda record: _add(record, report, today))
    return path


def unrecorded(report: Report) -> Iterator[str]:
    """What differs and becomes no draft: drafts are made of the component's own Python only."""
    yield from report.notes
    if report.requirements:
        yield f"requirements differ ({', '.join(sorted({str(each['name']) for each in report.requirements}))})"
    own = [each.path for each in report.files if not each.neighbour]
    if own:
        yield f"files of other languages differ ({', '.join(own)})"


def _is_interval(report: Report) -> bool:
    old, new = parse(report.old), parse(report.new)
    return old is not None and new is not None and old < new


def _is_stated(report: Report, component: Component) -> bool:
    """Whether a statement reaches over the whole interval."""
    old, new = parse(report.old), parse(report.new)
    spans = [(parse(each.since), parse(each.until)) for each in component.coverage]
    return any(a is not None and b is not None and old and new and a <= old and new <= b for a, b in spans)


def _add(record: Any, report: Report, today: str) -> None:
    stated = CommentedMap(
        since=report.old,
        until=report.new,
        date=today,
        by="scan",
        because=f"kb scan of its own code: {_counted(report)}",
    )
    record.setdefault("coverage", CommentedSeq()).append(stated)


def _counted(report: Report) -> str:
    drafts = sum(each["same_as"] is None for each in report.proposed)
    known = len(report.proposed) - drafts
    return f"{len(report.behaviour())} symbols behave differently, in {known} change records and {drafts} new drafts"
