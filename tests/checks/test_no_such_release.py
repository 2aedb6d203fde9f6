"""KB146 no-such-release."""

from . import cases, fires, quiet, rows


@cases(
    ("setup: {engine: {component: vllm, version: 0.25.7}}", "0.25.7 is no known release"),
    ("setup: {engine: {component: vllm, version: 0.24.1}}", 'did you mean "0.24.0"?'),
    ("setup: {engine: {component: vllm, version: '>=0.21,<0.24'}}", "has no known release in >=0.21,<0.24"),
    ("setup: {connector: {component: vllm-nixl-push, version: 0.24.5}}", "0.24.5"),
    ("arms: [{id: a, setup: {transfer_library: {component: nixl, version: 1.3.0}}}]", "1.3.0"),
    (
        """
# entries/deployments/it.yaml
setup: {prefill: {engine: {component: vllm, version: 0.25.7}}}
""",
        "0.25.7",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A pinned version was released."""
    fires("no-such-release", fragment, says)


@rows(
    "setup: {engine: {component: vllm, version: 0.24.0}}",
    "setup: {engine: {component: vllm, version: v0.24.0}}",
    "setup: {engine: {component: vllm, version: 0.24}}",
    "setup: {engine: {component: vllm, version: '>=0.24,<0.26'}}",
    "setup: {engine: {component: vllm, version: 0.33.0}}",
    "setup: {engine: {component: vllm, version: 0.4.0}}",
    "setup: {engine: {component: vllm, version: 0.26.0rc1}}",
    "setup: {engine: {component: vllm, version: 0.25.2.dev358}}",
    "setup: {engine: {component: vllm, version: 0.25.2+cu129}}",
    "setup: {engine: {component: vllm, version: 0.25.7, commit: 0123456789}}",
    "setup: {engine: {component: vllm, version: 0.25.7, branch: a branch}}",
    "setup: {engine: {component: vllm, version: 0.25.7, fork: me/vllm}}",
    "setup: {engine: {component: vllm, version: unknown}}",
    "setup: {engine: {component: vllm, as_of: 2026-10-19}}",
    "setup: {stack: {component: dynamo, version: 9.9.9}}",
)
def test_is_quiet(fragment: str) -> None:
    """Known releases, newer or older ones than the list, builds of one's own and unlisted components are not judged."""
    quiet("no-such-release", fragment)
