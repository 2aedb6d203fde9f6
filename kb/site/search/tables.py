"""What the derived file holds beside the text, as data: documents, facets, numbers, names, words, terms, records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from kb.search.snippet import LOOKED_AT, Wanted, flat, snippet
from kb.site.search.files import Row, cut, order
from kb.site.search.packing import pack, rising
from kb.store import Head, Store

Address = Callable[[Head], str]
Outcomes = Mapping[str, Mapping[str, int]]

SHOWN = ("kind", "component", "model", "hardware", "topology", "outcome", "source", "lang", "year")
"""Facets beside the hits."""
_MOST_COUNTED = 60
"""Values of a facet that are counted before anything is asked."""
_SMALL = 14_000


class Numbering(NamedTuple):
    """Documents and entries numbered from 0: by id, the original first, translations by language."""

    heads: list[Head]
    document: dict[int, int]
    """rid -> document."""
    entry: dict[int, int]
    """rid >> 4 -> entry."""


def numbering(store: Store) -> Numbering:
    """The order that only the records decide, whatever history the derived file has."""
    rids = [rid for (rid,) in store.rows("SELECT rid FROM records")]
    heads = sorted(store.heads(rids).values(), key=lambda h: (order(h.id), h.rid >> 4, h.rid & 15 > 0, h.lang, h.path))
    entries = dict.fromkeys(head.rid >> 4 for head in heads)
    return Numbering(heads, {h.rid: n for n, h in enumerate(heads)}, {entry: n for n, entry in enumerate(entries)})


def documents(numbers: Numbering, lengths: list[int]) -> dict[str, Any]:
    """Length in tokens, place in its entry, language and order by date of every document."""
    langs = sorted({head.lang for head in numbers.heads})
    starts, before = [], None
    for head in numbers.heads:
        starts.append(2 * (head.rid >> 4 != before) + (head.rid & 15 == 0))
        before = head.rid >> 4
    newest = sorted(range(len(numbers.heads)), key=lambda n: (numbers.heads[n].id, n))
    newest.sort(key=lambda n: numbers.heads[n].date or "", reverse=True)  # stable: ids stay in order within a day
    return {
        "lengths": pack(lengths),
        "starts": pack(starts),
        "langs": langs,
        "lang": pack(langs.index(head.lang) for head in numbers.heads),
        "newest": pack(newest),
    }


def facets(store: Store, numbers: Numbering, outcomes: Outcomes) -> dict[str, dict[str, list[int]]]:
    """Field -> value -> entries."""
    found: dict[str, dict[str, set[int]]] = {}
    for field, value, rid in store.rows("SELECT field, value, rid FROM facets"):
        found.setdefault(field, {}).setdefault(value, set()).add(numbers.entry[rid >> 4])
    for head in numbers.heads:
        entry = numbers.entry[head.rid >> 4]
        for outcome, count in outcomes.get(head.id, {}).items():
            if count:
                found.setdefault("outcome", {}).setdefault(outcome, set()).add(entry)
        found.setdefault("lang", {}).setdefault(head.lang, set()).add(entry)
        if head.date:
            found.setdefault("year", {}).setdefault(head.date[:4], set()).add(entry)
    return {
        field: {value: sorted(entries) for value, entries in sorted(values.items())}
        for field, values in sorted(found.items())
    }


def facet(values: Mapping[str, list[int]]) -> dict[str, Any]:
    """A facet as data."""
    return {"values": list(values), "entries": [rising(entries) for entries in values.values()]}


def counts(found: Mapping[str, Mapping[str, list[int]]]) -> dict[str, list[Any]]:
    """What is beside the hits before anything is asked: per facet the commonest values with their counts, and how many
    values there are.
    """
    shown: dict[str, list[Any]] = {}
    for field in SHOWN:
        values = sorted(((-len(entries), value) for value, entries in found.get(field, {}).items()))
        shown[field] = [[[value, -count] for count, value in values[:_MOST_COUNTED]], len(values)]
    return shown


def numbers_by_field(store: Store, numbers: Numbering) -> dict[str, dict[str, Any]]:
    """Field -> numbers and ranges of numbers, with the entries that have them."""
    rows = store.rows("SELECT field, rid, low, high FROM numbers")
    found = sorted({(field, numbers.entry[rid >> 4], low, high) for field, rid, low, high in rows})
    return {field: _ranges([row[1:] for row in each]) for field, each in groupby(found, key=lambda row: row[0])}


def _ranges(rows: Sequence[tuple[int, float, float]]) -> dict[str, Any]:
    values = sorted({end for _, low, high in rows for end in (low, high)})
    place = {value: n for n, value in enumerate(values)}
    flat_rows: list[int] = []
    before = 0
    for entry, low, high in rows:
        flat_rows += (entry - before, place[low], place[high] - place[low])
        before = entry
    return {"values": [int(v) if v.is_integer() else v for v in map(float, values)], "rows": pack(flat_rows)}


_WHAT = ("id", "title", "alias")


def names(store: Store, numbers: Numbering) -> list[list[Row]]:
    """Ids, titles and aliases by the key under which spellings are the same: [key, what, entry, id, name]."""
    ids = {head.rid >> 4: head.id for head in numbers.heads}
    rows = {
        (order(key), _WHAT.index(what), numbers.entry[rid >> 4], key, ids[rid >> 4], name)
        for key, rid, what, name in store.rows("SELECT key, rid, what, name FROM names")
    }
    return cut(_name(*row) for row in sorted(rows))


def _name(_: bytes, what: int, entry: int, key: str, id_: str, name: str) -> Row:
    value = [[key, what, entry], [key, what, entry, id_, name]][what == 2] if what else [key, what, entry, id_]
    return Row(key, value, len(key) + 12 + (len(id_) + len(name) if what == 2 else len(id_)))


def words(store: Store, terms: Iterable[str]) -> list[list[Row]]:
    """Words for spelling that some document still has."""
    known = set(terms)
    found = [word for (word,) in store.rows("SELECT word FROM words") if word in known]
    return cut((Row(word, "", len(word) + 1) for word in sorted(found, key=order)), _SMALL)


def vocabulary(store: Store) -> list[list[Any]]:
    """Terms under their names: [concept, name, key], the key left out where it is the name."""
    rows = sorted(set(store.rows("SELECT concept, name, key FROM terms")))
    return [[concept[1:], name] if key == name else [concept[1:], name, key] for concept, name, key in rows]


def records(store: Store, numbers: Numbering, address: Address, outcomes: Outcomes) -> list[list[Row]]:
    """What a list shows, and what snippets are cut from: [id, kind, lang, title, date, address, outcomes, how it
    begins, [each claim, the body]], texts in one line each.
    """
    return cut((_record(n, row) for n, row in enumerate(_records(store, numbers, address, outcomes))), _SMALL)


HEAD = 8
"""Values of a record that a list shows."""


def _record(number: int, row: list[Any]) -> Row:
    return Row(number, row, sum(len(str(each)) for each in row))


def _records(store: Store, numbers: Numbering, address: Address, outcomes: Outcomes) -> Iterator[list[Any]]:
    found = {
        rid: (*claims.split("\n"), body) for rid, claims, body in store.rows("SELECT rid, claims, body FROM texts")
    }
    for head in numbers.heads:
        texts = found[head.rid]
        counts = dict(sorted(outcomes.get(head.id, {}).items()))
        shown = [head.id, head.kind, head.lang, head.title, head.date, address(head), counts, snippet(texts, Wanted())]
        yield [*shown, [flat(text[:LOOKED_AT]) for text in texts]]
