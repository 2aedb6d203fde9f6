"""kb.compare, kb.differences, kb.ratios: setups and numbers beside each other, and when a ratio is refused."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

from kb.change import Change
from kb.compare import Comparison, Named, compare
from kb.component import Component
from kb.conditions import Truth
from kb.errors import KbError, NotFound
from kb.evaluation import Evaluation
from kb.library import Library
from kb.present.compare import compare as presented
from kb.present.text import Page
from kb.reading import read
from tests.test_comparability import LIBRARY as WORDS
from tests.test_comparability import NO, UNKNOWN, YES, evaluation, points
from tests.test_disagreement import AUTHOR, SHIPPED, USER

COVERED = 'coverage: [{since: "1.0", until: "1.1", by: person, because: every change was read, date: 2030-02-02}]'
ORBIT = read(
    Component,
    "orbit.yaml",
    """
schema_version: 1
id: orbit
title: Orbit
kind: engine
releases: [{version: "1.0", date: 2030-01-01}, {version: "1.1", date: 2030-02-01}, {version: "2.0", date: 2030-03-01}]
facts: [{versions: ">=1.0", options: {threads: "4"}, defaults: {decode.block_size: "16"}}]
"""
    + COVERED,
)


def change(id_: str, kind: str, since: str) -> Any:
    """A change of Orbit that its wheels have since a release."""
    text = f"""---
schema_version: 1
id: {id_}
title: A change
component: orbit
kind: {kind}
status: merged
summary: A change.
dimensions: [scheduler]
ships:
  - {{distribution: orbit, artifact: wheel, versions: ">={since}", ships: yes}}
  - {{distribution: orbit, artifact: wheel, versions: "<{since}", ships: no}}
---
"""
    return read(Change, f"{id_}.md", text)


CHANGES = (change("orbit-1-loud", "performance", "2.0"), change("orbit-2-docs", "docs", "1.1"))
CONNECTORS = tuple(
    read(Component, f"{id_}.yaml", f"id: {id_}\ntitle: C\nkind: connector\nships_in: orbit\n{COVERED}")
    for id_ in ("pull-c", "push-c", "store-c")
)
LIBRARY = Library((*WORDS.loaded, ORBIT, *CONNECTORS, *CHANGES))
ROUTER = {"component": "router", "version": "1.0", "dispatch": "concurrent", "decoder_chosen": "before-prefill"}
FULL: dict[str, Any] = {
    "setup__model": "Qwen3-32B",
    "setup__precision": "bf16",
    "setup__hardware": {"gpu": "H200", "interconnect": "EFA"},
    "setup__transport": {"backend": "UCX"},
    "setup__router": ROUTER,
    "setup__both": {"prefix_caching": "off", "tp": 4, "block_size": 16, "kv_memory": "fresh"},
    "setup__workload__request_rate": 4,
}
"""Everything that a ratio across evaluations asks for."""


def full(**changed: Any) -> Evaluation:
    return evaluation(**{**FULL, **changed})


def between(a: Evaluation, b: Evaluation, arm: str | None = None, other: str | None = None) -> Comparison:
    return compare(Named(a, arm), Named(b, other), LIBRARY)


def test_ratio_across_evaluations() -> None:
    """Where definition, statistic, load and setup agree, the same arm of two evaluations can be divided."""
    found = between(full(), full(id="two", points=[_of("new", 25), _of("old", 100)]), "new", "new")
    assert found.comparable is YES
    assert [(each.metric, each.ratio, each.refused) for each in found.metrics] == [("ttft", 2.0, None)]
    assert not found.reasons
    assert [each.key for each in found.differences] == []


def _of(arm: str, value: float) -> dict[str, Any]:
    return next({**each, "value": value} for each in points() if each["arm"] == arm)


REFUSED: list[tuple[str, dict[str, Any], Truth, str]] = [
    ("another statistic", {"points": points(stat="mean")}, UNKNOWN, "statistic"),
    ("statistic unknown", {"points": points(stat="unknown")}, UNKNOWN, "statistic"),
    ("another definition", {"points": points(definition="b.ttft")}, UNKNOWN, "metric"),
    ("definition not stated", {"points": points(definition=None)}, UNKNOWN, "metric"),
    ("a unit of another kind", {"points": points(unit="tok/s")}, UNKNOWN, "unit"),
    ("another model", {"setup__model": "Llama-3.1-8B"}, NO, "model"),
    ("another GPU", {"setup__hardware__gpu": "B200"}, NO, "hardware.gpu"),
    ("topology unknown", {"setup__topology": "unknown"}, UNKNOWN, "topology"),
    ("reuse not stated", {"setup__both": {"tp": 4}}, UNKNOWN, "both.prefix_caching"),
    ("another dispatch", {"setup__router__dispatch": "sequential"}, NO, "router.dispatch"),
    (
        "engine and library at once",
        {"setup__engine__version": "2.0", "setup__transfer_library": {"component": "x", "version": "1"}},
        NO,
        "arms",
    ),
]


NAMES = [row[0] for row in REFUSED]


@pytest.mark.parametrize(("changed", "answer", "field"), [row[1:] for row in REFUSED], ids=NAMES)
def test_refused(changed: dict[str, Any], answer: Truth, field: str) -> None:
    """Without one of them there is no ratio, and the field in the way is named."""
    library = {"setup__transfer_library": {"component": "y", "version": "1"}} if field == "arms" else {}
    found = between(full(**library), full(id="two", **changed), "new", "new")
    assert found.comparable is answer
    assert [each.ratio for each in found.metrics] == [None]
    assert (found.metrics[0].refused or "").startswith(f"{field}:")


def test_load_points_never_meet_halfway() -> None:
    """A number at four requests a second stands beside none at eight; the load points are named instead."""
    found = between(full(), full(id="two", setup__workload__request_rate=8), "new", "new")
    assert found.metrics == ()
    assert [(each.field, each.truth) for each in found.reasons] == [("where", NO)]


LENGTHS: list[tuple[Any, Any, Truth]] = [
    ("1000..4000", "1000..4000", YES),
    ("1000..4000", "1000..5000", NO),
    ("1000..4000", "8000..16000", NO),
    ("1000..4000", 2000, NO),
    ("1000..4000", "unknown", UNKNOWN),
    ("1000..4000", {"values": [1000, 4000]}, NO),
]


@pytest.mark.parametrize(("one", "other", "answer"), LENGTHS)
def test_numbers_over_other_lengths_are_not_divided(one: Any, other: Any, answer: Truth) -> None:
    """A number that names no length was taken over those of its setup: ranges that overlap are two workloads."""
    a, b = full(setup__workload__input_tokens=one), full(id="two", setup__workload__input_tokens=other)
    found = between(a, b, "new", "new")
    assert [each.ratio for each in found.metrics] == ([1.0] if answer is YES else [])
    assert [(each.field, each.truth) for each in found.reasons] == ([] if answer is YES else [("where", answer)])


def test_itl_of_two_tools() -> None:
    """Two tools' ITL are refused; the ITL of one is divided by the TPOT of the other where both are computed alike."""
    itl = full(points=points(metric="itl", definition="b.itl"))
    same_label = between(itl, full(id="two", points=points(metric="itl", definition="a.itl")), "new", "new").metrics
    assert [(each.metric, each.ratio) for each in same_label] == [("itl", None)]
    same_measure = between(itl, full(id="two", points=points(metric="tpot", definition="a.tpot")), "new", "new").metrics
    assert [(each.metric, each.ratio) for each in same_measure] == [("itl | tpot", 1.0)]


