"""Points of two arms beside each other, paired by what they measure, statistic and load point; a ratio, or why none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from kb.comparability import QUANTITIES, same_measure
from kb.conditions import Truth
from kb.evaluation import Evaluation
from kb.evidence import Point, Where
from kb.library import Library
from kb.matching import RANK, Pairs, Reason, Subject
from kb.regions import of_spread
from kb.setup import Spread
from kb.units import convert
from kb.vocabulary import UNKNOWN, Statistic


@dataclass(frozen=True, slots=True)
class Metric:
    """One number beside another."""

    metric: str
    stat: str
    where: str
    a: Point
    b: Point
    unit: str
    ratio: float | None
    """a / b; None where it is refused."""
    about: bool
    """One of the two is only about so large, or an end of what was seen."""
    refused: str | None
    """The field that is in the way."""
    arm: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """With the keys of cli.md; numbers in `unit`."""
        return {
            "metric": self.metric,
            "definition": [self.a.definition, self.b.definition],
            "stat": self.stat,
            "where": self.where,
            "a": number(self.a, self.unit),
            "b": number(self.b, self.unit),
            "unit": self.unit,
            "ratio": self.ratio,
            "refused": self.refused,
        } | ({"arm": self.arm} if self.arm else {})


def ratios(
    pairs: Pairs, a: Evaluation, b: Evaluation, gate: tuple[Reason, ...], library: Library
) -> tuple[tuple[Metric, ...], tuple[Reason, ...]]:
    """Rows of numbers, and for each metric without a row the load points that keep it apart. `gate` holds for all."""
    rows: list[Metric] = []
    apart: dict[str, Reason] = {}
    for one, other in pairs:
        label = None if len(pairs) == 1 else one.id if one.id == other.id else f"{one.id} | {other.id}"
        theirs = [Placed(point, _taken(point, other, a is b)) for point in _points(b, other)]
        by_load: dict[frozenset[tuple[str, str]], list[Placed]] = {}
        for each in theirs:
            by_load.setdefault(frozenset(each.load.items()), []).append(each)
        for p in _points(a, one):
            mine = Placed(p, _taken(p, one, a is b))
            near = by_load.get(frozenset(mine.load.items()), [])
            if not near and p.metric in apart:
                continue  # thousands of load points without a counterpart are said once
            met = _met(mine, near, a is b, library)
            if not any(not reasons for _, reasons in met):
                met = _met(mine, theirs, a is b, library)
            if not met:
                continue
            q, reasons = min(met, key=lambda each: (len(each[1]), [RANK[reason.truth] for reason in each[1]]))
            if any(each.field == "where" for each in reasons):
                apart.setdefault(p.metric, reasons[-1])
            else:
                rows.append(_row(p, q, one, (*reasons, *gate), label))
    kept = _without_cross_talk(rows)
    shown = {row.a.metric for row in kept}
    return kept, tuple(each for metric, each in apart.items() if metric not in shown)


class Placed(NamedTuple):
    """A point and where it was taken, worked out once."""

    point: Point
    load: dict[str, str]


def _met(p: Placed, others: Iterable[Placed], same: bool, library: Library) -> list[tuple[Point, tuple[Reason, ...]]]:
    """Points that share a label or a meaning with one, and what keeps each apart from it."""
    return [(q.point, _apart(p, q, same, library)) for q in others if _related(p.point, q.point, library)]


def _without_cross_talk(rows: list[Metric]) -> tuple[Metric, ...]:
    """A mean beside a median is worth a line only where no statistic is on both sides."""
    exact = {(row.a.metric, row.where, row.arm) for row in rows if row.a.stat is row.b.stat}
    return tuple(row for row in rows if row.a.stat is row.b.stat or (row.a.metric, row.where, row.arm) not in exact)


def _points(evaluation: Evaluation, arm: Subject) -> list[Point]:
    ids = {None, arm.id} if arm.arm is None else {arm.id}
    return [point for point in evaluation.points if point.reported is None and point.arm in ids]


def _related(p: Point, q: Point, library: Library) -> bool:
    """Whether two points share a label, or what they measure."""
    same = p.definition and q.definition and library.measure(p.definition) == library.measure(q.definition)
    return p.metric == q.metric or bool(same)


def _apart(p: Placed, q: Placed, same: bool, library: Library) -> tuple[Reason, ...]:
    """What keeps two points apart: definition, statistic, load point; nothing where they meet."""
    return tuple(
        each
        for each in (_definition(p.point, q.point, same, library), _stat(p.point, q.point, same), _where(p, q, same))
        if each is not None
    )


def _definition(p: Point, q: Point, same: bool, library: Library) -> Reason | None:
    if same and p.definition == q.definition and p.metric == q.metric:
        return None
    mine, theirs = ([each.definition] if each.definition else [] for each in (p, q))
    truth = same_measure(p.metric, mine, q.metric, theirs, library)
    if truth is Truth.YES:
        return None
    here, there = (f"{each.metric} ({each.definition or 'definition not stated'})" for each in (p, q))
    says = (
        "not the same thing, whatever it is called"
        if truth is Truth.NO
        else "the definition is not stated on both sides"
    )
    return Reason("metric", here, there, truth, f"{here} against {there}: {says}")


def _stat(p: Point, q: Point, same: bool) -> Reason | None:
    unknown = Statistic.UNKNOWN in {p.stat, q.stat}
    if p.stat is q.stat and (same or not unknown):
        return None
    says = f"statistic {p.stat.value} against {q.stat.value}"
    return Reason("statistic", p.stat.value, q.stat.value, Truth.of(None if unknown else False), says)


def _where(p: Placed, q: Placed, same: bool) -> Reason | None:
    here, there = p.load, q.load
    if here == there and (same or (here and "words" not in here)):
        return None
    a, b = (place(each) for each in (here, there))
    known = bool(here) and bool(there) and "words" not in {*here, *there} and set(here) == set(there)
    says = f"load point {a or 'not stated'} against {b or 'not stated'}"
    return Reason("where", a, b, Truth.of(False if known else None), f"{p.point.metric}: {says}")


def load_point(where: Where | None, arm: Subject, bare: bool = False) -> dict[str, str]:
    """Where a number was taken; unless `bare`, with what the arm's setup fixes for all its points."""
    stated = {
        name: str(value)
        for name in (*QUANTITIES, "dataset", "model", "words")
        if (value := getattr(where, name, None)) is not None
    }
    stated |= dict(where.factors) if where else {}
    if bare:
        return stated
    for name in (*QUANTITIES, "dataset"):
        value = getattr(arm.setup.workload, name, None)
        fixed = value if not isinstance(value, Spread) or _is_one(value) else None
        if fixed is not None and str(fixed) != UNKNOWN:
            stated.setdefault(name, str(fixed))
    return stated


