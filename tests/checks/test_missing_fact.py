# ruff: noqa: E501  rows read better unbroken
"""KB141 missing-fact."""

from . import cases, fires, problems, quiet, rows

FULL = """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
"""


@cases(
    (FULL, "router.dispatch is missing: push gains only when"),
    (FULL, "both.block_size is missing: block size sets the number of descriptors"),
    (FULL, "both.prefix_caching is missing"),
    (FULL, "both.kv_memory is missing: a fresh pool"),
    (FULL, "workload.repeats is missing: without repeats"),
    (FULL, "workload.warmup is missing"),
    (FULL, "client.name is missing: tools define"),
    (
        FULL
        + """
  - {id: alone, setup: {topology: aggregated, connector: {mode: none}}}
""",
        "both.gpus of pull, push is missing",
    ),
    (
        """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  prefill: {prefix_caching: off}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
        "decode.prefix_caching is missing",
    ),
    (
        """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  cache: {component: lmcache}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
        "cache.version is missing",
    ),
    (
        FULL
        + """
points: [{metric: goodput, arm: push, value: 4, unit: req/s}]
""",
        "slo.ttft is missing",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Further facts are asked for one by one, with the reason."""
    fires("missing-fact", fragment, says)


@rows(
    """
kind: reference
arms: []
""",
    FULL
    + """
not_stated: [precision, hardware.interconnect, same_node, transport.backend, transport.version, router.name, router.dispatch, router.decoder_chosen, both.tp, both.block_size, both.prefix_caching, both.kv_layout, both.kv_memory, workload.dataset, workload.num_prompts, workload.turns, workload.warmup, workload.repeats, workload.cache_reset, client.name, client.version]
""",
)
def test_is_quiet(fragment: str) -> None:
    """A reference and a record that leaves nothing open are not asked."""
    quiet("missing-fact", fragment)


def test_no_fact_is_asked_twice() -> None:
    """What both sides lack is one question."""
    asked = [each.message.partition(" ")[0] for each in problems("missing-fact", FULL)]
    assert len(asked) == len(set(asked))
    assert not [key for key in asked if key.startswith(("prefill.", "decode."))]


def test_an_aggregated_setup_is_not_asked_about_hand_off() -> None:
    """No router legs, no transport, no state of a pool to transfer from."""
    alone = "arms: [{id: a}]\nsetup: {model: m, topology: aggregated}"
    asked = " ".join(each.message for each in problems("missing-fact", alone))
    assert "router" not in asked
    assert "transport" not in asked
    assert "kv_memory" not in asked
