"""Which load generator stands behind a report, and what its labels mean; the report copies the labels, whatever they
say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LABELS = {
    "time_to_first_token": "ttft",
    "time_per_output_token": "tpot",
    "inter_token_latency": "itl",
    "request_latency": "e2el",
    "normalized_time_per_output_token": "normalized_time_per_output_token",
}
RATES = ("request_throughput", "input_throughput", "output_throughput", "total_throughput")


@dataclass(frozen=True, slots=True)
class Harness:
    """A load generator: its name, version, and the definition behind each metric; None where that is not known."""

    tool: str
    version: str | None = None
    prefix: str = "llm-d"
    definitions: Mapping[str, str | None] = field(default_factory=dict)
    counts_failures: bool = True
    """Whether the report's failures are requests; of AIPerf they are kinds of errors."""

    def definition(self, metric: str) -> str | None:
        """What `metric` means in this report."""
        return self.definitions.get(metric)


def _named(prefix: str, *metrics: str) -> dict[str, str | None]:
    return {metric: f"{prefix}.{metric}" for metric in metrics}


_KNOWN: dict[str, Harness] = {
    "inference-perf": Harness(
        "inference-perf",
        prefix="inference-perf",
        definitions={
            **_named("inference-perf", "ttft", "e2el", *RATES),
            "normalized_time_per_output_token": "inference-perf.ntpot",
        },
    ),
    "guidellm": Harness(
        "GuideLLM",
        prefix="guidellm",
        definitions=_named(
            "guidellm", "ttft", "itl", "e2el", "request_throughput", "output_throughput", "total_throughput"
        ),
    ),
    "vllm-benchmark": Harness(
        "vllm bench serve",
        prefix="vllm-bench",
        definitions=_named("vllm-bench", "tpot", "e2el", "request_throughput", "output_throughput", "total_throughput"),
    ),
    "aiperf": Harness(
        "AIPerf",
        prefix="aiperf",
        definitions=_named("aiperf", "ttft", "itl", "e2el", "request_throughput", "output_throughput"),
        counts_failures=False,
    ),
}
_OF_0_7 = _named("inference-perf", "tpot", "itl")
_ALIASES = {"vllm": "vllm-benchmark", "vllm-bench": "vllm-benchmark", "inferencemax": "vllm-benchmark"}


def of_name(name: str | None, version: str | None, *, written_by_itself: bool = False) -> Harness:
    """The load generator by the name that a report gives it.

    What changed from version to version (vLLM's TTFT and ITL, GuideLLM's TPOT, inference-perf's TPOT and ITL) has a
    definition only where the version is known to have today's.
    """
    key = (name or "").casefold()
    known = _KNOWN.get(_ALIASES.get(key, key))
    if known is None:
        return Harness(name or "llm-d benchmark report", version)
    definitions = dict(known.definitions)
    if known.prefix == "inference-perf" and (written_by_itself or _at_least(version, (0, 7))):
        definitions |= _OF_0_7
    if known.prefix == "guidellm" and _at_least(version, (0, 4)):
        definitions |= _named("guidellm", "tpot")
    return Harness(known.tool, version, known.prefix, definitions, known.counts_failures)


def _at_least(version: str | None, floor: tuple[int, int]) -> bool:
    parts = (version or "").lstrip("v").split(".")[:2]
    return len(parts) == 2 and all(part.isdigit() for part in parts) and tuple(map(int, parts)) >= floor
