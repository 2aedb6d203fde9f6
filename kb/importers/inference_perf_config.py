"""`config.yaml` of an inference-perf run: model, lengths, rate plan. Read along with the reports in the same folder."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from kb.importers.facts import stated, whole
from kb.importers.fields import Fields
from kb.importers.points import exact
from kb.importers.run import Fact
from kb.importers.source import Source, Unreadable, open_file

FILE = "config.yaml"
LARGEST = 1 << 20
_STAGE = re.compile(r"stage_(\d+)_")
_LIMITS = {"ttft": "slo.ttft", "tpot": "slo.tpot", "itl": "slo.itl", "request_latency": "slo.e2el"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the configuration says; empty where there is none."""

    where: dict[str, Fact] = field(default_factory=dict)
    setup: dict[str, Fact] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    stages: int | None = None
    """Stages of the rate plan, where it lists them."""
    said: tuple[str, ...] = ()


def recognises(record: Any) -> bool:
    """The tables every configuration has."""
    return isinstance(record, dict) and record.keys() >= {"api", "data", "load", "server", "report"}


def stage_of(name: str, *, whole_run: bool) -> str:
    """The stage's number stands in the file name alone; a report without a rate is the summary."""
    if whole_run:
        return "summary"
    match = _STAGE.search(name.replace("\\", "/").rpartition("/")[2])
    return f"stage {match[1]}" if match else "summary" if "summary" in name else "stage"


def beside(source: Source) -> Asked:
    """The configuration in the folder of a report."""
    path = source.path.with_name(FILE) if source.path else None
    if path is None or not path.is_file() or path.stat().st_size > LARGEST:
        return Asked()
    try:
        with open_file(path) as config:
            record = config.record if config.shape == "yaml" else None
    except (OSError, Unreadable):
        return Asked(said=(f"{FILE} beside it cannot be read",))
    return _asked(Fields(record)) if recognises(record) else Asked()


def _asked(config: Fields) -> Asked:
    data, load, server = config.table("data"), config.table("load"), config.table("server")
    shared = data.table("shared_prefix")
    where: dict[str, Fact | None] = {
        "dataset": data.text("type"),
        "input_tokens": _mean(data, "input_distribution"),
        "output_tokens": shared.count("output_len") if list(shared) else _mean(data, "output_distribution"),
        "shared_prefix": shared.count("system_prompt_len"),
    }
    engine = server.text("type")
    setup: dict[str, Fact | None] = {
        "model": server.text("model_name"),
        "engine.component": engine if engine in {"vllm", "sglang"} else None,
        **_slo(config.table("goodput").table("constraints") if "goodput" in config else Fields(None)),
    }
    facts: dict[str, Fact | None] = {
        "config": f"{FILE} beside it",
        "target": server.text("base_url"),
        "streaming": config.table("api").flag("streaming"),
        "arrival": load.text("type"),
        "question_tokens": shared.count("question_len"),
    }
    stages = load.members("stages")
    return Asked(stated(where), stated(setup), stated(facts), len(stages) or None, tuple(config.odd))


def _mean(data: Fields, key: str) -> Fact | None:
    return whole(data.table(key).number("mean"))


def _slo(limits: Fields) -> dict[str, Fact | None]:
    """Limits are in seconds."""
    made: dict[str, Fact | None] = {}
    for name, key in _LIMITS.items():
        value = limits.number(name)
        made[key] = None if value is None else whole(exact(value, "s", "ms"))
    return made
