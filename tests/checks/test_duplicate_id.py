"""KB109 duplicate-id."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
points:
  - {id: a, metric: ttft, value: 1, unit: s}
  - {id: a, metric: tpot, value: 1, unit: s}
""",
        'points: "a"',
    ),
    ("arms: [{id: a}, {id: b}, {id: a}]", "arms"),
    ("claims: [{id: c, kind: hypothesis, says: x}, {id: c, kind: hypothesis, says: y}]", "claims"),
    (
        """
# entries/vocabulary.yaml
terms: [{id: a, titles: {en: b}}, {id: a, titles: {en: c}}]
""",
        "terms",
    ),
    ("id: taken-change", "shipped:entries/changes/taken-change.md"),
)
def test_fires(fragment: str, says: str) -> None:
    """An id stands for one thing."""
    fires("duplicate-id", fragment, says)


@rows(
    """
points:
  - {metric: ttft, value: 1, unit: s}
  - {metric: tpot, value: 1, unit: s}
""",
    """
arms: [{id: a}]
points: [{id: a, metric: ttft, value: 1, unit: s}]
claims: [{id: a, kind: hypothesis, says: x}]
""",
    """
# entries/evaluations/shared-result.md
date: 2026-10-19
""",
    """
# entries/vocabulary.yaml
terms: [{id: vllm, titles: {en: vLLM}}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Points without an id, one id in two lists, and a hidden mounted record are fine here."""
    quiet("duplicate-id", fragment)
