# ruff: noqa: E501  rows read better unbroken
"""KB152 claim-rests-on-nothing."""

from . import cases, fires, quiet, rows


@cases(
    ("claims: [{id: c, kind: mechanism, says: x}]", 'claim "c" rests on nothing'),
    (
        "claims: [{id: c, kind: measured, says: Push was ahead., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
        "name its dimensions",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Every claim can be reached by some change."""
    fires("claim-rests-on-nothing", fragment, says)


@rows(
    "claims: [{id: c, kind: measured, says: Push was ahead., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}, rests_on: [post-thread]}]",
    "claims: [{id: c, kind: mechanism, says: Push was ahead., anchors: {all: ['vllm:f']}}]",
    "claims: [{id: c, kind: measured, says: Push was ahead., effect: {form: order, metric: tpot, arm: push, against: pull, better: push}}]",
    "claims: [{id: c, kind: hypothesis, says: Push was ahead., explains: []}]",
)
def test_is_quiet(fragment: str) -> None:
    """Dimensions, anchors, or what the metric implies tie a claim to changes."""
    quiet("claim-rests-on-nothing", fragment)
