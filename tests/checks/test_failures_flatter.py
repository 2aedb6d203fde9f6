# ruff: noqa: E501  rows read better unbroken
"""KB192 failures-flatter."""

from . import cases, fires, problems, quiet, rows

CLAIM = "\nclaims: [{id: c, kind: measured, says: x, effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]"
OTHER = CLAIM.replace("ttft", "output_throughput")


def arms(push: str, pull: str = "{sent: 100, completed: 100, failed: 0}") -> str:
    return f"arms: [{{id: pull, requests: {pull}}}, {{id: push, requests: {push}}}]"


@cases(
    (
        arms("{sent: 200, completed: 180, failed: 20}") + CLAIM,
        '10.0% of the requests of arm "push" failed, and its ttft',
    ),
    (arms("{completed: 99, failed: 1}") + CLAIM, "1.0%"),
    (arms("{sent: 100, failed: 0}", "{sent: 100, failed: 3}") + CLAIM, '"pull"'),
    ("points: [{metric: failed, arm: push, where: {num_prompts: 100}, value: 4, unit: count}]" + CLAIM, "4.0%"),
    ("points: [{metric: failed, arm: push, value: 2, unit: '%'}]" + CLAIM, "2.0%"),
)
def test_fires(fragment: str, says: str) -> None:
    """One in a hundred, in an arm whose latency is compared."""
    fires("failures-flatter", fragment, says)


@rows(
    arms("{sent: 200, completed: 199, failed: 1}") + CLAIM,
    arms("{sent: 200, completed: 180, failed: 20}"),
    arms("{sent: 200, completed: 180, failed: 20}") + OTHER,
    arms("{sent: 200, failed: unknown}") + CLAIM,
    arms("{failed: 20}") + CLAIM,
    arms("{sent: 0, failed: 0}") + CLAIM,
    "points: [{metric: failed, arm: push, value: 2, unit: count}]" + CLAIM,
    "points: [{metric: completed, arm: push, where: {num_prompts: 100}, value: 4, unit: count}]" + CLAIM,
)
def test_is_quiet(fragment: str) -> None:
    """Few failures, unknown ones, other metrics, arms that nobody compares."""
    quiet("failures-flatter", fragment)


def test_an_arm_is_named_once() -> None:
    """Its requests and its point say the same."""
    point = "\npoints: [{metric: failed, arm: push, value: 10, unit: '%'}]"
    assert len(problems("failures-flatter", arms("{sent: 200, failed: 20}") + point + CLAIM)) == 1
