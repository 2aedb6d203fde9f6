"""How many hits have each value of a field."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kb.errors import QueryError
from kb.search.compile import Compiled
from kb.search.fields import FIELDS
from kb.search.rank import every
from kb.store import Store


def counted(store: Store, fields: Sequence[str], asked: Compiled) -> dict[str, dict[str, int]]:
    """Entries among the hits by value, for each field; the commonest value first."""
    for field in fields:
        _check(store, field)
    entries = json.dumps(every(store, asked)) if fields else "[]"
    return {field: _counts(store, field, entries) for field in fields}


def _counts(store: Store, field: str, entries: str) -> dict[str, int]:
    return dict(
        store.rows(_STATEMENTS.get(field, _FACETS), [field, entries] if field not in _STATEMENTS else [entries])
    )


_FACETS = """
SELECT value, count(DISTINCT rid >> 4) FROM facets
WHERE field = ? AND rid >> 4 IN (SELECT value FROM json_each(?)) GROUP BY value ORDER BY 2 DESC, 1
"""
_LANG = """
SELECT lang, count(DISTINCT rid >> 4) FROM records
WHERE rid >> 4 IN (SELECT value FROM json_each(?)) GROUP BY lang ORDER BY 2 DESC, 1
"""
_OUTCOME = """
SELECT o.outcome, count(DISTINCT o.id) FROM outcomes o JOIN records r ON r.id = o.id
WHERE r.rid >> 4 IN (SELECT value FROM json_each(?)) GROUP BY o.outcome ORDER BY 2 DESC, 1
"""
_STATEMENTS = {"lang": _LANG, "outcome": _OUTCOME}


def _check(store: Store, field: str) -> None:
    if FIELDS.get(field) == "facet":
        return
    known = [name for name, kind in {**FIELDS, **store.fields()}.items() if kind == "facet"]
    if field not in known:
        from kb.suggest import did_you_mean

        raise QueryError(f'no facet "{field}"', 0, did_you_mean(field, known) or f"one of {', '.join(known)}")