def _taken(point: Point, arm: Subject, bare: bool) -> dict[str, str]:
    """Where a number was taken, for a ratio: what it does not name is what its setup says."""
    named = load_point(point.where, arm, True)
    return named if bare else named | {key: said for key, said in stated_load(arm).items() if key not in named}


def stated_load(arm: Subject) -> dict[str, str]:
    """The load that an arm's setup states, ranges in full: those that overlap are two workloads."""
    workload = {name: getattr(arm.setup.workload, name, None) for name in (*QUANTITIES, "dataset")}
    return {name: str(value) for name, value in workload.items() if value is not None and str(value) != UNKNOWN}


def _is_one(spread: Spread) -> bool:
    region = of_spread(spread)
    return region is not None and region.low == region.high


_SHORT = {"input_tokens": "in", "output_tokens": "out", "request_rate": "req/s", "concurrency": "conc"}


def place(where: dict[str, str]) -> str:
    """A load point in words."""
    words = {key: f"{_SHORT.get(key, key)} {value}" for key, value in where.items()}
    return ", ".join((words | {"words": f"“{where['words']}”"} if "words" in where else words).values())


def _row(p: Point, q: Point, one: Subject, reasons: tuple[Reason, ...], label: str | None) -> Metric:
    worst = min(reasons, key=lambda each: -RANK[each.truth], default=None)
    ratio, refused = (None, f"{worst.field}: {worst.says}") if worst else _divided(p, q)
    stat = p.stat.value if p.stat is q.stat else f"{p.stat.value} | {q.stat.value}"
    metric = p.metric if p.metric == q.metric else f"{p.metric} | {q.metric}"
    about = p.qualifier is not None or q.qualifier is not None
    return Metric(metric, stat, place(load_point(p.where, one, True)), p, q, p.unit, ratio, about, refused, label)


def _divided(p: Point, q: Point) -> tuple[float | None, str | None]:
    """The ratio, or why there is none."""
    mine, theirs = number(p, p.unit), number(q, p.unit)
    if theirs is None:
        return None, f"unit: {p.unit} against {q.unit}"
    if not isinstance(mine, float) or not isinstance(theirs, float):
        return None, "value: a range, or no figure"
    return (float(f"{mine / theirs:.4g}"), None) if theirs > 0 else (None, "value: nothing is divided by zero")


def number(point: Point, unit: str) -> float | list[float] | None:
    """The number in a unit, a range as two; None without one, or when the units are of two kinds."""
    ends = point.number if isinstance(point.number, tuple) else (point.number,)
    found = [into for end in ends if end is not None and (into := convert(end, point.unit, unit)) is not None]
    return found[0] if len(found) == len(ends) == 1 else found if len(found) == 2 else None
