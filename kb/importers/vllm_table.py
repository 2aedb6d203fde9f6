"""CSV with the keys of `vllm bench serve` JSON as its header: `summary.csv` of a sweep, and what people join from
result files.

A row is a result file and is read as one; further columns are what the sweep or the person varied. A first column
without a name is pandas' index. An empty cell is a null.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from kb.importers import vllm_bench
from kb.importers.fields import number
from kb.importers.plain import unfinished
from kb.importers.run import Run
from kb.importers.source import Source, of_text

NAME = "vllm-table"
TOOL = vllm_bench.TOOL

_NEEDED = frozenset(
    {"completed", "request_throughput", "output_throughput", "total_input_tokens", "total_output_tokens"}
)
_SGLANG = frozenset({"mean_e2e_latency_ms", "median_e2e_latency_ms", "sharegpt_output_len"})


def recognises(source: Source) -> bool:
    """By the header: counts, throughput and a latency in ms under vLLM's names."""
    if source.shape != "table":
        return False
    header = {_name(cell) for cell in source.rows_head[0]}
    return (
        header >= _NEEDED and bool(header & {"mean_ttft_ms", "mean_tpot_ms", "mean_e2el_ms"}) and not header & _SGLANG
    )


def _name(cell: str) -> str:
    return cell.strip().lstrip("\ufeff")


def _typed(cell: str) -> str | float | None:
    """A number where that is the cell's own spelling: a version 0.10 stays text."""
    found = number(cell)
    return None if not cell else found if found is not None and repr(found) == cell else cell


def read(source: Source) -> Iterator[Run]:
    """A run for each row."""
    said = unfinished(source)
    rows = (row for row in source.rows() if any(cell.strip() for cell in row))
    header = [_name(cell) for cell in next(rows, [])]
    for record, row in enumerate(rows, 1):
        if len(row) != len(header):
            misfit = f"row {record}: {len(row)} cells under {len(header)} columns, left out"
            yield Run(source.name, NAME, TOOL, record=record, not_understood=(misfit,))
            continue
        values = {key: _typed(cell.strip()) for key, cell in zip(header, row, strict=True) if key}
        for run in vllm_bench.read(of_text(json.dumps(values), source.name)):
            yield replace(run, importer=NAME, record=record, not_understood=(*run.not_understood, *said))
        said = ()
