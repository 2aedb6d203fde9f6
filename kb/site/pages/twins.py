"""A record as JSON: as stored, with what was judged of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kb.evaluation import Evaluation
from kb.library import KIND_OF
from kb.model import RecordModel
from kb.site import address
from kb.site.gather import Gathered
from kb.site.page import File, Page
from kb.vocabulary import Kind


def twin(path: str, record: RecordModel, gathered: Gathered) -> File:
    """The file beside a record's page."""
    loaded = gathered.loaded(record)
    found: dict[str, Any] = {**record.stored(), "record_kind": KIND_OF[type(record)].value, "body": loaded.body}
    if isinstance(record, Evaluation):
        found["languages"] = [each.lang for each in gathered.languages(record)]
        verdicts = gathered.own.get(record.id, ())
        found["verdicts"] = [{key: each[key] for key in each if key != "table"} for each in verdicts]
        pointers = gathered.pointers.get(record.id, ())
        found["relations_in"] = [{"relation": each.relation, "id": each.id} for each in pointers]
    found["path"] = loaded.path
    return File(path, as_json(found))


def with_page(kind: Kind, record: Any, values: dict[str, Any], gathered: Gathered) -> Iterator[Page | File]:
    """The page of a change, component or deployment, and its JSON beside it."""
    file = twin(f"{address.folder(kind, record.id)}/record.json", record, gathered)
    yield Page(
        address.page(kind, record.id),
        kind.value,
        record.title,
        values,
        section=f"{kind.value}s",
        description=record.summary or "",
        twins=(("application/json", file.path),),
    )
    yield file


def as_json(value: Any) -> bytes:
    """Data as a file, on one line: laid out it takes the encoder many times as long. Endless numbers are text."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode("utf-8", "replace")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return str(value) if isinstance(value, float) and value - value != 0 else value
