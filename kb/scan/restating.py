"""Facts of a component in its record, carried on to the newest release: what is still so, and what reads otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from kb.component import Facts
from kb.errors import KbError
from kb.rewrite import rewrite
from kb.scan.facts import Fact, spelled
from kb.scan.gather import facts
from kb.scan.pins import ANY
from kb.scan.refresh import Due
from kb.scan.report import Row
from kb.versions import contains, parse, parse_range

FIELDS = {"option": "options", "env": "env", "requirement": "requires", "constant": "wire_version"}
"""Kind of fact -> field of a record's facts; other kinds are for a person to place."""


def add_facts(found: Due, entries: Path) -> Iterator[Path | KbError]:
    """State in the component's record what the newest release reads: the path written, and what is for a person.

    A fact that ended at the release known before and is still so reaches on; what differs begins a range of its own.
    """
    path = entries / "components" / f"{found.component.id}.yaml"
    if found.trees is None or not path.is_file():
        return
    clashing = _clashing(found)
    for (_, name), value in clashing.items():
        yield KbError(
            f"{found.component.id} states {name} of {found.until} already, where it reads {value}",
            f"end the older range before {found.until} in entries/components/{path.name}, then state the new value",
        )
    reaching, fresh = _reaching_on(found), _stated(found, clashing.keys())

    def edit(record: Any) -> None:
        for number, versions in reaching.items():
            record["facts"][number]["versions"] = DoubleQuotedScalarString(versions)
        if fresh:
            record.setdefault("facts", CommentedSeq()).extend(fresh)

    if (reaching or fresh) and rewrite(path, edit):
        yield path


def _reaching_on(found: Due) -> dict[int, str]:
    """Place of a fact in the record -> its range, for those that the newest release still bears out in every value."""
    assert found.trees is not None
    new = found.trees[1]
    there = facts(new, [each.glob for each in found.component.paths if contains(each.versions, new.label)])
    now = {(FIELDS[what], name): spelled for what, name, spelled in _spelled(there) if what in FIELDS}
    reaching = {}
    for number, each in enumerate(found.component.facts):
        said = list(_said(each))
        versions = _carried_on(each.versions, found.since or "", found.until or "")
        if said and versions and _is_read(each) and all(_bears_out(now, *one) for one in said):
            reaching[number] = versions
    return reaching


def _spelled(there: Iterable[Fact]) -> Iterator[tuple[str, str, str]]:
    by_name: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for each in there:
        by_name[each.what.value, each.name].append(each)
    for (what, name), group in by_name.items():
        yield what, name, spelled(group) or ""


def _is_read(fact: Facts) -> bool:
    """Whether a scan can say all of a fact: it has no conditions, and no field that is judged rather than read."""
    return not (fact.when or fact.defaults or fact.passes or fact.refuses)


def _said(fact: Facts) -> Iterator[tuple[str, str, str]]:
    for field in ("requires", "options", "env"):
        yield from ((field, name, str(value)) for name, value in getattr(fact, field).items())
    if fact.wire_version is not None:
        yield "wire_version", "", str(fact.wire_version)


def _bears_out(now: Mapping[tuple[str, str], str], field: str, name: str, value: str) -> bool:
    if field == "wire_version":
        return {read for (what, _), read in now.items() if what == field} == {value}
    read = now.get((field, name))
    return read is not None and (value == read or (field == "requires" and (value, read) == ("*", ANY)))


def _carried_on(versions: str, since: str, until: str) -> str | None:
    """A range that ends with one release, reaching to the next; none for a range that ends elsewhere."""
    span, last = parse_range(versions), parse(since)
    ends = [each for each in span or () if each.operator in {"==", "<="} and parse(each.version) == last]
    if not span or len(ends) != 1 or not contains(versions, since):
        return None
    rest = [str(each) for each in span if each not in ends]
    start = [f">={ends[0].version}"] if ends[0].operator == "==" else sorted(rest)
    return ",".join([*start, f"<={until}"])


def _clashing(found: Due) -> dict[tuple[str, str], str]:
    """(Field, name) -> what it reads, where the record already states it of the newest release without a condition."""
    at = [each for each in found.component.facts if contains(each.versions, found.until or "") and not each.when]
    stated = {(field, name) for each in at for field, name, _ in _said(each)}
    differing = {_subject(row): row for _, row in found.facts() if row["new"] is not None}
    return {
        (field, row["name"]): row["new"]
        for (field, name), row in differing.items()
        if (field, "" if field == "wire_version" else name) in stated
    }


def _subject(row: Row) -> tuple[str, str]:
    return FIELDS.get(row["what"], ""), row["name"]


def _stated(found: Due, clashing: Container[tuple[str, str]] = ()) -> list[CommentedMap]:
    together: dict[tuple[str, str], dict[str, str]] = {}
    for _, row in found.facts():
        field = FIELDS.get(row["what"])
        if field and row["new"] is not None and (field, row["name"]) not in clashing:
            file = row["new_places"][0].rpartition(":")[0]
            apart = row["name"] if field == "wire_version" else ""
            together.setdefault((field, f"{apart} in {file}" if apart else file), {})[row["name"]] = row["new"]
    return [_fact(found, field, named, read_in) for (field, read_in), named in sorted(together.items())]


def _fact(found: Due, field: str, named: Mapping[str, str], read_in: str) -> CommentedMap:
    values = CommentedMap({name: DoubleQuotedScalarString(value) for name, value in sorted(named.items())})
    values.fa.set_flow_style()
    stated = values if field != "wire_version" else next(iter(values.values()))
    table = CommentedMap({"versions": DoubleQuotedScalarString(f"=={found.until}"), field: stated, "read_in": read_in})
    table.fa.set_flow_style()
    return table
