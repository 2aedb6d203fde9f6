"""GuideLLM's CSV: one header row in 0.2 and 0.3, three from 0.4 on; percentiles share a cell.

From 0.4 to 0.6 the header is that of the first benchmark, while every row leaves out the groups that are 0 in it: a
later row of a sweep may stand under the wrong columns, with the same number of cells or another. A row is read only as
far as it bears itself out: as wide as the header, and requests per second that agree with requests and duration.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from kb.importers.facts import stated
from kb.importers.fields import Fields, number
from kb.importers.guidellm import groups, load
from kb.importers.points import Points
from kb.importers.run import Requests, Run
from kb.importers.source import Source

_FIRST = ["Type", "Run Id", "Id", "Name"]
_THREE = {"Run Info", "Request Counts"}
_NAMES = {key.removesuffix("_ms").replace("_", " "): metric for key, metric in groups.METRICS.items()}
_GROUPS = {
    ("Request Latency", "Sec"): "request latency",
    ("Time to First Token", "ms"): "time to first token",
    ("Time to First Output Token", "ms"): "time to first output token",
    ("Time per Output Token", "ms"): "time per output token",
    ("Inter Token Latency", "ms"): "inter token latency",
    ("Server Throughput", "Requests/Sec"): "requests per second",
    ("Server Throughput", "Concurrency"): "request concurrency",
    ("Token Metrics", "Input Tokens"): "prompt token count",
    ("Token Metrics", "Output Tokens"): "output token count",
    ("Token Throughput", "Input Tokens/Sec"): "prompt tokens per second",
    ("Token Throughput", "Output Tokens/Sec"): "output tokens per second",
    ("Token Throughput", "Total Tokens/Sec"): "tokens per second",
}
_STATS = {"mean": "mean", "median": "median", "std dev": "std_dev"}
_PACKED = ("min", None, None, None, None, None, "p75", "p90", "p95", "p99", "max")
"""min, 0.1, 1, 5, 10, 25, 75, 90, 95, 99, max."""
_AGREE = 0.05

Stats = dict[str, dict[str, Any]]
"""Metric by its words -> statistic -> cell."""


def recognises(head: Sequence[Sequence[str]]) -> bool:
    """By the first cells of the header."""
    if not head:
        return False
    first = list(head[0])
    return first[:4] == _FIRST or (first[0] == "Run Info" and set(first) >= _THREE and len(head) > 2)


def read(source: Source) -> Iterator[Run]:
    """One run per row below the header."""
    rows = source.rows()
    header = next(rows, [])
    three = header[:1] == ["Run Info"]
    columns = list(zip(header, *(_wide(next(rows, []), len(header)) for _ in range(2)), strict=True)) if three else []
    for place, row in enumerate((row for row in rows if row), 1):
        if three:
            yield _later(source.name, place, columns, row)
        else:
            yield _early(source.name, place, header, row)


def _wide(row: list[str], width: int) -> list[str]:
    return (row + [""] * width)[:width]


def _early(name: str, place: int, header: list[str], row: list[str]) -> Run:
    """0.2 and 0.3: `Successful Time to first token ms mean`, and configurations as JSON at the end."""
    cells = Fields(dict(zip(header, _wide(row, len(header)), strict=True)))
    stats: Stats = {}
    for column, cell in zip(header, row, strict=False):
        if column.startswith("Successful ") and not column.endswith(" Requests"):
            _place_early(stats, column.removeprefix("Successful ").casefold(), cell)
    asked = load.of_name(cells.text("Name") or "")
    arguments, loader = _json(cells.raw("Args")), _json(cells.raw("Request Loader"))
    asked.where |= load.of_data(loader.raw("data"))
    asked.where |= stated({"num_prompts": arguments.number("max_number")})
    worker = _json(cells.raw("Worker"))
    asked.facts |= stated({"target": worker.text("backend_target"), "max_seconds": arguments.number("max_duration")})
    requests = Requests(
        completed=cells.count("Successful Requests"), failed=cells.count("Errored Requests"),
        sent=_sum(cells.count(f"{group} Requests") for group in ("Successful", "Errored", "Incomplete")),
    )  # fmt: skip
    asked.facts |= stated({"incomplete_requests": cells.count("Incomplete Requests")})
    whole = len(row) == len(header)
    return _run(name, place, asked, requests, stats, cells, model=worker.text("backend_model"), whole=whole)


def _place_early(stats: Stats, column: str, cell: str) -> None:
    words, _, stat = column.rpartition(" ")
    if column.endswith("]"):
        words = column[: column.index("[")].strip()
        _unpack(stats.setdefault(words.removesuffix(" ms"), {}), cell)
        return
    if column.endswith(" std dev"):
        words, stat = column.removesuffix(" std dev"), "std dev"
    if stat in _STATS:
        stats.setdefault(words.removesuffix(" ms"), {})[_STATS[stat]] = cell


def _later(name: str, place: int, columns: list[tuple[str, ...]], row: list[str]) -> Run:
    """From 0.4 on: group, unit and status, statistic in three rows."""
    stats: Stats = {}
    single: dict[str, str] = {}
    for (group, unit, stat), cell in zip(columns, row, strict=False):
        words = _GROUPS.get((group, unit.removeprefix("Successful "))) if unit.startswith("Successful ") else None
        if words and stat == "Percentiles":
            _unpack(stats.setdefault(words, {}), cell)
        elif words and stat.casefold() in _STATS:
            stats.setdefault(words, {})[_STATS[stat.casefold()]] = cell
        elif not words:
            single.setdefault(f"{group}: {unit}", cell)
    cells = Fields(single)
    asked = _asked(cells)
    requests = Requests(*(cells.count(f"Request Counts: {each}") for each in ("Total", "Successful", "Errored")))
    asked.facts |= stated({"incomplete_requests": cells.count("Request Counts: Incomplete")})
    model = _json(cells.raw("Run Info: Backend")).text("model")
    version = _json(cells.raw("Runtime Info: Metadata")).text("guidellm_version") if len(row) == len(columns) else None
    whole = len(row) == len(columns)
    return _run(name, place, asked, requests, stats, cells, model=model, version=version, whole=whole)


def _asked(cells: Fields) -> load.Load:
    """The strategy is a name alone up to 0.6; its rate or streams stand in the profile, per place of the sweep."""
    name = cells.text("Benchmark: Strategy") or ""
    profile, place = _json(cells.raw("Run Info: Profile")), cells.count("Run Info: Run Index")
    asked = load.of_name(name)
    if "@" not in name and place is not None:
        done = [each for each in profile.members("completed_strategies") if isinstance(each, dict)]
        if place < len(done) and done[place].get("type_") == name:
            asked = load.of_strategy(Fields(done[place]))
    asked.where |= load.of_data(_data(cells))
    limits = _json(cells.raw("Benchmark: Constraints"))
    many, long = limits.table("max_requests"), limits.table("max_seconds")
    asked.where |= stated({"num_prompts": many.table("args").number("count") or many.number("max_num")})
    asked.facts |= stated(
        {
            "profile": profile.text("type_") or profile.text("kind"),
            "target": _json(cells.raw("Run Info: Backend")).text("target"),
            "max_seconds": long.table("args").number("seconds") or long.number("max_duration"),
        }
    )
    return asked


def _data(cells: Fields) -> Any:
    """The data argument; up to 0.6 the requests' description holds it as the text of a Python list."""
    text = _json(cells.raw("Run Info: Requests")).raw("data")
    if isinstance(text, str) and text.startswith("['") and text.endswith("']"):
        return text[2:-2]
    return text or _json(cells.raw("Runtime Info: Arguments")).table("spec").raw("data")


