"""What LMCache's scripts long_doc_qa.py and multi-round-qa.py print, colours included.

Seconds, with the unit at the number. A warm-up round is cold and the query round after it is warm: each is a run, and
only rounds of a kind compare. In long_doc_qa.py a request without output counts as TTFT 0 in the mean; where not every
prompt succeeded, the mean is left out. multi-round-qa.py prints an interim summary every 30 seconds: all are runs, the
last is the whole. Written by github.com/LMCache/LMCache, benchmarks/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb.importers.fields import Fields, number
from kb.importers.plain import labelled, uncoloured, whole_lines
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source

NAME = "lmcache-scripts"
TOOL = "LMCache long_doc_qa.py"
MULTI = "LMCache multi-round-qa.py"

_PREFIX = "lmcache-bench"
_ROUND = re.compile(
    r"^(?P<round>Warmup|Query) round (?P<what>mean TTFT|time|(?:successful )?prompt count): (?P<value>[\d.]+)s?$"
)
_SUMMARY = "Performance summary ="
_MULTI = (
    ("Processing speed", "request_throughput", "req/s", "value"),
    ("Input tokens per second", "input_throughput", "tok/s", "value"),
    ("Output tokens per second", "output_throughput", "tok/s", "value"),
    ("Average generation throughput (per request)", "output_throughput_per_user", "tok/s/user", "mean"),
    ("Average TTFT", "ttft", "s", "mean"),
)


def recognises(source: Source) -> bool:
    """By the labels of the rounds, or the summary's title and one of its labels."""
    if source.shape not in {"text", "table", "yaml", "list"}:
        return False
    head = uncoloured(source.head)
    return "round mean TTFT: " in head or (_SUMMARY in head and "Average generation throughput" in head)


def read(source: Source) -> Iterator[Run]:
    """A run for each round or summary."""
    lines = whole_lines(source)
    runs = [*_long_doc(source, lines.lines), *_multi_round(source, lines.lines)]
    for record, run in enumerate(runs, 1):
        said = lines.odd if record == len(runs) else ()
        yield replace(run, record=record, not_understood=(*run.not_understood, *said))


def _long_doc(source: Source, lines: tuple[str, ...]) -> Iterator[Run]:
    rounds: dict[str, dict[str, str]] = {}
    for line in lines:
        if found := _ROUND.match(line.strip()):
            if found["what"] in rounds.get(found["round"], {}):
                yield from (_round(source, name, values) for name, values in rounds.items())
                rounds = {}
            rounds.setdefault(found["round"], {})[found["what"]] = found["value"]
    yield from (_round(source, name, values) for name, values in rounds.items())


def _round(source: Source, name: str, values: dict[str, str]) -> Run:
    fields = Fields(values)
    sent, completed = fields.count("prompt count"), fields.count("successful prompt count")
    points, odd = Points(_PREFIX), []
    if completed is not None and completed != sent:
        odd.append(
            f"mean TTFT of the {name.lower()} round: {completed} of {sent} succeeded, the others count as 0; left out"
        )
    elif sent != 0:
        points.add("ttft", fields.number("mean TTFT") or None, "s", "mean", definition=f"{_PREFIX}.ttft-round", n=sent)
    points.add("duration", fields.number("time") or None, "s")
    failed = sent - completed if sent is not None and completed is not None and completed <= sent else None
    cache = "cold" if name == "Warmup" else "warm"
    return Run(
        source.name,
        NAME,
        TOOL,
        where={"cache": cache} | ({"num_prompts": sent} if sent else {}),
        points=tuple(points.points),
        requests=Requests(sent, completed, failed),
        stage=f"{name.lower()} round",
        not_understood=(*fields.odd, *points.odd, *odd),
    )


def _multi_round(source: Source, lines: tuple[str, ...]) -> Iterator[Run]:
    block: dict[str, str] | None = None
    for line in lines:
        if _SUMMARY in line:
            block = {}
        elif block is not None and line.startswith("====="):
            yield _multi(source, Fields(block))
            block = None
        elif block is not None and (pair := labelled(line)):
            block[pair[0]] = pair[1].split()[0].removesuffix("s") if pair[1] else ""
    if block:
        run = _multi(source, Fields(block))
        yield replace(run, not_understood=(*run.not_understood, "the summary is not whole"))


def _multi(source: Source, fields: Fields) -> Run:
    points = Points(_PREFIX)
    for label, metric, unit, stat in _MULTI:
        points.add(
            metric,
            fields.number(label) or None,
            unit,
            stat,
            definition=f"{_PREFIX}.ttft-multi-round" if metric == "ttft" else "",
        )
    asked, reached = number(fields.raw("Config QPS")), number(fields.raw("Actual QPS"))
    facts: dict[str, Fact] = {"actual_qps": reached} if reached else {}
    return Run(
        source.name,
        NAME,
        MULTI,
        where={"request_rate": asked} if asked else {},
        facts=facts,
        points=tuple(points.points),
        not_understood=(*fields.odd, *points.odd),
    )
