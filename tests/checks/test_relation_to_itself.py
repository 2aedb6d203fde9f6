"""KB119 relation-to-itself."""

from . import cases, fires, quiet, rows


@cases(
    ("relations: [{relation: related, to: it}]", '"it" is related to itself'),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
relations: [{relation: reverts, to: it}]
""",
        "itself",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A relation leads to another record."""
    fires("relation-to-itself", fragment, says)


@rows(
    "relations: [{relation: related, to: shared-result}]",
    """
# entries/components/it.yaml
kind: engine
""",
)
def test_is_quiet(fragment: str) -> None:
    """Others, and records that cannot have relations, are fine."""
    quiet("relation-to-itself", fragment)
