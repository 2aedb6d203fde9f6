"""A role that is stated to be empty names no component, so that no check looks for its record."""

from . import cases, fires, quiet, rows


@rows(
    "setup: {router: {component: none}, cache: {component: none}, stack: {component: none}}",
    "# entries/deployments/it.yaml\nsetup: {router: {component: none}, stack: {component: none}}",
)
def test_none_is_no_component(fragment: str) -> None:
    """Nobody has to record it."""
    quiet("unknown-record", fragment)


@cases(
    ("setup: {router: {component: nothing}}", "nothing"),
)
def test_another_word_is_one(fragment: str, says: str) -> None:
    """Only `none` is reserved."""
    fires("unknown-record", fragment, says)
