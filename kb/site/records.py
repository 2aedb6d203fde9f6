"""Records of a base as `kb.library` reads them, without reading again what lies on disk as it did at the last build.

What was read of a file is kept as JSON by the file's content: text, lists and tables, as they came out of YAML. It goes
through the same models as ever, an evaluation only when somebody asks for more than its head: of a thousand records a
build after one change looks into a few.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from pydantic import ConfigDict, create_model

from kb import rivals
from kb.alike import Alike
from kb.config import Config
from kb.evaluation import Evaluation
from kb.frontmatter import FormError
from kb.library import Library, model_of, open_library, table_of, text_of
from kb.model import Model
from kb.once import known, once
from kb.reading import AnyRecord, Loaded, Sheet, parted, read
from kb.results import FILE as RESULTS
from kb.site.aspects import aspects
from kb.site.aspects import kept as kept_aspects
from kb.store.kept import Kept

NAME = "record"
HEAD = (
    "schema_version",
    "id",
    "title",
    "aliases",
    "kind",
    "question",
    "date",
    "language",
    "owner",
    "relations",
    "signals",
)
"""Fields of an evaluation that are looked at in every build."""
_FIELDS = "its fields as JSON, and the parts read so far"


def library(config: Config, kept: Kept) -> Library:
    """Every record of a base and its mounts."""
    reader = _Reader(kept)
    found = open_library(config, reader)
    kept.only(NAME, reader.used)
    return found


@dataclass
class _Reader:
    """Reads one file, or finds what was read of the same content."""

    kept: Kept
    used: set[str] = field(default_factory=set)

    def __call__(self, path: Path, shown: str, alike: Alike) -> Loaded:
        """Raises Unreadable."""
        model, text, attached = model_of(path), text_of(path, shown), cache(partial(table_of, path))
        try:
            table = attached() if model is Evaluation and RESULTS in text else ""
        except FormError:
            return read(model, shown, text, attached, alike=alike)
        key = sha256(f"{model.__name__}\0{text}\0{table}".encode("utf-8", "replace")).hexdigest()
        if key in self.kept.digests(NAME):
            found = _again(model, shown, text, self.kept.value(NAME, key), alike)
        else:
            found = self._anew(model, shown, text, attached, key, alike)
        self.used.add(key)
        return found

    def _anew(self, model: type[Model], shown: str, text: str, attached: Any, key: str, alike: Alike) -> Loaded:
        fields: list[str] = []
        found = read(model, shown, text, attached, lambda given: fields.append(json.dumps(given)), alike)
        sheet = [found.sheet.first, found.sheet.lines] if found.sheet else None
        self.kept.put(NAME, key, {"fields": fields[0], "head": _head(found, fields[0]), "sheet": sheet})
        return found


def _again(model: type[Model], shown: str, text: str, row: dict[str, Any], alike: Alike) -> Loaded:
    """A record as it was read before."""
    parts = parted(shown, text)
    sheet = Sheet(row["sheet"][0], tuple(row["sheet"][1])) if row["sheet"] else None
    if model is Evaluation:
        record: Model = _unopened(row["fields"], row["head"], alike)
    else:
        record = model.model_validate(json.loads(row["fields"]), context=alike)
    return Loaded(
        cast(AnyRecord, record), shown, parts.front, parts.front_line, parts.body, parts.body_line, sheet=sheet
    )


# Evaluations


@once
def claim_ids(evaluation: Evaluation) -> tuple[str, ...]:
    """Ids of its claims."""
    return tuple(claim.id for claim in evaluation.claims)


@once
def components_of(evaluation: Evaluation) -> tuple[str, ...]:
    """Components that an evaluation's arms name."""
    setups = [evaluation.setup, *(arm.setup for arm in evaluation.arms)]
    pins = [pin for setup in setups if setup for pin in setup.pins().values()]
    return tuple(dict.fromkeys(pin.component for pin in pins if pin.component))


def _head(loaded: Loaded, fields: str) -> dict[str, Any] | None:
    """What can be said of an evaluation without opening it."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return None
    given = json.loads(fields)
    question, connectors = cast(tuple[str | None, Iterable[str]], rivals.asks(record))
    return {
        "fields": {name: given[name] for name in HEAD if name in given},
        "given": sorted(record.model_fields_set),
        "asks": [question, sorted(connectors)],
        "claims": claim_ids(record),
        "components": components_of(record),
        "aspects": aspects(loaded),
    }


class Unopened(Evaluation):
    """An evaluation of which only the head has been looked at; asked for more it turns into the whole one."""

    model_config = ConfigDict(defer_build=True)

    def __getattr__(self, name: str) -> Any:
        if name in Evaluation.model_fields:
            return getattr(_opened(self), name)
        return super().__getattr__(name)  # type: ignore[misc]

    def __copy__(self) -> Any:
        return _opened(self).__copy__()

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Any:
        return _opened(self).__deepcopy__(memo)

    def forget(self) -> None:
        _opened(self).forget()

    def __eq__(self, other: object) -> bool:
        return _opened(self) == other

    def __hash__(self) -> int:
        return hash(_opened(self))

    def __iter__(self) -> Any:
        return iter(_opened(self))

    def __repr__(self) -> str:
        return repr(_opened(self))

    def model_dump(self, **how: Any) -> dict[str, Any]:
        return _opened(self).model_dump(**how)

    def model_dump_json(self, **how: Any) -> str:
        return _opened(self).model_dump_json(**how)


def _unopened(fields: str, head: dict[str, Any], alike: Alike) -> Unopened:
    made = Unopened.__new__(Unopened)
    given = set(head["given"])
    absent = {name: value for name, value in _defaults().items() if name not in given}
    _put(made, absent | vars(_head_model().model_validate(head["fields"])) | {_FIELDS: (fields, alike)}, given)
    question, connectors = head["asks"]
    known(made, rivals.asks, (question, frozenset(connectors)))
    known(made, claim_ids, tuple(head["claims"]))
    known(made, components_of, tuple(head["components"]))
    kept_aspects(made, head["aspects"])
    return made


def _opened(record: Unopened) -> Evaluation:
    """The same object, whole: what was worked out of it stays with it."""
    fields, alike = vars(record).pop(_FIELDS)
    whole = Evaluation.model_validate(json.loads(fields), context=alike)
    _put(record, {**vars(whole), **vars(record)}, set(whole.model_fields_set))  # in the order of the model's fields
    object.__setattr__(record, "__class__", Evaluation)
    return record


def _put(record: Unopened, fields: dict[str, Any], given: set[str]) -> None:
    object.__setattr__(record, "__dict__", dict(fields))
    object.__setattr__(record, "__pydantic_fields_set__", given)
    object.__setattr__(record, "__pydantic_extra__", None)
    object.__setattr__(record, "__pydantic_private__", None)


@lru_cache(maxsize=1)
def _defaults() -> dict[str, Any]:
    """What the fields are that a record does not give."""
    return {name: each.default for name, each in Evaluation.model_fields.items() if not each.is_required()}


@lru_cache(maxsize=1)
def _head_model() -> type[Model]:
    fields: dict[str, Any] = {
        name: (Evaluation.model_fields[name].annotation, Evaluation.model_fields[name]) for name in HEAD
    }
    return create_model("Head", __base__=Model, **fields)
