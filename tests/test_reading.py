# ruff: noqa: E501  rows read better unbroken
"""kb.reading: text to a typed record, or every problem with its line and hint."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.change import Change
from kb.component import Component
from kb.evaluation import Evaluation
from kb.finding import Finding
from kb.model import Model
from kb.reading import Unreadable, dotted, read

HEAD = "id: it\ntitle: A record\n"


def refused(fields: str, model: type[Model] = Evaluation) -> list[Finding]:
    with pytest.raises(Unreadable) as caught:
        read(model, "x.md", f"---\n{HEAD}{fields}\n---\n")
    return caught.value.findings


@pytest.mark.parametrize(
    ("fields", "line", "code", "says", "hint"),
    [
        ("setup: {engine: {component: vllm, verison: 0.29.0}}", 4, "KB103", "setup.engine.verison: unknown field", 'did you mean "version"?'),
        ("setup:\n  engine:\n    verison: 0.29.0", 6, "KB103", "setup.engine.verison", 'did you mean "version"?'),
        ("points:\n  - {metric: ttft, value: 1, unit: s, statt: mean}", 5, "KB103", "points[0].statt", 'did you mean "stat"?'),
        ("zzz: 1", 4, "KB103", "zzz: unknown field", "fields here: "),
        ("kind: controled", 4, "KB102", '"controled" is not one of controlled', 'did you mean "controlled"?'),
        ("points: [{metric: ttft, value: 1, unit: s, stat: p98}]", 4, "KB102", '"p98" is not one of', "did you mean"),
        ("setup: {router: {dispatch: concurent}}", 4, "KB102", '"concurent" is not one of', 'did you mean "concurrent"?'),
        ("date: yesterday", 4, "KB102", '"yesterday" has not the form expected here', None),
        ("date: 2026-13-01", 4, "KB102", "2026-13-01", None),
        ("points: [{metric: ttft, value: many, unit: s}]", 4, "KB102", "a number is expected", None),
        ("points: [{metric: ttft, value: nan, unit: s}]", 4, "KB102", "a finite number is expected", None),
        ("points: [{metric: ttft, value: 1}]", 4, "KB107", "points[0].unit: is missing", "unknown"),
        ("points: {metric: ttft}", 4, "KB102", "points: a list is expected here", None),
        ("setup: [model]", 4, "KB102", "setup: a table (key: value) is expected here", None),
        ("setup: {engine: {component: vllm, version: 0.1O.0}}", 4, "KB102", "neither a version, a range", None),
        ("points: [{metric: ttft, unit: s}]", 4, "KB102", "a value or a range", None),
        ("points: [{metric: ttft, value: 1, low: 1, high: 2, unit: s}]", 4, "KB102", "a value or a range", None),
        ("points: [{metric: ttft, value: 1, unit: x, reported: ratio}]", 4, "KB102", "reported and against go together", None),
        ("claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: topology, op: within, value: [1]}]}]", 4, "KB102", "two numbers", None),
        ("impacts: [{change: a, claim: c, status: not-affected, because: b, date: 2026}]", 4, "KB102", "not-affected needs a justification", None),
        ("reviews: [{date: 2026-01-01, at: {vllm: 0.29.0}}]", 4, "KB107", "reviews[0].because: is missing", "state it"),
        ("claims: [{id: c, kind: hypothesis, says: x, anchors: {all: [no-symbol]}}]", 4, "KB102", '"no-symbol" has not the form', None),
        ("schema_version: 7", 4, "KB102", 'record format "7" is not one this program reads', "upgrade kb"),
        ("setup:\n\tmodel: x", 5, "KB105", "a tab", "indent with spaces"),
        ("kind: controlled\nkind: reference", 5, "KB104", '"kind" is given twice', "keep one"),
        ("source: {by: a: b}", 4, "KB101", "not readable as YAML", "into quotes"),
    ],
)  # fmt: skip
def test_a_mistake_has_line_code_words_and_hint(fields: str, line: int, code: str, says: str, hint: str | None) -> None:
    """`path:line: CODE message`, with the nearest right word where there is one."""
    found = refused(fields)
    assert [(each.line, each.code) for each in found] == [(line, code)]
    assert says in found[0].message
    assert hint is None or hint in str(found[0].hint)


def test_every_mistake_of_a_record_is_reported_at_once() -> None:
    """In order of lines; a union reports one mistake once."""
    found = refused("kind: x\ndate: y\nsetup: {both: {tp: two, tpp: 2}}\npoints: [{metric: ttft, value: z}]")
    assert [each.line for each in found] == [4, 5, 6, 6, 7, 7]
    assert {each.code for each in found} == {"KB102", "KB103", "KB107"}


@pytest.mark.parametrize("model", [Evaluation, Change, Component])
def test_an_empty_record_lacks_what_it_is(model: type[Model]) -> None:
    """Id and title are required of every record."""
    with pytest.raises(Unreadable) as caught:
        read(model, "x.yaml", "")
    missing = {each.message.partition(":")[0] for each in caught.value.findings}
    assert {"id", "title"} <= missing
    assert {each.code for each in caught.value.findings} == {"KB107"}


def test_ten_facts_are_a_record() -> None:
    """Recording is a five-minute act."""
    text = f"""---
{HEAD}date: 2026-10-19
source: {{relation: own}}
setup: {{model: Qwen3-32B, topology: 1P1D, engine: {{component: vllm, version: 0.29.0}}}}
arms: [{{id: pull}}, {{id: push}}]
points: [{{metric: ttft, arm: push, value: 540, unit: ms}}]
---
What we saw.
"""
    loaded = read(Evaluation, "x.md", text)
    assert loaded.body == "What we saw.\n"
    assert loaded.line(("points", 0, "value")) == 8
    assert loaded.line(("body", 0)) == loaded.body_line == 10


@pytest.mark.parametrize(
    ("written", "low", "high", "shape"),
    [
        ("2048", 2048, 2048, None),
        ("1000..16000", 1000, 16000, "sweep"),
        ("1000 to 16000", 1000, 16000, "sweep"),
        ("[1, 2, 4]", 1, 4, None),
        ("inf", float("inf"), float("inf"), None),
        ("unknown", None, None, "unknown"),
        ("{shape: lognormal, mean: 4, std: 1}", None, None, "lognormal"),
    ],
)
def test_short_forms_of_a_spread(written: str, low: float | None, high: float | None, shape: str | None) -> None:
    """One value, several, a range, a distribution, unknown."""
    loaded = read(Evaluation, "x.yaml", f"{HEAD}setup: {{workload: {{request_rate: {written}}}}}")
    assert isinstance(loaded.record, Evaluation)
    setup = loaded.record.setup
    assert setup
    assert setup.workload
    spread = setup.workload.request_rate
    assert spread
    assert (spread.low, spread.high, spread.shape) == (low, high, shape)


def test_places_read_as_paths() -> None:
    """What pydantic adds for unions is left out."""
    assert dotted(("points", 2, "unit")) == "points[2].unit"
    assert dotted(("setup", "both", "tp", "constrained-int")) == "setup.both.tp"
    assert dotted(()) == ""


VALUES = st.recursive(
    st.text(max_size=8) | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*Evaluation.model_fields, "zz"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from([*Evaluation.model_fields, "zz"]), VALUES, max_size=4))
def test_any_table_is_a_record_or_refused(fields: dict[str, object]) -> None:
    """Reading raises nothing but Unreadable, and every finding has a line of the file."""
    import yaml

    text = f"---\n{yaml.safe_dump(fields)}---\n"
    try:
        read(Evaluation, "x.md", text)
    except Unreadable as error:
        lines = [each.line for each in error.findings]
    else:
        lines = [1]
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
