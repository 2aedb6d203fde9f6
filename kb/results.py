"""The table of points in a record's own folder, `<id>/results.csv`: rows there and back.

A record with many points says `results: results.csv`; each row is a point with the columns below. An empty cell is a
fact that is not stated, as a key left out is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kb.frontmatter import FormError
from kb.suggest import did_you_mean

FILE = "results.csv"

OWN = ("id", "metric", "definition", "stat", "arm", "against", "reported", "stage", "value", "low", "high", "qualifier")
"""Columns that are fields of the point."""
FURTHER = ("unit", "n", "best_of")
SPREAD = {"std": "std", "spread_low": "low", "spread_high": "high", "spread_kind": "kind"}
"""Column -> field of the point's spread."""
WHERE = (
    "input_tokens", "output_tokens", "request_rate", "concurrency", "burstiness", "num_prompts", "dataset", "model",
    "words",
)  # fmt: skip
"""Columns that are fields of the load point."""
FACTOR = "factor:"
"""A column `factor:NAME` is a further factor of the sweep."""
COLUMNS = (*OWN, *FURTHER, *SPREAD, *WHERE)
MAX_ROWS = 200_000

Row = tuple[int, dict[str, Any]]
"""Line in the file (from 1) and a point as nested text, as a record writes it."""


def rows(text: str) -> list[Row]:
    """The points of a table. Raises FormError with the line."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        head = [name.strip() for name in next(reader, [])]
        _check(head)
        return [(line, _point(head, cells, line)) for line, cells in _numbered(reader)]
    except csv.Error as error:
        raise FormError(reader.line_num, f"not readable as CSV: {error}") from None


def _numbered(reader: Any) -> Iterator[tuple[int, list[str]]]:
    for number, cells in enumerate(reader):
        if number >= MAX_ROWS:
            raise FormError(reader.line_num, f"more than {MAX_ROWS} rows", "keep the points that claims rest on")
        if any(cell.strip() for cell in cells):
            yield reader.line_num, cells


def _check(head: list[str]) -> None:
    for name in head:
        if name not in COLUMNS and not (name.startswith(FACTOR) and len(name) > len(FACTOR)):
            hint = did_you_mean(name, COLUMNS) or f"columns: {', '.join(COLUMNS)}, {FACTOR}NAME"
            raise FormError(1, f'unknown column "{name}"', hint)
    if len(set(head)) < len(head):
        raise FormError(1, "a column is given twice", "keep one of the two")
    for name in ("metric", "unit"):
        if name not in head:
            raise FormError(1, f"column {name} is missing", "every point has a metric and a unit")


def _point(head: list[str], cells: list[str], line: int) -> dict[str, Any]:
    if len(cells) != len(head):
        raise FormError(line, f"{len(cells)} cells under {len(head)} columns", "put text with a comma into quotes")
    point: dict[str, Any] = {}
    for name, cell in zip(head, cells, strict=True):
        if value := cell.strip():
            _put(point, name, value)
    return point


def _put(point: dict[str, Any], name: str, value: str) -> None:
    if name in WHERE:
        point.setdefault("where", {})[name] = value
    elif name in SPREAD:
        point.setdefault("spread", {})[SPREAD[name]] = value
    elif name.startswith(FACTOR):
        point.setdefault("where", {}).setdefault("factors", {})[name.removeprefix(FACTOR)] = value
    else:
        point[name] = value


def columns(text: str) -> list[str]:
    """The columns of a table as it has them."""
    return [name.strip() for name in next(csv.reader(io.StringIO(text.removeprefix("\ufeff"))), [])]


def table(points: Iterable[Mapping[str, Any]], kept: Iterable[str] = ()) -> str:
    """The text of a table: the columns `kept` from before, then those that some point fills, factors last."""
    flat = [_cells(point) for point in points]
    filled = {name for row in flat for name in row} | {"metric", "unit"}
    head = list(kept)
    head += [name for name in (*COLUMNS, *sorted(filled - set(COLUMNS))) if name in filled and name not in head]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([row.get(name, "") for name in head] for row in flat)
    return out.getvalue()


def _cells(point: Mapping[str, Any]) -> dict[str, str]:
    cells = {name: str(point[name]) for name in (*OWN, *FURTHER) if point.get(name) is not None}
    spread, where = point.get("spread") or {}, point.get("where") or {}
    cells |= {column: str(spread[name]) for column, name in SPREAD.items() if spread.get(name) is not None}
    cells |= {name: str(where[name]) for name in WHERE if where.get(name) is not None}
    return cells | {f"{FACTOR}{name}": str(value) for name, value in (where.get("factors") or {}).items()}
