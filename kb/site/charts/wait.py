"""The stages of a wait: what was measured in each, in the order in which a request passes them.

Stages are never stacked into one bar: medians do not add up, windows overlap, and the sum would not be the source's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kb.evaluation import Evaluation
from kb.present.points import place
from kb.site.charts import sweeps, words
from kb.site.charts.chart import Chart, chart
from kb.site.charts.lanes import Group, Lane, lanes
from kb.site.charts.marks import UNNAMED, number_of
from kb.site.charts.over_load import COLUMNS
from kb.site.charts.svg import Sheet
from kb.site.charts.sweeps import Seen
from kb.units import kind
from kb.vocabulary import Stage

TITLES = {
    Stage.QUEUE: "queue",
    Stage.PREFILL_COMPUTE: "prefill (compute)",
    Stage.HAND_OVER: "hand-over",
    Stage.POST: "post",
    Stage.TRANSFER: "transfer",
    Stage.FIRST_DECODE_STEP: "first decode step (compute)",
}
PER_STAGE, LANES = 8, 26


def stages(record: Evaluation, prefix: str = "stages") -> Chart | None:
    """How long each stage took; stages that a source describes without a figure are named. None below two figures."""
    found = [each for each in record.points if each.stage and each.reported is None and kind(each.unit) == "time"]
    unit, seen = sweeps.seen(found)
    if len(seen) < 2:
        return None
    chosen = {stage: list(_of(record, stage, seen)) for stage in Stage}
    groups = list(_groups(record, chosen, seen))
    drawn = [each for those in chosen.values() for each in those]

    def paint(sheet: Sheet) -> float:
        return lanes(sheet, 0, groups, f"time in a stage ({unit})")

    stats = {each.point.stat for each in drawn}
    caption = ["Stages are measured apart and need not add up."]
    caption += [f"{words.statistic(stats.pop()).capitalize() or 'Values'}."] if len(stats) == 1 else []
    points = [each.point for each in drawn]
    caption += [*words.bars_said(points), *words.signs_said(points)]
    caption += words.arms_said(record, [each.point.arm for each in seen if each.point.arm])
    more = len(seen) - len(drawn)
    caption += words.only_in_table(more)
    said = ". ".join(f"{TITLES[each.point.stage]}: {words.told(each.point)}" for each in drawn if each.point.stage)
    rows = [_row(each, stage) for stage in Stage for each in seen if each.point.stage is stage]
    rows += [(TITLES[stage], "", "", "", "", "no figure", "", "") for stage in _silent(record, seen)]
    columns = ("stage", "metric", *COLUMNS)
    return chart("stages", "Stages of the wait", caption, (columns, rows), paint, f"{said}.", prefix)


def _of(record: Evaluation, stage: Stage, seen: Sequence[Seen]) -> Iterator[Seen]:
    """The figures of a stage that the record names for it; all of them where it names none."""
    named = {name for note in record.stages if note.stage is stage for name in note.points}
    mine = [each for each in seen if each.point.stage is stage]
    kept = [each for each in mine if each.point.id in named] or mine
    yield from sorted(kept[:PER_STAGE], key=lambda each: number_of(record, each.point.arm))


def _silent(record: Evaluation, seen: Sequence[Seen]) -> list[Stage]:
    """Stages that the record describes and gives no time for."""
    measured = {each.point.stage for each in seen}
    return [stage for stage in Stage if stage not in measured and any(note.stage is stage for note in record.stages)]


def _groups(record: Evaluation, chosen: dict[Stage, list[Seen]], seen: Sequence[Seen]) -> Iterator[Group]:
    every = [each for those in chosen.values() for each in those]
    stats = len({each.point.stat for each in every}) > 1
    silent = _silent(record, seen)
    for stage in Stage:
        those = chosen[stage]
        if those:
            yield from _parts(record, stage, those, stats)
        elif stage in silent:
            yield Group(TITLES[stage], (Lane(UNNAMED, "", "no figure"),))


def _parts(record: Evaluation, stage: Stage, those: Iterable[Seen], stats: bool) -> Iterator[Group]:
    """Figures of a stage, by what they are and where they were taken."""
    found: dict[str, list[Seen]] = {}
    for each in those:
        found.setdefault(_heading(stage, each, stats), []).append(each)
    for heading, alike in found.items():
        yield Group(heading, tuple(_lane(record, each) for each in alike))


def _heading(stage: Stage, one: Seen, stats: bool) -> str:
    said = [TITLES[stage]]
    name = words.metric(one.point.metric)
    said += [name.casefold()] if name.casefold().partition(" ")[0] not in TITLES[stage] else []
    said += [words.statistic(one.point.stat) or "value"] if stats else []
    return " · ".join([*said, *filter(None, [place(one.point.where)])])


def _lane(record: Evaluation, one: Seen) -> Lane:
    point = one.point
    return Lane(
        number_of(record, point.arm), point.arm or words.NO_ARM, words.value(point), one.low, one.high, one.bar,
        words.told(point),
    )  # fmt: skip


def _row(one: Seen, stage: Stage) -> tuple[str, ...]:
    point = one.point
    return (
        TITLES[stage], words.metric(point.metric), point.arm or words.NO_ARM, place(point.where),
        words.statistic(point.stat) or "value", words.value(point), words.spread(point), words.count(point),
    )  # fmt: skip
