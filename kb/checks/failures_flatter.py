"""An arm whose latency is compared, and whose requests failed.

## What it flags
One request in a hundred or more that failed, in an arm that a claim compares by a latency: counted under the arm's
`requests`, or given as a `failed` point.

## Why it matters
Latency is measured on the requests that came through. The slow ones are often those that fail, so the arm that fails
looks fast.

## Example
    arms:
      - {id: pull, role: baseline, requests: {sent: 200, completed: 200, failed: 0}}
      - {id: push, role: candidate, requests: {sent: 200, completed: 180, failed: 20}}
    claims:
      - id: heavy
        kind: measured
        says: Push was ahead.
        effect: {form: order, metric: ttft, arm: push, against: pull, better: push}

## What to do
Say under `limits` what failed and why; where the source shows that it does not matter, allow this check and say how.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import COMPARISONS, Evaluation, Requests
from kb.evidence import Point
from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.units import convert, kind
from kb.vocabulary import Severity

CODE = "KB192"
NAME = "failures-flatter"
SEVERITY = Severity.WARNING

SHARE = 0.01
"""Share of failed requests from which the survivors are another population."""


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Arms compared by a latency that lost requests; each once."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    compared, seen = _compared(record, library), set()
    for loc, arm, share in _shares(record):
        if arm in compared and arm not in seen and share >= SHARE:
            seen.add(arm)
            message = f'{share:.1%} of the requests of arm "{arm}" failed, and its {compared[arm]} is compared'
            yield Problem(loc, message, "latency counts survivors: say under `limits` what failed")


def _compared(record: Evaluation, library: Library) -> dict[str, str]:
    """Arm -> a latency that a claim compares it by."""
    found: dict[str, str] = {}
    for claim in record.claims:
        effect = claim.effect
        metric = library.metrics.get(effect.metric) if effect and effect.form in COMPARISONS else None
        if effect and metric and kind(metric.unit) == "time":
            for arm in (effect.arm, effect.against):
                found.setdefault(arm or "", metric.id)
    return found


def _shares(record: Evaluation) -> Iterator[tuple[Loc, str, float]]:
    for n, arm in enumerate(record.arms):
        if arm.requests and (share := _of_requests(arm.requests)) is not None:
            yield ("arms", n, "requests", "failed"), arm.id, share
    for n, point in enumerate(record.points):
        if point.metric == "failed" and point.arm and (share := _of_point(point)) is not None:
            yield ("points", n, "value"), point.arm, share


def _of_requests(requests: Requests) -> float | None:
    failed, completed = requests.failed, requests.completed
    if not isinstance(failed, int):
        return None
    sent = requests.sent if isinstance(requests.sent, int) else None
    all_ = sent if sent is not None else failed + completed if isinstance(completed, int) else None
    return failed / all_ if all_ else None


def _of_point(point: Point) -> float | None:
    if point.value is None or point.reported is not None:
        return None
    prompts = point.where.num_prompts.values if point.where and point.where.num_prompts else ()
    if point.unit == "count":
        return point.value / prompts[0] if len(prompts) == 1 and prompts[0] else None
    return convert(point.value, point.unit, "fraction")
