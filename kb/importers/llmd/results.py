"""The numbers of a report -> points. Units are read at each; a group of zeros is no measurement."""

from __future__ import annotations

from collections.abc import Iterator

from kb.importers.fields import Fields
from kb.importers.llmd.harness import LABELS, Harness
from kb.importers.points import STATS, Points, exact
from kb.importers.run import Requests

_UNITS = {
    "ms": "ms",
    "s": "s",
    "ms/token": "ms",
    "s/token": "s",
    "count": "count",
    "tokens/s": "tok/s",
    "queries/s": "req/s",
}
_KINDS = {"ms": "time", "s": "time", "count": "count", "tok/s": "tok/s", "req/s": "req/s"}
_RATES = {
    "request_rate": ("request_throughput", "req/s"),
    "input_token_rate": ("input_throughput", "tok/s"),
    "output_token_rate": ("output_throughput", "tok/s"),
    "total_token_rate": ("total_throughput", "tok/s"),
}
_RATES_0_1 = {
    "requests_per_sec": ("request_throughput", "req/s"),
    "input_tokens_per_sec": ("input_throughput", "tok/s"),
    "output_tokens_per_sec": ("output_throughput", "tok/s"),
    "total_tokens_per_sec": ("total_throughput", "tok/s"),
}
_LENGTHS = {"input_length": "input_tokens", "output_length": "output_tokens"}
_NORMALIZED = "normalized_time_per_output_token"
_NO_STATS = {"units", "mode", "p0p1", "p1", "p5", "p10", "p25"}


def measured(points: Points, results: Fields, by: Harness, first: bool) -> tuple[Requests, list[str]]:
    """The points of a report; `first` for version 0.1. Nothing is measured where every request failed."""
    requests, odd = _requests(results.table("requests"), by)
    if requests.completed == 0:
        for part in ("latency", "throughput", "time"):
            results.skip(part)
        return requests, odd
    counted = results.table("requests")
    for key, metric in _LENGTHS.items():
        odd += _group(points, counted.table(key), metric, "count", by)
    latency = results.table("latency")
    for key in latency:
        odd += _latency(points, latency.table(key), key, by)
    throughput = results.table("throughput")
    if first:
        _scalars(points, throughput, by)
        points.add("duration", results.table("time").number("duration") or None, "s", definition=None)
    else:
        for key, (metric, kind) in _RATES.items():
            odd += _group(points, throughput.table(key), metric, kind, by)
    odd += throughput.leftover()
    if first:
        results.skip("service", "resources", "description", "metadata")
    return requests, odd


def _requests(counted: Fields, by: Harness) -> tuple[Requests, list[str]]:
    """The total counts failed ones, not those that were cut off."""
    sent, failed = counted.count("total"), counted.count("failures")
    counted.skip("incomplete")
    if not by.counts_failures:
        odd = ["requests.failures: counts kinds of errors, not requests; left out"] if failed else []
        return Requests(sent, None, None), odd
    completed = sent - failed if sent is not None and failed is not None and failed <= sent else None
    return Requests(sent, completed, failed), []


def _latency(points: Points, group: Fields, key: str, by: Harness) -> list[str]:
    metric = LABELS.get(key)
    if metric is None:
        return [f"latency.{key}: not known to this importer"]
    return _group(points, group, metric, "time", by)


def _group(points: Points, group: Fields, metric: str, kind: str, by: Harness) -> list[str]:
    if not list(group):
        return []
    units = group.text("units")
    unit = _UNITS.get(units or "")
    if unit is None or _KINDS[unit] != kind:
        return [f"{metric}: units {units!r} do not measure it, left out"]
    values = {key: group.number(key) for key in group if key not in _NO_STATS}
    if not any(values.values()):
        return [f"{metric}: all zero, taken as not measured"] if values else []
    odd = list(_zeros(values, metric))
    for key, value in values.items():
        if key in STATS and not (value == 0 and odd):
            _add(points, metric, value, unit, key, by)
    return odd + [f"{metric}.{key}: not known to this importer" for key in values if key not in STATS]


def _add(points: Points, metric: str, value: float | None, unit: str, stat: str, by: Harness) -> None:
    """Normalised time per token is kept in ms too: its definition stands among those of TPOT."""
    if metric == _NORMALIZED and value is not None:
        value, unit = exact(value, unit, "ms"), "ms"
    points.add(metric, value, unit, stat, definition=by.definition(metric))


def _zeros(values: dict[str, float | None], metric: str) -> Iterator[str]:
    """A latency of 0 beside others that are not: a converter's mark for unknown. Gaps between tokens may be 0."""
    zero = [key for key, value in values.items() if value == 0 and key not in {"stddev", "std"}]
    if zero and metric in {"ttft", "tpot", _NORMALIZED, "e2el"}:
        yield f"{metric}: {', '.join(zero)} is 0, taken as unknown"


def _scalars(points: Points, throughput: Fields, by: Harness) -> None:
    for key, (metric, unit) in _RATES_0_1.items():
        points.add(metric, throughput.number(key) or None, unit, definition=by.definition(metric))
