"""kb.schema: the JSON Schemas that editors read."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel
from ruamel.yaml import YAML

from kb.config import read
from kb.docstrings import descriptions
from kb.library import open_library
from kb.schema import MODELS, schema, stale, text, write

ROOT = Path(__file__).parents[1]


def models(start: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[type[BaseModel]]:
    if start not in seen:
        seen.add(start)
        yield start
        for field in start.model_fields.values():
            for inner in nested(field.annotation):
                yield from models(inner, seen)


def nested(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for option in getattr(annotation, "__args__", ()):
        yield from nested(option)


@pytest.mark.parametrize("name", MODELS)
def test_a_schema_is_one(name: str) -> None:
    """Valid by the specification, and it says that unknown fields are refused."""
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["additionalProperties"] is False


@pytest.mark.parametrize("name", MODELS)
def test_every_field_is_described(name: str) -> None:
    """Hover text in an editor is the docstring under the field."""
    bare = [
        f"{model.__name__}.{field}"
        for model in models(MODELS[name], set())
        for field in model.model_fields
        if not descriptions(model).get(field)
    ]
    assert bare == []


@pytest.mark.parametrize("name", MODELS)
def test_every_property_of_the_schema_is_described(name: str) -> None:
    """Nothing is lost on the way from model to schema."""
    tables = [schema(name), *schema(name).get("$defs", {}).values()]
    bare = [key for table in tables for key, each in table.get("properties", {}).items() if not each.get("description")]
    assert bare == []


def test_the_schemas_in_the_repository_are_the_models() -> None:
    """`kb schema --check` has nothing to say."""
    assert stale(ROOT / "schemas") == []


def test_writing_makes_them_fresh(tmp_path: Path) -> None:
    """A missing or edited file is stale until it is written."""
    assert len(stale(tmp_path)) == len(MODELS)
    write(tmp_path)
    assert stale(tmp_path) == []
    (tmp_path / "change.schema.json").write_text("{}", encoding="utf-8")
    assert [path.name for path in stale(tmp_path)] == ["change.schema.json"]
    assert json.loads(text("change"))["$schema"].endswith("2020-12/schema")


def test_our_entries_are_valid_by_the_schemas() -> None:
    """An editor that types scalars by YAML 1.2 marks nothing in them."""
    validators = {model: Draft202012Validator(schema(name)) for name, model in MODELS.items()}
    wrong = []
    for loaded in open_library(read(ROOT)).loaded:
        found = validators[type(loaded.record)].iter_errors(typed(loaded.front))
        wrong += [f"{loaded.path}: {'.'.join(map(str, each.absolute_path))}: {each.message[:90]}" for each in found]
    assert wrong == []


def typed(front: str) -> Any:
    """The fields as an editor types them, by YAML 1.2; days stay text there."""
    return as_text(YAML(typ="safe", pure=True).load(front))


def as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): as_text(each) for key, each in value.items()}
    if isinstance(value, list):
        return [as_text(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("evaluation", {"id": "it"}),
        ("evaluation", {"id": "It is", "title": "t"}),
        ("evaluation", {"id": "it", "title": "t", "kind": "controled"}),
        ("evaluation", {"id": "it", "title": "t", "setup": {"modell": "m"}}),
        ("change", {"id": "it", "title": "t", "component": "vllm", "kind": "fix", "status": "open", "summary": "s"}),
        ("component", {"id": "it", "title": "t", "kind": "gadget"}),
    ],
)
def test_what_the_model_refuses_the_schema_refuses(name: str, record: dict[str, Any]) -> None:
    """An editor marks it while it is typed."""
    assert not Draft202012Validator(schema(name)).is_valid(record)
