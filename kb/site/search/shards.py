"""The derived file as static files. Only the records decide a byte: no time, and no number of the file's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from typing import Any

from kb.search.rank import WEIGHTS
from kb.site.search import tables
from kb.site.search.files import FOLDER, Row, content
from kb.site.search.packing import rising
from kb.site.search.postings import Document, document, postings
from kb.site.search.tables import Address, Numbering, Outcomes
from kb.store import Store

START = f"{FOLDER}start.js"
"""The file that says what the others are; loaded with the page."""
_FIRST = 10
"""Entries shown before anything is asked: the newest."""


Known = Callable[[str, Callable[[], Document]], Document]
"""What a document becomes, by a digest of it, if that is known; else what the function makes."""


def shards(
    store: Store,
    address: Address,
    outcomes: Outcomes | None = None,
    known: Known = lambda _digest, make: make(),
) -> dict[str, bytes]:
    """Path below the site's root -> content. `address` gives the page of a document, relative to the site's root;
    `outcomes` the number of claims by outcome of each evaluation, if others than the derived file's.
    """
    shown = store.outcomes() if outcomes is None else outcomes
    files = _Files()
    start = _filled(files, store, tables.numbering(store), address, shown, known)
    start["build"] = files.digest()
    return {**files.found, START: content("start", start)}


class _Files:
    """Data files on their way."""

    def __init__(self) -> None:
        self.found: dict[str, bytes] = {}

    def add(self, name: str, data: Any) -> None:
        self.found[f"{FOLDER}{name}.js"] = content(name, data)

    def family(self, name: str, groups: list[list[Row]]) -> list[Any]:
        """Several files; the first key of each."""
        for number, group in enumerate(groups):
            self.add(f"{name}/{number}", [row.value for row in group])
        return [group[0].key for group in groups]

    def lines(self, name: str, groups: list[list[Row]]) -> list[Any]:
        """The same with keys and text values as lines of one string: read at once, and searched as it is."""
        for number, group in enumerate(groups):
            lines = (f"{row.key}\t{row.value}" if row.value else row.key for row in group)
            self.add(f"{name}/{number}", "".join(("\n", *(f"{line}\n" for line in lines))))
        return [group[0].key for group in groups]

    def numbered(self, name: str, found: dict[str, Any]) -> dict[str, int]:
        """One file for each field, by number: fields of tools have any name."""
        for number, data in enumerate(found.values()):
            self.add(f"{name}/{number}", data)
        return {field: number for number, field in enumerate(found)}

    def digest(self) -> str:
        """What tells one build of the files from another."""
        digest = blake2b(digest_size=6)
        for name, data in sorted(self.found.items()):
            digest.update(name.encode() + b"\0" + data)
        return digest.hexdigest()


def _filled(
    files: _Files, store: Store, numbers: Numbering, address: Address, outcomes: Outcomes, known: Known
) -> dict[str, Any]:
    """Every file but the first, and what the first says of them."""
    found = postings(_document(columns, known) for columns in _columns(store, numbers))
    facets = tables.facets(store, numbers, outcomes)
    records = tables.records(store, numbers, address, outcomes)
    documents = tables.documents(numbers, found.lengths)
    files.add("documents", documents)
    files.add("shown", {field: tables.facet(facets.get(field, {})) for field in tables.SHOWN})
    files.add("vocabulary", tables.vocabulary(store))
    files.lines("places", found.places)
    return {
        "documents": len(numbers.heads),
        "entries": len(numbers.entry),
        "tokens": sum(found.lengths),
        "kinds": store.kinds(),
        "fields": dict(sorted(store.fields().items())),
        "kind_fields": _kind_fields(store),
        "facets": files.numbered("facets", {f: tables.facet(v) for f, v in facets.items() if f not in tables.SHOWN}),
        "numbers": files.numbered("numbers", tables.numbers_by_field(store, numbers)),
        "terms": files.lines("terms", found.terms),
        "words": files.lines("words", tables.words(store, (row.key for group in found.terms for row in group))),
        "names": files.family("names", tables.names(store, numbers)),
        "records": rising(files.family("records", records)),
        "counts": tables.counts(facets),
        "newest": _newest(numbers, records),
    }


def _document(columns: tuple[str, ...], known: Known) -> Document:
    digest = blake2b("\0".join(columns).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return known(digest, partial(document, columns))


def _columns(store: Store, numbers: Numbering) -> Iterator[tuple[str, ...]]:
    """The text columns of every document as they are indexed, in order."""
    for start in range(0, len(numbers.heads), 500):
        rids = [head.rid for head in numbers.heads[start : start + 500]]
        marks = ",".join("?" * len(rids))
        rows = store.rows(f"SELECT rowid, {', '.join(WEIGHTS)} FROM text WHERE rowid IN ({marks})", rids)
        found = {rid: columns for rid, *columns in rows}
        yield from (tuple(found[rid]) for rid in rids)


def _kind_fields(store: Store) -> dict[str, list[str]]:
    """The fields that records of each kind have."""
    found: dict[str, set[str]] = {}
    for table in ("facets", "numbers"):
        sql = f"SELECT DISTINCT records.kind, field FROM {table} JOIN records USING (rid)"
        for kind, field in store.rows(sql):
            found.setdefault(kind, set()).add(field)
    return {kind: sorted(fields) for kind, fields in sorted(found.items())}


def _newest(numbers: Numbering, records: list[list[Row]]) -> list[Any]:
    """The newest entries, as a list shows them."""
    rows = [row.value[: tables.HEAD] for group in records for row in group]
    originals = [n for n, head in enumerate(numbers.heads) if head.rid & 15 == 0]
    originals.sort(key=lambda n: numbers.heads[n].id)
    originals.sort(key=lambda n: numbers.heads[n].date or "", reverse=True)
    return [rows[n] for n in originals[:_FIRST]]
