"""KB138 mean-hides-distribution."""

from . import cases, fires, quiet, rows


@cases(
    ("setup: {workload: {input_tokens: {mean: 4000}}}", "only a mean of 4000"),
    ("arms: [{id: a, setup: {workload: {output_tokens: {mean: 200, p99: 900}}}}]", "output_tokens"),
    (
        "points: [{metric: ttft, where: {input_tokens: {shape: lognormal, mean: 4000}}, value: 1, unit: s}]",
        "input_tokens",
    ),
    (
        """
# entries/deployments/it.yaml
setup: {workload: {input_tokens: {mean: 4000}}}
""",
        "input_tokens",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A mean length does not come alone."""
    fires("mean-hides-distribution", fragment, says)


@rows(
    "setup: {workload: {input_tokens: 4096, output_tokens: 128}}",
    "setup: {workload: {input_tokens: {mean: 4000, std: 100}}}",
    "setup: {workload: {input_tokens: {mean: 4000, p50: 3000}}}",
    "setup: {workload: {input_tokens: {mean: 4000, min: 1, max: 9000}}}",
    "setup: {workload: {input_tokens: {shape: fixed, mean: 4000}}}",
    "setup: {workload: {input_tokens: {shape: unknown, mean: 4000}}}",
    "setup: {workload: {input_tokens: unknown}}",
)
def test_is_quiet(fragment: str) -> None:
    """A second figure, a fixed length, a sweep, or the statement that the source has no more is enough."""
    quiet("mean-hides-distribution", fragment)
