"""Timing whole processes and calls, in turns, so that a slow minute of the machine hits every contestant alike."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One figure: what, how long (ms, median), beside what, and the bound that the issue sets."""

    name: str
    ms: float
    beside: str = ""
    beside_ms: float | None = None
    bound: float | None = None
    """Largest allowed ratio; None reports only."""
    at_most_ms: float | None = None
    """Largest allowed time; None reports only."""
    mb: float | None = None
    """The most memory that it held in all its processes together, in MB."""
    at_most_mb: float | None = None
    """Largest allowed memory; None reports only."""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        return self.ms / self.beside_ms if self.beside_ms else None

    @property
    def kept(self) -> bool | None:
        """Whether the bound is kept; None where there is none."""
        checks = [self.ratio <= self.bound] if self.bound and self.ratio is not None else []
        checks += [self.ms <= self.at_most_ms] if self.at_most_ms else []
        checks += [self.mb <= self.at_most_mb] if self.at_most_mb and self.mb is not None else []
        return all(checks) if checks else None


def processes(commands: Mapping[str, Sequence[str]], runs: int, cwd: Path) -> dict[str, float]:
    """Median wall time in ms of each command as a whole process; run in turns, one warm-up round before."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    env = {**os.environ, "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": ""}
    for turn in range(runs + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, check=False)
            took = (time.perf_counter() - start) * 1000
            if done.returncode not in {0, 1}:
                raise SystemExit(f"{name}: exit {done.returncode}\n{done.stderr.decode()[-2000:]}")
            if turn:
                times[name].append(took)
    return {name: statistics.median(each) for name, each in times.items()}


def calls(contestants: Mapping[str, Callable[[], object]], runs: int) -> dict[str, list[float]]:
    """Times in ms of each callable, in turns, one warm-up round before; sorted."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(runs + 1):
        for name, call in contestants.items():
            start = time.perf_counter()
            call()
            if turn:
                times[name].append((time.perf_counter() - start) * 1000)
    return {name: sorted(each) for name, each in times.items()}


def once(call: Callable[[], object]) -> float:
    """Time of one call in ms."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def p50(times: Sequence[float]) -> float:
    return statistics.median(times)


def p95(times: Sequence[float]) -> float:
    return sorted(times)[min(len(times) - 1, round(0.95 * (len(times) - 1)))]


def table(title: str, rows: Sequence[Row]) -> str:
    """Rows as a table for a terminal."""
    lines = [title, f"{'':2}{'':44}{'median ms':>10}{'beside':>34}{'ms':>9}{'ratio':>7}{'bound':>10}"]
    for row in rows:
        mark = {True: "ok", False: "!!", None: "  "}[row.kept]
        bound = f"{row.bound:g} x" if row.bound else f"{row.at_most_ms:g} ms" if row.at_most_ms else ""
        beside = f"{row.beside_ms:9.2f}{row.ratio:7.2f}" if row.ratio is not None else " " * 16
        memory = (
            "" if row.mb is None else f"{row.mb:.0f} MB" + (f" (at most {row.at_most_mb:g})" if row.at_most_mb else "")
        )
        note = ", ".join(filter(None, (memory, row.note)))
        lines.append(f"{mark} {row.name:<44}{row.ms:10.2f}{row.beside:>34}{beside}{bound:>10}  {note}".rstrip())
    return "\n".join(lines) + "\n"
