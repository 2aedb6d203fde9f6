"""Readings of a run that several findings need: shares, means, what was asked for."""

from __future__ import annotations

from kb.importers.run import Fact, Run, RunPoint
from kb.units import kind
from kb.vocabulary import Statistic

DECODE = {
    "vllm-bench.tpot", "sglang-bench.tpot", "inferencex.tpot", "aiperf.itl", "genai-perf.itl", "inference-perf.tpot",
    "inference-perf.tpot-0.2", "guidellm.itl", "trtllm-bench.tpot", "mlperf.tpot",
}  # fmt: skip
"""Definitions of the time per token after the first, without TTFT, per request."""


def of(run: Run, metric: str, stat: Statistic) -> float | None:
    """The value of one statistic, None when the run does not have it."""
    return run.get(metric, stat)


def mean(run: Run, metric: str) -> float | None:
    """The mean of a metric."""
    return run.get(metric, Statistic.MEAN)


def decode(run: Run, stat: Statistic = Statistic.MEAN) -> float | None:
    """Milliseconds per token after the first, whatever the tool calls it."""
    return next((p.value for p in run.points if p.definition in DECODE and p.stat is stat), None)


def failed_share(run: Run) -> float | None:
    """Share of the requests sent that were not completed; None when it is not known."""
    sent, completed, failed = run.requests.sent, run.requests.completed, run.requests.failed
    if sent is None and completed is not None and failed is not None:
        sent = completed + failed
    if not sent:
        return None
    if failed is None:
        return None if completed is None else max(0.0, 1 - completed / sent)
    return failed / sent


def asked(run: Run, key: str) -> tuple[float, str] | None:
    """A number that was asked for and who says so: the file itself, or only its name."""
    if (value := positive(run.where.get(key))) is not None:
        return value, ""
    hint = next((each for each in run.suggestions if each.key == f"where.{key}"), None)
    value = positive(hint.value) if hint else None
    return (value, f" by the {hint.origin}") if hint and value is not None else None


def positive(value: Fact | None) -> float | None:
    """A number above 0 of a fact; `inf` and texts are none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else None


def is_latency(point: RunPoint) -> bool:
    """Whether a point is a time of requests, not how long the whole took."""
    return kind(point.unit) == "time" and point.metric != "duration"


def shown(value: float) -> str:
    """A number as people write it: at most four digits that matter."""
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
