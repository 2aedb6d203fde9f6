"""GuideLLM reports: JSON and YAML (0.1 to 0.8), CSV (0.2 to 0.8); its page for a browser is declined.

One file is a whole sweep, and every member is a run. The layouts: 0.1 keeps requests and no statistics; 0.2 and 0.3
have `worker` and `run_stats` in each benchmark; 0.4 has `args` beside `benchmarks`; from 0.5 on the file names the
version under `metadata`; from 0.7 `config.spec` replaces `args`. Only the group `successful` is read: `total` mixes in
requests cut off at the time limit, with 0 for what never began. A group of no requests is all zeros with `count` 0.
`request_latency` is in seconds while its siblings are in ms. Rates mean something as a mean only.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.importers import NotResults
from kb.importers.guidellm import report, requests, table
from kb.importers.run import Run
from kb.importers.source import Source

NAME = "guidellm"
TOOL = "GuideLLM"


def recognises(source: Source) -> bool:
    """By the type every benchmark names, the shape of 0.1, or the header of its tables."""
    return (
        _is_page(source)
        or (
            source.shape in {"object", "yaml"}
            and (report.recognises(source.record) or requests.recognises(source.record))
        )
        or (source.shape == "table" and table.recognises(source.rows_head))
    )


def read(source: Source) -> Iterator[Run]:
    """One run per benchmark of the report."""
    if _is_page(source):
        raise NotResults("GuideLLM's page for a browser: import the benchmarks.json or .csv written with it")
    if source.shape == "table":
        return table.read(source)
    return report.read(source) if report.recognises(source.record) else requests.read(source)


def _is_page(source: Source) -> bool:
    head = source.head[:4096].lstrip().casefold()
    return head.startswith(("<!doctype html", "<html")) and "guidellm" in source.head.casefold()
