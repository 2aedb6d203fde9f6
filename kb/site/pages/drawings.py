"""Charts of a page, as far as there is something to draw; what cannot be drawn is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kb.evaluation import Evaluation
from kb.site.gather import Gathered

MOST = 6
"""Charts on one page."""


def of_evaluation(record: Evaluation, gathered: Gathered) -> list[dict[str, Any]]:
    """Latency over load and ratios by metric, stages, frontier."""
    del gathered
    metrics = tuple(dict.fromkeys(point.metric for point in record.points if point.reported is None))
    calls: list[tuple[str, tuple[Any, ...]]] = [("stages", (record,))]
    calls += [(name, (record, metric)) for metric in metrics for name in ("latency_load", "ratio_map")]
    calls += [("frontier", (record,))]
    return _drawn(calls)


def draw(name: str, *values: Any) -> list[dict[str, Any]]:
    """One chart in a list, or none."""
    return _drawn([(name, values)])


def _drawn(calls: Iterable[tuple[str, Sequence[Any]]]) -> list[dict[str, Any]]:
    if find_spec("kb.site.charts") is None:
        return []
    charts = import_module("kb.site.charts")
    found: list[dict[str, Any]] = []
    for name, values in calls:
        function = getattr(charts, name, None)
        if function is None or len(found) == MOST:
            continue
        chart = function(*values, prefix=f"chart-{len(found) + 1}")
        if chart is not None:
            found.append({field: getattr(chart, field) for field in FIELDS})
    return found


FIELDS = ("kind", "title", "caption", "svg", "columns", "rows")
