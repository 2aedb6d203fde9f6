"""What a command and the processes that it starts hold in memory together, looked at from outside while it runs."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

EVERY_S = 0.1


def together(command: Sequence[str]) -> float | None:
    """The most MB that all of a command's processes held at one time; None where the system does not tell.

    A page that several of them share counts once (`Pss` of Linux). Raises SystemExit when the command fails.
    """
    most = 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        while running.poll() is None:
            most = max(most, sum(map(_share, _family(running.pid))))
            time.sleep(EVERY_S)
        said = running.stderr.read().decode() if running.stderr else ""
    if running.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {running.returncode}\n{said[-2000:]}")
    return most or None


def _family(pid: int) -> Iterator[int]:
    """A process and all that it started."""
    yield pid
    for each in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in (_text(each) or "").split():
            yield from _family(int(child))


def _share(pid: int) -> float:
    """Megabytes of a process, with its part of what it shares."""
    for line in (_text(Path(f"/proc/{pid}/smaps_rollup")) or "").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _text(path: Path) -> str | None:
    try:
        return path.read_text()
    except OSError:  # it has ended
        return None
