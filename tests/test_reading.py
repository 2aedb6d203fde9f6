# ruff: noqa: E501  rows read better unbroken
"""kb.reading: text to a typed record, or every problem with its line and hint."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.change import Change
from kb.component import Component
from kb.deployment import Deployment
from kb.evaluation import Evaluation, Translation
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
        ("setup: {both: {prefix_caching: [on]}}", 4, "KB102", "setup.both.prefix_caching", None),
        ("setup: {both: {prefix_caching: {a: b}}}", 4, "KB102", "setup.both.prefix_caching", None),
        ("setup: {router: {dispatch: concurent}}", 4, "KB102", '"concurent" is not one of', 'did you mean "concurrent"?'),
        ("date: yesterday", 4, "KB102", '"yesterday" is not a date: YYYY-MM-DD, YYYY-MM or YYYY', None),
        ("date: 2026-13-01", 4, "KB102", "2026-13-01", None),
        ("points: [{metric: ttft, value: many, unit: s}]", 4, "KB102", "a number is expected", None),
        ("points: [{metric: ttft, value: nan, unit: s}]", 4, "KB102", "a finite number is expected", None),
        ("points: [{metric: ttft, value: 1}]", 4, "KB107", "points[0].unit: is missing", "ttft is usually in ms"),
        ("points: {metric: ttft}", 4, "KB102", "points: a list is expected here", None),
        ("setup: [model]", 4, "KB102", "setup: a table (key: value) is expected here", None),
        ("setup: {engine: {component: vllm, version: 0.1O.0}}", 4, "KB102", "neither a version, a range", None),
        ("points: [{metric: ttft, unit: s}]", 4, "KB102", "a value or a range", None),
        ("points: [{metric: ttft, value: 1, low: 1, high: 2, unit: s}]", 4, "KB102", "a value or a range", None),
        ("points: [{metric: ttft, value: 1, unit: x, reported: ratio}]", 4, "KB102", "reported and against go together", None),
        ("claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: topology, op: within, value: [1]}]}]", 4, "KB102", "two numbers", None),
        ("impacts: [{change: a, claim: c, status: not-affected, because: b, date: 2026}]", 4, "KB102", "not-affected needs a justification", None),
        ("reviews: [{date: 2026-01-01, at: {vllm: 0.29.0}}]", 4, "KB107", "reviews[0].because: is missing", "state it"),
        ("claims: [{id: c, kind: hypothesis, says: x, anchors: {all: [no-symbol]}}]", 4, "KB102", '"no-symbol" is not an anchor: component:symbol', None),
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


def test_short_forms_that_say_the_same_are_one_value() -> None:
    """Most of a sweep's load points come again; what is wrong in one is said at each."""
    points = "".join(f"  - {{metric: m, unit: s, value: 1, where: {{concurrency: {n}}}}}\n" for n in (8, 16, 8))
    record = read(Evaluation, "x.yaml", f"{HEAD}points:\n{points}").record
    assert isinstance(record, Evaluation)
    first, second, third = (point.where.concurrency for point in record.points if point.where)
    assert first is third
    assert first != second
    with pytest.raises(Unreadable) as caught:
        read(Evaluation, "x.yaml", f"{HEAD}points:\n{points}{points}".replace(": 8", ": -8"))
    assert {each.message.partition(":")[0] for each in caught.value.findings} == {
        f"points[{n}].where.concurrency.values[0]" for n in (0, 2, 3, 5)
    }


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


