"""The derived file as static files. Only the records decide a byte: no time, and no number of the file's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from itertools import chain
from typing import Any

from kb.search.rank import WEIGHTS
from kb.site.search import tables
from kb.site.search.files import FOLDER, Row, content
from kb.site.search.packing import pack, rising
from kb.site.search.postings import block, postings
from kb.site.search.tables import Address, Numbering, Outcomes
from kb.store import Head, Store

START = f"{FOLDER}start.js"
"""The file that says what the others are; loaded with the page."""
_FIRST = 10
"""Entries shown before anything is asked: the newest."""


Known = Callable[[str, Callable[[], list[Any]]], list[Any]]
"""What some documents become, by a digest of them, if that is known; else what the function makes."""
_BLOCK = 32
"""Documents that are kept as one, on average: fewer cost more to join, more cost more to make where one changed."""


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
        """Several files of a list each; the first key of each."""
        return self.several(name, groups, lambda group: [row.value for row in group])

    def several(self, name: str, groups: list[list[Row]], file: Callable[[list[Row]], Any]) -> list[Any]:
        """Several files, each made of its rows; the first key of each."""
        for number, group in enumerate(groups):
            self.add(f"{name}/{number}", file(group))
        return [group[0].key for group in groups]

    def lines(self, name: str, groups: list[list[Row]]) -> list[Any]:
        """The same with keys and text values as lines of one string: read at once, and searched as it is."""
        return self.several(name, groups, _lines)

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
    blocks = [_block(documents, known) for documents in _blocks(store, numbers)]
    found = postings(inside for inside, _ in blocks)
    facets = tables.facets(store, numbers, outcomes)
    newest = tables.newest(numbers)
    files.add("any", {"documents": tables.documents(numbers, found.lengths), "vocabulary": tables.vocabulary(store)})
    files.add("newest", pack(newest))
    files.add("languages", tables.languages(numbers))
    files.add("shown", {field: tables.facet(facets.get(field, {})) for field in tables.SHOWN})
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
        "heads": rising(files.several("heads", tables.heads(numbers, address, outcomes), tables.head_file)),
        "texts": rising(files.family("texts", tables.text_files(chain.from_iterable(texts for _, texts in blocks)))),
        "counts": tables.counts(facets),
        "newest": _newest(store, [numbers.heads[n] for n in newest], address, outcomes),
    }


def _lines(group: list[Row]) -> str:
    lines = (f"{row.key}\t{row.value}" if row.value else row.key for row in group)
    return "".join(("\n", *(f"{line}\n" for line in lines)))


def _block(documents: Sequence[tuple[str, ...]], known: Known) -> list[Any]:
    """Postings and texts of some documents."""
    digest = blake2b(digest_size=16)
    for each in chain.from_iterable(documents):
        digest.update(each.encode("utf-8", "surrogatepass") + b"\0")
    return known(digest.hexdigest(), partial(_made, documents))


def _made(documents: Sequence[tuple[str, ...]]) -> list[Any]:
    count = len(WEIGHTS)
    return [block([each[:count] for each in documents]), [tables.texts(*each[count:]) for each in documents]]


def _blocks(store: Store, numbers: Numbering) -> Iterator[list[tuple[str, ...]]]:
    """The text columns of every document as they are indexed, its claims and its body, in order. Where one begins is in
    the ids, so that a record that comes or goes leaves the others alone.
    """
    rids: list[int] = []
    for head in numbers.heads:
        if rids and blake2b(head.id.encode("utf-8", "surrogatepass"), digest_size=2).digest()[0] < 256 // _BLOCK:
            yield _columns(store, rids)
            rids = []
        rids.append(head.rid)
    if rids:
        yield _columns(store, rids)


def _columns(store: Store, rids: list[int]) -> list[tuple[str, ...]]:
    marks = ",".join("?" * len(rids))
    rows = store.rows(f"SELECT rowid, {', '.join(WEIGHTS)} FROM text WHERE rowid IN ({marks})", rids)
    columns = {rid: each for rid, *each in rows}
    rows = store.rows(f"SELECT rid, claims, body FROM texts WHERE rid IN ({marks})", rids)
    texts = {rid: each for rid, *each in rows}
    return [(*columns[rid], *texts[rid]) for rid in rids]


def _kind_fields(store: Store) -> dict[str, list[str]]:
    """The fields that records of each kind have."""
    found: dict[str, set[str]] = {}
    for table in ("facets", "numbers"):
        sql = f"SELECT DISTINCT records.kind, field FROM {table} JOIN records USING (rid)"
        for kind, field in store.rows(sql):
            found.setdefault(kind, set()).add(field)
    return {kind: sorted(fields) for kind, fields in sorted(found.items())}


def _newest(store: Store, heads: list[Head], address: Address, outcomes: Outcomes) -> list[Any]:
    """The newest entries, as a list shows them."""
    originals = [head for head in heads if head.rid & 15 == 0][:_FIRST]
    return [tables.shown(store, head, address(head), outcomes) for head in originals]
