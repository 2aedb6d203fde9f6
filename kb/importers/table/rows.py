"""Rows of a table -> runs. A row that does not fit the header is said and left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, replace

from kb.importers.fields import is_infinite, is_missing, number
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source
from kb.importers.table.columns import Column
from kb.importers.table.headers import inferred
from kb.importers.table.mapping import Mapping
from kb.redact import clean

_NEVER_ZERO = {"ttft", "tpot", "e2el"}
_FLAGS = {"true", "false", "yes", "no"}


@dataclass(frozen=True, slots=True)
class Header:
    """The labels of a table: of its columns, or of its rows when it lies on its side."""

    labels: tuple[str, ...]
    repeated: frozenset[str]
    on_side: bool
    has_numbers: bool
    titles: tuple[str, ...] = ()
    """Of a table on its side: what stands above each column of numbers."""


def header_of(rows: Sequence[Sequence[str]]) -> Header | None:
    """The header of a table by its first rows; None where the first row does not name its columns."""
    if len(rows) < 2:
        return None
    first = [cell.strip().lstrip("\ufeff") for cell in rows[0]]
    labels = [row[0].strip() for row in rows[1:] if row]
    if sum(_says(label) for label in labels) > max(1, sum(_says(label) for label in first)):
        return _make([label for label in labels if label], True, first[1:], rows)
    if len(first) < 2 or any(number(cell) is not None for cell in first) or not all(first):
        return None
    return _make(first, False, (), rows)


def _says(label: str) -> bool:
    return inferred(label).known


def _make(labels: list[str], on_side: bool, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Header:
    repeated = frozenset(label for label in labels if labels.count(label) > 1)
    numbers = any(number(cell) is not None for row in rows[1:] for cell in row)
    return Header(tuple(labels), repeated, on_side, numbers, tuple(titles))


def turned(
    source: Source, header: Header, columns: Table[str, Column], mapping: Mapping | None, odd: tuple[str, ...]
) -> Iterator[Run]:
    """The runs of a table on its side, one for each column, told apart by its title (with its place, where alike)."""
    rows = [row for row in source.rows() if row and row[0].strip() in columns]
    for record, title in enumerate(header.titles, 1):
        values = {row[0].strip(): row[record] for row in rows if len(row) > record}
        run = _of_values(source, record, values, columns, mapping, odd if record == 1 else ())
        named = title if header.titles.count(title) == 1 else f"{title} ({record})"
        yield replace(run, where={**run.where, "column": named})


def run_of(
    source: Source,
    record: int,
    header: Header,
    row: Sequence[str],
    columns: Table[str, Column],
    mapping: Mapping | None,
    odd: tuple[str, ...],
) -> Run:
    """The run of a row."""
    cells = list(row)
    while len(cells) > len(header.labels) and not cells[-1].strip():
        cells.pop()
    if len(cells) != len(header.labels):
        said = f"row {record}: {len(cells)} cells under {len(header.labels)} columns, left out"
        return Run(source.name, "table", "table", record=record, not_understood=(*odd, said))
    values = {label: cell for label, cell in zip(header.labels, cells, strict=True) if label not in header.repeated}
    return _of_values(source, record, values, columns, mapping, odd)


def _of_values(
    source: Source,
    record: int,
    values: Table[str, str],
    columns: Table[str, Column],
    mapping: Mapping | None,
    odd: tuple[str, ...],
) -> Run:
    points = Points("table")
    where: dict[str, Fact] = dict(mapping.where) if mapping else {}
    setup: dict[str, Fact] = dict(mapping.setup) if mapping else {}
    facts: dict[str, Fact] = {}
    counts: dict[str, int] = {}
    left: list[str] = []
    for label, column in columns.items():
        value = values.get(label, "")
        if column.metric in _NEVER_ZERO and number(value) == 0:
            left.append(f"column {label}: 0 is no latency, taken as unknown")
        elif column.metric:
            points.add(column.metric, value, column.unit, column.stat, definition=column.definition)
        elif is_missing(value):
            continue
        elif column.requests:
            counts |= _count(column.requests, value, left, label)
        elif column.where or column.setup or column.fact:
            (where if column.where else setup if column.setup else facts)[
                column.where or column.setup or column.fact or ""
            ] = _fact(label, value)
        elif not column.known:
            _unnamed(label, value, where, left)
    _means(points, values, columns, counts)
    requests = Requests(counts.get("sent"), counts.get("completed"), counts.get("failed"))
    if requests.completed == 0:
        points.points.clear()
    return Run(
        source.name,
        "table",
        (mapping.tool if mapping else None) or "table",
        mapping.tool_version if mapping else None,
        record,
        setup=setup,
        where=where,
        facts=facts,
        points=tuple(points.points),
        requests=requests,
        not_understood=(*odd, *points.odd, *left),
    )


def _count(kind: str, value: str, left: list[str], label: str) -> dict[str, int]:
    found = number(value)
    if found is None or found < 0 or found != int(found):
        left.append(f"column {label}: {value[:40]!r} is no count")
        return {}
    return {kind: int(found)}


def _fact(label: str, value: str) -> Fact:
    if is_infinite(value):
        return "inf"
    found = number(value)
    return found if found is not None else clean(label, value.strip()[:400])


def _unnamed(label: str, value: str, where: dict[str, Fact], left: list[str]) -> None:
    """A column nobody named: words tell rows apart, a number could be anything."""
    if number(value) is None and not is_infinite(value) and value.strip().casefold() not in _FLAGS:
        where[label] = _fact(label, value)
    else:
        left.append(f"column {label}: not named by its header or a mapping")


def _means(points: Points, values: Table[str, str], columns: Table[str, Column], counts: Table[str, int]) -> None:
    """Mean lengths where the table gives totals, over completed requests."""
    completed = counts.get("completed")
    for label, column in columns.items():
        total = number(values.get(label)) if column.total else None
        if column.total and total and completed:
            points.add(column.total, total / completed, "count", "mean", definition=None, n=completed)