def _unpack(stats: dict[str, Any], cell: str) -> None:
    values = [part.strip() for part in cell.strip().strip("[]").split(",")]
    if len(values) == len(_PACKED):
        stats.update({stat: value for stat, value in zip(_PACKED, values, strict=True) if stat})


def _json(cell: Any) -> Fields:
    try:
        return Fields(json.loads(cell) if isinstance(cell, str) else None)
    except (ValueError, RecursionError):
        return Fields(None)


def _sum(counts: Iterator[int | None]) -> int | None:
    found = list(counts)
    return None if None in found else sum(each for each in found if each is not None)


def _run(
    name: str,
    place: int,
    asked: load.Load,
    requests: Requests,
    stats: Stats,
    cells: Fields,
    *,
    model: str | None,
    whole: bool,
    version: str | None = None,
) -> Run:
    early = "Name" in cells
    duration = cells.number("Duration" if early else "Timings: Duration")
    doubt = _doubt(stats, requests, duration, whole=whole, own=early or place == 1)
    points = Points("guidellm")
    if requests.completed and not doubt:
        _points(points, stats, before=early)
    points.add("duration", duration or None, "s", definition=None)
    points.add("completed", requests.completed, "count", definition=None)
    points.add("failed", requests.failed, "count", definition=None)
    return Run(
        file=name,
        importer="guidellm",
        tool="GuideLLM",
        tool_version=version or (">=0.2,<0.4" if early else ">=0.4"),
        record=place,
        setup=stated({"model": model}),
        where=asked.where,
        facts=asked.facts,
        points=tuple(points.points),
        requests=requests,
        started=_local(cells.text("Start Time" if early else "Timings: Request Start Time")),
        ended=_local(cells.text("End Time" if early else "Timings: Request End Time")),
        stage=asked.stage,
        not_understood=(*([doubt] if doubt else []), *cells.odd, *points.odd),
    )


def _doubt(stats: Stats, requests: Requests, duration: float | None, *, whole: bool, own: bool) -> str | None:
    """Why a row is not believed past its counts; `own` says that the header was made for it."""
    if whole and (own or not requests.completed):
        return None
    rate = number(stats.get("requests per second", {}).get("mean"))
    done = requests.completed or 0
    if whole and rate is not None and duration is not None and abs(rate * duration - done) <= _AGREE * done:
        return None
    return (
        "latencies and rates: this row does not fit the header, which is that of the first benchmark"
        " (a fault of GuideLLM's CSV of sweeps); import the JSON or YAML written with it"
    )


def _points(points: Points, stats: Stats, *, before: bool) -> None:
    for words, metric in _NAMES.items():
        if found := stats.get(words):
            chosen = groups.TPOT_BEFORE if before and metric is groups.TPOT else metric
            groups.add(points, chosen, {stat: _cell(value) for stat, value in found.items()}, None)


def _cell(value: Any) -> Any:
    found = number(value)
    return value if found is None and str(value).strip() else found


def _local(text: str | None) -> str | None:
    return text.replace(" ", "T", 1) if text else None
