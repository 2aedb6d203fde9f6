# ruff: noqa: E501  rows read better unbroken
"""KB128 ratio-without-statistic."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
        "for a, b",
    ),
    (
        """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, stat: mean}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
        "for b",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A comparison's points say which statistic they are."""
    fires("ratio-without-statistic", fragment, says)


@rows(
    """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, stat: mean}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms, stat: mean}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
    """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, stat: unknown}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms, stat: unknown}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
    """
not_stated: [points.stat]
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
    """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
""",
    """
points:
  - {id: a, metric: output_throughput, arm: push, value: 540, unit: tok/s}
  - {id: b, metric: output_throughput, arm: pull, value: 1744, unit: tok/s}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: output_throughput, arm: push, against: pull, points: [a, b]}}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Stated or unknown is an answer; counts and throughputs need none, and neither do points that nothing cites."""
    quiet("ratio-without-statistic", fragment)
