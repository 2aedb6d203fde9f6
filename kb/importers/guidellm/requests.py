"""GuideLLM 0.1: requests with their times, and no statistics; only what was asked and how many came back is taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.importers.facts import stated
from kb.importers.fields import Fields, number
from kb.importers.run import Fact, Requests, Run, Series
from kb.importers.source import Source
from kb.importers.streaming import Long

_SENTENCE = "GuideLLM 0.1 writes the times of requests and no statistics; none are computed here"


def recognises(record: Any) -> bool:
    """Benchmarks with `mode`, `results` and `concurrencies`."""
    members = record.get("benchmarks") if isinstance(record, dict) else None
    first = members[0] if isinstance(members, list) and members else None
    return isinstance(first, dict) and first.keys() >= {"mode", "results", "concurrencies"}


def read(source: Source) -> Iterator[Run]:
    """One run per benchmark."""
    fields = Fields(source.record)
    arguments = fields.table("args")
    setup = stated({"model": arguments.text("model"), "client.version": None})
    facts = stated({key: arguments.text(key) for key in ("target", "backend", "backend_type", "data", "data_type")})
    for place, member in enumerate(fields.members("benchmarks"), 1):
        yield _run(source.name, place, Fields(member), setup, facts)


def _run(name: str, place: int, fields: Fields, setup: dict[str, Fact], facts: dict[str, Fact]) -> Run:
    completed, failed = _length(fields.raw("results")), _length(fields.raw("errors"))
    mode = fields.text("mode")
    where: dict[str, Fact | None] = {
        "request_rate": "inf" if mode == "throughput" else fields.number("rate"),
        "concurrency": 1 if mode == "synchronous" else None,
    }
    return Run(
        file=name,
        importer="guidellm",
        tool="GuideLLM",
        tool_version=">=0.1,<0.2",
        record=place,
        setup=setup,
        where=stated(where),
        facts=facts,
        requests=Requests(_sum(completed, failed), completed, failed),
        stage=mode,
        detail=_detail(fields.raw("results")),
        not_understood=(_SENTENCE, *fields.odd),
    )


def _length(values: Any) -> int | None:
    return values.count if isinstance(values, Long) else len(values) if isinstance(values, list) else None


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _detail(results: Any) -> dict[str, Series]:
    """The times to the first token, where all requests were kept."""
    if not isinstance(results, list):
        return {}
    times = [number(each.get("first_token_time")) for each in results if isinstance(each, dict)]
    values = [each for each in times if each is not None]
    return {"ttft": Series(len(values), float(sum(values)), min(values), max(values), "s")} if values else {}
