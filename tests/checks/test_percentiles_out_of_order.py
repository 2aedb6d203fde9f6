"""KB135 percentiles-out-of-order."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
points:
  - {id: a, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
  - {id: b, metric: ttft, stat: p99, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
""",
        "p50 900 is above p99 540 ms",
    ),
    (
        """
points:
  - {id: a, metric: ttft, stat: p90, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
  - {id: b, metric: ttft, stat: p99, arm: push, where: {request_rate: 4}, value: 0.54, unit: s}
""",
        "p90 900 is above p99 540 ms",
    ),
    (
        """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
  - {id: b, metric: ttft, stat: max, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
""",
        "mean 900 is above max 540",
    ),
    (
        """
points:
  - {id: a, metric: ttft, stat: min, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
  - {id: b, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
""",
        "min 900 is above mean 540",
    ),
    ("setup: {workload: {input_tokens: {p50: 900, p99: 500}}}", "p50 900 is above p99 500"),
    ("setup: {workload: {input_tokens: {min: 1000, max: 2000, mean: 4000}}}", "mean 4000 lies outside"),
)
def test_fires(fragment: str, says: str) -> None:
    """Statistics of one distribution rise from the minimum to the maximum."""
    fires("percentiles-out-of-order", fragment, says)


@rows(
    """
points:
  - {id: a, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
  - {id: b, metric: ttft, stat: p99, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
  - {id: b, metric: ttft, stat: p99, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
  - {id: b, metric: ttft, stat: p99, arm: pull, where: {request_rate: 4}, value: 540, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
  - {id: b, metric: ttft, stat: p99, arm: push, where: {request_rate: 2}, value: 540, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
  - {id: b, metric: tpot, stat: p99, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: mean, arm: push, where: {request_rate: 4}, value: 2000, unit: ms}
  - {id: b, metric: ttft, stat: p90, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: std, arm: push, where: {request_rate: 4}, value: 2000, unit: ms}
  - {id: b, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
  - {id: b, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 500, unit: ms}
  - {id: c, metric: ttft, stat: p99, arm: push, where: {request_rate: 4}, value: 540, unit: ms}
""",
    """
points:
  - {id: a, metric: ttft, stat: p50, arm: push, against: pull, reported: ratio, value: 3, unit: x}
  - {id: b, metric: ttft, stat: p99, arm: push, against: pull, reported: ratio, value: 2, unit: x}
""",
    "setup: {workload: {input_tokens: {mean: 4000, min: 1000, max: 16000, p50: 3000, p99: 15000}}}",
    "setup: {workload: {input_tokens: 1000..16000}}",
)
def test_is_quiet(fragment: str) -> None:
    """Another arm, load point, metric or run is another distribution; a mean may exceed any percentile."""
    quiet("percentiles-out-of-order", fragment)
