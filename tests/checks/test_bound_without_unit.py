# ruff: noqa: E501  rows read better unbroken
"""KB127 bound-without-unit."""

from . import cases, fires, quiet, rows


@cases(
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, at_most: 15}}]",
        "at_most has no unit",
    ),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: parity, metric: ttft, arm: push, against: pull, margin: 5}}]",
        "margin has no unit",
    ),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: threshold, metric: goodput, arm: push}}]",
        "states no figure",
    ),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, at_most: 1, at_least: 2, unit: s}}]",
        "above at_most",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A figure is written with its unit."""
    fires("bound-without-unit", fragment, says)


@rows(
    "claims: [{id: c, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, at_most: 15, unit: '%'}}]",
    "claims: [{id: c, kind: measured, says: x, effect: {form: parity, metric: ttft, arm: push, against: pull}}]",
    """
points: [{id: p, metric: ttft, arm: push, value: 1, unit: s}]
claims: [{id: c, kind: measured, says: x, effect: {form: threshold, metric: ttft, arm: push, points: [p]}}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Figures with units, and forms without figures, are fine."""
    quiet("bound-without-unit", fragment)
