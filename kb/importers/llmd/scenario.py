"""The little of a report's scenario that a run itself needs; its full setup is read by kb.setups."""

from __future__ import annotations

from typing import Any

from kb.importers.fields import Fields
from kb.importers.llmd.harness import Harness, of_name
from kb.importers.run import Fact

_ROLES = {"prefill": "P", "decode": "D"}


def harness(fields: Fields) -> Harness:
    """The load generator: named by the report, or by the prefix of a run's id where inference-perf wrote it itself."""
    loaded = fields.table("scenario").table("load")
    if (name := loaded.text("name")) is not None:
        return of_name(name, None)
    stated = loaded.table("standardized")
    if (tool := stated.text("tool")) is not None:
        return of_name(tool, stated.text("tool_version"))
    uid = fields.table("run").text("uid") or ""
    return (
        of_name("inference-perf", None, written_by_itself=True)
        if uid.startswith("inference-perf-")
        else of_name(None, None)
    )


def setup(fields: Fields) -> dict[str, Fact]:
    """Model, accelerator and topology, where all parts of the stack agree."""
    scenario = fields.table("scenario")
    stack = [Fields(each).table("standardized") for each in scenario.members("stack")]
    engines = [each for each in stack if each.text("kind") == "inference_engine"]
    host = scenario.table("host")
    models = [scenario.table("model").text("name"), *(each.table("model").text("name") for each in engines)]
    accelerators = [
        *(Fields(each).text("model") for each in host.members("accelerator")),
        *(each.table("accelerator").text("model") for each in engines),
    ]
    roles = [str(each) for each in host.members("type")] or [role for each in engines for role in _roles(each)]
    found = {"model": _one(models), "hardware.gpu": _one(accelerators), "topology": _topology(roles)}
    precision = scenario.table("model").text("quantization")
    return {key: value for key, value in (found | {"precision": precision}).items() if value}


def _roles(engine: Fields) -> list[str]:
    return [engine.text("role") or ""] * min(engine.count("replicas") or 1, 10_000)


def _one(values: list[Any]) -> str | None:
    """The value, where there is only one."""
    stated = {str(value) for value in values if value is not None}
    return stated.pop() if len(stated) == 1 else None


def _topology(roles: list[str]) -> str | None:
    """`1P2D` of one prefill and two decode instances; aggregated where all are replicas."""
    counts = {role: roles.count(role) for role in _ROLES}
    if all(counts.values()):
        return "".join(f"{counts[role]}{letter}" for role, letter in _ROLES.items())
    return "aggregated" if roles and set(roles) <= {"replica", "aggregate"} else None


def load(fields: Fields) -> dict[str, Fact]:
    """What was asked for: lengths, rate, concurrency; of a distribution its mean."""
    stated = fields.table("scenario").table("load").table("standardized")
    where: dict[str, Fact] = {}
    for key, name in (("input_seq_len", "input_tokens"), ("output_seq_len", "output_tokens")):
        length = stated.table(key)
        if (value := length.number("value")) is not None:
            where[name] = value
        if (shape := length.text("distribution")) not in {None, "fixed"}:
            where[f"{name}_distribution"] = str(shape)
    if (rate := stated.rate("rate_qps")) is not None:
        where["request_rate"] = rate
    if isinstance(concurrency := stated.rate("concurrency"), int | float):
        where["concurrency"] = concurrency
    if prefix := stated.table("prefix").table("prefix_len").number("value"):
        where["shared_prefix"] = prefix
    return where
