# ruff: noqa: E501  rows read better unbroken
"""KB150 claim-without-conditions."""

from . import cases, fires, quiet, rows


@cases(
    (
        "claims: [{id: c, kind: measured, says: Push was ahead., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
        'claim "c" has no conditions',
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A measured claim says what it depends on."""
    fires("claim-without-conditions", fragment, says)


@rows(
    "claims: [{id: c, kind: measured, says: Push was ahead., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}, conditions: [{key: topology, value: 1P1D, why: one pair}]}]",
    "claims: [{id: c, kind: mechanism, says: Push was ahead., rests_on: [post-thread]}]",
    "claims: [{id: c, kind: hypothesis, says: Push was ahead., rests_on: [post-thread]}]",
)
def test_is_quiet(fragment: str) -> None:
    """Conditions, and claims that measured nothing, are fine."""
    quiet("claim-without-conditions", fragment)
