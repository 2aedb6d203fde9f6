"""A change that nobody has recorded yet, as a record in hand: what a diff or two commits alter, for `kb.foreseen`."""

from __future__ import annotations

from kb.change import Change
from kb.component import Component
from kb.scan.propose import NAMED, draft
from kb.scan.report import Report


def underway(report: Report, component: Component, id_: str = "under-review") -> Change | None:
    """The change that a scan of one diff, or of two commits, found; None when nothing behaves differently.

    It ships nowhere, names every touched symbol under its old and its new name, and carries suggested guards and
    dimensions only where they hold for all of it: like a draft, it needs a person.
    """
    found = report.behaviour()
    if not found:
        return None
    made = draft(found, report, component, "sdist")
    before = (each.match.old.plain for each in found if each.match.old and each.match.new)
    symbols = [*made.get("symbols", []), *(f"{component.id}:{name}" for name in before if NAMED.fullmatch(name))]
    return Change.model_validate(
        {
            **made,
            "id": id_,
            "title": _title(report, len(found)),
            "status": "proposed",
            "ships": [],
            "symbols": list(dict.fromkeys(symbols)),
        }
    )


def _title(report: Report, count: int) -> str:
    return f"{count} symbol{'s' if count > 1 else ''} of {report.component}: {report.old} to {report.new}"[:300]
