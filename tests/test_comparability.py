"""kb.comparability, kb.directions: whether two claims speak of the same thing, and whether they say the same."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from kb.comparability import claims_comparable
from kb.component import Component
from kb.conditions import Truth
from kb.directions import direction, same_direction
from kb.evaluation import Evaluation
from kb.library import Library
from kb.matching import ClaimAt
from kb.reading import read
from kb.terms import Vocabulary

YES, NO, UNKNOWN = Truth.YES, Truth.NO, Truth.UNKNOWN

WORDS = """
schema_version: 1
questions:
  - {id: push-or-pull, asks: {en: Push?}, goal: a shorter hand-off}
  - {id: return-path, asks: {en: Return?}, goal: less recomputation}
metrics:
  - id: ttft
    unit: ms
    better: lower
    titles: {en: TTFT}
    definitions:
      - {id: a.ttft, tool: A, says: one way}
      - {id: b.ttft, tool: B, says: another way}
      - {id: c.ttft, tool: C, same_as: a.ttft, says: as A}
  - id: tpot
    unit: ms
    better: lower
    titles: {en: TPOT}
    definitions:
      - {id: a.tpot, tool: A, says: without the first}
      - {id: b.tpot, tool: B, says: with the first}
  - id: itl
    unit: ms
    better: lower
    titles: {en: ITL}
    definitions:
      - {id: a.itl, tool: A, says: gaps between chunks}
      - {id: b.itl, tool: B, same_as: a.tpot, says: what A calls TPOT}
  - {id: descriptors, unit: count, better: neither, titles: {en: descriptors}}
