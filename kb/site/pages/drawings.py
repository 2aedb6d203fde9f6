"""Charts of a page, as far as there is something to draw; what cannot be drawn is left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kb.evaluation import Evaluation
from kb.site import charts

MOST = 6
"""Charts on one page."""


def of_evaluation(record: Evaluation) -> list[dict[str, Any]]:
    """Stages, latency over load and ratios by metric, frontier."""
    metrics = tuple(dict.fromkeys(point.metric for point in record.points if point.reported is None))
    drawn = [charts.stages(record, prefix="stages")]
    for number, metric in enumerate(metrics):
        drawn += [draw(record, metric, prefix=f"chart-{number}-{draw.__name__}") for draw in PER_METRIC]
    drawn.append(charts.frontier(record, prefix="frontier"))
    return shown(drawn)[:MOST]


PER_METRIC = (charts.latency_load, charts.ratio_map)


def shown(drawn: Iterable[charts.Chart | None]) -> list[dict[str, Any]]:
    """What the template takes of charts; what there was nothing to draw of is left out."""
    return [{field: getattr(chart, field) for field in FIELDS} for chart in drawn if chart is not None]


FIELDS = ("kind", "title", "caption", "svg", "columns", "rows")
