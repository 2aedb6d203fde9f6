"""Which of an entry's documents is shown: the one in the query's language, the original where it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kb.store import Store

Matching = Callable[[str], list[int]]
"""Documents that match the query, of entries in a list of numbers as SQL has it."""

_MOST = 16
"""Typed tokens that are looked at."""


def chosen(store: Store, rids: list[int], matching: Matching, typed: Iterable[str]) -> dict[int, int]:
    """Document -> the document of the same entry to show instead, for those where it is another one.

    Of the documents that match it is the one that holds most of what was typed, whatever its score: a translation is
    shorter than its original, and would come first for a query that has no language.
    """
    if not store.has_translations:
        return {}
    entries = _with_several(store, rids)
    if not entries:
        return {}
    several: dict[int, list[int]] = {}
    for rid in matching(entries):
        several.setdefault(rid >> 4, []).append(rid)
    several = {entry: documents for entry, documents in several.items() if len(documents) > 1}
    held = _held(store, [rid for documents in several.values() for rid in documents], typed) if several else {}
    best = {entry: max(rids, key=lambda rid: (held.get(rid, 0), -rid)) for entry, rids in several.items()}
    return {rid: best[rid >> 4] for rid in rids if best.get(rid >> 4, rid) != rid}


def _with_several(store: Store, rids: list[int]) -> str:
    """Entries of these documents that have further ones."""
    entries = ",".join(str(rid >> 4) for rid in rids)
    found = store.rows(f"SELECT DISTINCT rid >> 4 FROM records WHERE rid & 15 AND rid >> 4 IN ({entries})")
    return ",".join(str(entry) for (entry,) in found)


def _held(store: Store, rids: list[int], typed: Iterable[str]) -> dict[int, int]:
    """How many of the typed tokens each document holds."""
    counts: dict[int, int] = {}
    documents = ",".join(map(str, rids))
    for token in list(dict.fromkeys(typed))[:_MOST]:
        sql = f"SELECT rowid FROM text WHERE text MATCH ? AND rowid IN ({documents})"
        for (rid,) in store.rows(sql, [f'"{token}"']):
            counts[rid] = counts.get(rid, 0) + 1
    return counts
