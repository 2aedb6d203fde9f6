"""Points as a table: arms beside each other, each with its ratio to the baseline; and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.present.numbers import plain, reported, rounded, stated, with_unit
from kb.present.points import baseline, place, row_of
from kb.vocabulary import UNKNOWN, Qualifier, Statistic

MOST = 120
"""Rows shown; the rest is in the CSV."""


def table(record: Evaluation) -> dict[str, Any] | None:
    """Rows by metric, statistic and load point with a cell for each arm, and what is only reported as a comparison."""
    if not record.points:
        return None
    base = baseline(record)
    absolute = [point for point in record.points if point.reported is None]
    rows = _rows(absolute)
    arms = [arm.id for arm in record.arms if any(arm.id in row for row in rows.values())]
    arms = sorted(arms, key=lambda arm: arm != base)
    bare = any(None in row for row in rows.values())
    laid = [_row(key, row, [*arms, *([None] if bare else [])], base) for key, row in rows.items()]
    return {
        "arms": arms,
        "bare": bare,
        "base": base if len(arms) > 1 else None,
        "rows": laid[:MOST],
        "more": max(0, len(laid) - MOST),
        "no_stat": bool(laid) and not any(row["stat"] for row in laid),
        "reported": [_comparison(point) for point in record.points if point.reported is not None],
    }


def _rows(points: Iterable[Point]) -> dict[tuple[str, ...], dict[str | None, Point]]:
    listed = list(points)
    meanings = {(point.metric, point.definition) for point in listed}
    several = {metric for metric, _ in meanings if sum(each == metric for each, _ in meanings) > 1}
    rows: dict[tuple[str, ...], dict[str | None, Point]] = {}
    for point in listed:
        key: tuple[str, ...] = (*row_of(point, point.metric in several), "")
        copy = 1
        while point.arm in rows.get(key, {}):
            copy += 1
            key = (*key[:4], str(copy))
        rows.setdefault(key, {})[point.arm] = point
    return rows


def _row(
    key: tuple[str, ...], row: dict[str | None, Point], arms: list[str | None], base: str | None
) -> dict[str, Any]:
    metric, stat, where, unit, _ = key
    cells = [_cell(row.get(arm), row.get(base), arm, base) for arm in arms]
    return {"metric": metric, "stat": stat, "where": where, "unit": unit, "cells": cells}


def _cell(point: Point | None, against: Point | None, arm: str | None, base: str | None) -> dict[str, str] | None:
    if point is None:
        return None
    notes = []
    if point.n not in (None, UNKNOWN):
        notes.append(f"n={point.n}")
    if point.best_of:
        notes.append(f"best of {point.best_of}")
    if point.spread and point.spread.std is not None:
        notes.append(f"± {plain(point.spread.std)}")
    return {
        "value": with_unit(stated(point), point.unit),
        "ratio": _ratio(point, against if arm != base else None),
        "notes": ", ".join(notes),
    }


def _ratio(point: Point, against: Point | None) -> str:
    if point.value is None or against is None or not against.value or against.value <= 0:
        return ""
    about = "≈" if Qualifier.ABOUT in {point.qualifier, against.qualifier} else ""
    return f"{about}{rounded(point.value / against.value)}x"


def _comparison(point: Point) -> dict[str, str]:
    return {
        "metric": point.metric,
        "says": f"{point.arm} against {point.against}: {reported(point)}",
        "stat": "" if point.stat is Statistic.UNKNOWN else point.stat.value,
        "where": place(point.where),
    }


WHERE = (
    "input_tokens",
    "output_tokens",
    "request_rate",
    "concurrency",
    "burstiness",
    "num_prompts",
    "dataset",
    "model",
)
WHICH = ("id", "metric", "definition", "stat", "arm", "against", "reported", "stage")
MEASURED = ("value", "low", "high", "qualifier", "unit", "n", "best_of")
COLUMNS = (*WHICH, *WHERE, "factors", "where", *MEASURED, "std", "spread")


def as_csv(record: Evaluation) -> bytes:
    """Every point as a row; a cell is empty where nothing is stated."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_guarded(cell) for cell in row] for row in rows(record))
    return out.getvalue().encode()


def rows(record: Evaluation) -> Iterator[list[str]]:
    """Every point in the order of `COLUMNS`, as text; empty where nothing is stated."""
    found = record.model_dump(mode="json", include={"points"}, exclude_none=True, exclude_unset=True, by_alias=True)
    yield from map(_cells, found.get("points", ()))


def _cells(found: Mapping[str, Any]) -> list[str]:
    where = found.get("where", {})
    spread = found.get("spread", {})
    ends = " to ".join(_text(spread[end]) for end in ("low", "high") if end in spread)
    return [
        *(_text(found.get(name)) for name in WHICH),
        *(_text(where.get(name)) for name in WHERE),
        "; ".join(f"{key}={value}" for key, value in where.get("factors", {}).items()),
        _text(where.get("words")),
        *(_text(found.get(name)) for name in MEASURED),
        _text(spread.get("std")),
        " ".join(filter(None, (ends, spread.get("kind")))),
    ]


def _text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, dict):
        return "; ".join(f"{key} {_text(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return plain(value) if isinstance(value, float) and abs(value) < float("inf") else str(value)


def _guarded(cell: str) -> str:
    """A cell that a spreadsheet would run is text."""
    return f"'{cell}" if cell[:1] in set("=@+-\t\r") and not _is_number(cell) else cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
