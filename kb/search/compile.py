"""A query -> one FTS5 MATCH and SQL conditions. Text is matched in the index; numbers, days and vocabulary are SQL.

Conditions speak of `{rid}` and `{entry}`, which the statement around them fills in. What is said of an entry (facets,
numbers) holds for all its documents: they meet at the original's rid, `rid & -16` (see kb.store.schema).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kb.errors import QueryError
from kb.search import match
from kb.search.fields import version_numbers
from kb.search.query import And, Facet, Not, Or, Query, Range, Text, Versions
from kb.search.values import resolved
from kb.store import Store
from kb.tokens import tokens

_MOST_PARTS = 250
"""Leaves of a query; SQLite's own limits lie above."""

Parameter = str | float


class Condition(NamedTuple):
    """One SQL condition on the document `{rid}` or its original `{entry}`."""

    sql: str
    parameters: tuple[Parameter, ...] = ()
    entries: str = ""
    """The statement that gives the originals it holds of, where it is one."""


class Compiled(NamedTuple):
    """What to ask the store: documents that match `match` (where there is one) and every condition."""

    match: str | None
    conditions: tuple[Condition, ...]
    wanted: tuple[str, ...]
    """Expressions that documents are ranked by: those of `match`, or the words wanted in conditions; often none."""
    typed: tuple[str, ...]
    """Tokens of the words that were typed, without the terms' other names."""
    by_document: bool
    """Whether documents of one entry can differ in whether they match (text and language do that)."""


class _Piece(NamedTuple):
    """Part of a query: text alone (`match`), or a condition with the text wanted in it."""

    match: str | None = None
    condition: Condition | None = None
    without: str | None = None
    """Text that must not match; a condition where no text stands beside it."""
    wanted: tuple[str, ...] = ()
    by_document: bool = False


EVERYTHING = Condition("1")


def compiled(store: Store, query: Query, kind: str | None = None) -> Compiled:
    """What to ask the store, of entries of one kind if one is given. Raises QueryError where `query` asks nothing."""
    _check_size(query)
    pieces = _pieces(store, _flat(query))
    if not pieces and query != And(()):
        raise QueryError("nothing to search for: no letters or digits", 0, "type a word, or * for everything")
    if kind:
        pieces.append(_filter(store, Facet("kind", kind)))
    found = _match(pieces)
    conditions = tuple(_condition(piece) for piece in pieces if not (found and (piece.match or piece.without)))
    wanted = tuple(word for piece in pieces for word in ([piece.match] if piece.match else piece.wanted))
    return Compiled(found, conditions, wanted, tuple(_typed(query)), any(piece.by_document for piece in pieces))


def _typed(query: Query) -> Iterator[str]:
    if isinstance(query, Text):
        yield from tokens(query.text)
    elif isinstance(query, And | Or):
        for part in query.parts:
            yield from _typed(part)


def _flat(query: Query) -> tuple[Query, ...]:
    """The AND-ed parts of a query; `*` stays one, so that it is not mistaken for nothing."""
    return (
        tuple(part for each in query.parts for part in _flat(each))
        if isinstance(query, And) and query.parts
        else (query,)
    )


def _pieces(store: Store, parts: Iterable[Query]) -> list[_Piece]:
    """Pieces of AND-ed parts. Free words that stand side by side are read together: they may name a term."""
    pieces: list[_Piece] = []
    free: list[str] = []
    for part in (*parts, None):
        if isinstance(part, Text) and part.field is None and part.how == "word":
            free.append(part.text)
            continue
        pieces += [_Piece(each, by_document=True) for each in match.words(store, " ".join(free))]
        free.clear()
        piece = part and _piece(store, part)
        pieces += [piece] if piece else []
    return pieces


def _piece(store: Store, query: Query) -> _Piece | None:
    if isinstance(query, Text):
        found = match.text(store, query)
        return _Piece(found, by_document=True) if found else None
    if isinstance(query, And):
        return _and(_pieces(store, _flat(query))) if query.parts else _Piece(condition=EVERYTHING)
    if isinstance(query, Or):
        return _or([piece for part in query.parts if (piece := _piece(store, part))])
    if isinstance(query, Not):
        piece = _piece(store, query.part)
        return piece and _not(store, piece)
    return _filter(store, query)


def _and(pieces: list[_Piece]) -> _Piece | None:
    if all(piece.match or piece.without for piece in pieces) and (found := _match(pieces)):
        return _Piece(found, by_document=True)
    return _joined(" AND ", pieces) if pieces else None


def _match(pieces: list[_Piece]) -> str | None:
    """One expression of the text that must and must not match; None where no text must."""
    matches = [piece.match for piece in pieces if piece.match]
    without = [piece.without for piece in pieces if piece.without]
    if not matches:
        return None
    found = match.all_of(matches)
    return f"({found} NOT {match.any_of(without)})" if without else found


