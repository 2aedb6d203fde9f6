# ruff: noqa: E501  rows read better unbroken
"""Findings on imported runs: what must fire, and what must not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kb.errors import NotFound
from kb.importers import findings
from kb.importers.findings import MODULES, Kind, find, judged, kinds
from kb.importers.run import Requests, Run, RunPoint, Suggestion
from kb.lint import page
from kb.vocabulary import Statistic

ALL = kinds()
SECTIONS = ["What it flags", "Why it matters", "Example", "What to do"]
UNITS = {
    "request_throughput": "req/s",
    "output_throughput": "tok/s",
    "duration": "s",
    "input_tokens": "count",
    "output_tokens": "count",
    "schedule_delay": "s",
}


def point(name: str, value: float, definition: str | None = None) -> RunPoint:
    """`ttft.p99` -> a point; without a statistic rates have a value and the rest a mean."""
    metric, _, stat = name.partition(".")
    usual = "value" if metric in {"request_throughput", "output_throughput", "duration"} else "mean"
    return RunPoint(
        metric, value, UNITS.get(metric, "ms"), Statistic(stat or usual), definition or f"vllm-bench.{metric}"
    )


def run(values: dict[str, float] | None = None, where: dict[str, Any] | None = None, **more: Any) -> Run:
    """A run of vllm bench serve; `sent`, `completed`, `failed` are its requests."""
    requests = Requests(*(more.pop(key, None) for key in ("sent", "completed", "failed")))
    definitions = more.pop("definitions", {})
    points = tuple(point(name, value, definitions.get(name)) for name, value in (values or {}).items())
    return Run(
        more.pop("file", "x.json"),
        "vllm-bench",
        more.pop("tool", "vllm bench serve"),
        requests=requests,
        where=where or {},
        points=points,
        **more,
    )


def codes(*runs: Run) -> list[set[str]]:
    """Names of findings of each run."""
    return [{finding.name for finding in each.findings} for each in judged(runs)]


QUEUED = {
    "ttft": 781818.4,
    "ttft.p50": 773158.5,
    "ttft.std": 462283.6,
    "tpot": 127.2,
    "output_tokens": 1000,
    "request_throughput": 0.38,
    "duration": 2627.0,
}
SHORT = {
    "ttft": 103.0,
    "ttft.p50": 102.5,
    "ttft.p99": 106.7,
    "ttft.std": 1.3,
    "tpot": 20.8,
    "output_tokens": 16,
    "request_throughput": 14.1,
    "duration": 1.41,
}
PREFILL = {
    "ttft": 5000,
    "ttft.p50": 5010,
    "ttft.p99": 5300,
    "ttft.std": 90,
    "tpot": 20,
    "output_tokens": 1,
    "request_throughput": 0.8,
    "duration": 25,
}
ADDS_UP = {"ttft": 100, "tpot": 20, "output_tokens": 16, "e2el": 405}
LINES = {"ttft": 0.1, "itl": 8.9, "itl.p50": 0.05}
VALUES = {"ttft": 45.25, "ttft.p99": 61.5, "tpot": 8.75, "request_throughput": 3.96, "duration": 50.5}

FIRES: list[tuple[str, Run]] = [
    ("nothing-completed", run(sent=8, completed=0, failed=8)),
    ("nothing-completed", run(completed=0)),
    ("many-failed", run(sent=1000, completed=17)),
    ("many-failed", run(completed=80, failed=20)),
    ("some-failed", run(sent=1000, completed=991, failed=9)),
    ("some-failed", run(sent=100, completed=90)),
    ("saturated", run(QUEUED, {"request_rate": 1.0})),
    ("saturated", run({**QUEUED, "ttft.std": 10, "ttft.p99": 1583345.7}, {"request_rate": 1})),
    ("all-at-once", run({"ttft": 5}, {"request_rate": "inf"})),
    ("latencies-do-not-add-up", run({**ADDS_UP, "tpot": 8.9})),
    ("latencies-do-not-add-up", run({**ADDS_UP, "e2el": 0.405})),
    ("latencies-do-not-add-up", run({"ttft": 100, "itl": 20, "output_tokens": 40, "e2el": 405}, definitions={"itl": "aiperf.itl"})),
    ("blank-lines-counted", run(LINES, tool="inference-perf")),
    ("blank-lines-counted", run({**ADDS_UP, "tpot": 8.9}, tool="inference-perf", definitions={"tpot": "inference-perf.tpot-0.2"})),
    ("several-tokens-per-chunk", run({"itl": 75.7, "tpot": 20.2})),
    ("several-tokens-per-chunk", run({"itl": 5.6, "tpot": 10})),
    ("several-tokens-per-chunk", run({"icl": 75.7, "itl": 20.2}, definitions={"icl": "aiperf.icl", "itl": "aiperf.itl"})),
    ("first-chunk-without-token", run({"ttft": 5}, definitions={"ttft": "vllm-bench.ttft-role-chunk"})),
    ("zero-latency", run({"ttft": 0.0})),
    ("zero-latency", run({"e2el.p99": 0.0})),
    ("not-a-number", run(not_understood=("ttft mean: 'NaN' is no number of a result",))),
    ("not-a-number", run(not_understood=("request_throughput value: 'inf' is infinite",))),
    ("percentiles-turned-round", run({"ttft.p90": 812, "ttft.p99": 95})),
    ("percentiles-turned-round", run({"ttft.p50": 5, "ttft.max": 4})),
    ("percentiles-turned-round", run({"ttft": 5, "ttft.max": 4})),
    ("percentiles-turned-round", run({"ttft": 3, "ttft.min": 4})),
    ("negative-value", run({"tpot": -3.1})),
    ("negative-value", run({"duration": -1})),
    ("concurrency-not-reached", run({"request_throughput": 9.2, "e2el": 5400}, {"concurrency": 128})),
    ("concurrency-not-reached", run({"request_throughput": 9.2, "e2el": 5.4e6}, {"concurrency": 128, "request_rate": "inf"})),
    ("concurrency-not-reached", run({"request_throughput": 1, "ttft": 100, "tpot": 10, "output_tokens": 91}, {"concurrency": 8})),
    ("lengths-not-as-asked", run({"output_tokens": 682}, {"output_tokens": 2048})),
    ("lengths-not-as-asked", run({"input_tokens": 5827}, {"input_tokens": 10000})),
    ("lengths-not-as-asked", run({"output_tokens": 682}, suggestions=(Suggestion("where.output_tokens", 2048, "file name x"),))),
    ("few-requests", run({"ttft": 217}, completed=8)),
    ("few-requests", run({"ttft.p99": 217}, completed=60)),
    ("read-in-part", run(not_understood=("what follows it: the file ends in the middle of a value",))),
    ("read-in-part", run(not_understood=("keys that stand twice, the last one counts: a",))),
]  # fmt: skip
QUIET: list[tuple[str, Run]] = [
    ("nothing-completed", run(sent=8, completed=8)), ("nothing-completed", run()), ("nothing-completed", run(failed=8)),
    ("many-failed", run(sent=8, completed=0)), ("many-failed", run(sent=100, completed=90)), ("many-failed", run(completed=5)),
    ("some-failed", run(sent=100, completed=100, failed=0)), ("some-failed", run(sent=100, completed=80)), ("some-failed", run()),
    ("saturated", run(SHORT, {"request_rate": 20.0})),
    ("saturated", run(PREFILL, {"request_rate": 1.0})),
    ("saturated", run({**QUEUED, "request_throughput": 0.95}, {"request_rate": 1.0})),
    ("saturated", run(QUEUED, {"request_rate": "inf"})), ("saturated", run(QUEUED)), ("saturated", run(QUEUED, {"request_rate": 1}, server_side=True)),
    ("all-at-once", run({"ttft": 5}, {"request_rate": "inf", "concurrency": 8})), ("all-at-once", run({"ttft": 5}, {"request_rate": 8})), ("all-at-once", run({}, {"request_rate": "inf"})),
    ("latencies-do-not-add-up", run(ADDS_UP)),
    ("latencies-do-not-add-up", run({"ttft": 100, "tpot": 25.5, "output_tokens": 16, "e2el": 405}, definitions={"tpot": "guidellm.tpot"})),
    ("latencies-do-not-add-up", run({"ttft": 100, "tpot": 0, "output_tokens": 1, "e2el": 405})),
    ("latencies-do-not-add-up", run({"ttft": 100, "tpot": 20, "e2el": 405})),
    ("blank-lines-counted", run(LINES)), ("blank-lines-counted", run({**ADDS_UP, "itl": 20, "itl.p50": 19}, tool="inference-perf")),
    ("blank-lines-counted", run(LINES, tool="inference-perf", server_side=True)),
    ("several-tokens-per-chunk", run({"itl": 20.5, "tpot": 20.2})),
    ("several-tokens-per-chunk", run({"itl": 20.9, "tpot": 26.0}, definitions={"itl": "guidellm.itl", "tpot": "guidellm.tpot"})),
    ("several-tokens-per-chunk", run({"itl": 20.5})), ("several-tokens-per-chunk", run({"itl": 0, "tpot": 0, "output_tokens": 1})),
    ("first-chunk-without-token", run({"ttft": 5})),
    ("zero-latency", run({"ttft.std": 0, "ttft.min": 0, "ttft": 5})), ("zero-latency", run({"tpot": 0, "itl": 0, "output_tokens": 1})),
    ("zero-latency", run({"queue_time": 0}, definitions={"queue_time": "vllm-bench.queue_time"})), ("zero-latency", run({"output_throughput": 0})),
    ("not-a-number", run(not_understood=("colour: not known to this importer",))),
    ("percentiles-turned-round", run({"ttft.min": 1, "ttft.p50": 2, "ttft": 3, "ttft.p90": 4, "ttft.p99": 4, "ttft.max": 9, "ttft.std": 1})),
    ("percentiles-turned-round", run({"ttft": 999, "ttft.p99": 3})),
    ("percentiles-turned-round", run({"output_throughput.p50": 9, "output_throughput.p99": 3})),
    ("negative-value", run({"schedule_delay": -0.2})), ("negative-value", run({"ttft": 0})),
    ("concurrency-not-reached", run({"request_throughput": 9.2, "e2el": 13000}, {"concurrency": 128})),
    ("concurrency-not-reached", run({"request_throughput": 9.2, "e2el": 5400}, {"concurrency": 128, "request_rate": 10})),
    ("concurrency-not-reached", run({"request_throughput": 9.2, "e2el": 5400})), ("concurrency-not-reached", run({"e2el": 5400}, {"concurrency": 8})),
    ("lengths-not-as-asked", run({"output_tokens": 1024, "input_tokens": 1000}, {"output_tokens": 1024, "input_tokens": 1024})),
    ("lengths-not-as-asked", run({"input_tokens": 64}, {"input_tokens": 32})), ("lengths-not-as-asked", run({"input_tokens": 64})),
    ("few-requests", run({"ttft": 5, "ttft.p99": 9}, completed=500)), ("few-requests", run({"ttft": 5}, completed=40)), ("few-requests", run({"ttft": 5})),
    ("few-requests", run({"output_throughput": 5}, completed=4)),
    ("read-in-part", run(not_understood=("colour: not known to this importer",))),
]  # fmt: skip


def label(row: Any) -> str:
    return row if isinstance(row, str) else ""


@pytest.mark.parametrize(("name", "each"), FIRES, ids=label)
def test_fires(name: str, each: Run) -> None:
    """The run is found, with a sentence."""
    [judged_run] = judged([each])
    found = [finding for finding in judged_run.findings if finding.name == name]
    assert len(found) == 1, judged_run.findings
    assert found[0].path == "x.json"
    assert found[0].message


@pytest.mark.parametrize(("name", "each"), QUIET, ids=label)
def test_is_quiet(name: str, each: Run) -> None:
    """What only looks like it is left alone."""
    assert name not in codes(each)[0]


def test_each_finding_has_rows_of_both_kinds() -> None:
    """Nothing is untested; the same run twice has tests of its own."""
    for rows in (FIRES, QUIET):
        assert {name for name, _ in rows} == {kind.NAME for kind in ALL} - {"same-run-twice"}


def test_saturated_beside_a_lighter_load() -> None:
    """TTFT five times that of a lighter run of the series, and behind its own rate."""
    light = run({"ttft": 100, "tpot": 20, "output_tokens": 200, "request_throughput": 0.99}, {"request_rate": 1})
    heavy = run({"ttft": 900, "tpot": 20, "output_tokens": 200, "request_throughput": 5}, {"request_rate": 8})
    other = run(
        {"ttft": 900, "tpot": 20, "output_tokens": 200, "request_throughput": 5}, {"request_rate": 8, "dataset": "x"}
    )
    kept_up = run({"ttft": 900, "tpot": 20, "output_tokens": 200, "request_throughput": 7.9}, {"request_rate": 8})
    assert [("saturated" in each) for each in codes(light, heavy, other, kept_up)] == [False, True, False, False]


def test_the_same_run_from_two_files() -> None:
    """Rounded, in part, in another order: the later one is said to repeat the first."""
    rounded = {name: round(value, 1) for name, value in VALUES.items()}
    console = run({**{n: round(v + 0.004, 2) for n, v in VALUES.items()}, "itl": 3}, file="b.log")
    found = judged(
        [run(VALUES, file="a.json"), run({**VALUES, "ttft": 46.5}, file="c.json"), console, run(rounded, file="d.json")]
    )
    assert [[finding.message for finding in each.findings if finding.name == "same-run-twice"] for each in found] == [
        [], [], ["the same run as a.json"], [],
    ]  # fmt: skip


def test_three_times_the_same() -> None:
    """All of them name the first."""
    found = judged([run(VALUES, file=name) for name in ("a", "b", "c")])
    assert [finding.message for each in found for finding in each.findings if finding.code == "KB341"] == [
        "the same run as a"
    ] * 2


@pytest.mark.parametrize(
    "few", [{"ttft": 45.25, "tpot": 8.75}, {"output_tokens": 16, "input_tokens": 32, "ttft": 1.5}, {}]
)
def test_too_little_in_common(few: dict[str, float]) -> None:
    """Two numbers, or counts, do not make the same run."""
    assert "same-run-twice" not in codes(run(few), run(few))[1]


def test_a_run_in_a_file_of_several_is_named() -> None:
    """The message says which of them it is."""
    found = judged([run(sent=8, completed=0), run(sent=8, completed=0, record=2), run(sent=8, completed=0, file="y")])
    assert [each.findings[0].message.partition(":")[0] for each in found] == [
        "run 1",
        "run 2",
        "none of 8 requests was completed",
    ]


def named(kind: Kind) -> str:
    return kind.NAME


def test_no_module_is_forgotten() -> None:
    """Every module of the folder is in the list, called after its name; codes rise."""
    files = {path.stem for path in Path(findings.__file__).parent.glob("*.py")} - {"__init__"}
    assert files == set(MODULES)
    assert [kind.NAME.replace("-", "_") for kind in ALL] == list(MODULES)
    assert [kind.CODE for kind in ALL] == sorted({kind.CODE for kind in ALL})
    assert all(re.fullmatch(r"KB3\d\d", kind.CODE) for kind in ALL)


@pytest.mark.parametrize("kind", ALL, ids=named)
def test_a_page_has_its_sections(kind: Kind) -> None:
    """The same four as a check's, each with text; `kb explain` finds it by code and name."""
    title, *_ = kind.__doc__.splitlines()
    assert title.endswith(".")
    assert sorted(re.findall(r"^## (.+)$", kind.__doc__, re.MULTILINE)) == sorted(SECTIONS)
    assert all(part.strip() for part in re.split(r"^## .+$", kind.__doc__, flags=re.MULTILINE))
    assert find(kind.CODE.lower()) is find(kind.NAME) is kind
    assert page(kind.NAME) == (kind.CODE, kind.NAME, kind.__doc__)


def test_an_unknown_code() -> None:
    """The nearest is named."""
    with pytest.raises(NotFound) as caught:
        page("few-request")
    assert "few-requests" in str(caught.value.hint)
