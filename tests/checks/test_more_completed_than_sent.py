# ruff: noqa: E501  rows read better unbroken
"""KB136 more-completed-than-sent."""

from . import cases, fires, quiet, rows


@cases(
    ("arms: [{id: a, requests: {sent: 100, completed: 101}}]", "101 requests completed"),
    ("arms: [{id: a, requests: {sent: 100, completed: 90, failed: 20}}]", "110 requests"),
    ("arms: [{id: a, requests: {sent: 100, recomputed: 120}}]", "recomputed"),
    (
        "setup: {workload: {num_prompts: 100, repeats: 3}}\narms: [{id: a, requests: {completed: 400}}]",
        "400 requests completed, the workload's prompts times its runs are 300",
    ),
    (
        "setup: {workload: {num_prompts: 100, repeats: 1, request_rate: [1, 2]}}\narms: [{id: a, requests: {sent: 300}}]",
        "are 200",
    ),
    (
        "points: [{metric: completed, where: {num_prompts: 100}, value: 104, unit: count}]",
        "104 completed of 100 prompts",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """What came back was sent."""
    fires("more-completed-than-sent", fragment, says)


@rows(
    "arms: [{id: a, requests: {sent: 100, completed: 95, failed: 5, recomputed: 20}}]",
    "arms: [{id: a, requests: {sent: unknown, completed: 95}}]",
    "arms: [{id: a, requests: {sent: 100, completed: unknown, failed: 3}}]",
    "setup: {workload: {num_prompts: 100, repeats: 3}}\narms: [{id: a, requests: {sent: 300, completed: 300}}]",
    "setup: {workload: {num_prompts: 100}}\narms: [{id: a, requests: {completed: 400}}]",
    "setup: {workload: {num_prompts: 100, repeats: unknown}}\narms: [{id: a, requests: {completed: 400}}]",
    "setup: {workload: {num_prompts: 100, repeats: 1, request_rate: 1..8}}\narms: [{id: a, requests: {completed: 400}}]",
    "setup: {workload: {num_prompts: unknown, repeats: 1}}\narms: [{id: a, requests: {completed: 400}}]",
    "points: [{metric: completed, where: {num_prompts: 100}, value: 100, unit: count}]",
    "points: [{metric: completed, where: {num_prompts: [100, 200]}, value: 150, unit: count}]",
    "points: [{metric: completed, where: {num_prompts: 50}, value: 98, unit: '%'}]",
)
def test_is_quiet(fragment: str) -> None:
    """Unknown counts, sweeps and recomputed requests that also completed are fine."""
    quiet("more-completed-than-sent", fragment)
