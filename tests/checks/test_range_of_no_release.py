"""KB166 range-of-no-release."""

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
  - {distribution: vllm, artifact: wheel, versions: '>=0.26.0,<0.24.0', ships: no}
""",
        "no known release of vllm lies in >=0.26.0,<0.24.0",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '==0.25.3', ships: no}
""",
        "==0.25.3",
    ),
    (
        """
# entries/components/it.yaml
kind: connector
ships_in: vllm
classes: [{name: A, versions: '>=0.27,<0.28'}]
""",
        ">=0.27,<0.28",
    ),
    (
        """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts: [{versions: '<0.2', options: {a: b}}]
""",
        "<0.2",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A range holds a release, or one that may come."""
    fires("range-of-no-release", fragment, says)


@rows(
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.24.0,<0.29', ships: no}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '>=0.30.0', ships: no}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: vllm, artifact: wheel, versions: '==0.30.0', ships: no}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
ships:
  - {distribution: dynamo, artifact: wheel, versions: '==0.1', ships: no}
""",
    """
# entries/components/it.yaml
kind: connector
ships_in: vllm
classes: [{name: A, versions: '*'}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Known, coming and unlisted releases are fine."""
    quiet("range-of-no-release", fragment)
