"""KB160 shipped-without-artifact."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
""",
        "without marker or checked",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes, marker: m}
""",
        "without checked",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
""",
        "nothing says which artifacts carry it",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """What ships was seen in an artifact."""
    fires("shipped-without-artifact", fragment, says)


@rows(
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes, marker: m, checked: [0.24.0]}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '<0.24.0', ships: no}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '*', ships: not-established}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: proposed
summary: s
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: closed
summary: s
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: reverted
summary: s
""",
)
def test_is_quiet(fragment: str) -> None:
    """Seen, absent, not established and not merged are answers."""
    quiet("shipped-without-artifact", fragment)
