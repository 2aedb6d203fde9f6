"""KB139 latencies-disagree."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 0.54, unit: ms}
  - {id: b, metric: tpot, stat: mean, arm: push, where: {request_rate: 4}, value: 10.4, unit: ms}
""",
        "ttft of 0.54 ms beside a tpot of 10.4 ms",
    ),
    (
        """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 0.54, unit: ms}
  - {id: b, metric: itl, stat: mean, arm: push, where: {request_rate: 4}, value: 10.4, unit: ms}
""",
        "itl",
    ),
    (
        """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 1744, unit: ms}
  - {id: b, metric: e2el, stat: mean, arm: push, where: {request_rate: 4}, value: 2.5, unit: ms}
""",
        "e2el of 2.5 ms beside a ttft of 1744 ms",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Latencies of one run go together."""
    fires("latencies-disagree", fragment, says)


@rows(
    """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 0.54, unit: s}
  - {id: b, metric: tpot, stat: mean, arm: push, where: {request_rate: 4}, value: 10.4, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 30, unit: ms}
  - {id: b, metric: tpot, stat: mean, arm: push, where: {request_rate: 4}, value: 50, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 0.54, unit: ms}
  - {id: b, metric: tpot, stat: mean, arm: pull, where: {request_rate: 4}, value: 10.4, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 0.54, unit: ms}
  - {id: b, metric: tpot, stat: p99, arm: push, where: {request_rate: 4}, value: 10.4, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 0.54, unit: ms}
  - {id: b, metric: tpot, stat: mean, arm: push, where: {request_rate: 2}, value: 10.4, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 1744, unit: ms}
  - {id: b, metric: e2el, stat: mean, arm: push, where: {request_rate: 4}, value: 2.5, unit: s}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Other arms, loads and statistics, and short first tokens within reason, are fine."""
    quiet("latencies-disagree", fragment)
