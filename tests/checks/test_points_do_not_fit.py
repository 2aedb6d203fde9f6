# ruff: noqa: E501  rows read better unbroken
"""KB123 points-do-not-fit."""

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
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [b, a]}}
""",
        "arm first, then baseline: [a, b]",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, d]}}
""",
        "its points are tpot",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a]}}
""",
        "one value gives no ratio",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b, c]}}
""",
        "two points, not 3",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [c, b]}}
""",
        "s cannot be set against ms",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, r]}}
""",
        "no side of a pair",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: pull, against: push, points: [r]}}
""",
        "turns the reported comparison round",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: statistic-ratio, metric: ttft, arm: push, points: [a, b]}}
""",
        "of two",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: statistic-ratio, metric: ttft, arm: push, points: [a, a]}}
""",
        "both points are mean",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: difference, metric: ttft, arm: base, against: pull, points: [a, b]}}
""",
        '`arm` is "base"',
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """An effect's points are of its metric, its arms and its form."""
    fires("points-do-not-fit", fragment, says)


@rows(
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, points: [a, b]}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [r]}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: statistic-ratio, metric: ttft, arm: push, points: [c, a]}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: statistic-ratio, metric: ttft, arm: push, points: [d, a]}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: value, metric: ttft, arm: push, points: [a, c]}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: parity, metric: ttft, arm: push, against: pull, points: [a, b]}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, nowhere]}}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Fitting points, a share of one metric in another, and missing points (another check's) are fine."""
    quiet("points-do-not-fit", fragment)
