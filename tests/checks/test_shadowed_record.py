"""KB114 shadowed-record."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/changes/taken-change.md
component: vllm
kind: fix
status: merged
summary: s
""",
        "shipped:entries/changes/taken-change.md",
    ),
    (
        """
# entries/components/nixl.yaml
kind: transfer-library
""",
        "shipped:entries/components/nixl.yaml",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A record does not hide one of a mounted base unawares."""
    fires("shadowed-record", fragment, says)


@rows(
    "id: nixl",
    "aliases: [shared-result]",
    """
# entries/evaluations/shared-result.ja.md
translates: shared-result
language: ja
title: t
""",
)
def test_is_quiet(fragment: str) -> None:
    """Another kind, a translation of a mounted record and an alias hide nothing."""
    quiet("shadowed-record", fragment)
