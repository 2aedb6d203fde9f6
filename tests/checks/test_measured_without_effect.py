# ruff: noqa: E501  rows read better unbroken
"""KB120 measured-without-effect."""

from . import cases, fires, quiet, rows


@cases(
    ("claims: [{id: c, kind: measured, says: x}]", "has no effect"),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull}}]",
        "a ratio without points",
    ),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: value, metric: ttft, arm: push}}]",
        "a value without points",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A measured claim shows something."""
    fires("measured-without-effect", fragment, says)


@rows(
    "claims: [{id: c, kind: mechanism, says: x}, {id: d, kind: hypothesis, says: y}]",
    "claims: [{id: c, kind: measured, says: x, effect: {form: parity, metric: ttft, arm: push, against: pull}}]",
    "claims: [{id: c, kind: measured, says: x, effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
    "claims: [{id: c, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, at_most: 15, unit: '%'}}]",
    "claims: [{id: c, kind: measured, says: x, effect: {form: value, metric: ttft, arm: push, value: 5, unit: ms}}]",
)
def test_is_quiet(fragment: str) -> None:
    """Words alone may carry an order, a parity or a bound; mechanisms and hypotheses show nothing."""
    quiet("measured-without-effect", fragment)
