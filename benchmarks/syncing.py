"""Sync of 10,000 synthetic entries: from nothing, with nothing changed, with one entry changed."""

from __future__ import annotations

import os
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
    floor = once(lambda: _parse_validate_tokenise(paths))
    cold = once(lambda: Workspace(config).sync(rebuild=True)[0].close())
    nothing = median(once(lambda: Workspace(config).store.close()) for _ in range(runs))
    one = median(_one_changed(base, turn) for turn in range(runs))
    return [
        Row("10,000 from nothing", cold, "parse + validate + tokenise", floor, 2.0),
        Row("nothing changed", nothing, at_most_ms=300),
        Row("one entry changed", one, at_most_ms=500),
    ]


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
