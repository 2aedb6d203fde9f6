"""kb.site.charts: what is drawn of evaluations, and what must not be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kb.config import read
from kb.evaluation import Evaluation
from kb.library import Library, open_library
from kb.site.charts import Chart, frontier, latency_load, ratio_map, stages

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def point(arm: str | None, value: float | None, metric: str = "ttft", unit: str = "ms", **more: Any) -> dict[str, Any]:
    number = {} if value is None else {"value": value}
    return {"arm": arm, "metric": metric, "unit": unit, "stat": "mean", **number, **more}


def at(rate: float | str, tokens: int = 512, **more: Any) -> dict[str, Any]:
    return {"request_rate": rate, "input_tokens": tokens, **more}


def evaluation(*points: Mapping[str, Any], **more: Any) -> Evaluation:
    arms = more.pop("arms", [{"id": "pull", "role": "baseline"}, {"id": "push"}])
    return Evaluation.model_validate(
        {"schema_version": 1, "id": "made-up", "title": "Made up", "arms": arms, "points": points, **more}
    )


def drawings(chart: Chart | None) -> tuple[ElementTree.Element, ElementTree.Element]:
    """The wide and the narrow drawing."""
    assert chart is not None
    wide, narrow = ElementTree.fromstring(f"<both>{chart.svg}</both>")
    return wide, narrow


def classed(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def letters(root: ElementTree.Element) -> str:
    return " | ".join(each.text or "" for each in root.iter(f"{SVG}text"))


SWEEP = [point(arm, value * rate, where=at(rate)) for arm, value in (("pull", 100), ("push", 40)) for rate in (1, 2, 4)]


# Latency over load


def test_a_sweep_is_one_line_for_each_arm() -> None:
    """Arms differ by class of the line and by the shape of the mark, not by colour alone."""
    wide, _ = drawings(latency_load(evaluation(*SWEEP), "ttft"))
    assert [each.get("class") for each in lines(wide)] == ["sweep a1", "sweep a2"]
    assert [each.get("d", "").count("L") for each in lines(wide)] == [2, 2]
    marks = classed(wide, "mark")
    assert len({re.sub(r"^M\S+ [-0-9.]+", "", each.get("d", "")) for each in marks}) == 2
    assert len(marks) == 6 + 2


def test_axes_name_metric_unit_and_statistic() -> None:
    """The statistic stands on the axis, the quantity with its unit below."""
    for root in drawings(latency_load(evaluation(*SWEEP), "ttft")):
        assert "TTFT (ms), mean" in letters(root)
        assert "request rate (req/s)" in letters(root)


def test_a_statistic_that_nobody_states_is_said_to_be_missing() -> None:
    """It is never left out as if it were a mean."""
    bare = [each | {"stat": "unknown"} for each in SWEEP]
    chart = latency_load(evaluation(*bare), "ttft")
    assert chart is not None
    assert "statistic not stated" in chart.title
    assert "statistic not stated" in letters(drawings(chart)[0])


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("another length", {"where": at(1)}, {"where": at(2, 1024)}),
        ("another statistic", {"where": at(1)}, {"where": at(2), "stat": "p99"}),
        ("another definition", {"where": at(1), "definition": "a.ttft"}, {"where": at(2), "definition": "b.ttft"}),
        ("all at once", {"where": at(1)}, {"where": at("inf")}),
        ("a bound", {"where": at(1)}, {"where": at(2), "qualifier": "up-to"}),
        ("a range", {"where": at(1)}, {"where": at(2), "value": None, "low": 2, "high": 3}),
        ("a rate that varied", {"where": at(1)}, {"where": at("2..4")}),
        ("words beside the load", {"where": at(1, words="cold")}, {"where": at(2, words="warm")}),
    ],
)
def test_no_line_joins_what_is_not_one_sweep(name: str, first: dict[str, Any], second: dict[str, Any]) -> None:
    """Points of two sweeps stay points, beside another arm's sweep that is a line."""
    del name
    points = [point("pull", 1) | first, point("pull", 2) | second]
    points += [point("push", rate, where=at(rate)) for rate in (1, 2, 3)]
    for root in drawings(latency_load(evaluation(*points), "ttft")):
        assert [each.get("class") for each in lines(root)] == ["sweep a2"]


