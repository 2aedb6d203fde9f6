"""Ratios to the baseline over input length and rate, or the two load keys that were swept.

A cell stands only where both arms were measured. The line of parity runs between neighbouring cells of which one is
below and one above 1; where between them it crosses is not known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import isinf
from typing import NamedTuple

from kb.evaluation import Evaluation
from kb.present.numbers import rounded
from kb.present.points import baseline, place
from kb.setup import plain_number
from kb.site.charts import sweeps, words
from kb.site.charts.chart import Chart, chart
from kb.site.charts.plot import ALL_AT_ONCE
from kb.site.charts.svg import LINE, Sheet, number, wide
from kb.site.charts.sweeps import Seen
from kb.vocabulary import Better, Qualifier, Statistic

ACROSS = ("input_tokens", "output_tokens", "concurrency", "num_prompts")
UPRIGHT = ("request_rate", "concurrency", "num_prompts", "output_tokens")
LEAST, MAPS = 3, 6
CELL, HIGH = 62.0, 30.0
GAP, NOT_MEASURED = "·", "not measured"
STEPS = (1.25, 2.0)
"""From which ratio on a cell is shaded more; below 1 their inverses."""


class Cell(NamedTuple):
    """Two numbers at one load."""

    x: float
    y: float
    ratio: float
    about: bool
    arm: Seen
    base: Seen


class Map(NamedTuple):
    """Cells of one arm, statistic and further place."""

    heading: str
    cells: dict[tuple[float, float], Cell]


def ratio_map(record: Evaluation, metric: str, prefix: str = "ratio-map", better: Better | None = None) -> Chart | None:
    """Each arm divided by the baseline, load by load; None where fewer than three loads have both."""
    base = baseline(record)
    _, seen = sweeps.seen(sweeps.absolute(record, metric))
    keys = _keys(seen) if base else None
    if base is None or keys is None:
        return None
    maps = [each for each in _maps(record, seen, base, keys) if len(each.cells) >= LEAST]
    if not maps:
        return None
    floor = _noise(record)
    name = words.metric(metric)
    x, y = (words.quantity(key) for key in keys)

    def paint(sheet: Sheet) -> float:
        return _key(sheet, _flow(sheet, _grids(maps[:MAPS], keys), x, y, floor))

    stats = dict.fromkeys(words.statistic(each.arm.point.stat) for found in maps for each in found.cells.values())
    stat = f", {words.listed(filter(None, stats))}" if any(stats) else ""
    caption = [f"The arm divided by {base}; ▼ below 1, ▲ above 1."]
    caption += [f"Better is {'below' if better is Better.LOWER else 'above'} 1."] if better in _SIDED else []
    caption += [f"Within the source's noise floor ({rounded(floor * 100)}%) it is parity."] if floor else []
    caption += ["≈: one of the two numbers is only about so large."] if _any_about(maps) else []
    caption += words.only_in_table(len(maps) - MAPS, "further map")
    caption += _unmatched(record, maps, base)
    rows = [_row(found, each) for found in maps for each in found.cells.values()]
    said = "; ".join(f"{row[0]} at {row[1]}: {row[4]}" for row in rows)
    columns = ("arm", "at", "value", f"{base} (baseline)", "ratio")
    return chart("ratio_map", f"{name}, ratio to {base}{stat}", caption, (columns, rows), paint, f"{said}.", prefix)


_SIDED = {Better.LOWER, Better.HIGHER}


def _keys(seen: Sequence[Seen]) -> tuple[str, str] | None:
    """The two load keys with more than one value; the second may have one."""
    values = {key: {sweeps.along(each.point, key) for each in seen} - {None} for key in sweeps.LOADS}
    across = next((key for key in ACROSS if len(values[key]) > 1), None)
    upright = next((key for key in UPRIGHT if key != across and len(values[key]) > 1), None)
    if across is None and upright is not None:
        across, upright = upright, None
    if across is None:
        return None
    return across, upright or next((key for key in UPRIGHT if key != across and values[key]), "")


def _maps(record: Evaluation, seen: Sequence[Seen], base: str, keys: tuple[str, str]) -> Iterator[Map]:
    bases: dict[object, list[Seen]] = defaultdict(list)
    for each in seen:
        bases[_place(each)].append(each) if each.point.arm == base else None
    for arm in record.arms:
        groups: dict[object, list[Cell]] = defaultdict(list)
        for each in seen:
            if each.point.arm == arm.id != base and len(met := bases[_place(each)]) == 1:
                cell = _cell(each, met[0], keys)
                if cell is not None:
                    groups[each.meaning, _rest(each, keys)].append(cell)
        for cells in groups.values():
            yield Map(_heading(arm.id, base, cells[0], keys), {(each.x, each.y): each for each in cells})


def _place(one: Seen) -> object:
    return one.meaning, tuple(sorted(one.where.items()))


def _rest(one: Seen, keys: tuple[str, str]) -> object:
    return tuple((name, value) for name, value in one.where.items() if name not in keys)


def _cell(arm: Seen, base: Seen, keys: tuple[str, str]) -> Cell | None:
    x = sweeps.along(arm.point, keys[0])
    y = sweeps.along(arm.point, keys[1]) if keys[1] else 0.0
    one, other = arm.point.value, base.point.value
    if x is None or y is None or one is None or other is None or arm.low <= 0 or base.low <= 0:
        return None
    qualifiers = {arm.point.qualifier, base.point.qualifier} - {None}
    if qualifiers - {Qualifier.ABOUT}:
        return None
    return Cell(x, y, arm.low / base.low, bool(qualifiers), arm, base)


def _heading(arm: str, base: str, one: Cell, keys: tuple[str, str]) -> str:
    stat = one.arm.point.stat
    said = [f"{arm} / {base}", words.statistic(stat) if stat is not Statistic.VALUE else ""]
    said += [f"{words.brief(name)} {value}" for name, value in one.arm.where.items() if name not in keys]
    return " · ".join(filter(None, said))


def _noise(record: Evaluation) -> float:
    """The source's own noise floor as a share; none is made up."""
    found = record.noise
    return found.value / 100 if found and found.value is not None and found.unit == "%" else 0.0


