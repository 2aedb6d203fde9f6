"""KB148 class-does-not-fit."""

from . import cases, fires, quiet, rows


@cases(
    ("setup: {connector: {component: vllm-nixl-push, class_name: NixlConnector}}", "it is a class of vllm-nixl-pull"),
    (
        "setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConector}}",
        'did you mean "NixlPushConnector"?',
    ),
    (
        "setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: pull}}",
        "works by push, not pull",
    ),
    ("setup: {connector: {component: vllm-nixl-pull, mode: push}}", "vllm-nixl-pull works by pull"),
    ("setup: {decode: {connector: {component: vllm-nixl-pull, class_name: unknown, mode: push}}}", "works by pull"),
)
def test_fires(fragment: str, says: str) -> None:
    """Class, component and mode belong together."""
    fires("class-does-not-fit", fragment, says)


@rows(
    "setup: {connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}}",
    "setup: {connector: {component: vllm-nixl-pull, class_name: NixlConnector, mode: pull}}",
    "setup: {connector: {component: vllm-nixl-pull, class_name: unknown, mode: unknown}}",
    "setup: {connector: {class_name: MyOwnConnector, mode: push}}",
    "setup: {connector: {component: nixl, class_name: Anything, mode: push}}",
)
def test_is_quiet(fragment: str) -> None:
    """What fits, what is unknown and what has no classes on record is fine."""
    quiet("class-does-not-fit", fragment)
