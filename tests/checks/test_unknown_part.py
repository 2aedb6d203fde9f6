# ruff: noqa: E501  rows read better unbroken
"""KB112 unknown-part."""

from . import cases, fires, quiet, rows


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
