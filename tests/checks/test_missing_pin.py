"""KB140 missing-pin."""

from . import cases, fires, quiet, rows

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
    ("date: 2026-10-19", "model is missing: KV size per token"),
    (
        """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
        "engine.version is missing",
    ),
    (
        """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
        "engine.version is missing",
    ),
    (
        """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
        "transfer_library.version is missing",
    ),
    (
        """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
        "connector.mode of pull is missing",
    ),
    (
        """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
        "topology is missing",
    ),
    (
        """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
        "workload.request_rate is missing",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """What an audit cannot do without is asked for one by one, with the reason."""
    fires("missing-pin", fragment, says)


@rows(
    FULL,
    """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, version: unknown}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
    """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, commit: 0123456789}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
    """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, image: vllm/vllm-openai@sha256:0123}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
    """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, concurrency: 64}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
    """
setup:
  model: Qwen3-32B
  hardware: {instance: p5en.48xlarge}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
    """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
not_stated: [transfer_library.version]
""",
    """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
not_stated: [topology]
""",
    """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
points: [{metric: ttft, where: {request_rate: 4}, value: 1, unit: s}]
""",
    """
kind: reference
arms: []
""",
    """
arms: [{id: a}]
setup: {hardware: {gpu: H200}, transfer_library: {component: nixl, version: 1.3.1}}
points: [{metric: transfer_bandwidth, arm: a, value: 40, unit: GB/s}]
""",
    FULL
    + """
  - {id: alone, setup: {topology: aggregated, connector: {mode: none}}}
""",
)
def test_is_quiet(fragment: str) -> None:
    """A stated fact, another that answers the same, an explicit unknown, and what cannot be asked are not missing."""
    quiet("missing-pin", fragment)
