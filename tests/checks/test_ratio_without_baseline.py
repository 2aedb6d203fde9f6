# ruff: noqa: E501  rows read better unbroken
"""KB122 ratio-without-baseline."""

from . import cases, fires, quiet, rows


@cases(
    ("claims: [{id: c, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push}}]", "names no baseline"),
    ("claims: [{id: c, kind: measured, says: x, effect: {form: parity, metric: ttft}}]", "names no baseline"),
    (
        """
points: [{id: p, metric: ttft, arm: push, value: 1, unit: s}]
claims: [{id: c, kind: measured, says: x, effect: {form: difference, metric: ttft, arm: push, points: [p]}}]
""",
        "difference",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A comparison names two arms."""
    fires("ratio-without-baseline", fragment, says)


@rows(
    "claims: [{id: c, kind: measured, says: x, effect: {form: order, metric: ttft, arm: push, against: pull}}]",
    """
points: [{id: p, metric: ttft, arm: push, against: pull, reported: ratio, value: 2, unit: x}]
claims: [{id: c, kind: measured, says: x, effect: {form: ratio, metric: ttft, points: [p]}}]
""",
    "claims: [{id: c, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, at_most: 1, unit: s}}]",
    "claims: [{id: c, kind: measured, says: x, effect: {form: statistic-ratio, metric: ttft, arm: push, points: [a, b]}}]",
)
def test_is_quiet(fragment: str) -> None:
    """The points may name the arms; one arm is enough for a bound or a value."""
    quiet("ratio-without-baseline", fragment)
