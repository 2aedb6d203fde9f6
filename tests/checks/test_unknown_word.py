"""KB111 unknown-word."""

from kb.checks.unknown_word import check
from kb.finding import Finding
from kb.library import Library

from . import cases, fires, library, problems, quiet, rows


@cases(
    ("question: push-vs-pull-handof", 'did you mean "push-vs-pull-handoff"?'),
    ("points: [{metric: time_to_first_token, value: 1, unit: s}]", 'did you mean "ttft"?'),
    ("points: [{metric: throughput, value: 1, unit: tok/s}]", 'did you mean "output_throughput"?'),
    ("points: [{metric: ttfs, value: 1, unit: s}]", 'did you mean "ttft"?'),
    ("points: [{metric: ttft, definition: vllm-bench.tttf, value: 1, unit: s}]", "vllm-bench.ttft"),
    ("claims: [{id: c, kind: mechanism, says: x, rests_on: [post-tread]}]", "post-thread"),
    ("claims: [{id: c, kind: mechanism, says: x, rests_on: [paths]}]", 'split into "write-path" and "read-path"'),
    ("claims: [{id: c, kind: mechanism, says: x, rests_on: [admission]}]", '"admission" is called "scheduler" now'),
    ("question: paths", "add it to questions"),
    (
        "claims: [{id: c, kind: measured, says: x, effect: {form: order, metric: tfft, arm: push, against: pull}}]",
        "ttft",
    ),
    ("signals: [{id: s, what: w, watches: {question: nope}}]", "nope"),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
dimensions: [threads]
""",
        "threads",
    ),
    (
        """
# entries/vocabulary.yaml
metrics: [{id: queue, unit: ms, better: lower, titles: {en: q}, implies: [nope]}]
""",
        "nope",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Questions, dimensions, metrics and definitions are listed words."""
    fires("unknown-word", fragment, says)


@rows(
    """
question: push-vs-pull-handoff
points: [{metric: ttft, definition: vllm-bench.ttft, value: 1, unit: s}]
""",
    "points: [{metric: ttft, definition: unknown, value: 1, unit: s}]",
    "claims: [{id: c, kind: mechanism, says: x, rests_on: [post-thread, scheduler]}]",
    """
# entries/vocabulary.yaml
dimensions: [{id: mine, means: m, titles: {en: mine}}]
metrics: [{id: q, unit: ms, better: lower, titles: {en: q}, implies: [mine]}]
""",
    """
# entries/vocabulary.yaml
dimensions: [{id: paths, means: ours, titles: {en: paths}}]
metrics: [{id: q, unit: ms, better: lower, titles: {en: q}, implies: [paths]}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Listed words, `unknown` definitions, and words of this base's own vocabulary, whatever they were, are known."""
    quiet("unknown-word", fragment)


def test_a_base_without_a_vocabulary_judges_no_words() -> None:
    """An empty list means that nobody wrote one, not that every word is wrong."""
    records = library("question: anything", mounted=False)
    assert list(check(records.loaded[0], records)) == []


def test_one_misspelt_metric_is_one_finding() -> None:
    """However many points and effects carry it."""
    points = ", ".join("{metric: ttfs, value: 1, unit: s}" for _ in range(12))
    [found] = problems("unknown-word", f"points: [{points}]")
    assert found.message == 'the vocabulary has no metric "ttfs" (at 12 places)'
    assert found.loc == ("points", 0, "metric")


def test_words_of_a_vocabulary_that_cannot_be_read_are_not_unknown() -> None:
    """Its own findings say what is wrong with it."""
    records = library("question: ours-alone")
    broken = Finding("entries/vocabulary.yaml", 3, "KB101", "not readable as YAML")
    there = Library(records.loaded, (broken,), records.own | {"entries/vocabulary.yaml"})
    assert list(check(records.loaded[0], records)) != []
    assert list(check(records.loaded[0], there)) == []