@pytest.mark.parametrize(
    ("fields", "says", "hint"),
    [
        ("points: [{metric: ttft, value: 1, unit: s, stat: median}]", "stat", 'did you mean "p50"?'),
        ("points: [{metric: ttft, value: 1, unit: s, stat: average}]", "stat", 'did you mean "mean"?'),
        ("points: [{metric: ttft, value: 1, unit: s, stat: avg}]", "stat", 'did you mean "mean"?'),
        ("points: [{metric: ttft, value: 1, unit: s, stat: 99th}]", "stat", 'did you mean "p99"?'),
        ("points: [{metric: ttft, value: 1, unit: s, stat: P99}]", "stat", 'did you mean "p99"?'),
        ("points: [{metric: ttft, value: 1, unit: s, stat: p99.9}]", "stat", 'did you mean "p99_9"?'),
        ("points: [{metric: TTFT, value: 1, unit: s}]", "a metric in canonical spelling", 'did you mean "ttft"?'),
        ("points: [{metric: queue time, value: 1, unit: s}]", "a metric", 'did you mean "queue_time"?'),
        ("points: [{metric: ttft, value: 1, unit: s, where: {qps: 8}}]", "where.qps", 'did you mean "request_rate"?'),
        ("points: [{metric: ttft, value: 1, unit: s, where: {rps: 8}}]", "where.rps", 'did you mean "request_rate"?'),
        ("points: [{metric: ttft, value: 1, unit: s, where: {isl: 8}}]", "where.isl", 'did you mean "input_tokens"?'),
        ("points: [{metric: ttft, value: 1, unit: s, where: {OSL: 8}}]", "where.OSL", 'did you mean "output_tokens"?'),
        ("points: [{metric: ttft, value: 1, unit: s, where: {batch: 8}}]", "where.batch", 'did you mean "concurrency"?'),
        ("points: [{metric: ttft, value: 1, unit: s, percentile: p99}]", "percentile", 'did you mean "stat"?'),
        ("setup: {router: {dispatch: parallel}}", "dispatch", 'did you mean "concurrent"?'),
        ("setup: {connector: {mode: write}}", "mode", 'did you mean "push"?'),
        ("setup: {topology: 1p1d}", '"1p1d" is not a topology such as 1P1D, 4P2D or aggregated', 'did you mean "1P1D"?'),
        ("setup: {topology: disaggregated}", "a topology such as 1P1D", "for example `topology: 1P1D`"),
        ("setup: {topology: [1P1D]}", "setup.topology", "for example `topology: 1P1D`"),
        ("setup: {hardware: H100}", "setup.hardware", "for example `hardware: {gpu: H200, interconnect: InfiniBand}`"),
        ("setup: {hardware: unknown}", "setup.hardware", "leave the line out while nothing of it is known"),
        ("setup: {engine: vllm 0.30}", "setup.engine", "for example `engine: {component: vllm, version: 0.30.0}`"),
        ("setup: {transfer_library: nixl}", "setup.transfer_library", "`transfer_library: {component: nixl,"),
        ("arms: [{id: a, setup: {connector: push}}]", "setup.connector", "`connector: {component: vllm-nixl-push, mode: "),
        ("source: yes", "source", None),
        ("date: 2026/10/19", "a date: YYYY-MM-DD", 'did you mean "2026-10-19"?'),
        ("date: 19.10.2026", "a date: YYYY-MM-DD", 'did you mean "2026-10-19"?'),
        ("date: 2026-1-9", "a date: YYYY-MM-DD", 'did you mean "2026-01-09"?'),
        ("setup: {engine: {commit: HEAD}}", "a commit: 7 to 40", None),
        ("setup: {engine: {commit: 01ABCDEF}}", "a commit: 7 to 40", 'did you mean "01abcdef"?'),
        ("arms: [{id: Push_Arm}]", "an id: lower-case letters", 'did you mean "push-arm"?'),
        ("arms: [{id: 'push arm!'}]", "an id: lower-case letters", 'did you mean "push-arm"?'),
        ("workload: {input_tokens: 8}", "workload: unknown field", "belongs under setup"),
        ("hardware: {gpu: H200}", "hardware: unknown field", "belongs under setup"),
        ("setup: {input_tokens: 8}", "setup.input_tokens", "belongs under workload"),
        ("setup: {isl: 8}", "setup.isl", "belongs under workload"),
        ("setup: {tp: 8}", "setup.tp", "belongs under prefill or decode or both"),
        ("claims: [{id: c, kind: hypothesis, says: x, metric: ttft}]", "claims[0].metric", "belongs under effect"),
        ("setup: {claims: []}", "setup.claims", "belongs to the record itself, at the margin"),
        ("setup: {zzz: 1}", "setup.zzz", "fields here: "),
        ("limits: -one", "a list is expected", "a space after the hyphen"),
        ("claims: [{id: c, kind: hypothesis}]", "claims[0].says: is missing", "The sentence, in our words"),
        ("claims: [{id: c, says: x}]", "claims[0].kind: is missing", "measured"),
        ("points: [{metric: output_throughput, value: 1}]", "unit: is missing", "usually in tok/s"),
        ("points: [{metric: my_own, value: 1}]", "unit: is missing", "write the source's own unit"),
    ],
)  # fmt: skip
def test_a_hint_is_in_the_fields_own_words(fields: str, says: str, hint: str | None) -> None:
    """Other words for our keys, the form that is wanted, the table a field belongs to, what to write."""
    [found] = refused(fields)
    assert says in found.message
    assert (found.hint is None) if hint is None else (hint in str(found.hint))


