"""KB142 fact-not-stated."""

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
    (
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
        "1 fact a reviewer will ask for: engine.version",
    ),
    (
        FULL
        + """
not_stated: [both.tp, workload.repeats]
""",
        "2 facts a reviewer will ask for: both.tp, workload.repeats",
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
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: unknown}}}
""",
        "connector.mode (push)",
    ),
    (
        """
setup:
  model: Qwen3-32B
  hardware: {gpu: H200}
  router: {dispatch: unknown}
  topology: 1P1D
  engine: {component: vllm, version: 0.29.0}
  transfer_library: {component: nixl, version: 1.3.1}
  workload: {input_tokens: 4096, output_tokens: 128, request_rate: 8}
arms:
  - {id: pull, setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}}
  - {id: push, setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}}
""",
        "router.dispatch",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """What the source leaves out is counted and named once."""
    fires("fact-not-stated", fragment, says)


@rows(
    FULL,
    "date: 2026-10-19",
    FULL
    + """
not_stated: [hardware.driver]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Nothing is counted that is stated, absent, or of no use to a reviewer."""
    quiet("fact-not-stated", fragment)


def test_many_facts_are_counted_and_the_first_named() -> None:
    """One short line; the hint says where all of them are."""
    workload = ", ".join(f"workload.{name}" for name in ("dataset", "turns", "warmup", "repeats"))
    keys = f"{workload}, client.name, client.version, precision, same_node"
    [found] = problems("fact-not-stated", FULL + f"not_stated: [{keys}]")
    assert "8 facts" in found.message
    assert found.message.endswith(" and 2 more")
    assert found.hint == "`kb show it` names them all"
    assert len(found.message) < 200