def lines(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Lines between points; those in the legend are samples."""
    return [each for each in classed(root, "sweep") if not classed(each, "sample")]


def test_a_point_in_the_middle_of_a_sweep_that_is_a_range_breaks_the_line() -> None:
    """Nothing is drawn through a range."""
    points = [point("pull", 1, where=at(rate)) for rate in (1, 2, 4, 5)]
    points.insert(2, point("pull", None, low=1, high=9, where=at(3)))
    wide, _ = drawings(latency_load(evaluation(*points), "ttft"))
    assert [each.get("d", "").count("L") for each in lines(wide)] == [1, 1]
    assert len(classed(wide, "range")) == 1


@pytest.mark.parametrize(
    ("spread", "caption"),
    [
        ({"std": 5}, "Thin bars: one standard deviation to either side."),
        ({"low": 90, "high": 110, "kind": "95% CI"}, "Thin bars: 95% CI."),
        ({"low": 90, "high": 110, "kind": "min-max", "std": 5}, "Thin bars: min-max."),
        ({"low": 90, "high": 110}, "Thin bars: ends of an unnamed kind."),
    ],
)
def test_a_spread_is_named_as_the_source_names_it(spread: dict[str, Any], caption: str) -> None:
    """What a bar is stands in the caption; it is drawn once for each point that has one."""
    chart = latency_load(evaluation(*SWEEP[:-1], SWEEP[-1] | {"spread": spread}), "ttft")
    assert chart is not None
    assert caption in chart.caption
    assert len(classed(drawings(chart)[0], "spread")) == 1


def test_without_spread_no_bars_are_spoken_of() -> None:
    """Nor drawn."""
    chart = latency_load(evaluation(*SWEEP), "ttft")
    assert chart is not None
    assert "bars" not in chart.caption
    assert not classed(drawings(chart)[0], "spread")


@pytest.mark.parametrize(
    ("qualifier", "sign", "means"),
    [("about", "≈", "≈ about"), ("up-to", "≤", "≤ up to"), ("more-than", "&gt;", "> more than")],
)
def test_a_qualifier_stands_beside_its_mark(qualifier: str, sign: str, means: str) -> None:
    """And is explained."""
    chart = latency_load(evaluation(*SWEEP[:-1], SWEEP[-1] | {"qualifier": qualifier}), "ttft")
    assert chart is not None
    assert f">{sign}</text>" in chart.svg
    assert means in chart.caption


def test_arms_without_a_figure_and_lost_requests_are_said() -> None:
    """A missing arm is no gap that a reader must notice."""
    arms = [
        {"id": "pull", "requests": {"sent": 100, "completed": 88, "failed": 12}},
        {"id": "push"},
        {"id": "store"},
    ]
    chart = latency_load(evaluation(*SWEEP, arms=arms), "ttft")
    assert chart is not None
    assert "No figure for store." in chart.caption
    assert "pull: 12 failed of 100 requests." in chart.caption
    assert ("store", "", "", "no figure") in [row[:4] for row in chart.rows]


def test_places_in_words_become_lanes_with_their_numbers() -> None:
    """Two numbers at a place that only words name are shown as they are stated."""
    where = {"words": "the demanding end"}
    points = [point("pull", 1744, where=where, qualifier="about"), point("push", 540, where=where, qualifier="about")]
    chart = latency_load(evaluation(*points), "ttft")
    for root in drawings(chart):
        assert "≈1744 ms" in letters(root)
        assert "≈540 ms" in letters(root)
    assert chart is not None
    assert "Load: “the demanding end”." in chart.caption


def test_units_are_converted_for_drawing_and_kept_in_the_table() -> None:
    """2 s lies at 2000 ms."""
    points = [point("pull", 1000, where=at(1)), point("pull", 3000, where=at(3))]
    points.insert(1, point("pull", 2, unit="s", where=at(2)))
    chart = latency_load(evaluation(*points), "ttft")
    assert chart is not None
    assert [row[3] for row in chart.rows if row[0] == "pull"] == ["1000 ms", "2 s", "3000 ms"]
    line = lines(drawings(chart)[0])[0].get("d", "")
    ys = [float(pair.split()[1]) for pair in line[1:].split("L")]
    assert ys[0] - ys[1] == pytest.approx(ys[1] - ys[2], abs=0.2)


def test_a_key_that_changes_with_the_load_belongs_to_it() -> None:
    """The size of the KV goes with the input's length: one line, and it is said."""
    sizes = ((128, "20 MB"), (256, "38 MB"), (512, "74 MB"))
    wheres = [{"input_tokens": tokens, "factors": {"kv size": size}} for tokens, size in sizes]
    points = [point("pull", n, where=where) for n, where in enumerate(wheres, 1)]
    chart = latency_load(evaluation(*points), "ttft")
    assert chart is not None
    assert lines(drawings(chart)[0])[0].get("d", "").count("L") == 2
    assert "With it goes “kv size”." in chart.caption


@pytest.mark.parametrize(
    "points",
    [
        [],
        SWEEP[:1],
        [point("push", 3, unit="x", against="pull", reported="improvement-factor")] * 2,
        [each | {"metric": "tpot"} for each in SWEEP],
    ],
)
def test_nothing_to_draw_is_none(points: list[dict[str, Any]]) -> None:
    """A single number, another metric or a comparison that is only reported is no chart."""
    assert latency_load(evaluation(*points), "ttft") is None


# Ratios


def test_cells_stand_only_where_both_arms_were_measured() -> None:
    """An unmatched load is a dot, and no ratio."""
    points = [point("pull", 100, where=at(rate, tokens)) for rate in (1, 2) for tokens in (512, 1024)]
    points += [
        point("push", 50, where=at(1, 512)),
        point("push", 200, where=at(2, 512)),
        point("push", 100, where=at(1, 1024)),
    ]
    chart = ratio_map(evaluation(*points), "ttft")
    wide, narrow = drawings(chart)
    for root in (wide, narrow):
        assert len(classed(root, "cell")) == 3
        assert "·" in letters(root).split(" | ")
        assert "· not measured" in letters(root)
    assert {"0.50 ▼", "2.00 ▲", "1.00 ="} <= set(letters(wide).split(" | "))
    assert chart is not None
    assert [row[-1] for row in chart.rows] == ["0.5x", "2x", "1x"]


def test_parity_runs_between_measured_neighbours_only() -> None:
    """Below beside above; not across a cell that nobody measured."""

    def of(values: dict[int, float]) -> ElementTree.Element:
        points = [point("pull", 100, where=at(rate)) for rate in (1, 2, 3, 4)]
        points += [point("push", value, where=at(rate)) for rate, value in values.items()]
        return drawings(ratio_map(evaluation(*points), "ttft"))[0]

    assert len(classed(of({1: 50, 2: 60, 3: 150}), "parity-line")) == 2  # in the map, and in its key
    assert not classed(of({1: 50, 2: 60, 3: 70}), "parity-line")
    assert not classed(of({1: 50, 2: 60, 3: 100, 4: 150}), "parity-line")


def test_the_noise_floor_is_the_source_s() -> None:
    """3% is parity only where the source calls it noise."""
    points = [point("pull", 100, where=at(rate)) for rate in (1, 2, 3)]
    points += [point("push", 103, where=at(rate)) for rate in (1, 2, 3)]
    assert "1.03 ▲" in letters(drawings(ratio_map(evaluation(*points), "ttft"))[0])
    noisy = evaluation(*points, noise={"stated": "yes", "value": 5, "unit": "%"})
    assert "1.03 =" in letters(drawings(ratio_map(noisy, "ttft"))[0])


@pytest.mark.parametrize("more", [{"qualifier": "up-to"}, {"value": 0}, {"stat": "p50"}, {"definition": "x.ttft"}])
def test_no_ratio_of_what_cannot_be_divided(more: dict[str, Any]) -> None:
    """A bound, a zero, another statistic, another definition."""
    points = [point("pull", 100, where=at(rate)) for rate in (1, 2, 3)]
    points += [point("push", 50, where=at(rate)) | more for rate in (1, 2, 3)]
    assert ratio_map(evaluation(*points), "ttft") is None


# Stages


def test_stages_stand_in_the_order_of_the_wait_and_are_not_added() -> None:
    """What has no figure is named too."""
    points = [
        point("pull", 30, "transfer_duration", stage="transfer"),
        point("pull", 5, "post_duration", stage="post"),
        point("pull", 9, "transfer_bandwidth", "GB/s", stage="transfer"),
    ]
    notes = [{"stage": "queue", "says": "Not measured."}]
    chart = stages(evaluation(*points, stages=notes))
    assert chart is not None
    words = letters(drawings(chart)[0])
    assert words.index("queue") < words.index("post") < words.index("transfer")
    assert "no figure" in words
    assert "35" not in words
    assert "9 GB/s" not in words
    assert "need not add up" in chart.caption


def test_one_stage_with_one_figure_is_no_breakdown() -> None:
    """Nor is a record without stages."""
    assert stages(evaluation(point("pull", 30, "transfer_duration", stage="transfer"))) is None
    assert stages(evaluation(*SWEEP)) is None


# Frontier


def pairs(arm: str, *loads: float) -> Iterator[dict[str, Any]]:
    for load in loads:
        yield point(arm, 10 + load, "tpot", where={"concurrency": load})
        yield point(arm, 100 * load, "output_throughput", "tok/s", where={"concurrency": load})


def test_a_frontier_joins_the_loads_of_one_arm_in_their_order() -> None:
    """Even where latency turns back."""
    points = [*pairs("pull", 1, 4, 2), point("pull", 1, "tpot", where={"concurrency": 8})]
    points += [point("pull", 800, "output_throughput", "tok/s", where={"concurrency": 8})]
    chart = frontier(evaluation(*points))
    assert chart is not None
    assert [row[1] for row in chart.rows] == ["conc 1", "conc 4", "conc 2", "conc 8"]
    line = lines(drawings(chart)[0])[0].get("d", "")
    xs = [float(pair.split()[0]) for pair in line[1:].split("L")]
    assert xs[0] < xs[1] < xs[2] > xs[3]


def test_a_single_load_is_no_frontier() -> None:
    """Nor are latency and throughput of different loads."""
    assert frontier(evaluation(*pairs("pull", 1), *pairs("push", 1))) is None
    apart = [point("pull", 1, "tpot", where={"concurrency": n}) for n in (1, 2)]
    apart += [point("pull", 1, "output_throughput", "tok/s", where={"concurrency": n}) for n in (3, 4)]
    assert frontier(evaluation(*apart)) is None


# All of them, on the shipped base


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library(read(ROOT))


def of(record: Evaluation, prefix: str = "c") -> list[Chart]:
    metrics = dict.fromkeys(each.metric for each in record.points)
    made = [stages(record, f"{prefix}-s"), frontier(record, f"{prefix}-f")]
    for n, metric in enumerate(metrics):
        made += [latency_load(record, metric, f"{prefix}-l{n}"), ratio_map(record, metric, f"{prefix}-r{n}")]
    return [each for each in made if each is not None]


def test_every_shipped_evaluation_with_two_numbers_of_one_kind_has_a_chart(library: Library) -> None:
    """And every chart has a table whose rows are as long as its head."""
    drawn = {record.id: of(record) for record in library.evaluations.values()}
    assert sum(map(bool, drawn.values())) >= 20
    for charts in drawn.values():
        for chart in charts:
            assert chart.rows
            assert {len(row) for row in chart.rows} == {len(chart.columns)}
            assert chart.title
            assert chart.caption or chart.kind == "latency_load"


def test_drawings_are_accessible_and_keep_the_policy(library: Library) -> None:
    """Named and described by ids of their own, without style, script or anything loaded."""
    for record in library.evaluations.values():
        charts = of(record, record.id)
        text = "".join(chart.svg for chart in charts)
        ids = re.findall(r' id="([^"]+)"', text)
        assert len(ids) == len(set(ids)) == 2 * len(charts)
        assert not re.search(r"<style|<script|\sstyle=|\son\w+=|href|url\(|<foreignObject|<image", text)
        for chart in charts:
            for root in drawings(chart):
                assert root.get("role") == "img"
                assert all(f'id="{name}"' in chart.svg for name in root.get("aria-labelledby", "-").split())
                assert root.get("width") is None
            assert drawings(chart)[0].find(f"{SVG}desc") is not None


def test_everything_lies_inside_its_drawing(library: Library) -> None:
    """No mark and no text begins outside the box that is shown."""
    for record in library.evaluations.values():
        for chart in of(record):
            for root in drawings(chart):
                _, _, width, height = map(float, root.get("viewBox", "").split())
                for each in root.iter(f"{SVG}text"):
                    assert -0.5 <= float(each.get("x", 0)) <= width + 0.5, (record.id, chart.title, each.text)
                    assert 0 <= float(each.get("y", 0)) <= height + 0.5, (record.id, chart.title, each.text)


def test_the_same_input_gives_the_same_bytes(library: Library) -> None:
    """Drawn twice."""
    record = library.evaluations["vllm-35264-push-branch"]
    assert of(record) == of(record)


def test_hostile_text_stays_text() -> None:
    """What would be markup, or turns the order of letters, is neither."""
    bad = '<script>alert(1)</script>"&\u202e'
    arms = [{"id": "pull", "title": bad}, {"id": "push"}]
    points = [point(arm, n, where={"words": bad, "dataset": bad}) for n, arm in enumerate(("pull", "push"), 1)]
    points += [point("pull", n, "tpot", where=at(n, factors={bad: bad})) for n in (1, 2)]
    for metric in ("ttft", "tpot"):
        chart = latency_load(evaluation(*points, arms=arms), metric)
        assert chart is not None
        assert "<script" not in chart.svg
        assert "\u202e" not in chart.svg
        drawings(chart)


def test_a_stage_whose_note_names_its_figures_shows_those() -> None:
    """The others stand in the table, and no arm of theirs is called missing."""
    points = [point(arm, n, "post_duration", stage="post", id=f"p-{arm}") for n, arm in enumerate(("pull", "push"), 1)]
    points += [point("pull", 9, "transfer_duration", stage="transfer")]
    chart = stages(evaluation(*points, stages=[{"stage": "post", "says": "Posting.", "points": ["p-pull"]}]))
    assert chart is not None
    assert len(classed(drawings(chart)[0], "mark")) == 2
    assert len(chart.rows) == 3
    assert "No figure" not in chart.caption
    assert "1 further number stands in the table only." in chart.caption
