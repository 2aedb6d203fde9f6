"""Which claims of a base rest on code that differs: a list, no verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kb.anchors import Anchored, anchors
from kb.digests import Table
from kb.library import Library
from kb.scan.report import Difference, Report
from kb.scan.symbols import STATEMENT


@dataclass(frozen=True)
class Touched:
    """A symbol that differs, and what rests on it."""

    difference: Difference
    component: str
    claims: tuple[tuple[str, str, str], ...] = ()
    """(Evaluation, claim, anchor) that rest on it under any name it has had."""

    @property
    def anchor(self) -> str:
        """`component:symbol`, as claims write it."""
        return f"{self.component}:{self.difference.match.symbol.plain}"

    def as_dict(self) -> dict[str, Any]:
        """Shape of a row of `touched` in `kb scan --json`."""
        return {
            "anchor": self.anchor,
            "status": self.difference.status.value,
            "kind": self.difference.kind.value if self.difference.kind else None,
            "claims": [{"evaluation": one, "claim": claim, "anchor": anchor} for one, claim, anchor in self.claims],
        }


def touched(report: Report, library: Library) -> tuple[Touched, ...]:
    """Symbols of a component that differ, each with the claims that rest on it."""
    table = library.digests.table(report.component)
    behind = [(record.id, each, _behind(each, table)) for record, each in _anchored(report.component, library)]
    found = []
    for each in report.symbols:
        if each.kind is not None and each.match.symbol.kind != STATEMENT:
            names = {symbol.plain for symbol in (each.match.old, each.match.new) if symbol}
            claims = [
                (record, anchor.claim, f"{anchor.component}:{anchor.symbol}")
                for record, anchor, code in behind
                if names & code or _inside(names, anchor.symbol)
            ]
            found.append(Touched(each, report.component, tuple(dict.fromkeys(claims))))
    return tuple(found)


def _anchored(component: str, library: Library) -> Iterator[tuple[Any, Anchored]]:
    for _, record in sorted(library.evaluations.items()):
        yield from ((record, each) for each in anchors(record, library) if each.component == component)


def _behind(anchor: Anchored, table: Table | None) -> set[str]:
    """Names of the code behind an anchor: those it has had, what it inherits, and the members of a class."""
    if table is None or not table.exists(anchor.symbol):
        return {anchor.symbol}
    found = {anchor.symbol}
    for position, name in enumerate(table.trail(anchor.symbol)):
        if name:
            found |= {name, *(run.symbol for run in table.body(name, position).values())}
    return found


def _inside(names: set[str], anchor: str) -> bool:
    return any(name.startswith(f"{anchor}.") for name in names)
