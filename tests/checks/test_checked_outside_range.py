"""KB163 checked-outside-range."""

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
  - {distribution: vllm, artifact: wheel, versions: '>=0.26.0', ships: yes, checked: [0.26.0, 0.24.0]}
""",
        '"0.24.0" does not lie in >=0.26.0',
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.26.0', ships: yes, checked: [main]}
""",
        '"main"',
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A witness comes from the range it speaks for."""
    fires("checked-outside-range", fragment, says)


@rows(
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0,<0.29', ships: yes, checked: [0.24.0, 0.26.0rc1]}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '*', ships: no}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Versions of the range, candidates included, are witnesses."""
    quiet("checked-outside-range", fragment)
