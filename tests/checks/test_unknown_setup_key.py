# ruff: noqa: E501  rows read better unbroken
"""KB143 unknown-setup-key."""

from . import cases, fires, quiet, rows


@cases(
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: decode.prefix_cache, op: is, value: x, why: w}]}]",
        'did you mean "decode.prefix_caching"?',
    ),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: block_size, op: is, value: 16, why: w}]}]",
        "did you mean both.block_size or decode.block_size or prefill.block_size?",
    ),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: prefill.tp, op: is, other: decode.tpp, why: w}]}]",
        '"decode.tpp" is no setup key',
    ),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: options., op: is, value: x, why: w}]}]",
        '"options." is no setup key',
    ),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: gpu_memory_utilization, op: is, value: x, why: w}]}]",
        "options.gpu_memory_utilization",
    ),
    ("not_stated: [engine.verison]", 'did you mean "engine.version"?'),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
guards: [{key: connector.mod, value: push}]
""",
        "connector.mode",
    ),
    (
        """
# entries/components/it.yaml
kind: engine
facts: [{versions: '*', defaults: {prefix_caching: 'on'}}]
""",
        "both.prefix_caching",
    ),
    (
        """
# entries/components/it.yaml
kind: engine
facts: [{versions: '*', refuses: [{when: [{key: nope, value: x}]}]}]
""",
        "nope",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Conditions speak of keys that setups have."""
    fires("unknown-setup-key", fragment, says)


@rows(
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: decode.prefix_caching, op: is, value: off, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: prefill.tp, op: is, other: decode.tp, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: options.kv_lease_duration, op: <, value: 30, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: env.UCX_TLS, op: is, value: x, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: caller.num_threads, op: is, value: 4, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: versions.vllm, op: matches, value: '>=0.24', why: w}]}]",
    "not_stated: [engine.version, slo, workload.repeats, points.stat, prefill.connector]",
    """
# entries/components/it.yaml
kind: engine
facts: [{versions: '*', defaults: {both.prefix_caching: 'on'}}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Setup keys, open keys, and whole tables under `not_stated` are known."""
    quiet("unknown-setup-key", fragment)
