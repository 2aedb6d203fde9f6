"""Headers as people write them -> columns. Only what a header says outright is read: metric, statistic and unit."""

from __future__ import annotations

import re

from kb.importers.table.columns import Column

_STATS = {
    "mean": "mean",
    "avg": "mean",
    "average": "mean",
    "median": "p50",
    "p50": "p50",
    "p75": "p75",
    "p90": "p90",
    "p95": "p95",
    "p99": "p99",
    "p999": "p99_9",
    "p99.9": "p99_9",
    "std": "std",
    "stddev": "std",
    "min": "min",
    "max": "max",
}
_LATENCIES = {
    "ttft": "ttft",
    "timetofirsttoken": "ttft",
    "tpot": "tpot",
    "timeperoutputtoken": "tpot",
    "itl": "itl",
    "intertokenlatency": "itl",
    "e2e": "e2el",
    "e2el": "e2el",
    "e2elatency": "e2el",
    "endtoendlatency": "e2el",
    "requestlatency": "e2el",
}
_RATES = {
    "request": ("request_throughput", "req/s"),
    "requests": ("request_throughput", "req/s"),
    "req": ("request_throughput", "req/s"),
    "input": ("input_throughput", "tok/s"),
    "inputtoken": ("input_throughput", "tok/s"),
    "output": ("output_throughput", "tok/s"),
    "outputtoken": ("output_throughput", "tok/s"),
    "out": ("output_throughput", "tok/s"),
    "total": ("total_throughput", "tok/s"),
    "totaltoken": ("total_throughput", "tok/s"),
    "tot": ("total_throughput", "tok/s"),
}
_TIME_UNITS = {"ms": "ms", "s": "s", "sec": "s", "us": "us", "ns": "ns"}
_RATE_UNITS = {
    "req/s": "req/s",
    "reqs/s": "req/s",
    "rps": "req/s",
    "tok/s": "tok/s",
    "tokens/s": "tok/s",
    "toks": "tok/s",
    "per_s": "",
    "tok_per_s": "tok/s",
    "req_per_s": "req/s",
    "tok_s": "tok/s",
    "tokens_per_s": "tok/s",
    "requests_per_s": "req/s",
    "req_s": "req/s",
}
_WHERE = {
    "concurrency": "concurrency",
    "conc": "concurrency",
    "max_concurrency": "concurrency",
    "request_rate": "request_rate",
    "rate": "request_rate",
    "qps": "request_rate",
    "isl": "input_tokens",
    "input_len": "input_tokens",
    "osl": "output_tokens",
    "output_len": "output_tokens",
    "num_prompts": "num_prompts",
    "burstiness": "burstiness",
    "dataset": "dataset",
    "dataset_name": "dataset",
}
_REQUESTS = {
    "completed": "completed",
    "successful requests": "completed",
    "failed": "failed",
    "failed requests": "failed",
}
_TOTALS = {
    "total input tokens": "input_tokens",
    "total_input_tokens": "input_tokens",
    "total generated tokens": "output_tokens",
    "total_output_tokens": "output_tokens",
    "total output tokens": "output_tokens",
}
_UNIT = re.compile(r"[\s_]*[(\[](?P<unit>[^)\]]+)[)\]]$|[_\s](?P<plain>ms|us|ns|s|sec)$")
_LENGTHS = {"isl": "input_tokens", "osl": "output_tokens"}


def inferred(header: str) -> Column:
    """What a header says outright; a column that is not known where it leaves anything open."""
    plain = " ".join(header.strip().casefold().split())
    if (key := _WHERE.get(plain)) is not None:
        return Column(where=key)
    if (kind := _REQUESTS.get(plain)) is not None:
        return Column(requests=kind)
    if (total := _TOTALS.get(plain)) is not None:
        return Column(total=total)
    return _duration(plain) or _length(plain) or _latency(plain) or _rate(plain) or Column()


def _duration(plain: str) -> Column | None:
    found = re.fullmatch(r"(?:benchmark )?duration[ _]?[(_]?(s|ms)\)?", plain)
    return Column(metric="duration", unit=found[1]) if found else None


def _length(plain: str) -> Column | None:
    """`isl_median`: the lengths that were met."""
    words = plain.replace(" ", "_").split("_")
    if len(words) == 2 and words[0] in _LENGTHS and words[1] in _STATS:
        return Column(metric=_LENGTHS[words[0]], stat=_STATS[words[1]], unit="count")
    return None


def _latency(plain: str) -> Column | None:
    found = _UNIT.search(plain)
    unit = _TIME_UNITS.get(found["unit"] or found["plain"]) if found else None
    if found is None or unit is None:
        return None
    words = [word for word in re.split(r"[\s_\-]+", plain[: found.start()]) if word]
    stats = [_STATS[word] for word in words if word in _STATS]
    metric = _LATENCIES.get("".join(word for word in words if word not in _STATS))
    return Column(metric=metric, stat=stats[0], unit=unit) if metric and len(stats) == 1 else None


def _rate(plain: str) -> Column | None:
    """`request_throughput_per_s`, `Output token throughput (tok/s)`, `out_tok/s`, `req/s`; unit and word must fit."""
    text = plain.replace("(", " ").replace(")", "").replace("throughput", " ").strip()
    for written, unit in sorted(_RATE_UNITS.items(), key=lambda pair: -len(pair[0])):
        if text == written:
            return Column(metric="request_throughput", unit="req/s") if unit == "req/s" else None
        if text.endswith((f" {written}", f"_{written}")):
            named = _RATES.get(re.sub(r"[\s_]+", "", text[: -len(written)]))
            fits = named is not None and (named[1] == unit or not unit)
            return Column(metric=named[0], unit=named[1]) if named and fits else None
    return None
