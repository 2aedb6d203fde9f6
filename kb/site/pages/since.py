"""What changed in an evaluation's components since the builds it pins."""

from __future__ import annotations

from typing import Any

from kb.evaluation import Evaluation
from kb.present.since import pin_words, state
from kb.since import ChangeSince, ComponentSince
from kb.since import since as changed
from kb.site.gather import Gathered, change_day
from kb.vocabulary import Kind


def since(record: Evaluation, gathered: Gathered) -> list[dict[str, Any]]:
    """For every component: its pins, and its changes since, those that touch a claim first."""
    seen: set[str] = set()
    found = []
    for component in changed(record, gathered.library):
        rows = [_row(component, each, gathered) for each in component.changes if each.change.id not in seen]
        seen |= {each.change.id for each in component.changes}
        found.append(
            {
                "link": gathered.link(component.component, Kind.COMPONENT),
                "pins": pin_words(component.pins),
                "newest": component.newest,
                "same": component.same,
                "touching": [row for row in rows if row["touches"]],
                "others": [row for row in rows if not row["touches"]],
            }
        )
    return found


def _row(component: ComponentSince, each: ChangeSince, gathered: Gathered) -> dict[str, Any]:
    return {
        "link": gathered.link(each.change.id, Kind.CHANGE),
        "title": each.change.title,
        "day": change_day(each.change),
        "state": state(component, each) + ("; between the pinned builds" if each.between else ""),
        "touches": list(each.touches),
        "implied": list(each.implied),
    }
