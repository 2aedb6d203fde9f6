"""KB181 term-clash."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/vocabulary.yaml
terms: [{id: a, titles: {en: X}}, {id: b, titles: {pt: x}}]
""",
        '"X" is a name of "a" and of "b"',
    ),
    (
        """
# entries/vocabulary.yaml
terms: [{id: first-token, titles: {en: ttft}}]
""",
        '"ttft"',
    ),
    (
        """
# entries/vocabulary.yaml
terms: [{id: passagem, titles: {ja: 引き渡し}}]
""",
        '"hand-over"',
    ),
    (
        """
# entries/vocabulary.yaml
terms: [{id: a, titles: {pt: latência}}, {id: b, titles: {pt: latencia}}]
""",
        "latência",
    ),
    (
        """
# entries/vocabulary.yaml
dimensions: [{id: a, means: m, titles: {en: write path}}]
""",
        '"write-path"',
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A name belongs to one word."""
    fires("term-clash", fragment, says)


@rows(
    """
# entries/vocabulary.yaml
terms: [{id: a, titles: {en: [X, x], ja: X}}]
""",
    """
# entries/vocabulary.yaml
dimensions: [{id: a, means: m, titles: {en: hand-over}}]
""",
    """
# entries/vocabulary.yaml
terms: [{id: a, titles: {en: [hand]}}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """A word's own names, and a dimension called like a term, are fine."""
    quiet("term-clash", fragment)
