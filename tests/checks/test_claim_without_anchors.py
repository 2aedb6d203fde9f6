# ruff: noqa: E501  rows read better unbroken
"""KB151 claim-without-anchors."""

from . import cases, fires, quiet, rows


@cases(
    (
        "claims: [{id: c, kind: measured, says: Push was ahead., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
        "no anchors in the code: c",
    ),
    (
        "claims: [{id: c, kind: mechanism, says: x}, {id: d, kind: measured, says: y}, {id: e, kind: hypothesis, says: z}]",
        "c, d",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Claims without code are named, in one sentence."""
    fires("claim-without-anchors", fragment, says)


@rows(
    "claims: [{id: c, kind: measured, says: Push was ahead., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}, anchors: {push: ['vllm-nixl-push:Worker.write']}}]",
    "claims: [{id: c, kind: hypothesis, says: Push was ahead., rests_on: [post-thread]}]",
    """
kind: reference
claims: [{id: c, kind: mechanism, says: Push was ahead., rests_on: [post-thread]}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Anchors, hypotheses and references are fine."""
    quiet("claim-without-anchors", fragment)
