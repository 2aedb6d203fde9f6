"""`python -m benchmarks [PART]... [--runs N] [--entries N]`: figures as ratios within one run."""

from __future__ import annotations

import argparse
import platform
import sqlite3
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import Row, table

PARTS = ("cold", "queries", "sync", "import", "audit", "scan", "site", "quality")


def main() -> int:
    """Run the parts asked for; 1 when a bound is not kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; default: all")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--evaluations", type=int, default=1_000, help="with charts, of the site's base")
    parser.add_argument("--largest", action="store_true", help="of audit: 10,000 evaluations x 2,000 changes, too")
    asked = parser.parse_args()
    parts = asked.parts or PARTS
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.machine()}\n")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="kb-benchmark-") as name:
        folder = Path(name)
        if "cold" in parts:
            rows += _cold(folder, asked.runs)
        if "queries" in parts or "sync" in parts:
            rows += _large(folder, asked.runs, asked.entries, parts)
        if "import" in parts:
            rows += _import(folder, asked.runs)
        if "site" in parts:
            rows += _site(folder, asked.evaluations)
    if "audit" in parts:
        rows += _audit(asked.largest)
    if "scan" in parts:
        rows += _scan(min(asked.runs, 3))
    kept = all(row.kept is not False for row in rows)
    if "quality" in parts:
        from benchmarks import quality

        kept = quality.main() == 0 and kept
    return 0 if kept else 1


def _cold(folder: Path, runs: int) -> list[Row]:
    from benchmarks import cold

    rows, where = cold.measure(folder, runs)
    print(table("Cold start, whole processes, 1,000 entries", rows) + where + "\n")
    return rows


def _import(folder: Path, runs: int) -> list[Row]:
    from benchmarks import importing

    rows = importing.measure(folder, runs)
    print(table("Importing", rows))
    return rows


def _site(folder: Path, evaluations: int) -> list[Row]:
    from benchmarks import siting

    rows, weight = siting.measure(folder / "site", evaluations)
    print(table(f"Site, {evaluations} evaluations with charts beside the shipped ones", rows) + weight + "\n")
    return rows


def _audit(largest: bool) -> list[Row]:
    from benchmarks import auditing

    rows = auditing.measure(largest)
    print(table("Audit of a large base", rows))
    return rows


def _scan(runs: int) -> list[Row]:
    from benchmarks import scanning

    rows = scanning.measure(runs)
    if isinstance(rows, str):
        print(f"Scan: skipped: {rows}\n")
        return []
    print(table("Scan of two releases from the local cache", rows))
    return rows


def _large(folder: Path, runs: int, entries: int, parts: tuple[str, ...] | list[str]) -> list[Row]:
    from benchmarks import queries, syncing
    from benchmarks.generate import write_base
    from kb.config import read
    from kb.workspace import Workspace

    base = write_base(folder / "large", entries)
    rows: list[Row] = []
    if "sync" in parts:
        rows += syncing.measure(base, min(runs, 7))
        print(table(f"Sync, {entries} entries", rows))
    if "queries" in parts:
        with Workspace(read(base)).store as store:
            asked = queries.measure(store, runs)
        print(table(f"Queries in process, {entries} entries", asked))
        rows += asked
    return rows


if __name__ == "__main__":
    sys.exit(main())
