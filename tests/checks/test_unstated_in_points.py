"""KB130 unstated-in-points."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, stat: unknown}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms, stat: mean}
""",
        "statistic unknown for 1 of 2 points: a",
    ),
    (
        """
not_stated: [points.stat]
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
""",
        "statistic unknown for 2 of 2 points: a, b",
    ),
    (
        """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, where: {words: light load}}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
""",
        "load point only in the source's words for 1 of 2 points: a",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """What the source leaves open in its points is counted."""
    fires("unstated-in-points", fragment, says)


@rows(
    """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, stat: p50}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms, stat: p50}
""",
    """
points:
  - {id: a, metric: ttft, arm: push, value: 540, unit: ms, where: {request_rate: 1, words: light load}}
  - {id: b, metric: ttft, arm: pull, value: 1744, unit: ms}
""",
    """
points:
  - {id: a, metric: output_throughput, arm: push, value: 540, unit: tok/s, stat: unknown}
  - {id: b, metric: output_throughput, arm: pull, value: 1744, unit: tok/s}
""",
)
def test_is_quiet(fragment: str) -> None:
    """What is stated, and what is only absent, is not counted here."""
    quiet("unstated-in-points", fragment)


def test_many_points_are_named_up_to_a_few() -> None:
    """The count tells the rest."""
    each = "\n".join(f"  - {{id: p{n}, metric: ttft, stat: unknown, value: {n + 1}, unit: s}}" for n in range(9))
    fires("unstated-in-points", f"points:\n{each}", "p5 and 3 more")
