"""The judged queries over the shipped records amid 1,000 synthetic ones: what is found, and how high."""

from pathlib import Path

import pytest

from benchmarks.distractors import NAMES, distractors, write_base
from benchmarks.quality import Query, Scored, ask, build, judged, mean, report
from kb.config import read
from kb.library import open_library
from kb.lint import count, lint

ROOT = Path(__file__).parent.parent
QUERIES = judged()
RECALL, RANK = 0.99, 0.9
"""The benchmark asks for all of them; a new record may cost one of them its tenth place until it is judged."""
EXACT = ("field", "range", "phrase", "prefix", "boolean")
"""Kinds that leave nothing to ranking: what they ask for is found whole."""


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> list[Scored]:
    store = build(tmp_path_factory.mktemp("quality"))
    return [ask(store, query) for query in QUERIES]


def test_relevant_records_are_among_the_first_ten(scored: list[Scored]) -> None:
    """Recall@10 over all judged queries; a failure prints what is missing, query by query."""
    assert mean(s.recall for s in scored) >= RECALL, report(scored)


def test_what_a_query_is_about_comes_first(scored: list[Scored]) -> None:
    """Mean reciprocal rank of the record asked for."""
    assert mean(s.reciprocal_rank for s in scored) >= RANK, report(scored)


@pytest.mark.parametrize("kind", EXACT)
def test_exact_queries_find_everything(kind: str, scored: list[Scored]) -> None:
    """Fields, ranges, phrases, beginnings and boolean queries miss nothing."""
    missed = {s.query.text: s.missing for s in scored if s.query.kind == kind and s.missing}
    assert missed == {}


@pytest.mark.parametrize("language", ["en", "ja", "pt"])
def test_no_language_is_left_behind(language: str, scored: list[Scored]) -> None:
    """Queries of each language find nearly as much as all of them together."""
    assert mean(s.recall for s in scored if s.query.language == language) >= RECALL - 0.05, report(scored)


def test_judgements_name_records_that_are_there() -> None:
    """Every judged id is a shipped record, named once a query; what a query is about is one of its answers."""
    library = open_library(read(ROOT))
    known = {*library.evaluations, *library.changes, *library.components, *library.deployments}
    for query in QUERIES:
        assert set(query.relevant) <= known, query.text
        assert len(set(query.relevant)) == len(query.relevant), query.text
        assert query.about is None or query.about in query.relevant, query.text


def test_ten_hits_can_hold_every_answer() -> None:
    """No query has more than ten relevant records, so that recall@10 can reach 1."""
    assert max(len(query.relevant) for query in QUERIES) <= 10


def test_the_set_covers_what_users_type() -> None:
    """At least 70 queries in three languages, 20 of them with three answers or more, and every kind of difficulty."""
    assert len({query.text for query in QUERIES}) == len(QUERIES) >= 70
    assert sum(len(query.relevant) >= 3 for query in QUERIES) >= 20
    assert {query.language for query in QUERIES} == {"en", "ja", "pt", "any"}
    assert {query.kind for query in QUERIES} >= {"identifier", "words", "cross", "unaccented", "typo", *EXACT}


def test_synthetic_records_are_valid(tmp_path: Path) -> None:
    """Every synthetic record is read and checked without an error."""
    findings = lint(open_library(read(write_base(tmp_path, 100))))
    assert count(findings)["error"] == 0, next(f for f in findings if f.severity == "error")


def test_a_seed_gives_the_same_records() -> None:
    """Two runs score against the same noise; another seed is other noise."""
    assert list(distractors(20, 7)) == list(distractors(20, 7))
    assert list(distractors(20, 7)) != list(distractors(20, 8))


def test_synthetic_records_say_so_and_answer_nothing() -> None:
    """Each is tagged synthetic and has none of the names that judged queries ask for."""
    for _, text in distractors(200):
        assert "tags: [synthetic]" in text
        words = set(text.casefold().replace(",", " ").replace("}", " ").replace(".", " ").split())
        assert not {name.casefold() for name in NAMES if "." not in name} & words


def found(*ids: str) -> Scored:
    return Scored(Query("q", "en", "words", ("a", "b"), "a"), ids, "q")


@pytest.mark.parametrize(
    ("scored", "recall", "rank"),
    [
        (found("a", "b"), 1.0, 1.0),
        (found("b", "a"), 1.0, 0.5),
        (found("x", "b"), 0.5, 0.0),
        (found(), 0.0, 0.0),
        (found(*"cdefghijkl", "a", "b"), 0.0, 1 / 11),
    ],
)
def test_recall_and_reciprocal_rank(scored: Scored, recall: float, rank: float) -> None:
    """Recall counts the first ten hits; the rank is that of what the query is about, wherever it stands."""
    assert (scored.recall, scored.reciprocal_rank) == (recall, pytest.approx(rank))


def test_without_an_aim_the_first_answer_counts() -> None:
    """A query that is about no single record is ranked by the first relevant one."""
    assert Scored(Query("q", "en", "words", ("a", "b")), ("x", "b", "a"), "q").reciprocal_rank == 0.5
