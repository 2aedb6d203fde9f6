"""The field's other words for our keys, statistics and members of closed lists; asked before the nearest spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.suggest import did_you_mean

KEYS = {
    "input_tokens": "isl input_len input_length prompt_len prompt_length prompt_tokens prompt_size input_size context",
    "output_tokens": "osl output_len output_length max_tokens generated_tokens decode_tokens gen_len output_size",
    "request_rate": "qps rps rate req_rate requests_per_second load arrival_rate",
    "concurrency": "batch batch_size users max_concurrency concurrent_requests clients in_flight",
    "num_prompts": "requests num_requests prompts n_requests number_of_requests",
    "tp": "tensor_parallel tensor_parallel_size tp_size",
    "pp": "pipeline_parallel pipeline_parallel_size pp_size",
    "dp": "data_parallel data_parallel_size dp_size",
    "ep": "expert_parallel expert_parallel_size ep_size",
    "gpu": "gpu_type gpu_model accelerator device",
    "gpus": "num_gpus gpu_count n_gpus",
    "interconnect": "network fabric",
    "model": "model_name llm",
    "engine": "framework server inference_engine",
    "precision": "quantization quantisation quant",
    "stat": "statistic percentile aggregate aggregation",
    "unit": "units",
    "metric": "metric_name measure",
    "says": "sentence statement text claim",
    "why": "reason because",
    "because": "reason why",
    "by": "author authors",
    "url": "link href",
    "component": "project package repo",
    "summary": "description what",
    "title": "name headline",
    "limits": "limitations caveats",
    "points": "results measurements numbers",
    "claims": "conclusions findings",
    "arms": "variants configurations configs",
    "where": "at load_point",
    "class_name": "class kv_connector",
    "repeats": "runs repetitions",
    "dataset": "data_set data",
    "op": "operator",
}
"""Our key -> other words for it."""

MEMBERS = {
    "p50": "median med",
    "mean": "avg average",
    "std": "stddev sd standard_deviation",
    "min": "minimum lowest",
    "max": "maximum highest",
    "baseline": "control base",
    "candidate": "treatment test",
    "concurrent": "parallel simultaneous",
    "sequential": "serial",
    "pull": "read get",
    "push": "write put",
    "own": "self internal us ours ourselves",
    "independent": "third-party third_party external",
    "full": "complete whole",
    "proposed": "open opened draft",
    "merged": "landed done",
    "fix": "bugfix bug",
    "performance": "perf optimization optimisation optimization",
    "refactor": "refactoring cleanup",
    "is": "= == eq equals",
    "is-not": "!= ne",
    ">=": "ge gte at-least",
    "<=": "le lte at-most",
    ">": "gt more",
    "<": "lt less",
    "lower": "less smaller down",
    "higher": "more larger up",
    "about": "approx approximately around ~",
    "up-to": "upto max at-most",
    "improvement-factor": "speedup factor x",
    "router": "proxy gateway",
    "transfer-library": "library transport",
}
"""Member of a closed list -> other words for it."""

UNITS = {
    "ttft": "ms", "tpot": "ms", "itl": "ms", "e2el": "ms", "request_throughput": "req/s", "goodput": "req/s",
    "input_throughput": "tok/s", "output_throughput": "tok/s", "total_throughput": "tok/s", "completed": "count",
    "failed": "count", "duration": "s", "transfer_duration": "ms", "post_duration": "ms", "prep_duration": "ms",
    "hand_over": "ms", "prefill_duration": "ms", "kv_load_duration": "ms", "queue_time": "ms",
    "transfer_bandwidth": "GB/s", "transfer_size": "MB", "descriptors": "count", "hit_rate": "fraction",
    "slo_attainment": "%",
}  # fmt: skip
"""Metric -> its canonical unit, for hints while a record cannot be read; the vocabulary decides (a test compares)."""

_PERCENTILE = re.compile(r"p?_?([0-9]{1,2}(?:[._][0-9]+)?)(?:th|st|nd|rd)?(?:[ _-]?(?:percentile|pct|%))?")


def _turned(table: dict[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for ours, others in table.items():
        for each in others.split():
            found.setdefault(each, []).append(ours)
    return found


_KEYS, _MEMBERS = _turned(KEYS), _turned(MEMBERS)


def plain(word: str) -> str:
    """The word as our keys are spelled: lower case, underscores."""
    return re.sub(r"[\s\-]+", "_", word.strip().casefold())


def keys_for(word: str) -> list[str]:
    """The word as a key, then our keys for it."""
    return [plain(word), *_KEYS.get(plain(word), ())]


def member_for(word: str, members: Iterable[str]) -> str | None:
    """A hint such as `did you mean "p50"?`: another word for a member first, then the nearest spelling."""
    known, text = list(members), word.strip().casefold()
    found = _PERCENTILE.fullmatch(text)
    percentile = [f"p{found[1].replace('.', '_')}"] if found else []
    for each in (text, plain(text), text.replace("_", "-"), *percentile, *_MEMBERS.get(text, ())):
        if each in known:
            return f'did you mean "{each}"?'
    return did_you_mean(word, known)
