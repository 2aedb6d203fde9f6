"""A comparison without its load point.

## What it flags
Points that a comparison is computed from without a load point (`where`), in an evaluation whose workload states neither
a rate nor a concurrency.

## Why it matters
The order of two connectors turns with the load; a ratio without its load point cannot be repeated.

## Example
    points:
      - {id: best, metric: ttft, arm: push, against: pull, reported: improvement-factor, value: 3, unit: x}
    claims:
      - {id: headline, kind: measured, says: Push was better., effect: {form: ratio, metric: ttft, points: [best]}}

## What to do
State rate or concurrency and lengths under `where`; where the source only words it, `where: {words: ...}`; where it
says nothing at all, `not_stated: [points.where]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import Where
from kb.finding import Problem
from kb.library import Library
from kb.mentions import cited_points
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB129"
NAME = "ratio-without-load-point"
SEVERITY = Severity.WARNING

_LOAD = frozenset({"request_rate", "concurrency", "num_prompts"})


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Cited points that say nothing of the load, in one sentence."""
    record = loaded.record
    if not isinstance(record, Evaluation) or "points.where" in record.not_stated or _workload_states_load(record):
        return
    cited = cited_points(record)
    lacking = [(n, point) for n, point in enumerate(record.points) if point.id in cited and not _says(point.where)]
    if lacking:
        names = ", ".join(str(point.id) for _, point in lacking)
        hint = "add `where`; the source's own words will do: where: {words: ...}"
        yield Problem(("points", lacking[0][0]), f"no load point is stated for {names}", hint)


def _says(where: Where | None) -> bool:
    return where is not None and bool(where.is_load_point or where.words or where.factors or where.num_prompts)


def _workload_states_load(record: Evaluation) -> bool:
    loads = [
        setup.workload for setup in (record.setup, *(arm.setup for arm in record.arms)) if setup and setup.workload
    ]
    return any(_LOAD & workload.model_fields_set for workload in loads)
