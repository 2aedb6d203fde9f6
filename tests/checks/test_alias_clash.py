"""KB113 alias-clash."""

from . import cases, fires, quiet, rows


@cases(
    ("aliases: [taken-id]", '"shared-result"'),
    ("aliases: [SHARED-RESULT]", '"shared-result"'),
    (
        """
# entries/components/it.yaml
kind: connector
classes: [{name: NixlConnector}]
""",
        '"vllm-nixl-pull"',
    ),
    (
        """
# entries/components/it.yaml
kind: connector
aliases: [NIXL pull]
""",
        '"vllm-nixl-pull"',
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A name leads to one record."""
    fires("alias-clash", fragment, says)


@rows(
    "aliases: [an-old-id]",
    "aliases: [nixl]",
    """
# entries/components/it.yaml
kind: connector
aliases: [MyConnector]
classes: [{name: MyConnector}, {name: MyConnector}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """A component may repeat its own names, and another kind of record may share one."""
    quiet("alias-clash", fragment)
