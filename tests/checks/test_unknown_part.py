# ruff: noqa: E501  rows read better unbroken
"""KB112 unknown-part."""

from . import cases, fires, problems, quiet, rows


@cases(
    ("points: [{metric: ttft, arm: psh, value: 1, unit: s}]", 'did you mean "push"?'),
    ("points: [{metric: ttft, arm: push, against: base, reported: ratio, value: 1, unit: x}]", "arms here: pull, push"),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: value, metric: ttft, arm: push, points: [p]}}]",
        "this record has no points",
    ),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: order, metric: ttft, arm: push, against: pull, better: pusch}}]",
        "push",
    ),
    ("claims: [{id: c, kind: mechanism, says: x, explains: [d]}]", 'no claim "d"'),
    ("claims: [{id: c, kind: mechanism, says: x, arms: [psh]}]", 'did you mean "push"?'),
    ("claims: [{id: c, kind: mechanism, says: x, anchors: {both: ['vllm:f']}}]", 'no arm "both"'),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: topology, value: 1P1D, arm: pul, why: w}]}]",
        "pull",
    ),
    ("stages: [{stage: post, says: x, points: [p]}]", 'no point "p"'),
    ("signals: [{id: s, what: w, claims: [c]}]", 'no claim "c"'),
    ("impacts: [{change: taken-change, claim: c, status: affected, because: b, date: 2026-10-19}]", 'no claim "c"'),
    ("reviews: [{date: 2026-10-19, claims: [c], at: {vllm: 0.29.0}, because: b}]", 'no claim "c"'),
    ("relations: [{relation: narrows, to: shared-result, claims: [hevy]}]", '"shared-result" has no claim'),
)
def test_fires(fragment: str, says: str) -> None:
    """Ids used inside a record are carried by something in it."""
    fires("unknown-part", fragment, says)


@rows(
    "claims: [{id: c, kind: mechanism, says: x, arms: [pull, push]}]",
    "claims: [{id: c, kind: mechanism, says: x, anchors: {all: ['vllm:f'], push: ['vllm:g']}}]",
    "relations: [{relation: narrows, to: shared-result, claims: [heavy]}]",
    "relations: [{relation: narrows, to: nowhere, claims: [heavy]}]",
    """
signals: [{id: s, what: w}]
decision: {chose: push, because: b, reopened_by: [s]}
""",
    "signals: [{id: s, what: w, watches: {question: push-vs-pull-handoff, conditions: [{key: topology, value: 1P1D, arm: theirs, why: w}]}}]",
)
def test_is_quiet(fragment: str) -> None:
    """`all` stands for shared code; claims of a record that is missing are another check's."""
    quiet("unknown-part", fragment)


def test_one_misspelt_arm_is_one_finding() -> None:
    """At its first place, with the count; another name is another finding."""
    points = ", ".join("{metric: ttft, arm: psh, value: 1, unit: s}" for _ in range(12))
    found = problems("unknown-part", f"points: [{points}, {{metric: ttft, arm: pul, value: 1, unit: s}}]")
    assert [(each.loc, each.message) for each in found] == [
        (("points", 0, "arm"), 'there is no arm "psh" in this record (at 12 places)'),
        (("points", 12, "arm"), 'there is no arm "pul" in this record'),
    ]
