"""The whole base as one SQLite file: records, claims with their outcomes, points, relations, what changes touch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kb.evaluation import Evaluation
from kb.site.gather import Gathered
from kb.site.page import File, Later
from kb.site.pages.points import COLUMNS, cells
from kb.store.publishing import Table, published
from kb.vocabulary import Kind

NUMBERS = frozenset({"value", "low", "high", "std"})
PATH = "kb.sqlite"


def pages(gathered: Gathered) -> Iterator[Later]:
    """One file."""
    yield Later(PATH, gathered.everything, partial(_made, gathered))


def _made(gathered: Gathered) -> Iterator[File]:
    yield File(PATH, published({"records": _records(gathered), "claims": _claims(gathered), "points": _points(gathered),
                                "relations": _relations(gathered), "touches": _touches(gathered)}))  # fmt: skip


def _text(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "text")


def _evaluations(gathered: Gathered) -> Iterator[Evaluation]:
    yield from (each for each in gathered.of_kind(Kind.EVALUATION) if isinstance(each, Evaluation))


def _records(gathered: Gathered) -> Table:
    rows = [
        (kind.value, each.id, each.title, gathered.loaded(each).path, each.stored_json(), gathered.loaded(each).body)
        for kind in Kind
        for each in gathered.of_kind(kind)
    ]
    return Table(_text("kind", "id", "title", "path", "record", "body"), rows)


def _claims(gathered: Gathered) -> Table:
    rows = []
    for record in _evaluations(gathered):
        for claim in record.claims:
            if verdict := gathered.verdict(record.id, claim.id):
                because = verdict["findings"][0]["message"] if verdict["findings"] else None
                row = (record.id, claim.id, claim.kind.value, claim.says, verdict["outcome"], int(verdict["confirm"]))
                rows.append((*row, because))
    columns = _text("evaluation", "claim", "kind", "says", "outcome") | {"confirm": "integer", "because": "text"}
    return Table(columns, rows)


def _points(gathered: Gathered) -> Table:
    columns = {"evaluation": "text"} | {name: "real" if name in NUMBERS else "text" for name in COLUMNS}
    found = ((record.id, *cells(point)) for record in _evaluations(gathered) for point in record.points)
    return Table(columns, [tuple(cell or None for cell in row) for row in found])


def _relations(gathered: Gathered) -> Table:
    rows = [
        (record.id, each.relation.value, each.to, each.because)
        for record in _evaluations(gathered)
        for each in record.relations
    ]
    return Table(_text("evaluation", "relation", "to", "because"), rows)


def _touches(gathered: Gathered) -> Table:
    rows = [
        (id_, each.verdict["evaluation"], each.verdict["claim"], each.said["outcome"], each.said["message"])
        for id_, touched in sorted(gathered.touched.items())
        for each in touched
    ]
    return Table(_text("change", "evaluation", "claim", "outcome", "because"), rows)
