# ruff: noqa: E501  rows read better unbroken
"""KB167 no-such-symbol."""

from . import cases, fires, quiet, rows

SHIPS = "ships: [{distribution: vllm, artifact: sdist, versions: '>=0.26.0,<=0.29.0', ships: yes}]"
CHANGE = "# entries/changes/it.md\ncomponent: vllm-nixl-pull\nkind: fix\nstatus: merged\nsummary: Mended.\n"


def claim(anchor: str, arm: str = "pull") -> str:
    return f"claims: [{{id: a, kind: mechanism, says: It reads., anchors: {{{arm}: ['{anchor}']}}}}]"


@cases(
    (
        claim("vllm-nixl-pull:NixlPullConnectorWorker._reed_blocks"),
        'did you mean "NixlPullConnectorWorker._read_blocks"?',
    ),
    (
        claim("vllm-nixl-pull:NixlPulConnectorWorker._read_blocks"),
        'did you mean "NixlPullConnectorWorker._read_blocks"?',
    ),
    (claim("vllm-nixl-pull:NixlPullConnectorWorker.old_only"), 'did you mean "NixlConnectorWorker.old_only"?'),
    (claim("vllm-nixl-pull:_read_blocks", "all"), "in any scanned release (0.20.0 to 0.29.0)"),
    (claim("vllm-nixl-pull:Quite.another"), "has no Quite.another"),
    (
        "setup: {engine: {component: vllm, version: unknown}}\n" + claim("vllm-nixl-pull:nixlPullConnectorWorker"),
        "did you mean",
    ),
    (f"{CHANGE}{SHIPS}\nsymbols: ['vllm-nixl-pull:NixlPullConnectorWorker._reed_blocks']", "did you mean"),
    (f"{CHANGE}{SHIPS}\nsymbols: ['vllm-nixl-pull:NixlPullConnectorWorker', 'vllm-nixl-pull:Other']", "has no Other"),
)
def test_fires(fragment: str, says: str) -> None:
    """A name that no scanned release has; the nearest one is proposed, the same function first."""
    fires("no-such-symbol", fragment, says)


@rows(
    claim("vllm-nixl-pull:NixlPullConnectorWorker._read_blocks"),
    claim("vllm-nixl-pull:NixlConnectorWorker._read_blocks"),
    claim("vllm-nixl-pull:NixlPullConnectorWorker.get_finished"),
    claim("vllm-nixl-pull:NixlBaseConnectorWorker"),
    claim("vllm-nixl-push:NixlPushConnectorWorker.anything"),
    claim("nixl:nixlLibfabricRail.postRead"),
    claim("no-such-component:Anything"),
    claim("damaged:Anything"),
    "claims: [{id: a, kind: mechanism, says: It reads.}]",
    f"{CHANGE}{SHIPS}\nsymbols: ['vllm-nixl-pull:NixlPullConnectorWorker.get_finished']",
    f"{CHANGE}symbols: ['vllm-nixl-pull:NixlPullConnectorWorker._not_released_yet']",
    CHANGE.replace("merged", "proposed") + "symbols: ['vllm-nixl-pull:NixlPullConnectorWorker._not_released_yet']",
    CHANGE
    + SHIPS.replace("ships: yes", "ships: no")
    + "\nsymbols: ['vllm-nixl-pull:NixlPullConnectorWorker._not_yet']",
    CHANGE
    + SHIPS.replace(">=0.26.0,<=0.29.0", ">=0.30.0")
    + "\nsymbols: ['vllm-nixl-pull:NixlPullConnectorWorker._later']",
    f"{CHANGE}{SHIPS}\nsymbols: ['nixl:nixlAgent.makeXferReq', 'vllm:Scheduler.schedule']",
)
def test_is_quiet(fragment: str) -> None:
    """Former, inherited and other languages' names, components without a table, and what ships in no scanned release."""
    quiet("no-such-symbol", fragment)
