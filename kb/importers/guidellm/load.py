"""What a GuideLLM benchmark was asked for: strategy, rate or streams, data, limits."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from kb.importers.facts import stated, whole
from kb.importers.fields import Fields
from kb.importers.run import Fact
from kb.redact import redacted

_PAIR = re.compile(r"\s*([a-z_]+)\s*=\s*([^,]+)\s*")


@dataclass(slots=True)
class Load:
    """The load point of one benchmark."""

    where: dict[str, Fact] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    stage: str | None = None


def of_strategy(strategy: Fields) -> Load:
    """A closed loop has streams, an open one a rate; `max_concurrency` of an open one is the client's own ceiling."""
    kind = strategy.text("type_") or strategy.text("kind")
    rate, streams = strategy.number("rate"), strategy.count("streams")
    ceiling = strategy.count("max_concurrency")
    strategy.skip("worker_count", "rampup_duration", "start_time", "initial_burst", "random_seed")
    if kind == "synchronous":
        return Load({"concurrency": 1}, stage=kind)
    if kind == "concurrent":
        return Load(stated({"concurrency": streams}), stage=_named(kind, streams))
    if kind == "throughput":
        return Load({"request_rate": "inf"}, stated({"client_max_concurrency": ceiling}), kind)
    where = stated({"request_rate": whole(rate), "burstiness": 1 if kind == "poisson" else None})
    return Load(where, stated({"client_max_concurrency": ceiling, "arrival": kind}), _named(kind, rate))


def _named(kind: str | None, value: float | None) -> str | None:
    return f"{kind}@{value:g}" if kind and value is not None else kind


def of_name(name: str) -> Load:
    """The strategy as the tables of 0.2, 0.3 and 0.8 write it (`concurrent@4`, `constant@10.00`, `synchronous`)."""
    kind, _, value = name.partition("@")
    key = "streams" if kind == "concurrent" else "rate"
    try:
        stated_value: Any = float(value) if value else None
    except ValueError:
        stated_value = None
    return of_strategy(Fields({"type_": kind, key: whole(stated_value)}))


def of_data(data: Any) -> dict[str, Fact]:
    """Lengths and data set of `prompt_tokens=128,output_tokens=128`, the same as JSON, a table, or a list of one."""
    while isinstance(data, list) and len(data) == 1:
        data = data[0]
    if isinstance(data, str):
        data = _parsed(data)
    if isinstance(data, str):
        return {"dataset": redacted(data[:200])}
    if not isinstance(data, dict):
        return {}
    fields = Fields(data)
    where: dict[str, Fact | None] = {
        "input_tokens": fields.count("prompt_tokens"),
        "output_tokens": fields.count("output_tokens"),
        "prompt_tokens_stdev": fields.number("prompt_tokens_stdev"),
        "output_tokens_stdev": fields.number("output_tokens_stdev"),
        "shared_prefix": fields.count("prefix_tokens"),
    }
    kind = fields.text("kind")
    synthetic = where["input_tokens"] is not None
    return stated({"dataset": "synthetic" if synthetic else fields.text("source") or kind, **where})


def _parsed(text: str) -> Any:
    """The value that a text stands for; the text itself where it is the name of a data set."""
    if text.lstrip().startswith(("{", "[")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    pairs = {match[1]: match[2] for part in text.split(",") if (match := _PAIR.fullmatch(part))}
    return pairs or text
