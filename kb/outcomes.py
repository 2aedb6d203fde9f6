"""Outcomes of every claim at the newest releases, kept in the derived file for search and counts.

Judging takes longer than a search may. So any change of a record empties the kept outcomes in its own transaction, and
they are worked out again when somebody asks for one: never shown stale, never waited for by a search that does not ask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from time import perf_counter
from typing import TYPE_CHECKING

from kb.store import ReadOnly, Store
from kb.sync import SEEN

if TYPE_CHECKING:
    from kb.gist import Gist
    from kb.workspace import Workspace

TRIES = 3
"""Times the records may change while they are being judged."""


def asked_for(query: str, facets: Iterable[str]) -> bool:
    """Whether a search needs them: it asks by outcome, or counts them."""
    return "outcome:" in query.casefold() or "outcome" in facets


def refresh(workspace: Workspace) -> Store:
    """The derived file with the outcomes of the records as they are."""
    store = workspace.store
    for _ in range(TRIES):
        if store.outcomes_known:
            break
        store = _judged(workspace, store)
    return store


def _judged(workspace: Workspace, store: Store) -> Store:
    """A store with the outcomes of the records it was made of, unless these have changed meanwhile."""
    from kb.gist import gists

    began, seen = perf_counter(), _seen(store)
    found = gists(workspace.whole_library())
    workspace.tell(f"{len(found)} claims judged", perf_counter() - began)
    try:
        _keep(store, found, seen)
    except ReadOnly:
        store = workspace.in_memory()
        _keep(store, found, _seen(store))
    return store


def _keep(store: Store, found: Iterable[Gist], seen: list[tuple[bytes]]) -> None:
    """Keep outcomes, if the derived file is still made of the files that it was made of before they were judged."""
    with store.writing() as writer:
        if _seen(store) == seen:
            writer.outcomes(counts(found))


def counts(verdicts: Iterable[Gist]) -> dict[str, Counter[str]]:
    """Evaluation -> outcome -> number of claims."""
    found: dict[str, Counter[str]] = {}
    for each in verdicts:
        found.setdefault(each.evaluation, Counter())[each.outcome.value] += 1
    return found


def _seen(store: Store) -> list[tuple[bytes]]:
    return store.rows("SELECT value FROM meta WHERE key = ?", [SEEN])
