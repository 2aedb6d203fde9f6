"""kb.candidates: the table of an open pin in few rows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb.candidates import in_tables, span
from kb.verdict import Build, Candidate, grouped
from kb.vocabulary import Outcome

RECHECK, UNKNOWN, HOLDS, NOT = Outcome.RECHECK, Outcome.UNKNOWN, Outcome.HOLDS, Outcome.NOT_APPLICABLE
VERSIONS = ("0.8.0", "0.9.0", "0.10.0", "0.10.1")


def rows(*found: tuple[Build, Outcome, str | None]) -> list[list[str]]:
    candidates = [Candidate(where, outcome, change, "why", "rule") for where, outcome, change in found]
    return [[str(row) for row in table.rows] for table in in_tables(candidates)]


def test_neighbours_of_one_answer_are_one_row() -> None:
    """By outcome and deciding change; `brief` by outcome alone."""
    found = [
        (Build("vllm", "0.8.0", None), RECHECK, "a"),
        (Build("vllm", "0.9.0", None), RECHECK, "a"),
        (Build("vllm", "0.10.0", None), RECHECK, "b"),
    ]
    assert rows(*found) == [["0.8.0..0.9.0 -> recheck: a", "0.10.0 -> recheck: b"]]
    [table] = in_tables([Candidate(where, outcome, change, "") for where, outcome, change in found])
    assert [str(row) for row in table.brief().rows] == ["0.8.0..0.10.0 -> recheck: a, b"]
    assert not table.disagrees


def test_where_both_ends_are_open_it_is_asked_about_the_target() -> None:
    """What only the measured build decides is said so; a row never hides an outcome."""
    pairs = [(was, now) for was in VERSIONS[:2] for now in VERSIONS]
    decided = [
        (Build("vllm", was, now), NOT if now == "0.8.0" else RECHECK if was == "0.8.0" else HOLDS, None)
        for was, now in pairs
    ]
    assert rows(*decided) == [
        [
            "0.8.0 -> not-applicable",
            "0.9.0..0.10.1 -> recheck or nothing speaks against the claim, by the build that was measured",
        ]
    ]


def test_where_only_the_measured_build_matters_it_is_asked_about_that_one() -> None:
    """The target's version would settle nothing."""
    found = [
        (Build("vllm", was, now), RECHECK if was == "0.8.0" else UNKNOWN, None)
        for was in VERSIONS[:2]
        for now in VERSIONS
    ]
    [table] = in_tables([Candidate(where, outcome, change, "") for where, outcome, change in found])
    assert (table.which, [str(row) for row in table.rows]) == (
        "which vllm ran",
        ["0.8.0 -> recheck", "0.9.0 -> unknown"],
    )


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(VERSIONS), st.sampled_from(VERSIONS)), st.sampled_from(list(Outcome)), min_size=1
    )
)
def test_a_table_says_no_less_and_no_more_than_its_candidates(found: dict[tuple[str, str], Outcome]) -> None:
    """Every build is in exactly one row, with exactly the outcomes that its candidates have; rows are in order."""
    [table] = in_tables(
        [Candidate(Build("vllm", was, now), outcome, None, "") for (was, now), outcome in found.items()]
    )
    for shown in (table, table.brief()):
        mine = {}
        for (was, now), outcome in found.items():
            mine.setdefault(now if shown.asked else was, set()).add(outcome)
        ordered = [version for version in VERSIONS if version in mine]
        ends = [(ordered.index(row.first), ordered.index(row.last)) for row in shown.rows]
        assert [n for first, last in ends for n in range(first, last + 1)] == list(range(len(ordered)))
        for row, (first, last) in zip(shown.rows, ends, strict=True):
            assert all(mine[version] == set(row.outcomes) for version in ordered[first : last + 1])


def test_a_span_is_told_by_its_ends() -> None:
    """In the order of versions, of the side that is asked about."""
    builds = [("0.10.0", "1.0"), ("0.9.0", "1.0")]
    assert span("vllm", builds, asked=False) == "vllm 0.9.0..0.10.0"
    assert span("vllm", builds, asked=True) == "vllm 1.0 at the target"


def test_builds_are_told_with_a_version_last() -> None:
    """With a side, and with either end open; neighbours of one answer are one row."""
    assert str(Build("decode vllm", "0.1", "0.2")) == "decode vllm 0.1, asked at decode vllm 0.2"
    assert [str(Build("vllm", *each)) for each in (("0.1", None), (None, "0.2"))] == ["vllm 0.1", "asked at vllm 0.2"]
    measured = [Candidate(Build("vllm", version, None), RECHECK, "a", "") for version in VERSIONS]
    asked = [Candidate(Build("vllm", was, now), HOLDS, None, "") for was in VERSIONS[:2] for now in VERSIONS]
    assert [each.pin for each in grouped(measured)] == ["vllm 0.8.0..0.10.1"]
    assert [each.pin for each in grouped(asked)] == [
        "vllm 0.8.0, asked at vllm 0.8.0..0.10.1",
        "vllm 0.9.0, asked at vllm 0.8.0..0.10.1",
    ]
