"""Sync of 10,000 synthetic entries: from nothing, with nothing changed, with one entry changed.

From nothing it reads in one process and writes in another, so that its time beside that of one process alone depends on
whether both cores are free; the processor time of both is printed beside it.
"""

from __future__ import annotations

import os
import resource
from pathlib import Path
from statistics import median

from benchmarks.timing import Row, once
from kb.config import read
from kb.frontmatter import cut, load
from kb.library import model_of
from kb.places import record_files
from kb.tokens import analyse
from kb.workspace import Workspace


def measure(base: Path, runs: int) -> list[Row]:
    """Rows of the sync; the derived file in `base` is fresh afterwards."""
    config = read(base)
    paths = [path for each in config.bases for path in record_files(each)]
    began = _cpu()
    floor = once(lambda: _parse_validate_tokenise(paths))
    between = _cpu()
    cold = once(lambda: Workspace(config).sync(rebuild=True)[0].close())
    note = f"CPU {_cpu() - between:.1f} s in two processes, beside {between - began:.1f} s"
    nothing = median(once(lambda: Workspace(config).store.close()) for _ in range(runs))
    one = median(_one_changed(base, turn) for turn in range(runs))
    return [
        Row("10,000 from nothing", cold, "parse + validate + tokenise", floor, 2.0, note=note),
        Row("nothing changed", nothing, at_most_ms=300),
        Row("one entry changed", one, at_most_ms=500),
    ]


def _cpu() -> float:
    """Seconds of processor time that this process and those it has waited for took."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _parse_validate_tokenise(paths: list[Path]) -> None:
    for path in paths:
        text = path.read_text(encoding="utf-8")
        parts = cut(text) if path.suffix == ".md" else None
        record = model_of(path).model_validate(load(parts.front if parts else text))
        analyse(str(getattr(record, "title", "")))
        for claim in getattr(record, "claims", ()):
            analyse(claim.says)
        analyse(parts.body if parts else "")


def _one_changed(base: Path, turn: int) -> float:
    path = base / "entries" / "evaluations" / "synthetic-00001.md"
    path.write_text(path.read_text(encoding="utf-8") + f"\nChanged {turn}.\n", encoding="utf-8")
    os.utime(path)
    return once(lambda: Workspace(read(base)).store.close())