def _or(pieces: list[_Piece]) -> _Piece | None:
    matches = [piece.match for piece in pieces if piece.match]
    if len(matches) == len(pieces):
        return _Piece(match.any_of(matches), by_document=True) if matches else None
    return _joined(" OR ", pieces)


def _not(store: Store, piece: _Piece) -> _Piece:
    """Entries none of whose documents meet the piece: who leaves a word out means it in every language."""
    if not store.has_translations:
        return _not_document(piece)
    if piece.match:
        return _none_of("SELECT rowid & -16 FROM text WHERE text MATCH ?", (piece.match,))
    inner = _condition(piece)
    if not piece.by_document:
        return _not_document(piece)
    where = inner.sql.format(rid="records.rid", entry="(records.rid & -16)")
    return _none_of(f"SELECT rid & -16 FROM records WHERE {where}", inner.parameters)


def _none_of(statement: str, parameters: tuple[Parameter, ...]) -> _Piece:
    return _Piece(condition=Condition(f"{{entry}} NOT IN ({statement})", parameters))


def _not_document(piece: _Piece) -> _Piece:
    """The same where every entry has one document, or the piece holds of entries."""
    if piece.match:
        return _Piece(without=piece.match, by_document=True)
    if piece.without:
        return _Piece(piece.without, by_document=True)
    inner = _condition(piece)
    return _Piece(condition=Condition(f"NOT {inner.sql}", inner.parameters), by_document=piece.by_document)


def _joined(word: str, pieces: list[_Piece]) -> _Piece:
    inner = [_condition(piece) for piece in pieces]
    joined = Condition(f"({word.join(c.sql for c in inner)})", tuple(p for c in inner for p in c.parameters))
    wanted = tuple(w for piece in pieces for w in ([piece.match] if piece.match else piece.wanted))
    return _Piece(condition=joined, wanted=wanted, by_document=any(piece.by_document for piece in pieces))


def _condition(piece: _Piece) -> Condition:
    """A piece as a condition; text alone becomes the set of documents that match it."""
    if piece.condition:
        return piece.condition
    sign, text = ("IN", piece.match) if piece.match else ("NOT IN", piece.without)
    return Condition(f"{{rid}} {sign} (SELECT rowid FROM text WHERE text MATCH ?)", (text or "",))


def _filter(store: Store, query: Facet | Range | Versions) -> _Piece:
    if isinstance(query, Range):
        return _Piece(condition=_range(query))
    if isinstance(query, Versions):
        return _Piece(condition=_versions(store, query))
    if query.field == "lang":
        return _Piece(
            condition=Condition("{rid} IN (SELECT rid FROM records WHERE lang = ?)", (query.value,)), by_document=True
        )
    if query.field == "outcome":
        ids = "SELECT id FROM outcomes WHERE outcome = ?"
        entries = f"SELECT rid & -16 FROM records WHERE id IN ({ids})"
        return _Piece(condition=_entries(entries, (query.value.casefold(),)))
    return _Piece(condition=_values(query.field, resolved(store, query)))


def _values(field: str, values: list[str]) -> Condition:
    if not values:
        return Condition("0")
    marks = ", ".join("?" * len(values))
    chosen = f"value IN ({marks})" if len(values) > 1 else "value = ?"
    return _entries(f"SELECT rid & -16 FROM facets WHERE field = ? AND {chosen}", (field, *values))


def _entries(statement: str, parameters: tuple[Parameter, ...]) -> Condition:
    return Condition(f"{{entry}} IN ({statement})", parameters, statement)


def _range(query: Range) -> Condition:
    """Numbers and ranges that overlap the range asked for."""
    sql, parameters = "field = ?", [query.field]
    ends = (("high", ">" if query.open_low else ">=", query.low), ("low", "<" if query.open_high else "<=", query.high))
    bounds: list[Parameter] = []
    for column, sign, end in ends:
        if abs(end) != float("inf"):
            sql += f" AND {column} {sign} ?"
            bounds.append(end)
    return _entries(f"SELECT rid & -16 FROM numbers WHERE {sql}", (*parameters, *bounds))


def _versions(store: Store, query: Versions) -> Condition:
    values = [v for (v,) in store.rows("SELECT value FROM facet_values WHERE field = ?", [query.field])]
    return _values(query.field, [value for value in values if _inside(query, value)])


def _inside(query: Versions, value: str) -> bool:
    numbers = version_numbers(value)
    if numbers is None:
        return False
    above = query.low is None or numbers > query.low or (numbers == query.low and not query.open_low)
    return above and (query.high is None or numbers < query.high or (numbers == query.high and not query.open_high))


def _check_size(query: Query) -> None:
    if _size(query) > _MOST_PARTS:
        raise QueryError("the query has too many parts", 0, f"use at most {_MOST_PARTS}")


def _size(query: Query) -> int:
    if isinstance(query, And | Or):
        return sum(map(_size, query.parts))
    return _size(query.part) if isinstance(query, Not) else 1
