"""Tables of single requests that LMCache's benchmarks write, in seconds.

`lmcache bench engine` writes bench_results.csv, multi-round-qa.py its summary.csv (prompt and generation tokens, ttft,
generation_time), long_doc_qa.py warmup_round.csv and query_round.csv. The tools' consoles print the mean of exactly
these rows, so mean, smallest and largest value are made here. In long_doc_qa's tables TTFT 0 marks a request without
output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kb.importers import NotResults
from kb.importers.fields import number
from kb.importers.perrequest import Column, Totals
from kb.importers.plain import unfinished
from kb.importers.run import Fact, Run
from kb.importers.source import Source

NAME = "lmcache-requests"
TOOL = "lmcache bench engine"

_PREFIX = "lmcache-bench"
_ENGINE = (
    Column("ttft", "ttft", "s"),
    Column("request_latency", "e2el", "s"),
    Column("decode_speed", "output_throughput_per_user", "tok/s/user"),
    Column("num_input_tokens", "input_tokens", "count"),
    Column("num_output_tokens", "output_tokens", "count"),
)
_MULTI = (
    Column("ttft", "ttft", "s", "lmcache-bench.ttft-multi-round"),
    Column("prompt_tokens", "input_tokens", "count"),
    Column("generation_tokens", "output_tokens", "count"),
)
_ROUND = (Column("ttft", "ttft", "s", "lmcache-bench.ttft-round"),)
_KINDS: dict[str, tuple[frozenset[str], tuple[Column, ...]]] = {
    "lmcache bench engine": (
        frozenset({"request_id", "successful", "ttft", "request_latency", "decode_speed", "submit_time"}),
        _ENGINE,
    ),
    "LMCache multi-round-qa.py": (
        frozenset({"prompt_tokens", "generation_tokens", "ttft", "generation_time", "launch_time"}),
        _MULTI,
    ),
    "LMCache long_doc_qa.py": (frozenset({"prompt_id", "request_start", "ttft", "request_end"}), _ROUND),
}


def recognises(source: Source) -> bool:
    """By the header."""
    return source.shape == "table" and _kind(source.rows_head[0]) is not None


def _kind(header: list[str]) -> str | None:
    names = {cell.strip() for cell in header}
    return next((tool for tool, (needed, _) in _KINDS.items() if needed <= names), None)


def read(source: Source) -> Iterator[Run]:
    """One run."""
    said = ("the last row has no line end and was not read",) if unfinished(source) else ()
    rows = _all_but_last(source.rows()) if said else source.rows()
    header: list[str] = []
    tool = None
    for row in rows:
        header = [cell.strip() for cell in row]
        tool = _kind(header)
        if tool:
            break
    if tool is None:
        return
    totals, odd = _add_up(rows, header, tool)
    if not totals.good and not totals.failed:
        raise NotResults("is a table of single requests without a row")
    yield Run(
        source.name,
        NAME,
        tool,
        facts=_facts(),
        points=tuple(totals.points()),
        requests=totals.requests(),
        detail=totals.detail(),
        not_understood=(*odd, *totals.odd, *said),
    )


def _all_but_last(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    waiting = next(rows, None)
    for row in rows:
        if waiting is not None:
            yield waiting
        waiting = row


def _facts() -> dict[str, Fact]:
    return {"statistics": "computed here from the requests"}


def _add_up(rows: Iterator[list[str]], header: list[str], tool: str) -> tuple[Totals, list[str]]:
    totals, odd = Totals(_PREFIX, _KINDS[tool][1]), []
    for n, row in enumerate(rows, 1):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            odd.append(f"request {n}: {len(row)} cells under {len(header)} columns, left out")
            continue
        request = dict(zip(header, row, strict=True))
        totals.add(request, failed=_failed(request))
    return totals, odd[:3]


def _failed(request: Mapping[str, str]) -> bool:
    """By the tool's own column, or a TTFT of 0: the scripts' mark of a request without output."""
    if "successful" in request:
        return request["successful"].strip().casefold() not in {"true", "1"}
    return not number(request.get("ttft"))