@pytest.mark.parametrize(
    ("model", "path", "fields", "hints"),
    [
        (Translation, "e/push.v1.ja.md", "title: t", {"by the file's name: translates: push.v1", "by the file's name: language: ja"}),
        (Evaluation, "entries/evaluations/mine.md", "title: t", {"by the file's name: id: mine"}),
        (Translation, "e/a.ja.md", "translates: a\nlanguage: ja\ntitle: t\nof: nope", {"leave the line out, and `kb lint` gives the digest to write"}),
        (Change, "e/c.md", "id: c\ntitle: t\nkind: fix\nstatus: merged\nsummary: s", {"the component it changes: the name of a file in entries/components, such as vllm"}),
    ],
)  # fmt: skip
def test_what_is_missing_is_named_from_what_is_known(
    model: type[Model], path: str, fields: str, hints: set[str]
) -> None:
    """The file's name says id, original and language."""
    with pytest.raises(Unreadable) as caught:
        read(model, path, f"---\n{fields}\n---\n")
    assert {each.hint for each in caught.value.findings} == hints


EVALUATION = "arms: [{id: a}]\npoints: [{metric: ttft, value: 1, unit: s}]\nclaims: [{id: c, kind: x}]\nlimits: []"


@pytest.mark.parametrize(
    ("model", "fields", "says"),
    [
        (Change, EVALUATION, "looks like an evaluation"),
        (Deployment, EVALUATION, "looks like an evaluation"),
        (Translation, EVALUATION.replace("says", "x"), "looks like an evaluation"),
        (Evaluation, "component: vllm\nstatus: merged\nsummary: s\nships: []", "looks like a change"),
        (Evaluation, "ships_in: vllm\nclasses: []\nreleases: []", "looks like a component"),
    ],
)
def test_a_record_among_another_kind_is_one_finding(model: type[Model], fields: str, says: str) -> None:
    """Not one per field that the other kind does not have."""
    [found] = refused(fields, model)
    assert (found.code, found.name) == ("KB100", "wrong-place")
    assert says in found.message
    assert "entries/" in str(found.hint)


@pytest.mark.parametrize("fields", ["ships: []", "zzz: 1\nyyy: 2\nxxx: 3", "classes: []\nzzz: 1\nyyy: 1"])
def test_a_few_strange_fields_are_no_other_kind(fields: str) -> None:
    """Each of them is reported by itself."""
    assert {each.code for each in refused(fields)} == {"KB103"}


def test_every_pattern_of_a_model_has_its_form_in_words() -> None:
    """No field says that its value "has not the form expected"."""
    import re

    from kb.schema import MODELS, text
    from kb.wording import FORMS

    patterns = {found for name in MODELS for found in re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', text(name))}
    assert patterns
    assert {json.loads(each) for each in patterns} <= FORMS.keys()


def test_usual_units_are_the_vocabularys() -> None:
    """The hint's table is the shipped vocabulary's."""
    from pathlib import Path

    from kb.frontmatter import load
    from kb.otherwords import UNITS

    root = Path(__file__).parents[1]
    metrics = load((root / "entries/vocabulary.yaml").read_text(encoding="utf-8"))["metrics"]
    listed = {each["id"]: each["unit"] for each in metrics}
    assert {name: listed.get(name) for name in UNITS} == UNITS


def test_other_words_lead_to_words_of_ours() -> None:
    """No key or member of the tables is a word that the models do not have."""
    from kb import vocabulary
    from kb.otherwords import KEYS, MEMBERS
    from kb.schema import MODELS
    from kb.wording import parents

    fields = {name for model in MODELS.values() for name in parents(model)}
    assert KEYS.keys() <= fields
    members = {str(each) for kind in vars(vocabulary).values() if isinstance(kind, type) for each in kind}  # type: ignore[attr-defined]
    assert MEMBERS.keys() <= members | {"concurrent", "sequential"}
