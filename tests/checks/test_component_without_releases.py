"""KB172 component-without-releases."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/components/it.yaml
kind: router
""",
        "no component lists releases of it",
    ),
    (
        """
# entries/components/it.yaml
kind: connector
ships_in: dynamo
""",
        "releases of dynamo",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Somebody lists a distribution's releases."""
    fires("component-without-releases", fragment, says)


@rows(
    """
# entries/components/it.yaml
kind: connector
ships_in: vllm
""",
    """
# entries/components/it.yaml
kind: connector
ships_in: nixl-cu12
""",
    """
# entries/components/it.yaml
kind: router
releases: [{version: '1.0'}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """An owner, or its own list, is enough."""
    quiet("component-without-releases", fragment)
