# ruff: noqa: E501  rows read better unbroken
"""KB124 unlike-points."""

from . import cases, fires, quiet, rows

LOADS = """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 8, dataset: random}, value: 540, unit: ms}
  - {id: b, metric: ttft, stat: mean, arm: pull, where: {request_rate: 2}, value: 1744, unit: ms}
  - {id: c, metric: ttft, stat: p99, arm: pull, where: {request_rate: 8.0, dataset: Random}, value: 1744, unit: ms}
  - {id: d, metric: ttft, stat: mean, arm: pull, where: {words: the demanding end}, value: 1744, unit: ms}
  - {id: e, metric: ttft, stat: mean, arm: pull, definition: vllm-bench.ttft, where: {request_rate: 8}, value: 1744, unit: ms}
"""


@cases(
    (
        LOADS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, b]}}
""",
        "request_rate (8, 2)",
    ),
    (
        LOADS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, c]}}
""",
        "statistic (mean, p99)",
    ),
    (
        LOADS
        + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: difference, metric: ttft, arm: push, against: pull, points: [a, b]}}
""",
        "request_rate",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Compared points differ in their arm only."""
    fires("unlike-points", fragment, says)


@rows(
    LOADS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, d]}}
""",
    LOADS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, e]}}
""",
    LOADS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: statistic-ratio, metric: ttft, arm: pull, points: [c, b]}}
""",
    LOADS
    + """
claims:
  - {id: k, kind: measured, says: x, effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [a, nowhere]}}
""",
)
def test_is_quiet(fragment: str) -> None:
    """What one point leaves out, and other forms, are no difference."""
    quiet("unlike-points", fragment)


TOOLS = """
points:
  - {{id: a, metric: itl, stat: mean, arm: push, definition: {0}, value: 8, unit: ms}}
  - {{id: b, metric: itl, stat: mean, arm: pull, definition: {1}, value: 9, unit: ms}}
claims:
  - {{id: k, kind: measured, says: x, effect: {{form: ratio, metric: itl, arm: push, against: pull, points: [a, b]}}}}
"""


def test_definitions_of_two_tools() -> None:
    """Those that are computed alike compare, whichever stands first; others do not."""
    quiet("unlike-points", TOOLS.format("aiperf.itl", "vllm-bench.tpot"))
    quiet("unlike-points", TOOLS.format("vllm-bench.tpot", "aiperf.itl"))
    fires("unlike-points", TOOLS.format("aiperf.itl", "guidellm.tpot"), "definition (aiperf.itl, guidellm.tpot)")
