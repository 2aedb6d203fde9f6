"""Scans of real releases beside parsing them, from the local cache of the package index; skipped where it holds no two.

`python -m benchmarks.scanning [FOLDER]`: FOLDER has one subfolder or archive for each release instead of the cache.
"""

from __future__ import annotations

import ast
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.timing import Row, p50, table
from kb.component import Component
from kb.scan import scan, source
from kb.scan.index import cache_folder
from kb.scan.tree import Tree
from kb.versions import parse

T = TypeVar("T")
WHOSE = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
DISTRIBUTION = "vllm"
CONNECTORS = "vllm/distributed/kv_transfer/**"
WHOLE = "vllm/**"
COMPONENT = {"schema_version": 1, "id": "whole", "title": "All of it", "kind": "engine", "ships_in": DISTRIBUTION}


def measure(runs: int, folder: Path | None = None) -> list[Row] | str:
    """Rows of the scan, or why it was skipped."""
    found = releases(folder)
    if len(found) < 2:
        where = folder or cache_folder() / DISTRIBUTION
        return f"fewer than two releases of {DISTRIBUTION} in {where}; `kb scan vllm-nixl-pull --index` fetches two"
    (old, old_path), (new, new_path) = found[-2:]
    reading, trees = _timed(lambda: (source.read(old_path, old), source.read(new_path, new)))
    rows = [Row("both releases read from the cache", reading, note=f"{old} and {new}")]
    rows.append(_beside_parsing(f"kv_transfer, {old} to {new}", trees, CONNECTORS, runs, bound=4.0))
    if any(path.startswith("vllm/model_executor/models/") for tree in trees for path in tree.paths):
        rows.append(_beside_parsing("whole package", trees, WHOLE, 1, at_most_ms=20_000))
    return rows


def releases(folder: Path | None = None) -> list[tuple[str, Path]]:
    """Versions and where they lie, oldest first."""
    root = folder or cache_folder() / DISTRIBUTION
    each_in = sorted(root.iterdir()) if root.is_dir() else []
    there = [(path.name, _artifact(path)) for path in each_in if path.is_dir() and parse(path.name)]
    found = [(version, path) for version, path in there if path]
    return sorted(found, key=lambda pair: parse(pair[0]) or pair[0])


def _artifact(folder: Path) -> Path | None:
    """What is kept of a release: its sdist, or the folder itself where it is unpacked."""
    kept = sorted(folder.glob("*.tar.gz"))
    return kept[0] if kept else folder if (folder / DISTRIBUTION).is_dir() else None


def _beside_parsing(
    name: str,
    trees: tuple[Tree, Tree],
    glob: str,
    runs: int,
    bound: float | None = None,
    at_most_ms: float | None = None,
) -> Row:
    texts = [tree.text(path) for tree in trees for path in tree.under([glob]) if path.endswith(".py")]
    component = Component.model_validate({**COMPONENT, "paths": [{"glob": glob}]})
    parsing, scanning, worked = [], [], []
    for _ in range(runs):  # in turns, so that a slow minute of the machine hits both
        parsing.append(_timed(lambda: _parse(texts))[0])
        start = _processor()
        scanning.append(_timed(lambda: scan(*trees, component))[0])
        worked.append(_processor() - start)
    memory, beside = (resource.getrusage(who).ru_maxrss // 1024 for who in WHOSE)
    note = f"{len(texts)} files, {p50(worked):.1f} s of processors, {memory} MB at most so far"
    note += f", {beside} in a process beside" if beside else ""
    return Row(name, p50(scanning), "ast.parse of both", p50(parsing), bound, at_most_ms, note)


def _parse(texts: list[str]) -> None:
    """One tree after the other: all at once are some gigabytes."""
    for text in texts:
        ast.parse(text)


def _processor() -> float:
    """Seconds that this process and those it started have worked."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def _timed(call: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = call()
    return (time.perf_counter() - start) * 1000, result


def main() -> int:
    """Print the table; 1 when a bound is not kept."""
    rows = measure(3, Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    if isinstance(rows, str):
        print(f"Scan: skipped: {rows}")
        return 0
    print(table("Scan", rows))
    return 0 if all(row.kept is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