def test_one_factor_may_differ() -> None:
    """One thing beside which all is the same is what the ratio is about: another arm, or another release."""
    other_arm = between(full(), full(id="two"), "new", "old")
    assert [each.ratio for each in other_arm.metrics] == [0.5]
    other_release = between(full(), full(id="two", setup__engine__version="2.0"), "new", "new")
    assert [each.ratio for each in other_release.metrics] == [1.0]


def test_arms_of_one_evaluation() -> None:
    """Within one evaluation the tool and the unknowns are the same; the baseline is what is divided by."""
    record = evaluation(points=points(definition=None, stat="unknown"))
    found = compare(Named(record), Named(record), LIBRARY)
    assert [(one.id, other.id) for one, other in found.pairs] == [("new", "old")]
    assert [each.ratio for each in found.metrics] == [0.5]
    assert {each.key for each in found.differences if each.material == "yes"} == {
        "connector.component",
        "connector.mode",
    }
    assert not [each for each in found.differences if each.material == "unknown" and each.a == each.b]


def test_evaluations_are_compared_arm_by_arm() -> None:
    """Arms are laid beside the same thing, whatever they are called and in which order they stand."""
    there = full(id="two", arms=list(reversed(full().stored()["arms"])))
    found = between(full(), there)
    assert sorted((one.id, other.id) for one, other in found.pairs) == [("new", "new"), ("old", "old")]
    assert [each.ratio for each in found.metrics] == [1.0, 1.0]


