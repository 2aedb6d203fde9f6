"""KB161 overlapping-ships."""

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
  - {distribution: vllm, artifact: wheel, versions: '>=0.26.0', ships: no}
""",
        "vllm 0.26.0: yes by >=0.24.0, no by >=0.26.0",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '<=0.24.0', ships: no}
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
""",
        "0.24.0",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '*', ships: no}
  - {distribution: vllm, artifact: wheel, versions: '==0.29.0', ships: not-established}
""",
        "0.29.0",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>0.26.0', ships: no}
  - {distribution: vllm, artifact: wheel, versions: '<0.28', ships: yes}
""",
        "0.26.0.0.0.1",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A release either carries a change or does not."""
    fires("overlapping-ships", fragment, says)


@rows(
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0,<0.25.0', ships: yes}
  - {distribution: vllm, artifact: wheel, versions: '>=0.25.0,<0.26.0', ships: no}
  - {distribution: vllm, artifact: wheel, versions: '>=0.26.0', ships: yes}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
  - {distribution: vllm, artifact: sdist, versions: '>=0.24.0', ships: no}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
  - {distribution: nixl, artifact: wheel, versions: '>=0.24.0', ships: no}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
  - {distribution: vllm, artifact: wheel, versions: '>=0.26.0', ships: yes}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '<0.24.0', ships: no}
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0', ships: yes}
""",
)
def test_is_quiet(fragment: str) -> None:
    """On-off-on, other artifacts, other distributions and repetition do not disagree."""
    quiet("overlapping-ships", fragment)
