# ruff: noqa: E501  rows read better unbroken
"""KB129 ratio-without-load-point."""

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
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, where: {request_rate: 8}}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
        "for b",
    ),
    (
        """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, where: {dataset: random}}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms, where: {concurrency: 4}}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
        "for a",
    ),
    (
        """
setup: {workload: {input_tokens: 4096}}
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
        "for a, b",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A comparison's points say at which load."""
    fires("ratio-without-load-point", fragment, says)


@rows(
    """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, where: {words: the demanding end}}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms, where: {words: the demanding end}}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
    """
setup: {workload: {request_rate: 8}}
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
    """
setup: {workload: {concurrency: unknown}}
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}]
""",
    """
not_stated: [points.where]
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
)
def test_is_quiet(fragment: str) -> None:
    """The source's words, the workload's rate, or the statement that there is none are answers."""
    quiet("ratio-without-load-point", fragment)
