# ruff: noqa: E501  rows read better unbroken
"""KB168 symbol-of-another-release."""

from . import cases, fires, quiet, rows


def pinned(engine: str, symbol: str, arm: str = "pull", connector: str = "") -> str:
    anchors = f"{{{arm}: ['vllm-nixl-pull:{symbol}']}}"
    return (
        f"setup: {{engine: {{component: vllm, {engine}}}{connector}}}\n"
        f"claims: [{{id: a, kind: mechanism, says: It reads., anchors: {anchors}}}]"
    )


@cases(
    (pinned("version: 0.20.0", "NixlPullConnectorWorker._read_blocks"), "there it is NixlConnectorWorker._read_blocks"),
    (pinned("version: 0.29.0", "NixlConnectorWorker._read_blocks"), "there it is NixlPullConnectorWorker._read_blocks"),
    (pinned("version: 0.29.0", "NixlConnectorWorker"), "there it is NixlPullConnectorWorker"),
    (pinned("version: 0.29.0", "NixlConnectorWorker.old_only", "all"), "it is in 0.20.0 to 0.20.0"),
    (pinned("version: 0.20.0", "NixlPullConnectorWorker.get_finished"), "it is in 0.24.0 to 0.29.0"),
    (
        pinned(
            "version: unknown",
            "NixlConnectorWorker._read_blocks",
            connector=", connector: {component: vllm-nixl-pull, version: 0.26.0}",
        ),
        "vllm-nixl-pull 0.26.0 has no NixlConnectorWorker._read_blocks",
    ),
    (
        "arms: [{id: a, setup: {engine: {component: vllm, version: 0.20.0}}}, {id: b, setup: {engine: {component: vllm, version: 0.26.0}}}]\n"
        "claims: [{id: a, kind: mechanism, says: It reads., anchors: {all: ['vllm-nixl-pull:NixlPullConnectorWorker._read_blocks']}}]",
        "vllm-nixl-pull 0.20.0 has no",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """The name that the pinned release has is given, followed through moves."""
    fires("symbol-of-another-release", fragment, says)


@rows(
    pinned("version: 0.20.0", "NixlConnectorWorker._read_blocks"),
    pinned("version: 0.26.0", "NixlPullConnectorWorker._read_blocks"),
    pinned("version: 0.26.0", "NixlPullConnectorWorker.get_finished"),
    pinned("version: unknown", "NixlConnectorWorker._read_blocks"),
    pinned("version: '>=0.24,<0.27'", "NixlConnectorWorker._read_blocks"),
    pinned("version: 0.25.0", "NixlConnectorWorker._read_blocks"),
    pinned("version: 0.26.1.dev9", "NixlConnectorWorker._read_blocks"),
    pinned("version: 0.26.0, branch: pull request 1", "NixlConnectorWorker._read_blocks"),
    pinned("version: 0.26.0, patches: [one]", "NixlConnectorWorker._read_blocks"),
    pinned("version: 0.26.0", "Nothing.at_all"),
    pinned(
        "version: 0.26.0",
        "NixlConnectorWorker._read_blocks",
        connector=", connector: {component: vllm-nixl-pull, commit: 0123456789}",
    ),
    pinned("version: 0.26.0", "NixlConnectorWorker._read_blocks").replace("vllm-nixl-pull:", "vllm-nixl-push:"),
    pinned("version: 0.26.0", "NixlConnectorWorker._read_blocks").replace("vllm-nixl-pull:", "nowhere:"),
    "setup: {engine: {component: sglang, version: 0.26.0}}\nclaims: [{id: a, kind: mechanism, says: It reads., anchors: {pull: ['vllm-nixl-pull:NixlConnectorWorker._read_blocks']}}]",
    "# entries/changes/it.md\ncomponent: vllm-nixl-pull\nkind: fix\nstatus: merged\nsummary: s\nsymbols: ['vllm-nixl-pull:NixlConnectorWorker']",
)
def test_is_quiet(fragment: str) -> None:
    """Its name then, inherited members, pins that are open or of one's own, releases that were not scanned."""
    quiet("symbol-of-another-release", fragment)
