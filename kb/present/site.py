"""A build of the site on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.present.text import clean

MOST = 20
"""Broken links shown."""
WIDTH = 30


def summary(done: Mapping[str, Any]) -> list[str]:
    """What was made, and what leads nowhere."""
    broken = done["broken_links"]
    lines = [clean(f"{each['page']}: {each['href']}: {each['why']}") for each in broken[:MOST]]
    lines += [f"and {len(broken) - MOST} more"] if len(broken) > MOST else []
    lines += [f"{len(broken)} broken link{'' if len(broken) == 1 else 's'}"] if broken else []
    size = done["bytes"] / 1e6
    made = f"{done['pages']} pages ({done['rendered']} rendered), {size:.1f} MB in {done['seconds']:.1f} s"
    return [*lines, f"{made}: {clean(done['out'])}"]


def bar(what: str, done: int, whole: int) -> str:
    """`rendering [######......] 12 of 24`."""
    full = WIDTH * done // whole if whole else WIDTH
    return f"{what} [{'#' * full}{'.' * (WIDTH - full)}] {done} of {whole}"
