"""KB108 id-not-file-name."""

from . import cases, fires, quiet, rows


@cases(
    ("# entries/evaluations/it.md.md\ntitle: t", "rename the file to it.md"),
    ("id: other", 'is not the file name "it"'),
    (
        """
# entries/changes/it.md
id: it2
component: vllm
kind: fix
status: merged
summary: s
""",
        "it2",
    ),
    (
        """
# entries/evaluations/it.pt.md
translates: it
language: ja
title: t
""",
        "it.ja.md",
    ),
    (
        """
# entries/evaluations/other.ja.md
translates: it
language: ja
title: t
""",
        "it.ja.md",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """The id and the file's name are one."""
    fires("id-not-file-name", fragment, says)


@rows(
    "id: it",
    """
# entries/evaluations/v0.11-to-0.12.md
id: v0.11-to-0.12
""",
    """
# entries/evaluations/it.ja.md
translates: it
language: ja
title: t
""",
    """
# entries/vocabulary.yaml
terms: []
""",
)
def test_is_quiet(fragment: str) -> None:
    """Dots and hyphens are part of an id; the vocabulary has none."""
    quiet("id-not-file-name", fragment)
