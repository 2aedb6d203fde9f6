"""Token -> documents and places: what FTS5 has of the same columns, as text.

Two families of files with the same cuts. `terms/N` says for a token in which documents it is, how much it weighs there
(the sum of its columns' weights: all that a score needs) and whether it is in the title. `places/N` says where; only
phrases and `title:`, `claim:` and the like ask for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import sub
from typing import Any, NamedTuple

from kb.search.rank import WEIGHTS
from kb.site.search.files import Row, cut, order
from kb.site.search.packing import SIGNS, pack

COLUMN_BITS = {"body": 1, "claims": 2, "facts": 4, "names": 8, "tags": 16, "title": 32, "ident": 64, "title_names": 128}
"""How the columns of a place are named, commonest lowest: six of them fit into one sign."""
_PLACE = 1 << 24
"""More than a column has tokens."""
_COLUMNS = [(WEIGHTS[name], COLUMN_BITS[name]) for name in WEIGHTS]
_IN_TITLE = COLUMN_BITS["title"] | COLUMN_BITS["title_names"]


class Postings(NamedTuple):
    """The postings of every token, and the length of every document in tokens."""

    terms: list[list[Row]]
    places: list[list[Row]]
    lengths: list[int]


Document = list[Any]
"""Length in tokens; the tokens, a line each; of each, between tabs, what `terms` and what `places` say of it."""


def postings(documents: Iterable[Document]) -> Postings:
    """The postings of documents in order."""
    found: dict[str, list[Any]] = {}  # last document, terms, places
    lengths = []
    for number, (length, tokens, weights, places) in enumerate(documents):
        lengths.append(length)
        if not tokens:
            continue
        for token, weight, where in zip(tokens.split("\n"), weights.split("\t"), places.split("\t"), strict=True):
            if (posting := found.get(token)) is None:
                found[token] = [number, [SIGNS[number] + weight], [where]]
            else:
                posting[1].append(SIGNS[number - posting[0]] + weight)
                posting[2].append(where)
                posting[0] = number
    joined = [(token, "".join(each[1]), each[2]) for token, each in found.items()]
    joined.sort(key=lambda row: order(row[0]))
    terms = cut(Row(token, text, len(text) + len(token)) for token, text, _ in joined)
    places_of = iter(joined)
    return Postings(terms, [[_places(next(places_of)) for _ in group] for group in terms], lengths)


def _places(row: tuple[str, str, list[str]]) -> Row:
    return Row(row[0], "".join(row[2]), 0)


def document(columns: Sequence[str]) -> Document:
    """A document given as its text columns in the order of WEIGHTS."""
    length = 0
    found: dict[str, list[int]] = {}
    for column, text in enumerate(columns):
        tokens = text.split()
        length += len(tokens)
        for place, token in enumerate(tokens, column * _PLACE):
            found.setdefault(token, []).append(place)
    said = [_where(each) for each in found.values()]
    weights = "\t".join([SIGNS[2 * weight + bool(bits & _IN_TITLE)] for weight, bits, _ in said])
    return [length, "\n".join(found), weights, "\t".join([where for _, _, where in said])]


def _where(places: list[int]) -> tuple[int, int, str]:
    """Weight of a token in a document, the columns it is in, and its places as text."""
    column = places[0] // _PLACE
    weight, bit = _COLUMNS[column]
    if len(places) == 1:  # most are
        return weight, bit, f"{SIGNS[bit]} {SIGNS[places[0] - column * _PLACE]}"
    if places[-1] // _PLACE == column:
        return weight * len(places), bit, SIGNS[bit] + _run(places, column)
    return _in_several(places)


def _in_several(places: list[int]) -> tuple[int, int, str]:
    """The same of a token in several columns; their runs lie in the order of the columns' bits."""
    weight = bits = 0
    runs = []
    for column, each in groupby(places, key=_PLACE.__rfloordiv__):
        run = list(each)
        column_weight, bit = _COLUMNS[column]
        weight += column_weight * len(run)
        bits |= bit
        runs.append((bit, _run(run, column)))
    return weight, bits, SIGNS[bits] + "".join([run for _, run in sorted(runs)])


def _run(places: list[int], column: int) -> str:
    """How many more than one, the first place, and the steps to the others."""
    return pack([len(places) - 1, places[0] - column * _PLACE, *map(sub, places[1:], places)])