def _side(ratio: float, floor: float) -> int:
    """-1 below parity, 1 above, 0 at it."""
    if abs(ratio - 1) <= max(floor, 1e-9):
        return 0
    return -1 if ratio < 1 else 1


# Drawing


class Grid(NamedTuple):
    """Rows of cells that share the lying axis: loads of one map, or maps of one load each."""

    heading: str
    upright: bool
    """Whether rows are loads."""
    rows: tuple[tuple[str, dict[float, Cell]], ...]


def _grids(maps: Sequence[Map], keys: tuple[str, str]) -> list[Grid]:
    if all(len({y for _, y in found.cells}) == 1 for found in maps):
        return [
            Grid("", False, tuple((found.heading, {x: each for (x, _), each in found.cells.items()}) for found in maps))
        ]
    return [Grid(found.heading, bool(keys[1]), _rows_of(found)) for found in maps]


def _rows_of(found: Map) -> tuple[tuple[str, dict[float, Cell]], ...]:
    ys = sorted({y for _, y in found.cells}, reverse=True)
    return tuple((_load(y), {x: each for (x, at), each in found.cells.items() if at == y}) for y in ys)


def _flow(sheet: Sheet, grids: Sequence[Grid], x: str, y: str, floor: float) -> float:
    """Grids beside each other as far as they fit; where the next thing may begin."""
    left, top, deepest = 0.0, 0.0, 0.0
    for grid in grids:
        need = _need(sheet, grid, x, y)
        if left and left + need > sheet.width:
            left, top, deepest = 0.0, top + deepest + 10, 0.0
        inner = Sheet(min(need, sheet.width), sheet.name, sheet.narrow)
        deepest = max(deepest, _grid(inner, 0, grid, x, y, floor))
        place = f' transform="translate({number(left)} {number(top)})"' if left or top else ""
        sheet.parts += [f"<g{place}>", *inner.parts, "</g>"]
        left += need + 26
    return top + deepest + 8


def _need(sheet: Sheet, grid: Grid, x: str, y: str) -> float:
    """How wide a grid is with everything beside each other; a grid without a heading takes all."""
    if not grid.heading:
        return sheet.width
    columns = len({each for _, cells in grid.rows for each in cells})
    names = max(wide(name) for name, _ in grid.rows) + 12
    titles = [wide(grid.heading, True), wide(f"→ {x}"), wide(f"↓ {y}") if grid.upright else 0.0]
    return min(max(names + columns * CELL, *titles) + 2, sheet.width)


