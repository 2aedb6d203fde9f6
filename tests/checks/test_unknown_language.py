"""KB159 unknown-language."""

from . import cases, fires, quiet, rows


@cases(
    ("language: english", "codes: en, ja"),
    ("language: pt-BR", "codes: en, ja"),
)
def test_fires(fragment: str, says: str) -> None:
    """A language is written as its code."""
    fires("unknown-language", fragment, says)


@rows(
    "language: ja",
    "title: Without one",
    """
# entries/evaluations/shared-result.pt.md
translates: shared-result
language: pt
title: t
""",
)
def test_is_quiet(fragment: str) -> None:
    """Codes in use are fine."""
    quiet("unknown-language", fragment)