"""
LIBRARY = Library((read(Vocabulary, "vocabulary.yaml", WORDS),))


def evaluation(**changed: Any) -> Evaluation:
    """A fully stated evaluation: push against pull."""
    record: dict[str, Any] = {
        "id": "one",
        "title": "Push against pull",
        "question": "push-or-pull",
        "setup": {
            "engine": {"component": "orbit", "version": "1.0"},
            "topology": "1P1D",
            "both": {"prefix_caching": "off"},
            "workload": {"input_tokens": 2048, "output_tokens": 128, "request_rate": "2..8", "turns": "single"},
        },
        "arms": [
            {"id": "old", "role": "baseline", "setup": {"connector": {"component": "pull-c", "mode": "pull"}}},
            {"id": "new", "role": "candidate", "setup": {"connector": {"component": "push-c", "mode": "push"}}},
        ],
        "points": [_point("p-new", "new", 50), _point("p-old", "old", 100)],
        "claims": [
            {
                "id": "c",
                "kind": "measured",
                "says": "Push is sooner.",
                "effect": {
                    "form": "ratio",
                    "metric": "ttft",
                    "arm": "new",
                    "against": "old",
                    "points": ["p-new", "p-old"],
                    "better": "new",
                },
            }
        ],
    }
    for path, value in changed.items():
        _put(record, path.split("__"), value)
    return Evaluation.model_validate(record)


def _point(id_: str, arm: str, value: float) -> dict[str, Any]:
    return {
        "id": id_,
        "metric": "ttft",
        "definition": "a.ttft",
        "stat": "p50",
        "arm": arm,
        "value": value,
        "unit": "ms",
    }


def _put(record: Any, path: list[str], value: Any) -> None:
    *above, last = (int(name) if name.isdigit() else name for name in path)
    for name in above:
        record = record[name]
    if value is None:
        del record[last]
    else:
        record[last] = deepcopy(value)


def at(record: Evaluation) -> ClaimAt:
    return ClaimAt(record, record.claims[0])


ONE = at(evaluation())


def other(**changed: Any) -> ClaimAt:
    return at(evaluation(**{"id": "other", **changed}))


def points(**fields: Any) -> list[dict[str, Any]]:
    return [{**_point("p-new", "new", 50), **fields}, {**_point("p-old", "old", 100), **fields}]


REVERSED_ARMS = [
    {"id": "x", "role": "baseline", "setup": {"connector": {"component": "push-c", "mode": "push"}}},
    {"id": "y", "role": "candidate", "setup": {"connector": {"component": "pull-c", "mode": "pull"}}},
]
REVERSED = {"form": "order", "metric": "ttft", "arm": "y", "against": "x", "points": ["p-new", "p-old"], "better": "x"}
WORKLOAD = "setup__workload__"

FIELDS: list[tuple[str, dict[str, Any], Truth, str]] = [
    ("nothing differs", {}, YES, ""),
    ("another size of the effect", {"points": [_point("p-new", "new", 90), _point("p-old", "old", 100)]}, YES, ""),
    ("another model that no condition names", {"setup__model": "Llama-3.1-8B"}, YES, ""),
    ("another version", {"setup__engine__version": "2.0"}, YES, ""),
    ("other names of the same arms", {"arms": REVERSED_ARMS, "claims__0__effect": REVERSED}, YES, ""),
    ("same_as", {"points": points(definition="c.ttft")}, YES, ""),
    ("a rate inside of the sweep", {WORKLOAD + "request_rate": 4}, YES, ""),
    ("another question", {"question": "return-path"}, NO, "question"),
    ("no question", {"question": None}, UNKNOWN, "question"),
    ("another engine", {"setup__engine__component": "comet"}, NO, "engine"),
    ("engine unknown", {"setup__engine__component": "unknown"}, UNKNOWN, "engine"),
    ("another connector", {"arms__1__setup__connector__component": "store-c"}, NO, "connector"),
    ("one arm only", {"claims__0__effect": {"form": "bound", "metric": "ttft", "arm": "new"}}, NO, "effect"),
    ("not measured", {"claims__0__effect": None, "claims__0__kind": "hypothesis"}, NO, "effect"),
    ("another definition", {"points": points(definition="b.ttft")}, NO, "metric"),
    ("definition not stated", {"points": points(definition=None)}, UNKNOWN, "metric"),
    ("another statistic", {"points": points(stat="mean")}, NO, "statistic"),
    ("statistic unknown", {"points": points(stat="unknown")}, UNKNOWN, "statistic"),
    ("rate outside", {WORKLOAD + "request_rate": 16}, NO, "workload.request_rate"),
    ("rate unknown", {WORKLOAD + "request_rate": "unknown"}, UNKNOWN, "workload.request_rate"),
    ("rate not stated", {WORKLOAD + "request_rate": None}, UNKNOWN, "workload.request_rate"),
    ("length outside", {WORKLOAD + "input_tokens": 512}, NO, "workload.input_tokens"),
    ("length nearly the same", {WORKLOAD + "input_tokens": 2000}, UNKNOWN, "workload.input_tokens"),
    ("another topology", {"setup__topology": "1P4D"}, NO, "topology"),
    ("turns unknown", {WORKLOAD + "turns": "unknown"}, UNKNOWN, "workload.turns"),
    ("turns differ", {WORKLOAD + "turns": "multi"}, NO, "workload.turns"),
    ("reuse on decode", {"setup__decode": {"prefix_caching": "on"}}, NO, "decode.prefix_caching"),
    (
        "reuse not looked up",
        {"setup__both": {}, "not_stated": ["both.prefix_caching"]},
        UNKNOWN,
        "decode.prefix_caching",
    ),
]


@pytest.mark.parametrize(("changed", "answer", "field"), [row[1:] for row in FIELDS], ids=[row[0] for row in FIELDS])
def test_field(changed: dict[str, Any], answer: Truth, field: str) -> None:
    """One field decides, from either side, and is named."""
    for one, two in ((ONE, other(**_whole(changed))), (other(**_whole(changed)), ONE)):
        found = claims_comparable(one, two, LIBRARY)
        assert found.answer is answer
        named = {each.field for each in (*found.against, *found.open)}
        assert (field in named) if field else not named


def _whole(changed: dict[str, Any]) -> dict[str, Any]:
    """Points of the reversed arms are called after those arms."""
    if changed.get("arms") is REVERSED_ARMS:
        return {"points": [_point("p-new", "y", 100), _point("p-old", "x", 50)], **changed}
    return changed


CONDITIONS: list[tuple[str, dict[str, Any], dict[str, Any], Truth]] = [
    ("met by the other's setup", {"key": "topology", "value": "1P1D"}, {}, YES),
    ("an interconnect that the other lacks", {"key": "hardware.interconnect", "value": "EFA"}, {}, UNKNOWN),
    ("violated", {"key": "hardware.interconnect", "value": "EFA"}, {"interconnect": "TCP"}, NO),
    ("satisfied", {"key": "hardware.interconnect", "value": "EFA"}, {"interconnect": "EFA"}, YES),
    (
        "the light end against the whole sweep",
        {"key": "workload.request_rate", "op": "low-in", "value": [2, 8]},
        {},
        YES,
    ),
    ("above the sweep of the other", {"key": "workload.request_rate", "op": ">", "value": 8}, {}, NO),
    ("loads that nobody stated", {"key": "workload.concurrency", "op": "<=", "value": 4}, {}, UNKNOWN),
]


@pytest.mark.parametrize(("condition", "hardware", "answer"), [row[1:] for row in CONDITIONS])
def test_condition_is_asked_of_the_other(condition: dict[str, Any], hardware: dict[str, str], answer: Truth) -> None:
    """What one claim rests on must be so where the other was measured."""
    conditioned = at(evaluation(claims__0__conditions=[condition]))
    there = other(setup__hardware=hardware)
    assert claims_comparable(conditioned, there, LIBRARY).answer is answer
    assert claims_comparable(there, conditioned, LIBRARY).answer is answer


def test_conditions_of_both_claims_exclude_each_other() -> None:
    """More than four in flight and at most four never meet, whatever was tested."""
    above = [{"key": "workload.concurrency", "op": ">", "value": 4}]
    below = [{"key": "workload.concurrency", "op": "<=", "value": 4}]
    found = claims_comparable(at(evaluation(claims__0__conditions=above)), other(claims__0__conditions=below), LIBRARY)
    assert [(each.field, each.one, each.other) for each in found.against] == [
        ("workload.concurrency", "more than 4", "at most 4")
    ]


def test_one_tools_itl_is_the_others_tpot() -> None:
    """A label decides nothing: ITL meets TPOT where both are computed alike, and not the ITL of its own name."""
    itl = {
        "form": "order",
        "metric": "itl",
        "arm": "new",
        "against": "old",
        "points": ["p-new", "p-old"],
        "better": "new",
    }
    tpot = itl | {"metric": "tpot"}
    theirs = other(points=points(metric="itl", definition="b.itl"), claims__0__effect=itl)
    for effect, definition, answer in ((tpot, "a.tpot", YES), (itl, "a.itl", NO), (tpot, None, UNKNOWN)):
        mine = evaluation(points=points(metric=effect["metric"], definition=definition), claims__0__effect=effect)
        assert claims_comparable(at(mine), theirs, LIBRARY).answer is answer


def test_metric_with_one_meaning_needs_no_definition() -> None:
    """Where the vocabulary knows of no definitions the label is enough."""
    count = {"form": "order", "metric": "descriptors", "arm": "new", "against": "old", "points": ["p-new", "p-old"]}
    record = {"points": points(metric="descriptors", definition=None), "claims__0__effect": count}
    assert claims_comparable(at(evaluation(**record)), other(**record), LIBRARY).answer is YES


def test_default_of_a_stated_release_is_a_fact() -> None:
    """What a release does when nobody says so counts where its version is stated, and only there."""
    component = """
