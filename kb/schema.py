"""JSON Schemas generated from the models, for completion, hover and checks in editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from kb.change import Change
from kb.component import Component
from kb.deployment import Deployment
from kb.evaluation import Evaluation, Translation
from kb.files import write_text
from kb.model import Model
from kb.terms import Vocabulary

MODELS: dict[str, type[Model]] = {
    "evaluation": Evaluation,
    "translation": Translation,
    "change": Change,
    "component": Component,
    "deployment": Deployment,
    "vocabulary": Vocabulary,
}


def schema(name: str) -> dict[str, Any]:
    """The schema of one kind of record (JSON Schema 2020-12)."""
    generated = MODELS[name].model_json_schema(mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"evalkb/{name}.schema.json", **generated}


class FieldPlace(NamedTuple):
    """A field in one part of one kind of record."""

    record: str
    part: str
    """The record itself, or a table in it."""
    field: str
    says: str


def places(word: str) -> list[FieldPlace]:
    """Every field of that name, or of its plural, with its help text; one that several kinds have comes once."""
    found: dict[tuple[str, str, str], FieldPlace] = {}
    for kind in MODELS:
        whole = schema(kind)
        for part, table in ((kind, whole), *whole.get("$defs", {}).items()):
            for name in (word, f"{word}s"):
                if name in table.get("properties", {}):
                    says = table["properties"][name].get("description", "")
                    found.setdefault((part, name, says), FieldPlace(kind, part, name, says))
    return list(found.values())


def text(name: str) -> str:
    """The schema as its file holds it."""
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


def stale(folder: Path) -> list[Path]:
    """Schema files that differ from what the models say now, missing ones included."""
    return [
        path for name, path in _paths(folder) if not path.is_file() or path.read_text(encoding="utf-8") != text(name)
    ]


def write(folder: Path) -> list[Path]:
    """Write every schema; the files written."""
    for name, path in _paths(folder):
        write_text(path, text(name))
    return [path for _, path in _paths(folder)]


def _paths(folder: Path) -> list[tuple[str, Path]]:
    return [(name, folder / f"{name}.schema.json") for name in MODELS]
