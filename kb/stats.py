"""What a base holds, counted from its derived file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from kb.search import search
from kb.store import Store
from kb.vocabulary import Outcome

FACETS = ("source", "status", "component", "metric")


@dataclass(frozen=True)
class Stats:
    """Counts; `outcomes` of claims at the newest releases, every outcome named, none where the store knows none
    (kb.outcomes); `coverage` has one row for each interval of a component that has been looked at as a whole."""

    kinds: dict[str, int]
    languages: dict[str, int]
    outcomes: dict[str, int]
    coverage: tuple[dict[str, Any], ...]
    uncovered: tuple[str, ...]
    """Components without any covered interval."""
    facets: dict[str, dict[str, int]]

    def as_dict(self) -> dict[str, Any]:
        """The counts with the keys cli.md promises."""
        return {
            "kinds": self.kinds,
            "outcomes": self.outcomes,
            "coverage": list(self.coverage),
            "uncovered": list(self.uncovered),
            "languages": self.languages,
            **{f"by_{field}": counts for field, counts in self.facets.items()},
        }


def stats(store: Store) -> Stats:
    """Count what the store holds."""
    everything = search(store, "", facets=("lang", *FACETS)).facets
    languages = everything.pop("lang")
    components = search(store, "", kind="component", limit=10_000).heads
    rows = [(head.id, store.record(head.rid).get("coverage", ())) for head in components]
    covered = tuple({"component": id_, **each} for id_, intervals in rows for each in intervals)
    found: Counter[str] = Counter()
    for counts in store.outcomes().values():
        found.update(counts)
    outcomes = {each.value: found[each.value] for each in Outcome if found}
    uncovered = tuple(id_ for id_, intervals in rows if not intervals)
    return Stats(store.kinds(), languages, outcomes, covered, uncovered, everything)