MATERIAL: list[tuple[str, dict[str, Any], str, str | None]] = [
    ("another model", {"setup__model": "Llama"}, "model", "yes"),
    ("a publisher's prefix", {"setup__model": "Qwen/Qwen3-32B"}, "model", "no"),
    ("more requests", {"setup__workload__num_prompts": 500}, "workload.num_prompts", None),
    ("a sweep that holds the value", {"setup__workload__request_rate": [4, 8]}, "workload.request_rate", "no"),
    ("an option that is the default anyway", {"setup__options": {"threads": 4}}, "options.threads", "no"),
    ("an option that is not", {"setup__options": {"threads": 8}}, "options.threads", "yes"),
    ("an option whose default nobody knows", {"setup__options": {"depth": 8}}, "options.depth", "unknown"),
    ("a release with a change", {"setup__engine__version": "2.0"}, "engine.version", "yes"),
    ("a release with changes of docs only, all looked at", {"setup__engine__version": "1.1"}, "engine.version", "no"),
    ("a release that is unknown", {"setup__engine__version": "unknown"}, "engine.version", "unknown"),
    ("the default of the release, stated", {"setup__both__block_size": None}, "decode.block_size", "no"),
]


@pytest.mark.parametrize(
    ("changed", "key", "material"), [row[1:] for row in MATERIAL], ids=[row[0] for row in MATERIAL]
)
def test_material(changed: dict[str, Any], key: str, material: str | None) -> None:
    """What differs, and whether it matters: known to, known not to, or unknown."""
    found = between(full(), full(id="two", **changed), "new", "new")
    assert {each.key: each.material for each in found.differences}.get(key) == material


def test_changes_between_two_releases_are_named() -> None:
    """A release differs by its changes; those that alter no behaviour are not among them."""
    found = between(full(), full(id="two", setup__engine__version="2.0"), "new", "new")
    assert next(each.changes for each in found.differences if each.key == "engine.version") == ("orbit-1-loud",)


def test_which_arm() -> None:
    """With several arms the user says which; a name that is none gets the nearest."""
    third = {"id": "third", "setup": {"connector": {"component": "store-c", "mode": "store"}}}
    many = full(id="many", arms=[*full().stored()["arms"], third])
    with pytest.raises(KbError, match="many has 3 arms: old, new, third") as refused:
        between(full(), many)
    assert refused.value.hint == "say which one: many/old"
    with pytest.raises(NotFound, match='no arm "thirt"') as unknown:
        between(full(), many, "new", "thirt")
    assert unknown.value.hint == "did you mean many/third?"
    with pytest.raises(KbError, match="compared with itself"):
        compare(Named(many, "new"), Named(many, "new"), LIBRARY)
    assert [one.id for one, _ in between(many, full(), None, "new").pairs] == ["new"]


def test_reader_thread_pair() -> None:
    """Two records of one change: no number meets, three pairs of claims disagree, and what is missing is named."""
    found = compare(Named(SHIPPED.evaluations[AUTHOR]), Named(SHIPPED.evaluations[USER]), SHIPPED)
    assert found.comparable is UNKNOWN
    assert found.metrics == ()
    assert [(each.key, each.arm) for each in found.differences if each.material == "yes"] == [
        ("engine.version", "main")
    ]
    assert len(found.disagreements) == 3
    assert {"model", "topology", "decode.prefix_caching"} <= {each.field for each in found.reasons}


def test_a_comparison_keeps_to_a_narrow_terminal() -> None:
    """What is said of a disagreement is broken like the rest."""
    found = compare(Named(SHIPPED.evaluations[AUTHOR]), Named(SHIPPED.evaluations[USER]), SHIPPED)
    assert found.disagreements
    assert [line for line in presented(found, Page(width=60)) if len(line) > 60] == []


def test_json_has_what_is_promised() -> None:
    """The keys of cli.md are there."""
    found = between(full(), full(id="two", setup__model="Llama"), "new", "new").as_dict()
    assert {"comparable", "reasons", "differences", "metrics"} <= set(found)
    assert {"key", "a", "b", "material"} <= set(found["differences"][0])
    assert {"metric", "stat", "where", "a", "b", "unit", "ratio"} <= set(found["metrics"][0])


def test_thousands_of_load_points() -> None:
    """Each meets its own at once; those without a counterpart are said once, in little time."""

    def swept(id_: str, first: int) -> Evaluation:
        rows = [row for n in range(1000) for row in points(where={"request_rate": str(n + first)})]
        cited = [{**row, "id": f"{row['id']}{n // 2 or ''}"} for n, row in enumerate(rows)]
        return evaluation(id=id_, points=cited)

    one, other = swept("one", 1), swept("other", 5000)
    start = process_time()
    assert len(between(one, one, "new", "old").metrics) == 1000
    found = between(one, other)
    assert found.metrics == ()
    assert [each.field for each in found.reasons].count("where") == 1
    assert process_time() - start < 10
