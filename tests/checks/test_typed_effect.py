# ruff: noqa: E501  rows read better unbroken
"""KB125 typed-effect."""

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
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b], value: 0.31, unit: x}}
""",
        "its points give 0.31 x",
    ),
    (
        POINTS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [r], value: 3}}
""",
        "its points give 3 x",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A number that points give is not typed."""
    fires("typed-effect", fragment, says)


@rows(
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: value, metric: ttft, arm: push, value: 540, unit: ms}}
""",
    POINTS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: bound, metric: ttft, arm: push, points: [a], at_most: 600, unit: ms}}
""",
)
def test_is_quiet(fragment: str) -> None:
    """A value that no point carries, and bounds, are typed."""
    quiet("typed-effect", fragment)
