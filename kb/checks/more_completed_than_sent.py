"""More requests answered than sent.

## What it flags
An arm whose completed, failed and rejected requests are together more than those sent, or whose recomputed ones are; a
`completed` or `failed` point above the number of prompts at its load point; requests of an arm above the prompts per
run times the runs, where the workload states both.

## Why it matters
A failed request that is counted as completed makes the arm that fails look fast.

## Example
    arms:
      - {id: push, requests: {sent: 100, completed: 104}}

## What to do
Look the counts up: retries and warm-up requests are often counted on one side only.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from kb.evaluation import Arm, Evaluation, Requests
from kb.evidence import Point
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB136"
NAME = "more-completed-than-sent"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Counts that exceed what was sent."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    for n, arm in enumerate(record.arms):
        for key, message in _counts(arm.requests, _planned(record, arm)) if arm.requests else ():
            yield Problem(("arms", n, "requests", key), f'arm "{arm.id}": {message}')
    for n, point in enumerate(record.points):
        prompts = _prompts(point)
        if point.metric in {"completed", "failed"} and point.value is not None and prompts and point.value > prompts:
            yield Problem(("points", n, "value"), f"{point.value:g} {point.metric} of {prompts:g} prompts")


def _planned(record: Evaluation, arm: Arm) -> float | None:
    """Prompts per run times runs of an arm; None where either is not stated, or the sweep's values are not listed."""
    load = record.arm_setup(arm).workload
    if load is None or load.num_prompts is None or not isinstance(load.repeats, int) or not load.repeats:
        return None
    swept = (load.input_tokens, load.output_tokens, load.request_rate, load.concurrency)
    if len(load.num_prompts.values) != 1 or any(each is not None and not each.values for each in swept):
        return None
    return load.num_prompts.values[0] * load.repeats * prod(len(each.values) for each in swept if each is not None)


def _counts(requests: Requests, planned: float | None) -> Iterator[tuple[str, str]]:
    for key in ("sent", "completed", "failed"):
        counted = getattr(requests, key)
        if planned is not None and isinstance(counted, int) and counted > planned:
            yield key, f"{counted} requests {key}, the workload's prompts times its runs are {planned:g}"
            return
    sent = requests.sent
    if not isinstance(sent, int):
        return
    ends = [each for each in (requests.completed, requests.failed, requests.rejected) if isinstance(each, int)]
    if sum(ends) > sent:
        yield "completed", f"{sum(ends)} requests completed, failed or were rejected, {sent} were sent"
    if isinstance(requests.recomputed, int) and requests.recomputed > sent:
        yield "recomputed", f"{requests.recomputed} requests were recomputed, {sent} were sent"


def _prompts(point: Point) -> float | None:
    if point.reported is not None or point.unit != "count":
        return None
    spread = point.where.num_prompts if point.where else None
    return spread.values[0] if spread and len(spread.values) == 1 else None
