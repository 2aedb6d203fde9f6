# ruff: noqa: E501  rows read better unbroken
"""KB133 unit-of-another-kind."""

from . import cases, fires, quiet, rows


@cases(
    ("points: [{id: a, metric: ttft, value: 540, unit: tok/s}]", 'not measured in "tok/s"'),
    ("points: [{id: a, metric: ttft, value: 540, unit: msec}]", 'did you mean "ms"?'),
    ("points: [{id: a, metric: output_throughput, value: 540, unit: req/s}]", "units of output_throughput: tok/s"),
    (
        "points: [{id: a, metric: ttft, arm: push, against: pull, reported: difference, value: 5, unit: x}]",
        'not measured in "x"',
    ),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, at_most: 5, unit: GB/s}}]",
        "GB/s",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A number is given in a unit of its metric."""
    fires("unit-of-another-kind", fragment, says)


@rows(
    "points: [{metric: ttft, value: 0.54, unit: s}, {metric: tpot, value: 7000, unit: us}]",
    "points: [{metric: hit_rate, value: 54, unit: '%'}]",
    "points: [{metric: transfer_bandwidth, value: 200, unit: Gb/s}]",
    "points: [{metric: ttft, arm: push, against: pull, reported: percent-change, value: 5, unit: '%'}]",
    "points: [{metric: ttft, arm: push, against: pull, reported: order, unit: none}]",
    "points: [{metric: unlisted, value: 5, unit: parsec}]",
    "claims: [{id: c, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, at_most: 5, unit: '%'}}]",
)
def test_is_quiet(fragment: str) -> None:
    """Convertible and listed units, and relative ones for comparisons, are fine."""
    quiet("unit-of-another-kind", fragment)
