"""Where a question has evidence and where it has none: topology, cache and load against versions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from kb.evaluation import Arm, Claim, Evaluation
from kb.evidence import Where
from kb.setup import Setup, Spread, Workload, plain_number
from kb.site.charts.chart import Chart, chart
from kb.site.charts.outcomes import ORDER, SIGNS, Judged, outcome, word
from kb.site.charts.svg import LINE, Sheet, cut, wide
from kb.versions import parse
from kb.vocabulary import UNKNOWN, Outcome

NOT_STATED, NONE = "not stated", "none"
ROWS = 24
"""Combinations up to which those without any evidence stand as rows of their own."""

Row = tuple[str, str, str]
"""Topology, cache, load."""


class Piece(NamedTuple):
    """One claim's verdict, where it was measured."""

    row: Row
    version: str
    name: str
    outcome: Outcome


def coverage_matrix(
    question: Sequence[tuple[Evaluation, Claim, Judged]],
    prefix: str = "coverage-matrix",
    title: str = "Where there is evidence and where none",
) -> Chart | None:
    """Claims by where they were measured; what nobody measured is marked. None without a claim."""
    pieces = [_piece(record, claim, verdict) for record, claim, verdict in question]
    if not pieces:
        return None
    versions = sorted({each.version for each in pieces}, key=_by_version)
    seen = sorted({each.row for each in pieces}, key=lambda row: tuple(map(_last_unknown, row)))
    # Nobody can measure where it is "not stated": rows without any evidence are of stated values only.
    topologies, caches, loads = (sorted({row[n] for row in seen} - {NOT_STATED}) for n in range(3))
    stated: list[Row] = list(product(topologies, caches, loads))
    every = sorted({*seen, *stated}, key=lambda row: tuple(map(_last_unknown, row)))
    rows = every if len(every) <= ROWS else seen
    cells: dict[tuple[Row, str], list[Piece]] = defaultdict(list)
    for each in pieces:
        cells[each.row, each.version].append(each)

    def paint(sheet: Sheet) -> float:
        top = 0.0
        for part in _parts(sheet, versions):
            top = _table(sheet, top, rows, part, cells) + 14
        return _key(sheet, top - 4, pieces)

    filled = len({(each.row, each.version) for each in pieces})
    caption = [f"{filled} of {len(every) * len(versions)} combinations have evidence; hatched: nobody measured there."]
    if rows is seen and len(every) > len(seen):
        caption.append(f"{len(every) - len(seen)} combinations of topology, cache and load have none at any version.")
    if any("/ ?" in name for row in rows for name in row):
        caption.append("“/ ?”: not every arm says.")
    columns = ("topology", "cache", "load", "version", "evidence")
    table = [(*row, version, _said(cells.get((row, version), ()))) for row in rows for version in versions]
    says = "; ".join(f"{', '.join(each[:4])}: {each[4]}" for each in table if each[4] != NONE)
    return chart("coverage_matrix", title, caption, (columns, table), paint, f"{says}.", prefix)


def _said(pieces: Iterable[Piece]) -> str:
    return "; ".join(f"{each.name} {word(each.outcome)}" for each in pieces) or NONE


def _last_unknown(text: str) -> tuple[bool, str]:
    return text == NOT_STATED, text


def _by_version(text: str) -> tuple[bool, str, bool, object]:
    name, _, version = text.rpartition(" ")
    found = parse(version)
    return text.endswith(NOT_STATED), name, found is None, found or version


# Where a claim was measured


def _piece(record: Evaluation, claim: Claim, verdict: Judged) -> Piece:
    arms = record.cited_arms(claim)
    setups = [record.arm_setup(arm) for arm in arms] or [record.setup or Setup()]
    row = (_one(_topology(each) for each in setups), _one(map(_cache, setups)), _load(record, claim, arms, setups))
    version = _one(map(_version, setups))
    return Piece(row, version, f"{record.id}/{claim.id}", outcome(verdict))


def _one(found: Iterable[str]) -> str:
    said = list(dict.fromkeys(found))
    if len(said) > 1:
        said = [each for each in said if each != NOT_STATED] + ["?"] * (NOT_STATED in said)
    return " / ".join(said) or NOT_STATED


def _topology(setup: Setup) -> str:
    return setup.topology if setup.topology and setup.topology != UNKNOWN else NOT_STATED


def _cache(setup: Setup) -> str:
    """What is known of reuse: prefixes, their hit rate, a cache beside the engine."""
    said = []
    for name in ("both", "prefill", "decode"):
        side = getattr(setup, name)
        if side is None:
            continue
        where = "" if name == "both" else f" ({name})"
        if side.prefix_caching and side.prefix_caching != UNKNOWN:
            said.append(f"prefix {side.prefix_caching}{where}")
        if side.hit_rate is not None and side.hit_rate != UNKNOWN:
            said.append(f"hits {side.hit_rate:.0%}{where}")
    if setup.cache and setup.cache.component:
        said.append(setup.cache.component)
    return ", ".join(said) or NOT_STATED


def _load(record: Evaluation, claim: Claim, arms: Sequence[Arm], setups: Sequence[Setup]) -> str:
    """The load of a claim's own points, else of the whole workload."""
    table = record.point_table()
    cited = [table[name] for name in (claim.effect.points if claim.effect else ()) if name in table]
    places: list[Where | Workload] = [point.where for point in cited if point.where]
    places = places or [each.workload for each in setups if each.workload]
    del arms
    for key, unit in (("request_rate", "req/s"), ("concurrency", "in flight")):
        found = [spread for place in places if isinstance(spread := getattr(place, key, None), Spread)]
        if words := _range(found):
            return "all at once" if words == "inf" else f"{words} {unit}"
    return NOT_STATED


