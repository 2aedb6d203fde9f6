# ruff: noqa: E501  rows read better unbroken
"""KB126 contradicted-effect."""

from . import cases, fires, quiet, rows

POINTS = """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, value: 540, unit: ms}
  - {id: b, metric: ttft, stat: mean, arm: pull, value: 1744, unit: ms}
  - {id: c, metric: ttft, stat: p99, arm: push, value: 1, unit: s}
  - {id: d, metric: tpot, stat: mean, arm: push, value: 7, unit: ms}
  - {id: r, metric: ttft, arm: push, against: pull, reported: improvement-factor, value: 3, unit: x}
"""


@cases(
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b], better: pull}}
""",
        'its points say "push"',
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [r], better: pull}}
""",
        'its points say "push"',
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b], value: 0.5, unit: x}}
""",
        "0.31 x",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, points: [a], at_most: 500, unit: ms}}
""",
        "at most 500",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, points: [c], at_most: 500, unit: ms}}
""",
        "1000 ms",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, points: [a], at_least: 600, unit: ms}}
""",
        "at least 600",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: parity, metric: ttft, arm: push, against: pull, points: [a, b], margin: 5, unit: '%'}}
""",
        "apart",
    ),
    (
        """
points: [{id: p, metric: output_throughput, arm: push, against: pull, reported: percent-change, value: -4, unit: '%'}]
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: output_throughput, points: [p], better: push}}]
""",
        '"pull"',
    ),
    (
        """
points: [{id: p, metric: ttft, arm: push, against: pull, reported: ratio, value: 1.4, unit: x}]
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, points: [p], better: push}}]
""",
        '"pull"',
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """An effect says what its points say."""
    fires("contradicted-effect", fragment, says)


@rows(
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b], better: push}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b], value: 0.3, unit: x}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [r], better: push}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, points: [a], at_most: 540, unit: ms}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, points: [a], at_most: 15, unit: '%'}}
""",
    """
points: [{id: p, metric: descriptors, arm: push, value: 9, unit: count}, {id: q, metric: descriptors, arm: pull, value: 3, unit: count}]
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: descriptors, points: [p, q], better: push}}]
""",
    """
points: [{id: p, metric: output_throughput, arm: push, against: pull, reported: percent-change, value: 4, unit: '%'}]
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: output_throughput, points: [p], better: push}}]
""",
    """
points: [{id: p, metric: ttft, arm: push, against: pull, reported: ratio, value: 0.6, unit: x}]
claims: [{id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, points: [p], better: push}}]
""",
    """
points: [{id: p, metric: ttft, arm: push, against: pull, reported: order, unit: none}]
claims: [{id: k, kind: measured, says: x, effect: {form: order, metric: ttft, points: [p], better: push}}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Rounding, equal numbers and metrics without a better side contradict nothing."""
    quiet("contradicted-effect", fragment)
