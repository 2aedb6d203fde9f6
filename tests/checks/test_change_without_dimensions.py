"""KB165 change-without-dimensions."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/changes/it.md
component: vllm
kind: performance
status: merged
summary: s
""",
        "touches no claim",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: default
status: merged
summary: s
""",
        "a default change",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A change of behaviour alters something."""
    fires("change-without-dimensions", fragment, says)


@rows(
    """
# entries/changes/it.md
component: vllm
kind: performance
status: merged
summary: s
dimensions: [post-thread]
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
symbols: ['vllm:f']
""",
    """
# entries/changes/it.md
component: vllm
kind: docs
status: merged
summary: s
""",
    """
# entries/changes/it.md
component: vllm
kind: refactor
status: merged
summary: s
""",
    """
# entries/changes/it.md
component: vllm
kind: logging
status: merged
summary: s
""",
)
def test_is_quiet(fragment: str) -> None:
    """Inert kinds alter nothing; dimensions or symbols say what others alter."""
    quiet("change-without-dimensions", fragment)
