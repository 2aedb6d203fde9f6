"""Parts that are equal are one object, and nothing of a record is another for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.alike import Alike
from kb.conditions import Condition
from kb.config import shipped_config
from kb.evaluation import Evaluation
from kb.evidence import Where
from kb.library import model_of, open_library, read_file
from kb.model import Model
from kb.places import record_files, shown_path
from kb.reading import Unreadable, read
from kb.setup import Pin, Setup

EVALUATION = """---
id: {id}
title: {id} was measured
kind: controlled
date: 2026-05-01
question: pull-or-push
source: {{relation: own}}
setup:
  engine: {{component: vllm, version: {version}}}
  workload: {{input_tokens: {tokens}}}
arms:
  - {{id: pull, setup: {{connector: {{component: vllm-nixl}}}}}}
points:
  - {{id: a, metric: ttft, value: 1, unit: ms, arm: pull, where: {{input_tokens: 100}}}}
  - {{id: b, metric: ttft, value: 2, unit: ms, arm: pull, where: {{input_tokens: 100}}}}
---
"""


def _evaluation(alike: Alike, id_: str, version: str = "0.10.0", tokens: str = "8000") -> Evaluation:
    text = EVALUATION.format(id=id_, version=version, tokens=tokens)
    record = read(Evaluation, f"evaluations/{id_}.md", text, alike=alike).record
    assert isinstance(record, Evaluation)
    return record


def test_equal_parts_of_records_are_one_object() -> None:
    alike = Alike()
    one, two = _evaluation(alike, "one"), _evaluation(alike, "two")
    assert one.setup is two.setup
    assert one.arms[0] is two.arms[0]
    assert one.points[0].where is one.points[1].where
    assert one.points[0] is not two.points[0], "a point is its record's own"
    assert one.points[0].__pydantic_fields_set__ is two.points[0].__pydantic_fields_set__


def test_parts_that_differ_are_not() -> None:
    alike = Alike()
    one, two = _evaluation(alike, "one"), _evaluation(alike, "two", version="0.10.1")
    assert one.setup is not None
    assert two.setup is not None
    assert one.setup.engine != two.setup.engine
    assert one.setup.workload is two.setup.workload


@pytest.mark.parametrize("others", [("1", 1), (1, 1.0), (True, 1), ("true", True)])
def test_what_is_written_otherwise_is_another_part(others: tuple[Any, Any]) -> None:
    alike = Alike()
    first, second = (Where.model_validate({"factors": {"x": each}}, context=alike) for each in others)
    assert first is not second
    alone = [Where.model_validate({"factors": {"x": each}}).stored_json() for each in others]
    assert [first.stored_json(), second.stored_json()] == alone


def test_another_model_with_the_same_fields_is_another_part() -> None:
    alike = Alike()
    given = {"component": "vllm"}
    assert type(Pin.model_validate(given, context=alike)) is Pin
    kinds = {type(model.model_validate({}, context=alike)) for model in (Setup, Where)}
    assert kinds == {Setup, Where}


def test_what_is_wrong_is_said_each_time() -> None:
    alike = Alike()
    said = []
    for id_ in ("one", "two"):
        with pytest.raises(Unreadable) as caught:
            _evaluation(alike, id_, tokens="-5")
        said.append([each.message for each in caught.value.findings])
    assert said[0] == said[1]
    assert said[0]


def test_what_is_worked_out_of_a_part_is_no_part_of_a_copy() -> None:
    setup = _evaluation(Alike(), "one").setup
    assert setup is not None
    setup.flat()
    copied = setup.model_copy(update={"engine": None})
    assert "engine.version" in setup.flat()
    assert "engine.version" not in copied.flat()


def test_a_value_forgets_what_was_worked_out_of_it_and_nothing_else() -> None:
    setup = _evaluation(Alike(), "one").setup
    assert setup is not None
    before, stored = dict(setup.flat()), setup.stored_json()
    fresh = set(vars(setup))
    setup.forget()
    assert set(vars(setup)) < fresh
    assert setup.stored_json() == stored
    assert dict(setup.flat()) == before


def test_a_base_is_the_same_read_together_and_one_by_one() -> None:
    config = shipped_config()
    together = {each.path: each.record for each in open_library(config).loaded}
    for base in config.bases:
        for path in record_files(base):
            alone = read_file(path, shown := shown_path(path, base)).record
            assert _exactly(together[shown]) == _exactly(alone), shown
            assert isinstance(alone, model_of(Path(path)))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.dictionaries(st.sampled_from(("key", "op", "value", "why")), st.text("ab1. ", max_size=3)), max_size=6)
)
def test_conditions_are_the_same_with_and_without(written: list[dict[str, str]]) -> None:
    alike = Alike()
    for fields in written:
        assert _made(fields, alike) == _made(fields, None)


def _made(fields: dict[str, str], alike: Alike | None) -> Any:
    try:
        return _exactly(Condition.model_validate(fields, context=alike))
    except ValueError as error:
        return str(error)


def _exactly(value: Any) -> Any:
    """A value with the types of all that is in it, and which of its fields were stated."""
    if isinstance(value, Model):
        fields = {name: _exactly(getattr(value, name)) for name in type(value).model_fields}
        return type(value).__name__, fields, sorted(value.model_fields_set)
    if isinstance(value, tuple | list):
        return type(value).__name__, [_exactly(each) for each in value]
    if isinstance(value, dict):
        return {key: _exactly(each) for key, each in value.items()}
    return type(value).__name__, repr(value)
