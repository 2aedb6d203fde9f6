"""KB157 watch-of-nothing."""

from . import cases, fires, quiet, rows


@cases(
    ("signals: [{id: s, what: w, watches: {relation: replicates}}]", "neither a change nor a question"),
    ("signals: [{id: s, what: w, watches: {change: taken-change}}]", "how far it must get"),
    (
        "signals: [{id: s, what: w, watches: {question: push-vs-pull-handoff, reaches: measured}}]",
        "the other way round",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A watch can fire."""
    fires("watch-of-nothing", fragment, says)


@rows(
    "signals: [{id: s, what: w, watches: {change: taken-change, reaches: measured}}]",
    "signals: [{id: s, what: w, watches: {question: push-vs-pull-handoff}}]",
    "signals: [{id: s, what: w}]",
)
def test_is_quiet(fragment: str) -> None:
    """A change with its goal, a question, and a signal for people are fine."""
    quiet("watch-of-nothing", fragment)
