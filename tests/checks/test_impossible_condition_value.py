# ruff: noqa: E501  rows read better unbroken
"""KB144 impossible-condition-value."""

from . import cases, fires, quiet, rows


@cases(
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: router.dispatch, op: is, value: parallel, why: w}]}]",
        "router.dispatch takes sequential, concurrent, unknown",
    ),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: connector.mode, op: is, value: psh, why: w}]}]",
        'did you mean "push"?',
    ),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: decode.prefix_caching, op: is, value: maybe, why: w}]}]",
        "takes on, off, unknown",
    ),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: topology, op: is, value: pd, why: w}]}]",
        'topology is never "pd"',
    ),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: prefill.tp, op: is, value: two, why: w}]}]",
        "a number",
    ),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: connector.mode, op: in, value: [push, pul], why: w}]}]",
        'never "pul"',
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
guards: [{key: workload.turns, value: many}]
""",
        "single",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A condition compares a key with a value it can have."""
    fires("impossible-condition-value", fragment, says)


@rows(
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: router.dispatch, op: is, value: concurrent, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: decode.prefix_caching, op: is, value: off, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: decode.prefix_caching, op: is, value: disabled, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: topology, op: not-in, value: [1P1D, aggregated], why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: prefill.tp, op: is, value: 2, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: prefill.tp, op: is, other: decode.tp, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: model, op: is, value: Qwen3-32B, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: transport.backend, op: is, value: LIBFABRIC, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: options.backends, op: is, value: anything, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: caller.num_threads, op: is, value: not-set, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: workload.request_rate, op: within, value: [1, 8], why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: workload.concurrency, op: is, value: 32, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: decode.prefix_caching, op: set, why: w}]}]",
)
def test_is_quiet(fragment: str) -> None:
    """Values of the key's type, free names, open keys and comparisons by size are fine."""
    quiet("impossible-condition-value", fragment)
