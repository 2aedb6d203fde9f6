# ruff: noqa: E501  rows read better unbroken
"""KB121 effect-without-points."""

from . import cases, fires, quiet, rows


@cases(
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: parity, metric: ttft, arm: push, against: pull}}]",
        "parity by the source's words alone",
    ),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: threshold, metric: goodput, arm: push, at_least: 5, unit: req/s}}]",
        "threshold",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """What only words carry is named."""
    fires("effect-without-points", fragment, says)


@rows(
    """
points: [{id: p, metric: ttft, value: 1, unit: s}]
claims: [{id: c, kind: measured, says: x, effect: {form: value, metric: ttft, points: [p]}}]
""",
    "claims: [{id: c, kind: measured, says: x, effect: {form: ratio, metric: ttft}}]",
    "claims: [{id: c, kind: hypothesis, says: x}]",
)
def test_is_quiet(fragment: str) -> None:
    """Points, and effects that are an error without them, are not named."""
    quiet("effect-without-points", fragment)
