"""kb.site.charts: scales, and the charts of many records: outcomes by release, coverage of a question, days."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.change import Change
from kb.component import Component
from kb.evaluation import Evaluation
from kb.site.charts import Chart, coverage_matrix, timeline, version_band
from kb.site.charts.outcomes import SIGNS
from kb.site.charts.scale import scale, tick
from kb.site.charts.svg import cut, number, wide, wrapped
from kb.site.pages.verdicts import SIGNS as ON_PAGES
from kb.vocabulary import Outcome
from tests.site.test_charts import classed, drawings, letters

# Scales

AMOUNTS = st.lists(st.floats(1e-6, 1e9), min_size=1, max_size=20)


@given(AMOUNTS)
def test_every_value_lies_on_its_scale(values: list[float]) -> None:
    """Between the ends, in order, and the ticks are few and inside."""
    made = scale(values, 0, 100)
    places = [made.at(each) for each in sorted(values)]
    assert places == sorted(places)
    assert -0.01 <= places[0] <= places[-1] <= 100.01
    assert 2 <= len(made.ticks) <= 9
    assert all(-0.01 <= made.at(each) <= 100.01 for each in (*made.ticks, *made.minor))


@pytest.mark.parametrize(
    ("values", "log", "ends"),
    [
        ([1, 20], False, (0, 20)),
        ([1, 21], True, (1, 50)),
        ([0, 1000], False, (0, 1000)),
        ([-5, 100], False, (-25, 100)),
        ([12.5, 12.7], False, (0, 15)),
        ([0.54, 31.65], True, (0.5, 50)),
        ([7], False, (0, 8)),
        ([], False, (0, 1)),
    ],
)
def test_a_scale_is_logarithmic_beyond_twenty_times_and_begins_at_zero_else(
    values: list[float], log: bool, ends: tuple[float, float]
) -> None:
    """Zero and below are never drawn on a logarithmic scale."""
    made = scale(values, 0, 1)
    assert (made.log, (made.low, made.high)) == (log, ends)


@pytest.mark.parametrize(
    ("value", "high", "text"),
    [(5000, 5000, "5000"), (5000, 20000, "5k"), (1500000, 2e7, "1.5M"), (0, 1e6, "0"), (0.05, 1, "0.05")],
)
def test_ticks_are_short(value: float, high: float, text: str) -> None:
    """Thousands are k on an axis that needs it."""
    assert tick(value, high) == text


def test_coordinates_have_one_digit() -> None:
    """And no negative zero."""
    assert [number(each) for each in (1.0, 1.25, -0.01, 12.96)] == ["1", "1.2", "0", "13"]


@given(st.text(max_size=80), st.floats(30, 400))
def test_text_is_cut_and_wrapped_to_what_there_is(text: str, most: float) -> None:
    """Wide letters count as wide."""
    assert wide(cut(text, most)) <= most
    assert all(wide(row) <= most for row in wrapped(text, most))


# Outcomes by release


def judged(outcome: str, confirm: bool = False, because: str = "") -> dict[str, Any]:
    findings = [{"outcome": outcome, "message": because}] if because else []
    return {"outcome": outcome, "confirm": confirm, "findings": findings}


def test_signs_are_those_of_the_pages() -> None:
    """One sign for an outcome on the whole site."""
    assert SIGNS == ON_PAGES
    assert set(SIGNS) == set(Outcome)


def test_a_band_joins_neighbours_of_one_outcome_in_the_order_of_versions() -> None:
    """0.10 comes after 0.9; what must be confirmed is a stretch of its own."""
    verdicts = [
        ("0.10.0", judged("recheck", because="A change is reached.")),
        ("0.9.0", judged("holds")),
        ("0.9.1", judged("holds")),
        ("0.11.0", judged("recheck", confirm=True)),
    ]
    chart = version_band(verdicts)
    assert chart is not None
    assert [row[0] for row in chart.rows] == ["0.9.0", "0.9.1", "0.10.0", "0.11.0"]
    for root in drawings(chart):
        assert [each.get("class") for each in classed(root, "stretch")] == [
            "stretch fill-holds", "stretch fill-recheck", "stretch fill-recheck ask",
        ]  # fmt: skip
        words = letters(root)
        assert "0.9.0 to 0.9.1 (2 releases)" in words
        assert "A change is reached." in words
        assert "✓" in words
        assert "↻" in words


def test_no_release_is_no_band() -> None:
    """Nothing is made up."""
    assert version_band([]) is None


# Coverage


def evaluation(id_: str, topology: str | None = None, version: str | None = None, **load: Any) -> Evaluation:
    setup = {"topology": topology, "engine": {"component": "vllm", "version": version}, "workload": load}
    stated = {key: value for key, value in setup.items() if value}
    stated["engine"] = {key: value for key, value in {"component": "vllm", "version": version}.items() if value}
    return Evaluation.model_validate(
        {
            "schema_version": 1, "id": id_, "title": id_, "setup": stated,
            "claims": [{"id": "faster", "kind": "measured", "says": "It is faster."}],
        }
    )  # fmt: skip


def matrix(*rows: tuple[Evaluation, str]) -> Chart:
    chart = coverage_matrix([(record, record.claims[0], judged(outcome)) for record, outcome in rows])
    assert chart is not None
    return chart


def test_combinations_without_evidence_are_marked() -> None:
    """Two topologies at two versions are four cells; two have none."""
    chart = matrix(
        (evaluation("a", "1P1D", "0.9.0", request_rate=4), "holds"),
        (evaluation("b", "3P1D", "0.10.0", request_rate=4), "recheck"),
    )
    for root in drawings(chart):
        assert len(classed(root, "some")) == 2
        assert len(classed(root, "hatch")) == 2
        assert {"✓1", "↻1"} <= set(letters(root).split(" | "))
    assert chart.rows == (
        ("1P1D", "not stated", "4 req/s", "vllm 0.9.0", "a/faster holds"),
        ("1P1D", "not stated", "4 req/s", "vllm 0.10.0", "none"),
        ("3P1D", "not stated", "4 req/s", "vllm 0.9.0", "none"),
        ("3P1D", "not stated", "4 req/s", "vllm 0.10.0", "b/faster recheck"),
    )
    assert "2 of 4 combinations" in chart.caption


@pytest.mark.parametrize(
    ("load", "words"),
    [
        ({"request_rate": "inf"}, "all at once"),
        ({"concurrency": "1..16"}, "1 to 16 in flight"),
        ({"concurrency": {"max": 4}}, "up to 4 in flight"),
        ({"request_rate": "unknown"}, "not stated"),
        ({}, "not stated"),
    ],
)
def test_a_load_is_said_as_far_as_it_is_stated(load: dict[str, Any], words: str) -> None:
    """What is not stated is a row of its own, not a guess."""
    assert matrix((evaluation("a", "1P1D", **load), "holds")).rows[0][2:4] == (words, "vllm not stated")


def test_a_question_without_claims_has_no_matrix() -> None:
    """Nothing is made up."""
    assert coverage_matrix([]) is None


# Days

COMPONENT = Component.model_validate(
    {
        "schema_version": 1, "id": "nixl", "title": "NIXL", "kind": "transfer-library",
        "releases": [{"version": "1.2.0", "date": "2026-05-01"}, {"version": "1.10.0", "date": "2026-08-01"}],
    }
)  # fmt: skip


def change(id_: str, ships: str | None = None, **dates: str) -> Change:
    facts = [{"distribution": "nixl", "artifact": "wheel", "versions": ships, "ships": "yes"}] if ships else []
    return Change.model_validate(
        {
            "schema_version": 1, "id": id_, "title": id_, "component": "nixl", "kind": "performance",
            "status": "merged", "summary": "Faster.", "dates": dates, "ships": facts,
        }
    )  # fmt: skip


def measured(id_: str, day: str) -> Evaluation:
    return Evaluation.model_validate({"schema_version": 1, "id": id_, "title": id_, "date": day})


def test_released_is_the_first_release_that_carries_it() -> None:
    """By artifact facts and versions, not by the merge."""
    chart = timeline(
        COMPONENT, [measured("e", "2026-06-01")], [change("c", ">=1.3", opened="2026-03-01", merged="2026-04-01")]
    )
    assert chart is not None
    assert ("c", "change", "2026-03-01", "2026-04-01", "1.10.0 2026-08-01", "") in chart.rows
    for root in drawings(chart):
        assert len(classed(root, "measured-line")) == 1
        assert len(classed(root, "reach")) == 1
        assert "1.10.0" in letters(root)


def test_a_merge_alone_is_not_released() -> None:
    """Nothing says that it ships."""
    chart = timeline(COMPONENT, [measured("e", "2026-06-01")], [change("c", merged="2026-04-01")])
    assert chart is not None
    assert "released" not in chart.columns


def test_a_month_is_a_span_and_an_unknown_day_is_drawn_nowhere() -> None:
    """It is counted in the caption and stands in the table."""
    chart = timeline(
        COMPONENT,
        [measured("e", "2026-06-01"), measured("when", "unknown")],
        [change("c", merged="2026-04"), change("d", merged="unknown")],
    )
    assert chart is not None
    wide, _ = drawings(chart)
    assert len(classed(wide, "day-span")) == 1
    assert "2 without a day stand in the table only." in chart.caption
    assert {"when", "d"} <= {row[0] for row in chart.rows}
    assert "when" not in letters(wide)


def test_one_day_is_no_timeline() -> None:
    """Nor are none."""
    assert timeline(COMPONENT, [measured("e", "2026-06-01")], []) is None
    assert timeline(COMPONENT, [], []) is None


def test_everything_is_readable_as_xml_with_hostile_names() -> None:
    """Messages of findings and names of builds are text."""
    chart = version_band([("<b>", judged("holds", because="<script>")), ("1.0", judged("unknown"))])
    assert chart is not None
    assert ElementTree.fromstring(f"<x>{chart.svg}</x>") is not None
    assert "<script" not in chart.svg
