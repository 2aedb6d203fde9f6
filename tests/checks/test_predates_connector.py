# ruff: noqa: E501  rows read better unbroken
"""KB147 predates-connector."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
arms: []
setup: {engine: {component: vllm, version: 0.20.0}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
        "NixlPushConnector can be configured in >=0.24.0",
    ),
    (
        """
arms: []
setup: {engine: {component: vllm, version: 0.20.0}, connector: {component: vllm-nixl-push}}
""",
        "0.20.0 has no push connector",
    ),
    (
        """
arms: []
setup: {engine: {component: vllm, version: 0.20.0}, connector: {component: vllm-nixl-pull, class_name: NixlPullConnector}}
""",
        "0.20.0 has no NixlPullConnector",
    ),
    (
        """
arms: []
setup: {engine: {component: vllm, version: 0.29.0}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector, version: 0.20.0}}
""",
        "0.20.0 has no",
    ),
    (
        """
arms: []
setup: {engine: {component: vllm, version: '<0.24'}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
        "<0.24 has no NixlPushConnector",
    ),
    (
        """
setup: {engine: {component: vllm, version: 0.20.0}}
arms: [{id: a, setup: {connector: {component: vllm-nixl-push}}}]
""",
        "0.20.0",
    ),
    (
        """
setup: {connector: {component: vllm-nixl-push}}
arms: [{id: a, setup: {engine: {component: vllm, version: 0.20.0}}}]
""",
        "0.20.0",
    ),
    (
        "setup: {engine: {component: vllm, version: 0.29.0}, prefill: {engine: {component: vllm, version: 0.20.0}, connector: {component: vllm-nixl-push}}}",
        "0.20.0",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A build has the connector it is said to have run."""
    fires("predates-connector", fragment, says)


@rows(
    """
arms: []
setup: {engine: {component: vllm, version: 0.24.0}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
    """
arms: []
setup: {engine: {component: vllm, version: 0.29.0}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
    """
arms: []
setup: {engine: {component: vllm, version: 0.20.0}, connector: {component: vllm-nixl-pull, class_name: NixlConnector}}
""",
    """
arms: []
setup: {engine: {component: vllm, version: '>=0.20,<0.26'}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
    """
arms: []
setup: {engine: {component: vllm, version: unknown}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
    """
arms: []
setup: {engine: {component: vllm, as_of: 2026-05-01}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
    """
arms: []
setup: {engine: {component: vllm, version: 0.20.0, branch: pull request 35264}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
    """
arms: []
setup: {engine: {component: vllm, version: 0.20.0, commit: 0123456789}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
    """
arms: []
setup: {engine: {component: vllm, version: 0.20.0}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector, branch: pull request 35264}}
""",
    """
arms: []
setup: {engine: {component: vllm, version: 0.23.2.dev358}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector}}
""",
    """
arms: []
setup: {engine: {component: vllm, version: unknown}, connector: {component: vllm-nixl-push, class_name: NixlPushConnector, version: unknown}}
""",
    "setup: {engine: {component: sglang, version: 0.5.0}, connector: {component: vllm-nixl-push}}",
    """
arms: []
setup: {engine: {component: vllm, version: 0.20.0}, connector: {component: vllm-nixl-push, class_name: MyOwnConnector}}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Builds that have it, open pins, builds of one's own and other distributions are not judged."""
    quiet("predates-connector", fragment)
