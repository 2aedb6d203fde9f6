"""Token -> documents and places: what FTS5 has of the same columns, as text.

Two families of files with the same cuts. `terms/N` says for a token in which documents it is, how much it weighs there
(the sum of its columns' weights: all that a score needs) and whether it is in the title. `places/N` says where; only
phrases and `title:`, `claim:` and the like ask for that.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from itertools import chain, groupby, repeat
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


Block = list[Any]
"""Documents beside each other: their lengths in tokens; the tokens, a line each; of each the first and the last
document that has it, counted from the first; between tabs, what `terms` says from the first's weight on, and `places`.
"""
Document = list[Any]
"""Length in tokens; the tokens, a line each; of each, between tabs, its weight and what `places` says of it."""


def postings(blocks: Iterable[Block]) -> Postings:
    """The postings of blocks in order."""
    found: defaultdict[str, list[Any]] = defaultdict(list)  # of each block its first, last, terms and places
    lengths: list[int] = []
    for inside, tokens, firsts, lasts, terms, places in blocks:
        before = len(lengths)
        lengths += inside
        ends = map(before.__add__, firsts), map(before.__add__, lasts)
        _extend(found, tokens, zip(*ends, terms.split("\t"), places.split("\t"), strict=bool(tokens)))
    order_of = sorted(found, key=order)
    groups = cut(_terms(token, found[token]) for token in order_of)
    where = [[Row(row.key, "".join(found[row.key][3::4]), 0) for row in group] for group in groups]
    return Postings(groups, where, lengths)


def _terms(token: str, posting: list[Any]) -> Row:
    steps = map(sub, posting[::4], chain((0,), posting[1::4]))
    text = "".join(chain.from_iterable(zip(map(SIGNS.__getitem__, steps), posting[2::4], strict=True)))
    return Row(token, text, len(text) + len(token))


def block(documents: Iterable[Sequence[str]]) -> Block:
    """Documents beside each other, given as `document` takes them."""
    found: defaultdict[str, list[Any]] = defaultdict(list)  # of each document its number, weight and places
    lengths = []
    for number, (length, tokens, weights, places) in enumerate(map(document, documents)):
        lengths.append(length)
        _extend(found, tokens, zip(repeat(number), weights.split("\t"), places.split("\t")))
    terms = "\t".join([_steps(each[::3], each[1::3]) for each in found.values()])
    places = "\t".join(["".join(each[2::3]) for each in found.values()])
    firsts, lasts = [each[0] for each in found.values()], [each[-3] for each in found.values()]
    return [lengths, "\n".join(found), firsts, lasts, terms, places]


def _steps(numbers: list[int], weights: list[str]) -> str:
    """The first weight, then the step to each other document and its weight."""
    steps = map(sub, numbers[1:], numbers)
    return weights[0] + "".join([SIGNS[step] + weight for step, weight in zip(steps, weights[1:], strict=True)])


def _extend(found: defaultdict[str, list[Any]], tokens: str, said: Iterable[tuple[Any, ...]]) -> None:
    if tokens:
        _exhaust(map(list.extend, map(found.__getitem__, tokens.split("\n")), said))


_exhaust = deque[object](maxlen=0).extend
"""Runs through something without a step of Python's: a large base has millions of tokens in documents."""


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
    return [length, "\n".join([filed(token) for token in found]), weights, "\t".join([where for _, _, where in said])]


def filed(token: str) -> str:
    """The name under which a token lies: who asks for a term asks for what is about it, too, so they are neighbours."""
    return f"\ue001{token[1:]}\ue003" if token[0] == "\ue003" else token


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