def _grid(sheet: Sheet, top: float, grid: Grid, x: str, y: str, floor: float) -> float:
    if grid.heading:
        top = sheet.lines(0, top + 12, grid.heading, sheet.width, "strong") - 12
    if grid.upright:
        top = sheet.lines(0, top + 12, f"↓ {y}", sheet.width, "soft") - 12
    top = sheet.lines(0, top + 12, f"→ {x}", sheet.width, "soft")
    most = sheet.width * 0.45
    longest = max(wide(name) for name, _ in grid.rows)
    xs = sorted({each for _, cells in grid.rows for each in cells})
    above = not grid.upright and (longest > most or longest + 12 + len(xs) * CELL > sheet.width)
    left = 0.0 if above else min(longest, most) + 12
    at_once = max(int((sheet.width - left) // CELL), 1)
    for start in range(0, len(xs), at_once):
        part = xs[start : start + at_once]
        rows = [row for row in grid.rows if grid.upright or not row[1].keys().isdisjoint(part)]
        top = _block(sheet, top, left, grid._replace(rows=tuple(rows)), part, floor, above)
    return top


def _block(sheet: Sheet, top: float, left: float, grid: Grid, xs: list[float], floor: float, above: bool) -> float:
    for n, x in enumerate(xs):
        sheet.text(left + (n + 0.5) * CELL, top, _load(x), "tick", "middle")
    top += 5
    tops = []
    for name, cells in grid.rows:
        if above:
            top += 4
            sheet.text(0, top + 13, name, "", most=sheet.width)
            top += LINE + 1
        else:
            sheet.text(left - 8, top + HIGH / 2 + 4, name, "tick" if grid.upright else "", "end", left - 8)
        tops.append(top)
        for n, x in enumerate(xs):
            _one(sheet, left + n * CELL, top, cells.get(x), floor)
        top += HIGH
    _parity(sheet, left, tops, grid, xs, floor)
    return top + LINE


def _one(sheet: Sheet, x: float, y: float, cell: Cell | None, floor: float) -> None:
    if cell is None:
        sheet.text(x + CELL / 2, y + HIGH / 2 + 4, GAP, "soft", "middle")
        return
    side = _side(cell.ratio, floor)
    tip = f"{words.told(cell.arm.point)} / {words.told(cell.base.point)}"
    sheet.rect(x + 1, y + 1, CELL - 2, HIGH - 2, f"cell {_shade(cell.ratio, side)}", tip)
    sign = {-1: "▼", 0: "=", 1: "▲"}[side]
    sheet.text(
        x + CELL / 2, y + HIGH / 2 + 4.5, f"{'≈' if cell.about else ''}{_short(cell.ratio)} {sign}", "", "middle"
    )


def _short(ratio: float) -> str:
    if ratio != 1 and abs(ratio - 1) < 0.005:
        return f"{ratio:.3f}"
    if ratio < 0.1:
        return f"{float(f'{ratio:.2g}'):g}"
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def _shade(ratio: float, side: int) -> str:
    if side == 0:
        return "parity"
    far = ratio if ratio > 1 else 1 / ratio
    return f"{'below' if side < 0 else 'above'}-{1 + sum(far >= step for step in STEPS)}"


def _parity(sheet: Sheet, left: float, tops: list[float], grid: Grid, xs: list[float], floor: float) -> None:
    """The border between what is below and what is above, where both were measured."""
    path = ""
    for row, (top, (_, cells)) in enumerate(zip(tops, grid.rows, strict=True)):
        below = grid.rows[row + 1][1] if grid.upright and row + 1 < len(grid.rows) else {}
        for n, x in enumerate(xs):
            beside = cells.get(xs[n + 1]) if n + 1 < len(xs) else None
            if _crosses(cells.get(x), beside, floor):
                path += f"M{number(left + (n + 1) * CELL)} {number(top)}v{number(HIGH)}"
            if _crosses(cells.get(x), below.get(x), floor):
                path += f"M{number(left + n * CELL)} {number(top + HIGH)}h{number(CELL)}"
    if path:
        sheet.add("path", "parity-line", d=path, fill="none")


def _crosses(one: Cell | None, other: Cell | None, floor: float) -> bool:
    return one is not None and other is not None and _side(one.ratio, floor) * _side(other.ratio, floor) < 0


def _key(sheet: Sheet, top: float) -> float:
    """What the line and the dot are, where they occur."""
    drawn = "".join(sheet.parts)
    if "parity-line" in drawn:
        sheet.add("path", "parity-line", d=f"M0 {number(top + 4)}h24", fill="none")
        top = sheet.lines(30, top + 8.5, "parity lies between the two cells", sheet.width - 30, "soft")
    if f">{GAP}<" in drawn:
        top = sheet.lines(0, top + 8.5, f"{GAP} {NOT_MEASURED}", sheet.width, "soft")
    return top - 4


def _load(value: float) -> str:
    return ALL_AT_ONCE if isinf(value) else plain_number(value)


# Words


def _any_about(maps: Sequence[Map]) -> bool:
    return any(each.about for found in maps for each in found.cells.values())


def _unmatched(record: Evaluation, maps: Sequence[Map], base: str) -> list[str]:
    shown = {each.arm.point.arm for found in maps for each in found.cells.values()}
    missing = [arm.id for arm in record.arms if arm.id not in shown and arm.id != base]
    return [f"No ratio for {words.listed(missing)}."] if missing else []


def _row(found: Map, cell: Cell) -> tuple[str, ...]:
    arm, base = cell.arm.point, cell.base.point
    ratio = f"{'≈' if cell.about else ''}{rounded(cell.ratio)}x"
    return found.heading, place(arm.where), words.value(arm), words.value(base), ratio