schema_version: 1
id: orbit
title: Orbit
kind: engine
releases: [{version: "1.0"}, {version: "2.0"}]
facts: [{versions: ">=1.0", defaults: {decode.block_size: "16"}}]
"""
    library = Library((*LIBRARY.loaded, read(Component, "orbit.yaml", component)))
    sixteen = at(evaluation(claims__0__conditions=[{"key": "decode.block_size", "value": 16}]))
    assert claims_comparable(sixteen, other(), library).answer is YES
    assert claims_comparable(sixteen, other(setup__engine__version="unknown"), library).answer is UNKNOWN
    assert claims_comparable(sixteen, other(setup__both__block_size=64), library).answer is NO


def builds(before: dict[str, Any], after: dict[str, Any], **changed: Any) -> Evaluation:
    """Two builds of one thing, with and without something."""
    return evaluation(
        setup__engine=None,
        setup__connector={"component": "pull-c", "mode": "pull"},
        arms=[
            {"id": "old", "role": "baseline", "setup": {"engine": {"component": "orbit", **before}}},
            {"id": "new", "role": "candidate", "setup": {"engine": {"component": "orbit", **after}}},
        ],
        **changed,
    )


BUILDS: list[tuple[dict[str, Any], dict[str, Any], Truth]] = [
    ({"branch": "main"}, {"branch": "PR 7 on abc1234"}, YES),
    ({"branch": "main"}, {"branch": "main", "patches": ["https://example.org/o/r/pull/7"]}, YES),
    ({"branch": "main"}, {"branch": "PR 8"}, NO),
    ({"version": "1.0"}, {"version": "1.1"}, UNKNOWN),
    ({"branch": "main"}, {"branch": "unknown"}, UNKNOWN),
]


@pytest.mark.parametrize(("before", "after", "answer"), BUILDS)
def test_builds_compared(before: dict[str, Any], after: dict[str, Any], answer: Truth) -> None:
    """Before and after the same thing: by pull request or version, whatever the base was."""
    one = at(builds({"branch": "main", "commit": "1234567"}, {"branch": "PR 7"}))
    found = claims_comparable(one, at(builds(before, after, id="other")), LIBRARY)
    assert found.answer is answer
    assert {each.field for each in (*found.against, *found.open)} <= {"builds"}


PARITY = {"form": "parity", "metric": "ttft", "arm": "new", "against": "old"}
SAYS: list[tuple[str, dict[str, Any], Truth]] = [
    ("the same", {}, YES),
    ("another size", {"points": [_point("p-new", "new", 99), _point("p-old", "old", 100)]}, YES),
    ("the other arm", {"claims__0__effect__better": "old"}, NO),
    ("about equal", {"claims__0__effect": PARITY}, NO),
    ("no direction stated", {"claims__0__effect__better": None}, UNKNOWN),
    ("the same arm under another name", {"arms": REVERSED_ARMS, "claims__0__effect": REVERSED}, YES),
    ("the other arm under that name", {"arms": REVERSED_ARMS, "claims__0__effect": REVERSED | {"better": "y"}}, NO),
    ("arms that are other things", {"arms__1__setup__connector__component": "store-c"}, UNKNOWN),
    (
        "other things that are equal",
        {"arms__1__setup__connector__component": "store-c", "claims__0__effect": PARITY},
        UNKNOWN,
    ),
]


@pytest.mark.parametrize(("changed", "answer"), [row[1:] for row in SAYS], ids=[row[0] for row in SAYS])
def test_direction_by_what_the_arms_are(changed: dict[str, Any], answer: Truth) -> None:
    """Push is push, whatever an evaluation calls it; a different size is no conflict."""
    there = other(**_whole(changed))
    assert same_direction(ONE, there, LIBRARY) is answer
    assert same_direction(there, ONE, LIBRARY) is answer


def test_ratio_has_a_direction_only_beyond_a_stated_noise_floor() -> None:
    """Whether a few per cent are more than noise is the source's to say."""
    bare = {"claims__0__effect__better": None}
    for noise, kind in (({"stated": "no"}, "none"), ({"stated": "yes", "value": 5, "unit": "%"}, "better")):
        record = evaluation(**bare, noise=noise)
        assert direction(record.claims[0], record, LIBRARY).kind == kind
    close = evaluation(**bare, noise={"stated": "yes", "value": 60, "unit": "%"})
    assert direction(close.claims[0], close, LIBRARY).kind == "parity"


def test_reported_gain_is_a_direction() -> None:
    """A source that says "1.6x better" says which arm is better; below one it is the other."""
    for value, better in ((1.6, "new"), (0.8, "old")):
        reported = {"id": "r", "metric": "ttft", "arm": "new", "against": "old", "unit": "x"}
        effect = {"form": "ratio", "metric": "ttft", "arm": "new", "against": "old", "points": ["r"]}
        record = evaluation(
            points=[reported | {"reported": "improvement-factor", "value": value}], claims__0__effect=effect
        )
        assert direction(record.claims[0], record, LIBRARY).better == better


def test_level_outside_of_a_stated_bound_disagrees() -> None:
    """A measured value beyond the bound that another claim states contradicts it; one inside supports it."""
    bound = at(
        evaluation(claims__0__effect={"form": "bound", "metric": "ttft", "arm": "new", "at_most": 60, "unit": "ms"})
    )
    value = {"form": "value", "metric": "ttft", "arm": "new", "points": ["p-new"]}
    for number, answer in ((50, YES), (70, NO)):
        measured = other(claims__0__effect=value, points=[_point("p-new", "new", number)])
        assert same_direction(bound, measured, LIBRARY) is answer
