"""Points of one metric sorted for drawing: in one unit, by what they measure and where, along what was swept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isinf

from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.once import once
from kb.present.setup import keys_of
from kb.units import convert
from kb.vocabulary import Statistic

LOADS = ("request_rate", "concurrency", "input_tokens", "output_tokens", "num_prompts", "burstiness")
"""Load keys, the likeliest axis first."""
ORDER = (
    Statistic.MEAN, Statistic.P50, Statistic.P99, Statistic.P90, Statistic.P95, Statistic.P75, Statistic.P99_9,
    Statistic.MAX, Statistic.MIN, Statistic.VALUE, Statistic.UNKNOWN, Statistic.STD,
)  # fmt: skip
"""Statistics, those first that people ask for first."""
FOLLOWS_FROM = 3
"""A key that changes with the axis one to one belongs to it when there are so many values at least."""

Where = Mapping[str, str]
"""Key -> value in words; `words` for a place that only the source's words name."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A point in the unit of the drawing."""

    point: Point
    low: float
    high: float
    bar: tuple[float, float] | None
    """Ends of what it scatters over."""
    where: Where

    @property
    def meaning(self) -> tuple[int, str]:
        """What must be alike in numbers that are set beside each other: statistic and definition."""
        return ORDER.index(self.point.stat), self.point.definition or ""


def absolute(record: Evaluation, metric: str) -> list[Point]:
    """Numbers of a metric that stand for themselves; comparisons that a source only reports are none."""
    return [each for each in record.points if each.metric == metric and each.reported is None]


def seen(points: Iterable[Point]) -> tuple[str, list[Seen]]:
    """The unit that most have, and every point that converts into it and has a number."""
    found = list(points)
    if not found:
        return "", []
    unit = Counter(point.unit for point in found).most_common(1)[0][0]
    return unit, [each for point in found if (each := _seen(point, unit)) is not None]


@once
def _seen(point: Point, unit: str) -> Seen | None:
    factor = convert(1.0, point.unit, unit)
    if factor is None or point.number is None:
        return None
    low, high = point.number if isinstance(point.number, tuple) else (point.number, point.number)
    return Seen(point, low * factor, high * factor, _bar(point, factor), where(point))


def _bar(point: Point, factor: float) -> tuple[float, float] | None:
    found = point.spread
    if found is None:
        return None
    if found.low is not None and found.high is not None:
        return found.low * factor, found.high * factor
    if found.std is None or point.value is None:
        return None
    return (point.value - found.std) * factor, (point.value + found.std) * factor


def where(point: Point) -> Where:
    """Where a number was taken, key by key."""
    return keys_of(point.where) if point.where else {}


def along(point: Point, key: str) -> float | None:
    """The place of a point on an axis; None when it has none or is spread over one."""
    if point.where is None:
        return None
    if key not in LOADS:
        return _figure(point.where.factors.get(key.removeprefix("factors.")))
    spread = getattr(point.where, key)
    if spread is None or len(spread.values) != 1 or spread.min is not None or spread.max is not None:
        return None
    return float(spread.values[0])


def _figure(value: object) -> float | None:
    try:
        found = float(str(value))
    except ValueError:
        return None
    return None if isinf(found) or found != found else found


def axis(points: Sequence[Seen]) -> str | None:
    """The key along which most points were swept; None when nothing was."""
    factors = sorted({key for each in points for key in each.where if key.startswith("factors.")})
    stated = {key for each in points for key in each.where}
    counts = {key: _swept(points, key) for key in (*LOADS, *factors) if key in stated} or {"": 0}
    best = max(counts, key=lambda key: counts[key])
    return best if counts[best] else None


def _swept(points: Sequence[Seen], key: str) -> int:
    """Points that lie on a sweep along a key."""
    groups: dict[object, list[float]] = defaultdict(list)
    beside = aside(points, key)
    for each in points:
        if (x := along(each.point, key)) is not None:
            groups[each.point.arm, each.meaning, rest(each, beside)].append(x)
    return sum(len(found) for found in groups.values() if len(set(found)) > 1)


def aside(points: Sequence[Seen], key: str) -> frozenset[str]:
    """The axis and what only follows it."""
    return frozenset((key, *followers(points, key)))


def rest(one: Seen, beside: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Where a point was taken, apart from the axis and what only follows it."""
    return tuple((name, value) for name, value in one.where.items() if name not in beside)


def followers(points: Sequence[Seen], key: str) -> tuple[str, ...]:
    """Keys that change one to one with the axis, such as the size of the KV with the input's length."""
    keys = dict.fromkeys(name for each in points for name in each.where if name not in {key, "words"})
    return tuple(name for name in keys if _follows(points, key, name))


def _follows(points: Sequence[Seen], key: str, name: str) -> bool:
    pairs = {(each.where.get(key), each.where.get(name)) for each in points if key in each.where}
    values = {value for _, value in pairs}
    return len(pairs) == len({x for x, _ in pairs}) == len(values) >= FOLLOWS_FROM and None not in values
