"""nixlbench, and kvbench which runs it: console output, legacy and current table.

Columns are told by the header: current ones have B/W in GB/s, then latency, preparation, posting and transfer in us;
legacy ones have the latency first and B/W in MiB/s, GiB/s and GB/s; with more than two ranks aggregate B/W and network
use come between. Avg Lat. is the loop's time per block, Prep, Post and Tx are per batch. Values may be written as
`1.29813e+06`. Backend, operation and memory stand only in the configuration printed above. Written by
github.com/ai-dynamo/nixl, benchmark/nixlbench/src/utils/utils.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.importers.fields import number
from kb.importers.plain import whole_lines
from kb.importers.points import Points
from kb.importers.run import Fact, Run
from kb.importers.source import Source

NAME = "nixlbench"
TOOL = "nixlbench"

_SETTING = re.compile(r"^.{0,60}\(--(?P<option>[a-z_]+)(?:=[^)]*)?\)\s*: (?P<value>.*)$")
_HEADER = re.compile(r"^Block Size \(B\)\s{2,}")
_COLUMNS = {
    "B/W (GB/Sec)": ("transfer_bandwidth", "GB/s", "value", "nixlbench.transfer_bandwidth"),
    "Aggregate B/W (GB/Sec)": ("transfer_bandwidth", "GB/s", "value", "nixlbench.aggregate_bandwidth"),
    "Avg Lat. (us)": ("latency", "us", "mean", "nixlbench.latency"),
    "Avg Prep (us)": ("prep_duration", "us", "mean", "nixlbench.prep_duration"),
    "P99 Prep (us)": ("prep_duration", "us", "p99", "nixlbench.prep_duration"),
    "Avg Post (us)": ("post_duration", "us", "mean", "nixlbench.post_duration"),
    "P99 Post (us)": ("post_duration", "us", "p99", "nixlbench.post_duration"),
    "Avg Tx (us)": ("transfer_duration", "us", "mean", "nixlbench.transfer_duration"),
    "P99 Tx (us)": ("transfer_duration", "us", "p99", "nixlbench.transfer_duration"),
}
_SAME = {"B/W (MiB/Sec)", "B/W (GiB/Sec)"}
"""The bandwidth once more in other units."""
_FACTORS = {
    "op_type": "operation",
    "initiator_seg_type": "initiator_memory",
    "target_seg_type": "target_memory",
    "scheme": "scheme",
}
_FACTS = (
    "worker_type",
    "mode",
    "num_threads",
    "num_iter",
    "warmup_iter",
    "large_blk_iter_ftr",
    "total_buffer_size",
    "num_initiator_dev",
    "num_target_dev",
    "enable_pt",
    "progress_threads",
    "enable_vmm",
    "recreate_xfer",
    "check_consistency",
    "device_list",
)


def recognises(source: Source) -> bool:
    """By the configuration's title or the header of the table."""
    if source.shape not in {"text", "table", "yaml", "list"}:
        return False
    return "NIXLBench Configuration" in source.head or (
        "Block Size (B)" in source.head and "Avg Lat. (us)" in source.head
    )


@dataclass(slots=True)
class _Part:
    """What stood above a table: its settings, its header."""

    settings: dict[str, str] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)


def read(source: Source) -> Iterator[Run]:
    """A run for each row of each table."""
    lines = whole_lines(source)
    part, record, last = _Part(), 0, None
    for line in lines:
        if "NIXLBench Configuration" in line:
            part = _Part()
        elif _HEADER.match(line):
            part.columns = re.split(r"\s{2,}", line.strip())
        elif found := _SETTING.match(line):
            part.settings[found["option"]] = found["value"].strip()
        elif part.columns and _is_row(cells := line.split()):
            if last:
                yield last
            record += 1
            last = _run(source, record, part, cells, ())
    if last:
        yield last if not lines.odd else _with(last, lines.odd)


def _with(run: Run, said: tuple[str, ...]) -> Run:
    from dataclasses import replace

    return replace(run, not_understood=(*run.not_understood, *said))


def _is_row(cells: list[str]) -> bool:
    """Rows begin with a block size; a log has other lines between them."""
    return len(cells) >= 4 and cells[0].isdigit() and all(number(cell) is not None or _infinite(cell) for cell in cells)


def _infinite(cell: str) -> bool:
    return cell.lstrip("+-").casefold() in {"inf", "nan"}


def _run(source: Source, record: int, part: _Part, cells: list[str], said: tuple[str, ...]) -> Run:
    points = Points(NAME)
    if len(cells) != len(part.columns):
        said = (f"row {' '.join(cells)[:60]}: {len(cells)} cells under {len(part.columns)} columns, left out",)
        return Run(source.name, NAME, TOOL, record=record, not_understood=said)
    row = dict(zip(part.columns, cells, strict=True))
    for column, (metric, unit, stat, definition) in _COLUMNS.items():
        points.add(metric, row.get(column), unit, stat, definition=definition)
    unknown = tuple(f"column {column}: not known to this importer" for column in row if not _known(column))
    return Run(
        source.name,
        NAME,
        TOOL,
        record=record,
        setup=_setup(part.settings),
        where=_where(row, part.settings),
        facts=_facts(row, part.settings),
        points=tuple(points.points),
        not_understood=(*points.odd, *unknown),
    )


def _known(column: str) -> bool:
    return column in _COLUMNS or column in _SAME or column in {"Block Size (B)", "Batch Size", "Network Util (%)"}


def _setup(settings: dict[str, str]) -> dict[str, Fact]:
    backend = settings.get("backend")
    setup: dict[str, Fact] = {"transfer_library.component": "nixl"}
    return setup | ({"transport.backend": backend} if backend else {})


def _where(row: dict[str, str], settings: dict[str, str]) -> dict[str, Fact]:
    sizes = {"block_size": row.get("Block Size (B)"), "batch_size": row.get("Batch Size")}
    named: dict[str, Fact] = {key: int(text) for key, text in sizes.items() if text and text.isdigit()}
    factors: dict[str, Fact] = {name: settings[option] for option, name in _FACTORS.items() if settings.get(option)}
    return named | factors


def _facts(row: dict[str, str], settings: dict[str, str]) -> dict[str, Fact]:
    facts: dict[str, Fact] = {option: settings[option] for option in _FACTS if settings.get(option)}
    used = number(row.get("Network Util (%)"))
    if used is not None:
        facts["network_util_percent"] = used
    return facts
