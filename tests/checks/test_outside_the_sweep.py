# ruff: noqa: E501  rows read better unbroken
"""KB193 outside-the-sweep."""

from . import cases, fires, quiet, rows


def point(where: str, setup: str, arm: str = "push") -> str:
    return f"setup: {{workload: {setup}}}\npoints: [{{metric: ttft, arm: {arm}, where: {where}, value: 1, unit: s}}]"


@cases(
    (point("{request_rate: 80}", "{request_rate: 1..8}"), "request_rate 80 is outside the workload's 1 to 8"),
    (point("{request_rate: 0.5}", "{request_rate: [1, 2, 4]}"), "outside"),
    (point("{input_tokens: 16000}", "{input_tokens: 4096}"), "input_tokens 16000"),
    (point("{concurrency: 8..64}", "{concurrency: 8..32}"), "concurrency"),
    (point("{request_rate: inf}", "{request_rate: 1..8}"), "request_rate inf"),
    (
        "arms: [{id: a, setup: {workload: {request_rate: 2}}}]\npoints: [{metric: ttft, arm: a, where: {request_rate: 4}, value: 1, unit: s}]",
        "4",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Lengths, rates and counts that the workload never reaches."""
    fires("outside-the-sweep", fragment, says)


@rows(
    point("{request_rate: 8}", "{request_rate: 1..8}"),
    point("{request_rate: 3}", "{request_rate: [1, 2, 4]}"),
    point("{request_rate: 80}", "{concurrency: 8}"),
    point("{request_rate: 80}", "{request_rate: unknown}"),
    point("{request_rate: unknown}", "{request_rate: 8}"),
    point("{input_tokens: 16000}", "{input_tokens: {shape: lognormal, mean: 4000, std: 10}}"),
    point("{words: the demanding end}", "{request_rate: 1..8}"),
    point("{request_rate: inf}", "{request_rate: inf}"),
    "points: [{metric: ttft, arm: push, where: {request_rate: 80}, value: 1, unit: s}]",
    "setup: {workload: {request_rate: 2}}\narms: [{id: a, setup: {workload: {request_rate: 4}}}]\npoints: [{metric: ttft, arm: a, where: {request_rate: 4}, value: 1, unit: s}]",
)
def test_is_quiet(fragment: str) -> None:
    """Inside, at the ends, unknown, means alone, words; an arm's own workload goes before the common one."""
    quiet("outside-the-sweep", fragment)
