"""What the derived file holds beside the text, as data: documents, facets, numbers, names, words, terms, records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
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
_SMALL, _LARGE = 14_000, 400_000
_FEW = 4
"""Files of heads that a browser loads whatever is asked; a small one may be left over (`FEW` in search-data.js)."""


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
    """Length in tokens of every document, which ones belong to the entry before them, and which are translations."""
    before = [None, *(head.rid >> 4 for head in numbers.heads)]
    return {
        "lengths": pack(lengths),
        "further": rising(n for n, head in enumerate(numbers.heads) if head.rid >> 4 == before[n]),
        "translations": rising(n for n, head in enumerate(numbers.heads) if head.rid & 15),
    }


def languages(numbers: Numbering) -> dict[str, Any]:
    """The language of every document."""
    langs = sorted({head.lang for head in numbers.heads})
    place = {lang: n for n, lang in enumerate(langs)}
    return {"langs": langs, "lang": pack(place[head.lang] for head in numbers.heads)}


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
    entry = {rid: numbers.entry[rid >> 4] for rid in numbers.document}
    rows = store.rows("SELECT field, low, high, rid FROM numbers ORDER BY field, low, high")
    return {field: _ranges(list(each), entry) for field, each in groupby(rows, itemgetter(0))}


def _ranges(rows: Sequence[tuple[str, float, float, int]], entry: Mapping[int, int]) -> dict[str, Any]:
    """Numbers in order as data: their ends, and by entry where among these they lie. By columns, as there are many."""
    _, lows, highs, rids = zip(*rows, strict=True)
    values = sorted({*lows, *highs})
    place = {value: n for n, value in enumerate(values)}
    first = [place[low] for low in lows]
    width = [place[high] - n for high, n in zip(highs, first, strict=True)]
    entries = [entry[rid] for rid in rids]
    order = sorted(range(len(rids)), key=entries.__getitem__)  # stable: the lowest first within an entry
    columns = (map(column.__getitem__, order) for column in (entries, first, width))
    distinct = dict.fromkeys(zip(*columns, strict=True))  # translations have the numbers of their originals
    flat_rows: list[int] = []
    before = 0
    for number, low, wide in distinct:
        flat_rows += (number - before, low, wide)
        before = number
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


def vocabulary(store: Store) -> str:
    """Terms with their names as lines: a blank one, the token that stands for the term, and of each name key, tab and
    the name where it is another than the key.
    """
    rows = sorted(set(store.rows("SELECT concept, name, key FROM terms")))
    lines = []
    for concept, names in groupby(rows, key=itemgetter(0)):
        lines += ["", concept, *(f"{key}\t{'' if key == name else _line(name)}" for _, name, key in names)]
    return "\n".join(["", *lines, "", ""])


def _line(name: str) -> str:
    return name.replace("\t", " ").replace("\n", " ")


def newest(numbers: Numbering) -> list[int]:
    """Documents by date, the newest first."""
    order = sorted(range(len(numbers.heads)), key=lambda n: (numbers.heads[n].id, n))
    order.sort(key=lambda n: numbers.heads[n].date or "", reverse=True)  # stable: ids stay in order within a day
    return order


def heads(numbers: Numbering, address: Address, outcomes: Outcomes) -> list[list[Row]]:
    """What a list shows of each document, as a line: title, id, date, form and outcomes; its form is kind, language and
    what its address has before and after the id.

    Hits lie all over a base, and ten small files take a browser longer than a few large ones, so up to some ten
    thousand entries they are few; of more only those are worth loading in which hits lie.
    """
    rows = [_head(n, head, address(head), outcomes) for n, head in enumerate(numbers.heads)]
    return cut(rows, _LARGE if sum(row.size for row in rows) <= _FEW * _LARGE else _SMALL)


def _head(number: int, head: Head, address: str, outcomes: Outcomes) -> Row:
    before, id_, after = address.partition(head.id)
    counts = ",".join(f"{outcome} {count}" for outcome, count in sorted(outcomes.get(head.id, {}).items()))
    form = (head.kind, head.lang, before, *([after] if id_ else []))
    value = (f"{_line(head.title)}\t{head.id}\t{head.date or ''}\t", form, f"\t{counts}")
    return Row(number, value, len(value[0]) + len(value[2]) + 4)


def head_file(group: Sequence[Row]) -> list[Any]:
    """One group of heads: the forms, and the lines."""
    forms = {form: n for n, form in enumerate(dict.fromkeys(row.value[1] for row in group))}
    lines = (f"{before}{forms[form]}{after}" for before, form, after in (row.value for row in group))
    return [list(forms), "\n".join(lines)]


def texts(claims: str, body: str) -> list[str]:
    """What snippets of a document are cut from: each claim and the body, in one line each."""
    return [flat(text[:LOOKED_AT]) for text in (*claims.split("\n"), body)]


def text_files(found: Iterable[list[str]]) -> list[list[Row]]:
    """The same of every document, in order."""
    return cut((Row(number, each, sum(map(len, each)) + 3 * len(each)) for number, each in enumerate(found)), _SMALL)


def shown(store: Store, head: Head, address: str, outcomes: Outcomes) -> list[Any]:
    """A document in the list before anything is asked."""
    [(claims, body)] = store.rows("SELECT claims, body FROM texts WHERE rid = ?", [head.rid])
    counts = dict(sorted(outcomes.get(head.id, {}).items()))
    begins = snippet((*claims.split("\n"), body), Wanted())
    return [head.id, head.kind, head.lang, head.title, head.date, address, counts, begins]
