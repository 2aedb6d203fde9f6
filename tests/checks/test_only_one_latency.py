"""KB137 only-one-latency."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
setup: {topology: 1P1D}
points: [{metric: ttft, value: 1, unit: s}]
""",
        "says nothing of TPOT or ITL",
    ),
    ("points: [{metric: itl, arm: push, value: 7, unit: ms}]", "says nothing of TTFT"),
)
def test_fires(fragment: str, says: str) -> None:
    """A hand-off is judged by the first token and by the ones after it."""
    fires("only-one-latency", fragment, says)


@rows(
    """
setup: {topology: 1P1D}
points: [{metric: ttft, value: 1, unit: s}, {metric: itl, value: 7, unit: ms}]
""",
    """
setup: {topology: 1P1D}
points: [{metric: output_throughput, value: 1, unit: tok/s}]
""",
    """
arms: [{id: a}]
setup: {topology: aggregated, connector: {mode: local}}
points: [{metric: ttft, value: 1, unit: s}]
""",
    """
arms: [{id: a, setup: {topology: unknown}}]
points: [{metric: ttft, value: 1, unit: s}]
""",
    """
kind: reference
setup: {topology: 1P1D}
points: [{metric: ttft, value: 1, unit: s}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Both, neither, an aggregated setup and a reference are fine."""
    quiet("only-one-latency", fragment)
