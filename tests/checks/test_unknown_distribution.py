"""KB164 unknown-distribution."""

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
  - {distribution: vlllm, artifact: wheel, versions: '*', ships: no}
""",
        'did you mean "vllm"?',
    ),
    (
        """
# entries/changes/it.md
component: nixl
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '*', ships: no}
""",
        "it ships in nixl, nixl-cu12",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A change ships in what its component ships in."""
    fires("unknown-distribution", fragment, says)


@rows(
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '*', ships: no}
""",
    """
# entries/changes/it.md
component: nixl
kind: fix
status: merged
summary: s
ships:
  - {distribution: nixl-cu12, artifact: wheel, versions: '*', ships: no}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
also: [nixl]
ships:
  - {distribution: nixl, artifact: wheel, versions: '*', ships: no}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm/vllm-openai, artifact: image, versions: '*', ships: no}
""",
    """
# entries/changes/it.md
component: nowhere
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '*', ships: no}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Further distributions, further components, images and unknown components are fine."""
    quiet("unknown-distribution", fragment)
