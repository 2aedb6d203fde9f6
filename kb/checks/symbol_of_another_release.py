"""An anchor that names code by a name it does not have in the build that ran.

## What it flags
A `component:symbol` of a claim that is not in the release which the claim's arm pins, although other releases have it.
Silent where the pin is unknown, a range, or a build of one's own, and where that release was not scanned.

## Why it matters
Either the name is a later one, and a reader who opens the pinned source does not find it; or the code was not there,
and the claim cannot rest on it.

## Example
    setup: {engine: {component: vllm, version: 0.20.0}}
    claims:
      - id: reads
        kind: mechanism
        says: Decode reads.
        anchors: {pull: ["vllm-nixl-pull:NixlPullConnectorWorker._read_blocks"]}

## What to do
Write the name that the pinned release has; audits follow it through moves.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.anchors import Anchored, anchors
from kb.digests import Table
from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB168"
NAME = "symbol-of-another-release"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Anchors against the symbols of the pinned releases."""
    if not isinstance(loaded.record, Evaluation):
        return
    for each in anchors(loaded.record, library):
        table = library.digests.table(each.component)
        if table and table.exists(each.symbol) and (pin := _lacking(each, table)):
            message = f"{each.component} {pin} has no {each.symbol}"
            yield Problem(each.loc, message, _hint(each.symbol, pin, table))


def _lacking(anchor: Anchored, table: Table) -> str | None:
    """The first pinned release without that name."""
    for pin in anchor.pins:
        position = table.position(pin)
        if position is not None and table.defining(anchor.symbol, position) is None:
            return pin
    return None


def _hint(symbol: str, pin: str, table: Table) -> str:
    if there := table.named_at(symbol, pin):
        return f"there it is {there}"
    having = [version for n, version in enumerate(table.releases) if table.defining(symbol, n)]
    return f"it is in {having[0]} to {having[-1]}"
