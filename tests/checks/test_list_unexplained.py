"""KB180 list-unexplained."""

from kb.checks.list_unexplained import lists

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/vocabulary.yaml
lists:
  claim-kind: [{id: measured, means: m}]
""",
        "claim-kind does not explain mechanism, hypothesis",
    ),
    (
        """
# entries/vocabulary.yaml
lists:
  claim-kind: [{id: measurd, means: m}]
""",
        'did you mean "measured"?',
    ),
    (
        """
# entries/vocabulary.yaml
lists:
  claim-kinds: []
""",
        'did you mean "claim-kind"?',
    ),
    (
        """
# entries/vocabulary.yaml
lists:
  claim-kind: []
""",
        "lists without explanation: arm-role",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A vocabulary that explains closed lists explains every member."""
    fires("list-unexplained", fragment, says)


@rows(
    """
# entries/vocabulary.yaml
terms: []
""",
)
def test_is_quiet(fragment: str) -> None:
    """A vocabulary without lists explains none."""
    quiet("list-unexplained", fragment)


def test_every_list_explained_is_quiet() -> None:
    """All lists with all members leave nothing to say."""
    words = [
        f"  {name}: [" + ", ".join(f"{{id: '{m}', means: m}}" for m in members) + "]"
        for name, members in lists().items()
    ]
    quiet("list-unexplained", "# entries/vocabulary.yaml\nlists:\n" + "\n".join(words))
