"""Points as a compact table: arms beside each other, each with its ratio to the baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kb.evaluation import Evaluation
from kb.evidence import Point, Where
from kb.once import once
from kb.present.numbers import few, plain, reported, rounded, stated, with_unit
from kb.present.setup import keys_of
from kb.present.text import Page, heading, table, wrap
from kb.vocabulary import ArmRole, Qualifier, Statistic

Row = tuple[str, str, str, str]
"""What arms are compared on: metric and definition, statistic, load point, unit."""

MOST = 60
"""Rows shown; the rest is counted and stays in the record."""


def section(record: Evaluation, page: Page) -> list[str]:
    """Heading, table, and the comparisons that the source only reports."""
    if not record.points:
        return []
    numbers = [point for point in record.points if point.reported is None]
    lines = heading("Points", page)
    lines += _table(record, numbers, page) if numbers else []
    lines += _reported([point for point in record.points if point.reported is not None], page)
    return lines


def cited(record: Evaluation, page: Page, most: int) -> list[str]:
    """The rows on which claims rest, in the order of the claims; where none does, those of the first metric that is
    there. What is left is counted."""
    names = dict.fromkeys(name for claim in record.claims if claim.effect for name in claim.effect.points)
    by_name = record.point_table()
    wanted = [by_name[name] for name in names if name in by_name]
    title = "Figures that claims rest on" if wanted else "Figures; no claim rests on them"
    wanted = wanted or _typical(record.points)
    rows = list(dict.fromkeys(row_of(point) for point in wanted if point.reported is None))
    shown = [each for row in rows[:most] for each in wanted if each.reported is None and row_of(each) == row]
    said = [each for each in wanted if each.reported is not None][:most]
    if not shown and not said:
        return []
    lines = [*heading(title, page), *(_table(record, shown, page, few) if shown else [])]
    left = len(rows) - most
    more = [f"  and {left} more row{'' if left == 1 else 's'}"] if left > 0 else []
    return [*lines, *more, *_reported(said, page)[0 if shown else 1 :]]


FIRST = ("ttft", "tpot", "itl", "e2el")
"""Metrics that a reader looks for first."""
STATS = (Statistic.P50, Statistic.MEAN)


def _typical(points: Iterable[Point]) -> list[Point]:
    """One metric with one statistic at every load: the median TTFT where it is there."""
    listed = list(points)
    for metric in (*FIRST, *dict.fromkeys(point.metric for point in listed)):
        of_it = [point for point in listed if point.metric == metric]
        for stat in (*STATS, *dict.fromkeys(point.stat for point in of_it)):
            if found := [point for point in of_it if point.stat is stat]:
                return found
    return []


def baseline(record: Evaluation) -> str | None:
    """The arm that the others are divided by: the one called so, else the first of several."""
    if len(record.arms) < 2:
        return None
    return next((arm.id for arm in record.arms if arm.role is ArmRole.BASELINE), record.arms[0].id)


def row_of(point: Point, defined: bool = False) -> Row:
    """The row a point belongs to; its definition is shown where one metric has several."""
    metric = f"{point.metric} [{point.definition}]" if defined and point.definition else point.metric
    stat = "" if point.stat is Statistic.UNKNOWN else point.stat.value
    return metric, stat, place(point.where), point.unit


def place(where: Where | None) -> str:
    """A load point in words."""
    return "" if where is None else _place(where)


@once
def _place(where: Where) -> str:
    short = {"input_tokens": "in", "output_tokens": "out", "request_rate": "req/s", "concurrency": "conc"}
    keys = {key: value for key, value in keys_of(where).items() if key != "words"}
    parts = [f"{short.get(key, key.removeprefix('factors.'))} {value}" for key, value in keys.items()]
    return ", ".join([*parts, *([f"“{where.words}”"] if where.words else [])])


def _table(
    record: Evaluation, points: Iterable[Point], page: Page, digits: Callable[[float], str] = plain
) -> list[str]:
    base = baseline(record)
    points = list(points)
    meanings = {(point.metric, point.definition) for point in points}
    several = {metric for metric, _ in meanings if sum(each == metric for each, _ in meanings) > 1}
    rows: dict[Row, dict[str | None, Point]] = {}
    for point in points:
        first, copy = row_of(point, point.metric in several), 1
        key = first
        while point.arm in rows.get(key, {}):
            copy += 1
            key = (*first[:3], f"{point.unit} #{copy}")
        rows.setdefault(key, {})[point.arm] = point
    arms = [arm.id for arm in record.arms if any(arm.id in row for row in rows.values())]
    order = sorted(arms, key=lambda arm: arm != base) if base else arms
    extra = [None] if any(None in row for row in rows.values()) else []
    laid = [_row(key, row, [*order, *extra], base, digits) for key, row in rows.items()]
    return _lines(laid, [*order, *(["value"] if extra else [])], base, page)


def _row(
    key: Row, row: dict[str | None, Point], arms: list[str | None], base: str | None, digits: Callable[[float], str]
) -> list[str]:
    metric, stat, where, _ = key
    ratios = {arm: _ratio(row.get(arm), row.get(base)) for arm in arms if arm != base}
    return [metric, stat, where, *(_cell(row.get(arm), ratios.get(arm, ""), digits) for arm in arms)]


def _cell(point: Point | None, ratio: str, digits: Callable[[float], str]) -> str:
    if point is None:
        return ""
    text = with_unit(stated(point, digits), point.unit) + (
        f" (n={point.n})" if point.n not in (None, "unknown") else ""
    )
    return f"{text}  {ratio}" if ratio else text


def _ratio(point: Point | None, against: Point | None) -> str:
    """A point divided by that of the base."""
    if point is None or against is None or point.value is None or not against.value or against.value <= 0:
        return ""
    about = "≈" if {point.qualifier, against.qualifier} & {Qualifier.ABOUT} else ""
    return f"{about}{rounded(point.value / against.value)}x"


def _lines(rows: list[list[str]], arms: list[str], base: str | None, page: Page) -> list[str]:
    head = ["metric", "stat", "at", *(f"{arm} (baseline)" if arm == base else arm for arm in arms)]
    shown = rows[:MOST]
    same = len(shown) > 1 and len({row[2] for row in shown}) == 1 and shown[0][2]
    empty = {i for i in (1, 2) if not any(row[i] for row in shown)} | ({2} if same else set())
    laid = [[cell for i, cell in enumerate(row) if i not in empty] for row in [head, *shown]]
    lines = table(laid[1:], page.width, laid[0], page=page)
    notes = [f"All at {same}."] if same else []
    notes += [f"x: the arm divided by {base}."] if base and any("x" in row[-1] for row in shown) else []
    notes += ["No statistic is stated for any of these."] if 1 in empty else []
    notes += [f"{len(rows) - MOST} more rows are in the record."] if len(rows) > MOST else []
    return [*lines, *(wrap(" ".join(notes), page.width, "  ") if notes else [])]


def _reported(points: list[Point], page: Page) -> list[str]:
    rows = [
        [point.metric, f"{point.arm} against {point.against}: {reported(point)}", row_of(point)[1], place(point.where)]
        for point in points
    ]
    if not rows:
        return []
    return ["", "  reported as comparisons only", *table(rows, page.width, indent="    ")]