def _range(spreads: Sequence[Spread]) -> str:
    lows = [each.low for each in spreads if each.low is not None]
    highs = [each.high for each in spreads if each.high is not None]
    if not lows or not highs:
        return f"up to {plain_number(max(highs))}" if highs else ""
    low, high = min(lows), max(highs)
    return plain_number(low) if low == high else f"{plain_number(low)} to {plain_number(high)}"


def _version(setup: Setup) -> str:
    """The engine's build, as far as it is stated."""
    pin = setup.engine or next(iter(setup.pins().values()), None)
    if pin is None:
        return f"version {NOT_STATED}"
    name = pin.component or "engine"
    if pin.version and pin.version != UNKNOWN:
        return f"{name} {pin.version}"
    for kind in ("branch", "commit", "image"):
        found = getattr(pin, kind)
        if found and found != UNKNOWN:
            return f"{name} {kind} {found[:12] if kind == 'commit' else found}"
    return f"{name} {NOT_STATED}"


# Drawing

HIGH = 26.0
COLUMNS = (0.0, 84.0, 194.0, 290.0)
"""Where topology, cache and load begin, and where they end."""


def _parts(sheet: Sheet, versions: Sequence[str]) -> Iterator[Sequence[str]]:
    at_once = max(int((sheet.width - _left(sheet)) // _cell_width(sheet)), 1)
    for start in range(0, len(versions), at_once):
        yield versions[start : start + at_once]


def _left(sheet: Sheet) -> float:
    return 152.0 if sheet.narrow else COLUMNS[-1]


def _cell_width(sheet: Sheet) -> float:
    return 82.0 if sheet.narrow else 88.0


def _table(
    sheet: Sheet, top: float, rows: Sequence[Row], versions: Sequence[str], cells: dict[tuple[Row, str], list[Piece]]
) -> float:
    left = _left(sheet)
    cell = _cell_width(sheet)
    heads = [_head(version, cell) for version in versions]
    deep = max(len(each) for each in heads)
    for n, head in enumerate(heads):
        for m, line in enumerate(head):
            sheet.text(left + (n + 0.5) * cell, top + 12 + m * LINE, line, "tick", "middle")
    if not sheet.narrow:
        for n, name in enumerate(("topology", "cache", "load")):
            sheet.text(COLUMNS[n], top + 12 + (deep - 1) * LINE, name, "soft")
    top += deep * LINE + 4
    for row in rows:
        top = _row(sheet, top, row, versions, cells, left)
    return top


def _head(version: str, cell: float) -> list[str]:
    name, _, rest = version.partition(" ")
    return [cut(each, cell - 6) for each in (name, rest) if each]


def _row(
    sheet: Sheet,
    top: float,
    row: Row,
    versions: Sequence[str],
    cells: dict[tuple[Row, str], list[Piece]],
    left: float,
) -> float:
    high = HIGH + (LINE if sheet.narrow else 0)
    if sheet.narrow:
        sheet.text(0, top + 17, f"{row[0]}, {row[2]}", "", most=left - 6)
        sheet.text(0, top + 17 + LINE, row[1], "soft", most=left - 6)
    else:
        for n, name in enumerate(row):
            most = COLUMNS[n + 1] - COLUMNS[n] - 8
            sheet.text(COLUMNS[n], top + 17, name, "soft" if name == NOT_STATED else "", most=most)
    sheet.line(0, top, sheet.width, top, "grid")
    for n, version in enumerate(versions):
        _cell(sheet, left + n * _cell_width(sheet), top, high, cells.get((row, version), []))
    return top + high


def _cell(sheet: Sheet, x: float, top: float, high: float, pieces: Sequence[Piece]) -> None:
    cell = _cell_width(sheet)
    if not pieces:
        sheet.rect(x + 2, top + 3, cell - 4, high - 6, "none", NONE)
        path = "".join(
            f"M{x + 4 + n * 8:.0f} {top + high - 5:.0f}l8-{high - 10:.0f}" for n in range(int(cell // 8) - 1)
        )
        sheet.add("path", "hatch", d=path, fill="none")
        return
    sheet.rect(x + 2, top + 3, cell - 4, high - 6, "some", _said(pieces))
    counts = [(each, sum(piece.outcome is each for piece in pieces)) for each in ORDER]
    shown = [(each, number) for each, number in counts if number]
    step = min(28.0, (cell - 8) / len(shown))
    at = x + cell / 2 - step * (len(shown) - 1) / 2
    for each, number in shown:
        label = f"{SIGNS[each]}{number}"
        sheet.text(at, top + high / 2 + 4.5, label, f"sign outcome-{each.value}", "middle")
        at += step


def _key(sheet: Sheet, top: float, pieces: Sequence[Piece]) -> float:
    x, top = 0.0, top + 12
    for each in ORDER:
        if any(piece.outcome is each for piece in pieces):
            need = 18 + wide(word(each)) + 14
            if x + need > sheet.width:
                x, top = 0.0, top + LINE
            sheet.text(x + 6, top, SIGNS[each], f"sign outcome-{each.value}", "middle")
            sheet.text(x + 16, top, word(each), "soft")
            x += need
    return top + 6
