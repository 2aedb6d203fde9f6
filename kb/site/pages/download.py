"""The whole base as one SQLite file: records, claims with their outcomes, points, relations, what changes touch.

What follows from the same as in the file of the last build is copied out of that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from typing import Any

from kb.evaluation import Evaluation
from kb.model import RecordModel
from kb.site.gather import Gathered
from kb.site.page import File, Later, Note
from kb.site.pages import points
from kb.site.pages.points import COLUMNS
from kb.store.publishing import Part, Published, Rows, Table, published
from kb.vocabulary import Kind

NUMBERS = frozenset({"value", "low", "high", "std"})
PATH = "kb.sqlite"
KEPT = "download"


def pages(gathered: Gathered) -> Iterator[Later]:
    """One file."""
    yield Later(PATH, gathered.keys.everything, partial(_made, gathered), heavy=True)


def _made(gathered: Gathered) -> Iterator[File | Note]:
    tables = {name: make(gathered) for name, make in TABLES.items()}
    found = published(tables, _before(gathered))
    yield File(PATH, found.content)
    yield Note(KEPT, "", {"digest": sha256(found.content).hexdigest(), "counts": found.counts})


def _before(gathered: Gathered) -> Published | None:
    """The file of the last build, where it lies there as it was made."""
    if gathered.lying is None or "" not in gathered.kept.digests(KEPT):
        return None
    try:
        content = (gathered.lying / PATH).read_bytes()
    except OSError:
        return None
    kept = gathered.kept.value(KEPT, "")
    return Published(content, kept["counts"]) if sha256(content).hexdigest() == kept["digest"] else None


def _text(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "text")


def _evaluations(gathered: Gathered) -> Iterator[Evaluation]:
    yield from (each for each in gathered.of_kind(Kind.EVALUATION) if isinstance(each, Evaluation))


def _key(*parts: Any) -> str:
    return sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:24]


def _records(gathered: Gathered) -> Table:
    def rows(kind: Kind, record: RecordModel) -> Rows:
        loaded = gathered.loaded(record)
        yield kind.value, record.id, record.title, loaded.path, record.stored_json(), loaded.body

    parts = (
        Part(
            _key(kind, gathered.keys.text(gathered.loaded(each)), gathered.keys.body(gathered.loaded(each))),
            partial(rows, kind, each),
        )
        for kind in Kind
        for each in gathered.of_kind(kind)
    )
    return Table(_text("kind", "id", "title", "path", "record", "body"), parts)


def _claims(gathered: Gathered) -> Table:
    def rows(record: Evaluation) -> Rows:
        for claim in record.claims:
            if verdict := gathered.verdict(record.id, claim.id):
                because = verdict["findings"][0]["message"] if verdict["findings"] else None
                row = (record.id, claim.id, claim.kind.value, claim.says, verdict["outcome"], int(verdict["confirm"]))
                yield *row, because

    columns = _text("evaluation", "claim", "kind", "says", "outcome") | {"confirm": "integer", "because": "text"}
    parts = (
        Part(_key(gathered.keys.text(gathered.loaded(each)), gathered.own.digest(each.id)), partial(rows, each))
        for each in _evaluations(gathered)
    )
    return Table(columns, parts)


def _points(gathered: Gathered) -> Table:
    def rows(record: Evaluation) -> Rows:
        for cells in points.rows(record):
            yield record.id, *(cell or None for cell in cells)

    columns = {"evaluation": "text"} | {name: "real" if name in NUMBERS else "text" for name in COLUMNS}
    return Table(columns, _parts(gathered, rows))


def _relations(gathered: Gathered) -> Table:
    def rows(record: Evaluation) -> Rows:
        yield from ((record.id, each.relation.value, each.to, each.because) for each in record.relations)

    return Table(_text("evaluation", "relation", "to", "because"), _parts(gathered, rows))


def _parts(gathered: Gathered, rows: Any) -> Iterable[Part]:
    return (
        Part(_key(gathered.keys.text(gathered.loaded(each))), partial(rows, each)) for each in _evaluations(gathered)
    )


def _touches(gathered: Gathered) -> Table:
    def rows() -> Rows:
        for id_, touched in sorted(gathered.touched.items()):
            for each in touched:
                yield id_, *each.place, each.finding.outcome, gathered.message(each)

    whole = Part(gathered.answers, rows)
    return Table(_text("change", "evaluation", "claim", "outcome", "because"), [whole])


TABLES = {
    "records": _records,
    "claims": _claims,
    "points": _points,
    "relations": _relations,
    "touches": _touches,
}
