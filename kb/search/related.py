"""Entries near an entry: those it names or that name it, then those that share what few entries have."""

from __future__ import annotations

from math import log
from typing import NamedTuple

from kb.store import Head, Store

_SHARED = (
    "component",
    "connector",
    "model",
    "hardware",
    "interconnect",
    "topology",
    "engine",
    "dimension",
    "metric",
    "tag",
)
_RELATION = 5.0
"""Weight of a relation that someone wrote down, beside the logarithms of how rare a shared value is."""


class Related(NamedTuple):
    """A neighbour and why it is one."""

    head: Head
    score: float
    why: tuple[str, ...]


def related(store: Store, id_: str, limit: int = 5) -> list[Related]:
    """The nearest neighbours of an entry, nearest first."""
    own = store.documents(id_)
    if not own:
        return []
    reasons: dict[int, list[tuple[float, str]]] = {}
    for entry, weight, why in (*_written(store, id_), *_sharing(store, own[0].rid >> 4)):
        if entry != own[0].rid >> 4:
            reasons.setdefault(entry, []).append((weight, why))
    best = sorted(reasons.items(), key=lambda item: (-sum(w for w, _ in item[1]), item[0]))[:limit]
    heads = store.entry_heads(entry for entry, _ in best)
    return [_related(heads[entry], why) for entry, why in best if entry in heads]


def _related(head: Head, reasons: list[tuple[float, str]]) -> Related:
    why = [reason for _, reason in sorted(reasons, key=lambda each: (-each[0], each[1]))]
    return Related(head, round(sum(weight for weight, _ in reasons), 3), tuple(dict.fromkeys(why)))


def _written(store: Store, id_: str) -> list[tuple[int, float, str]]:
    found = [*store.relations_of(id_), *store.relations_to(id_)]
    entries = {other: documents[0].rid >> 4 for _, other in found if (documents := store.documents(other))}
    return [(entries[other], _RELATION, kind) for kind, other in found if other in entries]


def _sharing(store: Store, entry: int) -> list[tuple[int, float, str]]:
    """Entries with a value in common; a value that half of all entries have says nothing."""
    marks = ",".join("?" * len(_SHARED))
    rows = store.rows(
        f"SELECT DISTINCT other.rid >> 4, own.field, own.value FROM facets own JOIN facets other USING (field, value)"
        f" WHERE own.rid BETWEEN ? AND ? AND own.field IN ({marks})",
        [entry << 4, (entry << 4) + 15, *_SHARED],
    )
    (total,) = store.rows("SELECT count(DISTINCT rid >> 4) FROM records")[0]
    having: dict[tuple[str, str], int] = {}
    for _, field, value in rows:
        having[field, value] = having.get((field, value), 0) + 1
    return [(e, log(total / having[f, v]), f"{f} {v}") for e, f, v in rows if having[f, v] * 2 <= total]
