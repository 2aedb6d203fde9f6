"""What an AIPerf run was asked for. Its configuration changed shape between 0.4 and 0.13; both say the same things."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kb.importers.facts import stated, whole
from kb.importers.fields import Fields
from kb.importers.run import Fact
from kb.redact import redacted

_LIMITS = {
    "time_to_first_token": "slo.ttft",
    "inter_token_latency": "slo.itl",
    "request_latency": "slo.e2el",
}


@dataclass(slots=True)
class Load:
    """Load point, setup and further facts of a run."""

    where: dict[str, Fact] = field(default_factory=dict)
    setup: dict[str, Fact] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)


def of_config(config: Fields) -> Load:
    """`phases` and `datasets` in the later shape, `loadgen` and `input` in the earlier one."""
    return _later(config) if "phases" in config or "datasets" in config else _earlier(config)


def _earlier(config: Fields) -> Load:
    endpoint, asked = config.table("endpoint"), config.table("loadgen")
    inputs = config.table("input")
    prompt = inputs.table("prompt")
    names = endpoint.members("model_names")
    rate = asked.number("request_rate")
    where: dict[str, Fact | None] = {
        "concurrency": asked.count("concurrency"),
        "request_rate": whole(rate),
        "num_prompts": asked.count("request_count"),
        "input_tokens": _tokens(prompt.table("input_tokens").number("mean")),
        "output_tokens": _tokens(prompt.table("output_tokens").number("mean")),
        "dataset": inputs.text("public_dataset") or inputs.text("custom_dataset_type") or _made(inputs),
    }
    facts: dict[str, Fact | None] = {
        "target": endpoint.text("url") or _first(endpoint.members("urls")),
        "streaming": endpoint.flag("streaming"),
        "arrival_pattern": asked.text("arrival_pattern"),
        "warmup_request_count": asked.number("warmup_request_count"),
        "random_seed": inputs.number("random_seed"),
    }
    limits = inputs.table("goodput")
    model = _first(names)
    return Load(stated(where), stated({"model": model, **_slo(limits)}), stated(facts))


def _later(config: Fields) -> Load:
    endpoint = config.table("endpoint")
    phase = _profiling(config.members("phases"))
    data = Fields(_first_table(config.members("datasets")))
    prompts = data.table("prompts")
    kind = phase.text("type")
    where: dict[str, Fact | None] = {
        "concurrency": phase.count("concurrency"),
        "request_rate": whole(phase.number("rate")),
        "burstiness": 1 if kind == "poisson" else None,
        "num_prompts": phase.count("requests"),
        "input_tokens": _tokens(prompts.table("isl").number("mean")),
        "output_tokens": _tokens(prompts.table("osl").number("mean")),
        "dataset": data.text("type"),
    }
    facts: dict[str, Fact | None] = {
        "target": _first(endpoint.members("urls")),
        "streaming": endpoint.flag("streaming"),
        "arrival_pattern": kind,
    }
    models = config.table("models")
    model = Fields(_first_table(models.members("items"))).text("name")
    return Load(stated(where), stated({"model": model, **_slo(config.table("slos"))}), stated(facts))


def _profiling(phases: list[Any]) -> Fields:
    """The phase that is measured; a warm-up may stand before it."""
    tables = [each for each in phases if isinstance(each, dict)]
    measured = [each for each in tables if each.get("kind", "profiling") == "profiling"]
    return Fields(next(iter(measured or tables), None))


def _tokens(mean: float | None) -> Fact | None:
    return whole(mean)


def _made(inputs: Fields) -> str | None:
    """Prompts are made up where no file is given and a length is."""
    asked = inputs.table("prompt").table("input_tokens")
    return "synthetic" if "file" not in inputs and "mean" in asked else None


def _first(values: list[Any]) -> str | None:
    return redacted(values[0]) if values and isinstance(values[0], str) else None


def _first_table(values: list[Any]) -> Any:
    return next((each for each in values if isinstance(each, dict)), None)


def _slo(limits: Fields) -> dict[str, Fact | None]:
    """Limits in ms."""
    return {ours: limits.number(theirs) for theirs, ours in _LIMITS.items() if theirs in limits}
