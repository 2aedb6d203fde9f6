"""Throughput against latency: each mark is one load of one arm, joined in the order of the load."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from kb.evaluation import Evaluation
from kb.present.points import place
from kb.site.charts import sweeps, words
from kb.site.charts.chart import Chart, chart
from kb.site.charts.marks import legend, number_of
from kb.site.charts.over_load import BOUNDS
from kb.site.charts.plot import Axes, Line, Panel, Spot, panels
from kb.site.charts.svg import Sheet
from kb.site.charts.sweeps import Seen
from kb.vocabulary import Statistic

THROUGHPUTS = (
    "output_throughput_per_gpu", "output_throughput", "total_throughput", "token_throughput", "request_throughput",
    "throughput",
)  # fmt: skip
LATENCIES = ("tpot", "itl", "output_throughput_per_user", "ttft", "e2el", "latency")
FASTER = {"output_throughput_per_user"}
"""Here more is better for the one who waits, too."""
LABELS = 14
"""Marks up to which each says its load."""


class Pair(NamedTuple):
    """The two numbers of one arm at one load."""

    wait: Seen
    rate: Seen


def frontier(record: Evaluation, prefix: str = "frontier") -> Chart | None:
    """The pair of metrics that most loads have both of; None where no arm has both at two loads."""
    best = max(_choices(record), key=lambda found: len(found[2]), default=None)
    if best is None or not _has_loads(best[2]):
        return None
    wait_unit, rate_unit, pairs = best
    waits = [pair.wait for pair in pairs]
    key = sweeps.axis([pair.rate for pair in pairs])
    stats = " and ".join(dict.fromkeys(filter(None, (words.statistic(each.wait.point.stat) for each in pairs[:1]))))
    wait, rate = (words.metric(each.point.metric) for each in pairs[0])
    rate_stat = words.statistic(pairs[0].rate.point.stat)
    axes = Axes(
        f"{wait} ({wait_unit})" + (f", {stats}" if stats else ""),
        f"{rate} ({rate_unit})" + (f", {rate_stat}" if rate_stat else ""),
        x_dodges=False,
    )
    drawn = Panel("", tuple(_lines(record, pairs, key)))
    arms = sorted({(number_of(record, each.point.arm), each.point.arm or words.NO_ARM) for each in waits})

    def paint(sheet: Sheet) -> float:
        return panels(sheet, legend(sheet, 0, arms, key is not None) + 4, [drawn], axes)

    points = [each.point for pair in pairs for each in pair]
    beside = ", which stands beside the marks" if len(pairs) <= LABELS else ""
    better = "right" if waits[0].point.metric in FASTER else "left"
    caption = [f"Better is up and to the {better}.", "Each mark is one load of one arm."]
    caption += [f"Lines follow the {words.quantity(key)}{beside}."] if key else []
    caption += (
        ["A mark at a number that is only about so large (≈), or only a bound, says so beside it."]
        if any(point.qualifier for point in points)
        else []
    )
    caption += words.arms_said(record, [each.point.arm for each in waits if each.point.arm])
    rows = [_row(pair) for pair in pairs]
    said = "; ".join(f"{row[0]}, {row[1]}: {row[2]} at {row[3]}" for row in rows)
    return chart(
        "frontier", f"{rate} against {words.inside(waits[0].point.metric)}" + (f", {stats}" if stats else ""), caption,
        (("arm", "at", axes.y, axes.x), rows), paint, f"{said}.", prefix,
    )  # fmt: skip


def _has_loads(pairs: Sequence[Pair]) -> bool:
    """Whether some arm was measured at two loads: a single one is no frontier."""
    arms = [pair.wait.point.arm for pair in pairs]
    return len(arms) > len(set(arms))


def _choices(record: Evaluation) -> Iterator[tuple[str, str, list[Pair]]]:
    """Units and pairs of every two metrics and statistics, the likeliest first."""
    for latency, throughput in product(LATENCIES, THROUGHPUTS):
        wait_unit, waits = sweeps.seen(sweeps.absolute(record, latency))
        rate_unit, rates = sweeps.seen(sweeps.absolute(record, throughput))
        if not waits or not rates:
            continue
        for stat in sorted({each.meaning for each in waits}):
            pairs = list(_pairs([each for each in waits if each.meaning == stat], rates))
            yield wait_unit, rate_unit, pairs


def _pairs(waits: Sequence[Seen], rates: Sequence[Seen]) -> Iterator[Pair]:
    """Numbers that one arm has at one place, one of each; places in words only say too little."""
    by: Mapping[tuple[str | None, str], list[Seen]] = defaultdict(list)
    for each in rates:
        by[each.point.arm, place(each.point.where)].append(each)
    for wait in waits:
        met = by.get((wait.point.arm, place(wait.point.where)), [])
        alone = sum(other.point.arm == wait.point.arm and other.where == wait.where for other in waits) == 1
        if len(met) == 1 and alone and wait.point.where is not None and not _is_range(wait, met[0]):
            yield Pair(wait, met[0])


def _is_range(*those: Seen) -> bool:
    return any(each.low != each.high for each in those)


def _lines(record: Evaluation, pairs: Sequence[Pair], key: str | None) -> Iterator[Line]:
    """Sweeps of one arm in the order of their load; what belongs to no sweep stands alone."""
    beside = sweeps.aside([pair.rate for pair in pairs], key or "")
    runs: dict[tuple[object, ...], list[Pair]] = defaultdict(list)
    for n, pair in enumerate(pairs):
        at = sweeps.along(pair.rate.point, key) if key else None
        apart: tuple[object, ...] = sweeps.rest(pair.rate, beside) if at is not None else (n,)
        runs[pair.rate.point.arm, *apart].append(pair)
    for (arm, *_), run in runs.items():
        ordered = sorted(run, key=lambda pair: sweeps.along(pair.rate.point, key) or 0.0) if key else run
        name = arm if isinstance(arm, str) else None
        yield Line(number_of(record, name), tuple(_spot(pair, key, len(pairs)) for pair in ordered))


def _spot(pair: Pair, key: str | None, many: int) -> Spot:
    wait, rate = pair.wait.point, pair.rate.point
    sign = "".join(dict.fromkeys([words.sign(wait), words.sign(rate)]))
    at = pair.rate.where.get(key, "") if key else place(wait.where)
    tip = f"{wait.arm or words.NO_ARM}, {place(wait.where)}: {words.value(rate)}, {words.value(wait)}"
    bound = {wait.qualifier, rate.qualifier} & BOUNDS
    return Spot(
        pair.wait.low, pair.rate.low, pair.rate.low, tip, sign, pair.rate.bar,
        label=at if many <= LABELS and len(at) < 12 else "", bound=bool(bound),
    )  # fmt: skip


def _row(pair: Pair) -> tuple[str, ...]:
    wait, rate = pair.wait.point, pair.rate.point
    stat = "" if wait.stat is Statistic.VALUE else f" ({words.statistic(wait.stat)})"
    return wait.arm or words.NO_ARM, place(wait.where), words.value(rate), f"{words.value(wait)}{stat}"
