"""CSV and TSV that people made by hand or with a script of their own, by header or by a mapping file.

A column is read where its header names metric, statistic and unit (`ttft_p50_ms`, `Mean TTFT (ms)`, `out_tok/s`) or a
key of the load point (`concurrency`, `isl`, `rate`). Text in other columns tells the rows apart and is kept as a
factor; other numbers are named as not understood. What the header leaves open, a mapping file says:
`<table>.mapping.yaml` beside the table, or `mapping.yaml` in its folder (see table/mapping.py). A table on its side,
with the metrics in the first column, is read as well. What the tool behind it means by its labels is not known, so that
points have no definition unless the mapping gives one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from kb.importers import NotResults
from kb.importers.plain import unfinished
from kb.importers.run import Run
from kb.importers.source import Source
from kb.importers.table.columns import Column
from kb.importers.table.headers import inferred
from kb.importers.table.mapping import Mapping, beside, proposal
from kb.importers.table.rows import Header, header_of, run_of, turned

NAME = "table"
TOOL = "table"
FALLBACK = True
"""Asked only when no other importer recognises a file."""

_LOOKED_AT = 64


def recognises(source: Source) -> bool:
    """Any table that no other importer knows, whose header names its columns."""
    if source.shape != "table" or _of_others(source):
        return False
    header = header_of(source.rows_head)
    return header is not None and header.has_numbers


def _of_others(source: Source) -> bool:
    from kb.importers import importers

    return any(each.recognises(source) for each in importers() if not getattr(each, "FALLBACK", False))


def read(source: Source) -> Iterator[Run]:
    """A run for each row, or for each column of a table on its side."""
    mapping, whole = beside(source), unfinished(source)
    rows = (row for row in source.rows() if any(cell.strip() for cell in row))
    first = list(islice(rows, _LOOKED_AT))
    header = header_of(tuple(first))
    if header is None:
        raise NotResults("has no header that names its columns")
    columns, odd = _columns(header, mapping)
    if not any(column.metric for column in columns.values()):
        raise NotResults(_advice(source, header, columns))
    if header.on_side:
        yield from turned(source, header, columns, mapping, (*odd, *whole))
        return
    odd = (*odd, *whole)
    for record, row in enumerate(chain(first[1:], rows), 1):
        yield run_of(source, record, header, row, columns, mapping, odd if record == 1 else ())


def _columns(header: Header, mapping: Mapping | None) -> tuple[dict[str, Column], tuple[str, ...]]:
    """What each column is: as the mapping says, else as its header tells."""
    columns = {name: inferred(name) for name in header.labels}
    odd: list[str] = []
    if mapping is not None:
        columns |= {name: column for name, column in mapping.columns.items() if name in columns}
        odd += [
            f"the mapping's column {name!r} is not in this table" for name in mapping.columns if name not in columns
        ]
    odd += [f"column {name}: stands twice, left out" for name in header.repeated]
    return {name: column for name, column in columns.items() if name not in header.repeated}, tuple(odd)


def _advice(source: Source, header: Header, columns: dict[str, Column]) -> str:
    name = source.path.stem if source.path else "table"
    return (
        "no column's header names a metric with its statistic and unit; "
        f"say which is which in {name}.mapping.yaml beside it, for example:\n{proposal(header.labels, columns)}"
    )
