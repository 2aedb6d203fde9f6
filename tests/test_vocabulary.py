"""entries/vocabulary.yaml against the lists in code, against itself, and against the records that use its words."""

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pytest

import kb.vocabulary as lists
from kb.config import read
from kb.library import Library, open_library
from kb.terms import Vocabulary, Wording
from kb.tokens import squash, tokens

ROOT = Path(__file__).parent.parent
ENUMS = {e for e in vars(lists).values() if isinstance(e, type) and issubclass(e, StrEnum) and e is not StrEnum}
REQUIRED_METRICS = [
    "ttft",
    "tpot",
    "itl",
    "e2el",
    "request_throughput",
    "goodput",
    "input_throughput",
    "output_throughput",
    "total_throughput",
    "completed",
    "failed",
    "duration",
    "input_tokens",
    "output_tokens",
    "transfer_duration",
    "post_duration",
    "prep_duration",
    "hand_over",
    "prefill_duration",
    "kv_load_duration",
    "queue_time",
    "transfer_bandwidth",
    "transfer_size",
    "descriptors",
    "hit_rate",
    "slo_attainment",
    "output_throughput_per_gpu",
]


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library(read(ROOT))


@pytest.fixture(scope="module")
def words(library: Library) -> Vocabulary:
    return library.vocabulary


def kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def wordings(words: Vocabulary) -> Iterator[tuple[str, Wording]]:
    """Everything that search expands: terms, metrics, dimensions."""
    yield from ((f"term {t.id}", t.titles) for t in words.terms)
    yield from ((f"metric {m.id}", m.titles) for m in words.metrics)
    yield from ((f"dimension {d.id}", d.titles) for d in words.dimensions)


@pytest.mark.parametrize("enum", sorted(ENUMS, key=lambda e: e.__name__), ids=lambda e: e.__name__)
def test_every_member_of_a_closed_list_is_explained(enum: type[StrEnum], words: Vocabulary) -> None:
    """`lists` holds each enum under its name in kebab-case, member for member, each once."""
    explained = [entry.id for entry in words.lists[kebab(enum.__name__)]]
    assert sorted(explained) == sorted(member.value for member in enum)


def test_no_list_is_explained_that_code_does_not_have(words: Vocabulary) -> None:
    """A list that was removed from code leaves the vocabulary too."""
    assert set(words.lists) == {kebab(enum.__name__) for enum in ENUMS}


def test_an_alias_belongs_to_one_word(words: Vocabulary) -> None:
    """No alias, spelling differences aside, is found under two terms, metrics or dimensions."""
    owners: dict[str, set[str]] = {}
    for owner, titles in wordings(words):
        for alias in titles.all():
            owners.setdefault(squash(alias), set()).add(owner)
    assert {alias: who for alias, who in owners.items() if len(who) > 1} == {}


def test_an_alias_is_written_once(words: Vocabulary) -> None:
    """Within a word no alias is repeated, not even in a spelling that gives the same tokens."""
    repeated = [
        (owner, alias)
        for owner, titles in wordings(words)
        for place, alias in enumerate(titles.all())
        if tokens(alias) in [tokens(other) for other in titles.all()[:place]]
    ]
    assert repeated == []


@pytest.mark.parametrize("kind", ["questions", "dimensions", "metrics", "terms"])
def test_ids_are_unique(kind: str, words: Vocabulary) -> None:
    """An id names one thing of its kind."""
    ids = [each.id for each in getattr(words, kind)]
    assert len(ids) == len(set(ids))


def test_definition_ids_are_unique_and_name_their_tool(words: Vocabulary) -> None:
    """A definition is `tool.label`; two metrics never share one."""
    ids = [d.id for metric in words.metrics for d in metric.definitions]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z0-9-]+\.[a-z0-9_.-]+", each) for each in ids)


def test_what_metrics_imply_are_dimensions(words: Vocabulary) -> None:
    """`implies` names dimensions only, each once."""
    known = {dimension.id for dimension in words.dimensions}
    for metric in words.metrics:
        assert set(metric.implies) <= known, metric.id
        assert len(metric.implies) == len(set(metric.implies)), metric.id


def test_a_word_of_the_past_is_none_of_today(words: Vocabulary) -> None:
    """What a dimension was formerly is no dimension any more, so that lint can say what became of it."""
    past = {name for dimension in words.dimensions for name in dimension.formerly}
    assert past
    assert not past & {dimension.id for dimension in words.dimensions}


@pytest.mark.parametrize(
    ("metric", "implied"),
    [
        ("descriptors", {"descriptor-count"}),
        ("post_cost_per_descriptor", {"descriptor-posting"}),
        ("post_duration", {"descriptor-count", "descriptor-posting"}),
        ("transfer_duration", {"descriptor-count", "descriptor-posting"}),
        ("ttft", set()),
    ],
)
def test_what_numbers_of_descriptors_rest_on(metric: str, implied: set[str], words: Vocabulary) -> None:
    """A count is no cost, a cost of one is no count, and a time has both in it."""
    found = next(each for each in words.metrics if each.id == metric)
    assert {each for each in found.implies if each.startswith("descriptor-")} == implied


