# ruff: noqa: E501  rows read better unbroken
"""KB134 implausible-value."""

from . import cases, fires, quiet, rows


@cases(
    ("points: [{metric: ttft, value: 0.54, unit: ms}]", "is it 0.54 s?"),
    ("points: [{metric: tpot, value: 10.4, unit: s}]", "is it 10.4 ms?"),
    ("points: [{metric: hit_rate, value: 54, unit: fraction}]", "is it 54 %?"),
    ("points: [{metric: ttft, low: 0.1, high: 200, unit: ms}]", "0.1 ms"),
    ("points: [{metric: transfer_bandwidth, value: 40000, unit: GB/s}]", "is it 40000 MB/s?"),
)
def test_fires(fragment: str, says: str) -> None:
    """A value lies in the range that one would believe."""
    fires("implausible-value", fragment, says)


@rows(
    "points: [{metric: ttft, value: 0.54, unit: s}, {metric: ttft, value: 40, unit: s}, {metric: tpot, value: 900, unit: us}]",
    "points: [{metric: ttft, stat: std, value: 0.4, unit: ms}]",
    "points: [{metric: ttft, arm: push, against: pull, reported: difference, value: -0.4, unit: ms}]",
    "points: [{metric: output_throughput, value: 9000000, unit: tok/s}]",
    "points: [{metric: ttft, value: 5, unit: tok/s}]",
)
def test_is_quiet(fragment: str) -> None:
    """Believable values, spreads, comparisons and metrics without a range are fine."""
    quiet("implausible-value", fragment)
