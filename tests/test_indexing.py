"""kb.indexing: what the derived file keeps of a record."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.config import shipped_root
from kb.document import Document, Term
from kb.indexing import CANONICAL_UNIT, indexed, mainly
from kb.library import read_file
from kb.terms import Vocabulary
from tests.cli.running import FIXTURE


def documents(name: str, root: Path = FIXTURE) -> list[Document]:
    found = indexed(read_file(root / "entries" / name, name), "")
    return [each for each in found if isinstance(each, Document)]


def document(name: str) -> Document:
    return documents(name)[0]


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("component", ("orbit", "orbit-pull", "tether", "orbit-push")),
        ("connector", ("orbit-pull", "CourierConnector", "orbit-push", "CourierPushConnector")),
        ("engine", ("orbit",)),
        ("version", ("1.1.0", "unknown")),
        ("model", ("Qwen3-32B",)),
        ("hardware", ("X100",)),
        ("interconnect", ("EFA",)),
        ("topology", ("1P1D",)),
        ("source", ("vendor",)),
        ("metric", ("ttft", "tpot")),
        ("dimension", ("post-thread",)),
        ("prefix_caching", ("off",)),
        ("question", ("push-or-pull",)),
    ],
)
def test_facets_of_an_evaluation(field: str, values: tuple[str, ...]) -> None:
    """An evaluation is found by what its arms ran, its source, its metrics and what its claims rest on."""
    found = document("evaluations/orbit-push-vs-pull.md").facets[field]
    assert set(found) == set(values)


@pytest.mark.parametrize(
    "number",
    [
        ("ttft", 900.0, 900.0),
        ("ttft", 300.0, 300.0),
        ("tpot", 8.0, 8.0),
        ("effect", 3.0, 3.0),
        ("effect", 300 / 900, 300 / 900),
        ("input_tokens", 1000.0, 8000.0),
        ("output_tokens", 128.0, 128.0),
        ("qps", 1.0, 1.0),
        ("qps", 4.0, 4.0),
    ],
)
def test_numbers_of_an_evaluation(number: tuple[str, float, float]) -> None:
    """Points, loads and claimed ratios are numbers; one below 1 counts from either side."""
    assert number in document("evaluations/orbit-push-vs-pull.md").numbers


def test_reported_ratio_is_no_value_of_its_metric() -> None:
    """A source's "up to 3x" never counts as 3 ms."""
    values = {low for field, low, _ in document("evaluations/orbit-push-vs-pull.md").numbers if field == "ttft"}
    assert values == {900.0, 300.0}


def test_numbers_are_in_canonical_units() -> None:
    """Half a second is 500 ms; a range stays one."""
    numbers = document("evaluations/orbit-reader-thread.md").numbers
    assert ("ttft", 500.0, 500.0) in numbers
    assert ("ttft", 400.0, 450.0) in numbers


def test_unknown_load_is_no_number() -> None:
    """What the source does not state is not zero."""
    fields = {field for field, _, _ in document("evaluations/orbit-reader-thread.md").numbers}
    assert "input_tokens" not in fields
    assert "qps" not in fields


def test_translation_is_a_document_of_the_same_entry() -> None:
    """A translation has the original's id, its own words, and no facts."""
    found = document("evaluations/orbit-push-vs-pull.ja.md")
    assert (found.id, found.lang, found.original) == ("orbit-push-vs-pull", "ja", False)
    assert found.claims[0].startswith("毎秒4")
    assert not found.facets
    assert not found.numbers


def test_change_is_found_by_number_and_state() -> None:
    """A change is found by its number, its component, its status and what it alters."""
    found = document("changes/orbit-7-reader-thread.md")
    assert "#7" in found.aliases
    assert found.date == "2030-04-20"
    assert found.facets["status"] == ("merged",)
    assert found.facets["version"] == ("1.2.0",)
    assert found.facets["introduced"] == ("1.2.0",)
    assert ("changes", "orbit-pull") in found.relations


def test_component_answers_to_its_class_names() -> None:
    """A component's aliases and classes are names of it; its releases are a facet."""
    found = document("components/orbit-pull.yaml")
    assert found.aliases == ("orbit pull", "CourierConnector", "CourierPullConnector")
    assert document("components/orbit.yaml").facets["release"] == ("1.0.0", "1.1.0", "1.2.0")
    assert document("components/orbit.yaml").date == "2030-05-10"


def test_relations_of_an_evaluation() -> None:
    """What an evaluation uses, watches and says of another points there."""
    assert ("narrows", "orbit-push-vs-pull") in document("evaluations/orbit-reader-thread.md").relations
    found = document("evaluations/orbit-push-vs-pull.md").relations
    assert {("uses", "orbit-push"), ("watches", "orbit-7-reader-thread")} <= set(found)


def test_points_and_claims_are_rows() -> None:
    """Points keep their numbers as stated, claims their computed ones."""
    found = document("evaluations/orbit-push-vs-pull.md")
    assert found.points[0]["value"] == 900
    assert found.points[1]["qualifier"] == "about"
    claim = found.claim_rows[0]
    assert (claim["claim"], claim["kind"], round(claim["value"], 3)) == ("heavy-load", "measured", 0.333)
    assert found.claim_rows[3]["value"] is None


def test_vocabulary_is_terms() -> None:
    """Terms, metrics and dimensions are words that find each other across languages."""
    found = indexed(read_file(FIXTURE / "entries/vocabulary.yaml", "vocabulary.yaml"))
    names = {each.id: {name for _, name in each.names} for each in found if isinstance(each, Term)}
    assert {"ttft", "time to first token", "初回トークン遅延", "tempo até o primeiro token"} == names["ttft"]
    assert "記述子" in names["descriptors"]


def test_units_agree_with_the_vocabulary() -> None:
    """A metric is compared in the unit that the vocabulary calls canonical."""
    vocabulary = read_file(shipped_root() / "entries/vocabulary.yaml", "vocabulary.yaml").record
    assert isinstance(vocabulary, Vocabulary)
    stated = {metric.id: metric.unit for metric in vocabulary.metrics}
    assert {name: unit for name, unit in CANONICAL_UNIT.items() if stated.get(name, unit) != unit} == {}


@pytest.mark.parametrize(
    ("lists", "names"),
    [
        ([], []),
        ([["a"]], ["a"]),
        ([["a"], ["b"]], ["a", "b"]),
        ([["a"], ["b"], ["c"]], []),
        ([["a", "b"], ["a"], []], ["a"]),
        ([["a", "a"], ["b"], ["b"], ["b"]], ["b"]),
        ([[], []], []),
    ],
)
def test_a_whole_is_about_what_half_of_it_names(lists: list[list[str]], names: list[str]) -> None:
    """Of several lists those names that at least half of them hold, each once."""
    assert list(mainly(lists)) == names


def test_an_evaluation_is_about_what_it_compares_and_most_claims_rest_on() -> None:
    """The connectors of its arms and a dimension of all its claims; not the model or the engine."""
    found = document("evaluations/orbit-push-vs-pull.md")
    assert found.about == ("orbit-pull", "orbit-push", "post-thread")


def test_a_change_is_about_the_one_or_two_things_it_alters() -> None:
    """A change that touches more is about none of them."""
    assert document("changes/orbit-7-reader-thread.md").about == ("post-thread",)