def test_implying_everything_is_not_precise(words: Vocabulary) -> None:
    """No metric implies half of the dimensions: it would make every change a reason to recheck."""
    assert max(len(metric.implies) for metric in words.metrics) < len(words.dimensions) / 2


def test_a_metric_that_nothing_else_moves_implies_no_observability(words: Vocabulary) -> None:
    """Logs and counters move no number that a client measures."""
    assert not [metric.id for metric in words.metrics if "observability" in metric.implies]


def test_plausible_bounds_are_in_order(words: Vocabulary) -> None:
    """Smallest before largest, and wide."""
    for metric in words.metrics:
        if metric.plausible:
            low, high = metric.plausible
            assert low < high, metric.id


@pytest.mark.parametrize("metric", REQUIRED_METRICS)
def test_canonical_metrics_are_there(metric: str, words: Vocabulary) -> None:
    """What importers convert to is in the vocabulary, with bounds."""
    found = next(m for m in words.metrics if m.id == metric)
    assert found.plausible is not None


def test_questions_are_asked_in_three_languages(words: Vocabulary) -> None:
    """English, Japanese and Portuguese."""
    assert not [q.id for q in words.questions if not (q.asks.en and q.asks.ja and q.asks.pt)]


def test_dimensions_and_metrics_have_names_in_three_languages(words: Vocabulary) -> None:
    """A reader of any language finds them."""
    named = [owner for owner, t in wordings(words) if not owner.startswith("term") and not (t.en and t.ja and t.pt)]
    assert named == []


def test_there_are_sixty_terms_in_more_than_one_language(words: Vocabulary) -> None:
    """Names that are the same everywhere (RDMA, NVLink) do not count."""
    assert sum(bool(t.titles.en and t.titles.ja and t.titles.pt) for t in words.terms) >= 60


@pytest.mark.parametrize(
    ("aliases", "owner"),
    [
        (("ttft", "初回トークン遅延", "初回トークンまでの時間", "tempo até o primeiro token"), "metric ttft"),
        (("tpot", "出力トークン当たりの時間", "tempo por token de saída"), "metric tpot"),
        (("push", "プッシュ"), "term push"),
        (("pull", "プル"), "term pull"),
        (("hand-off", "引き渡し", "ハンドオフ", "passagem"), "term hand-off"),
        (("routing", "ルーティング", "roteamento"), "term routing"),
        (("prefix cache", "プレフィックスキャッシュ", "cache de prefixo"), "term prefix-cache"),
        (("独立した再現実験", "replicação independente"), "term replication"),
        (("転送", "transferência", "transfer"), "term kv-transfer"),
    ],
)
def test_words_of_the_field_meet_across_languages(aliases: tuple[str, ...], owner: str, words: Vocabulary) -> None:
    """The words readers of the article type are aliases of one another."""
    titles = next(t for name, t in wordings(words) if name == owner)
    known = {squash(alias) for alias in titles.all()}
    assert {squash(alias) for alias in aliases} <= known


def test_records_use_words_that_are_here(library: Library, words: Vocabulary) -> None:
    """Questions, dimensions and metrics of the shipped records are in the vocabulary."""
    assert {e.question for e in library.evaluations.values() if e.question} <= {q.id for q in words.questions}
    known = {d.id for d in words.dimensions}
    assert {d for c in library.changes.values() for d in c.dimensions} <= known
    assert {d for e in library.evaluations.values() for claim in e.claims for d in claim.rests_on} <= known
    assert {p.metric for e in library.evaluations.values() for p in e.points} <= {m.id for m in words.metrics}


def test_points_name_definitions_that_are_here(library: Library, words: Vocabulary) -> None:
    """A definition cited by a point belongs to the point's metric."""
    known = {m.id: {d.id for d in m.definitions} for m in words.metrics}
    cited = {(p.metric, p.definition) for e in library.evaluations.values() for p in e.points if p.definition}
    assert {pair for pair in cited if pair[1] not in known.get(pair[0], set())} == set()


ALIKE = (
    {"vllm-bench.tpot", "sglang-bench.tpot", "aiperf.itl", "genai-perf.itl", "inferencex.tpot"},
    {"vllm-bench.itl", "aiperf.icl", "inferencex.itl", "sglang-bench.itl-chunk"},
    {"guidellm.tpot", "inference-perf.ntpot", "llmperf.itl"},
    {"guidellm.tpot-0.2"},
    {"inference-perf.tpot"},
    {"inference-perf.tpot-0.2"},
    {"sglang-bench.itl"},
    {"vllm-bench.itl-role-chunk"},
)
"""Definitions of one set are computed alike; those of two sets are not, whatever they are called."""


def test_definitions_that_are_computed_alike() -> None:
    """TPOT of one tool is ITL of another, and a label shared by two tools may be two measures."""
    library = open_library(read(ROOT))
    assert all(set(each) <= library.words["definition"] for each in ALIKE)
    measures = [{library.measure(definition) for definition in each} for each in ALIKE]
    assert [len(each) for each in measures] == [1] * len(ALIKE)
    assert len(set().union(*measures)) == len(ALIKE)
