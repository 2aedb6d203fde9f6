"""KB162 ships-without-merge."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: proposed
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
""",
        "proposed, and vllm >=0.24.0 ships it",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: closed
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
""",
        "closed",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A release carries what was merged."""
    fires("ships-without-merge", fragment, says)


@rows(
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: reverted
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: proposed
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: no}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: proposed
summary: s
ships:
  - {distribution: vllm, artifact: image, versions: '*', ships: yes}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Merged or reverted changes ship; so may anybody's image."""
    quiet("ships-without-merge", fragment)
