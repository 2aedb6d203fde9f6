"""kb.disagreement: claims on one question whose directions differ, and what separates the runs."""

from __future__ import annotations

from kb.config import read as read_config
from kb.config import shipped_root
from kb.disagreement import between, disagreement, on_question, same_build
from kb.library import Library, open_library
from kb.matching import ClaimAt
from tests.test_comparability import LIBRARY as WORDS
from tests.test_comparability import NO as DIFFERENT
from tests.test_comparability import ONE, PARITY, UNKNOWN, YES, at, evaluation, other

SHIPPED = open_library(read_config(shipped_root()))
AUTHOR, USER = "vllm-45211-reader-thread-author", "vllm-50913-reader-thread-3p1d"


def claim(evaluation_id: str, claim_id: str, library: Library = SHIPPED) -> ClaimAt:
    found = library.evaluations[evaluation_id]
    return ClaimAt(found, next(each for each in found.claims if each.id == claim_id))


def test_reader_thread_pair() -> None:
    """The author's gain and the user's parity: the load and the base differ; what else may is listed apart."""
    found = disagreement(claim(AUTHOR, "ttft-gain"), claim(USER, "no-client-change-ttft"), SHIPPED)
    assert found is not None
    assert [(each.name, each.key, each.one, each.other) for each in found.material] == [
        ("load", "workload.concurrency", "more than 4", "at most 4"),
        ("versions", "engine", "main d1e5e66ee3", "main 07242faa46"),
    ]
    assert [each.key for each in found.unknown] == [
        "workload.request_rate",
        "workload.input_tokens",
        "workload.output_tokens",
        "prefill.prefix_caching",
        "decode.prefix_caching",
        "workload.turns",
        "both.block_size",
        "both.kv_memory",
        "transfer_library",
        "router.dispatch",
        "router.decoder_chosen",
        "topology",
        "same_node",
        "model",
        "precision",
        "hardware.gpu",
        "hardware.interconnect",
        "transport.backend",
        "both.tp",
        "metric",
        "statistic",
    ]


def test_reader_thread_evaluations() -> None:
    """Where the two evaluations say different things, and nothing else."""
    found = between(SHIPPED.evaluations[AUTHOR], SHIPPED.evaluations[USER], SHIPPED)
    assert [(each.one.claim.id, each.other.claim.id) for each in found] == [
        ("ttft-gain", "no-client-change-ttft"),
        ("post-alike", "submission-longer"),
        ("post-alike", "submission-longer-p90"),
    ]


def test_order_of_records_plays_no_part() -> None:
    """A question has the same disagreements whichever evaluation is read first."""
    records = list(SHIPPED.evaluations.values())
    there, back = (list(on_question("pull-reader-thread", each, SHIPPED)) for each in (records, records[::-1]))
    assert there == back
    assert there


def test_no_disagreement() -> None:
    """Another size, another question, a silent claim and another metric's definition are none."""
    parity = other(claims__0__effect=PARITY)
    assert disagreement(ONE, parity, WORDS) is not None
    assert disagreement(ONE, other(), WORDS) is None
    assert disagreement(ONE, other(claims__0__effect=PARITY, question="return-path"), WORDS) is None
    assert disagreement(ONE, other(claims__0__effect__better=None), WORDS) is None
    assert disagreement(ONE, other(claims__0__effect=PARITY | {"metric": "descriptors"}), WORDS) is None


def test_values_tested_side_by_side_separate() -> None:
    """Sweeps that share a value do not separate two runs; values tested apart do."""
    twice = at(evaluation(setup__workload__request_rate=[2, 8]))
    for rate, separate in ((4, True), (8, False)):
        found = disagreement(twice, other(setup__workload__request_rate=rate, claims__0__effect=PARITY), WORDS)
        assert found is not None
        assert ("workload.request_rate" in {each.key for each in found.material}) is separate


def test_same_build() -> None:
    """Builds are told by what is stated of both; a version says nothing against a commit."""
    for one, two, answer in (
        ({"version": "1.0"}, {"version": "1.0"}, YES),
        ({"version": "1.0"}, {"version": "1.1"}, DIFFERENT),
        ({"version": "1.0"}, {"version": "1.0", "patches": "PR 7"}, UNKNOWN),
        ({"version": "1.0"}, {"commit": "abc1234"}, UNKNOWN),
        ({"commit": "abc1234"}, {"commit": "abc1234def"}, YES),
        ({"branch": "main"}, {"branch": "main"}, UNKNOWN),
        ({}, {}, UNKNOWN),
    ):
        assert same_build(one, two) is answer
        assert same_build(two, one) is answer
