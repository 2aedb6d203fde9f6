"""`kb import --into`: the diff first, comments kept, the same files change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.arranging.begin import Wanted, begin
from kb.arranging.taking import Taken, take, write
from kb.config import Config
from kb.errors import KbError, NotFound, WriteRefused
from kb.library import open_library
from tests.arranging.made import base, pair
from tests.arranging.made import write as result

RECORD = """\
---
schema_version: 1
id: x
title: Push against pull   # in our words
source: {relation: own}
setup:
  model: unknown   # they did not say
arms:
  - {id: pull, role: baseline}
  - id: push   # the new one
    role: candidate
points:
  # typed from the console
  - {id: by-hand, metric: ttft, stat: p50, arm: push, where: {request_rate: 4, num_prompts: 100, burstiness: 1}, value: 199, unit: ms}
---
Body stays.
"""  # noqa: E501


def record(config: Config, text: str = RECORD) -> Path:
    path = config.base.entries / "evaluations/x.md"
    path.write_text(text)
    return path


def plan(config: Config, *paths: Path, **wanted: object) -> Taken:
    return take(config, "x", Wanted(tuple(map(str, paths)), **wanted))  # type: ignore[arg-type]


def test_shown_before_it_is_written(tmp_path: Path) -> None:
    """Planning writes nothing; the diff has the new lines and no other."""
    config = base(tmp_path / "base")
    path = record(config)
    taken = plan(config, arms=(f"push={result(tmp_path / 'a.json')}",))
    assert path.read_text() == RECORD
    assert taken.changes
    removed = [line for line in taken.diff() if line.startswith("-") and not line.startswith("---")]
    assert len(removed) == 1
    assert "value: 199" in removed[0]


def test_written_with_comments_kept(tmp_path: Path) -> None:
    """A point typed by hand gets the file's number and keeps its id; comments and body stay as they were."""
    config = base(tmp_path / "base")
    path = record(config)
    write(plan(config, arms=(f"push={result(tmp_path / 'a.json')}",)), replace=True)
    text = path.read_text()
    for kept in ("# in our words", "# they did not say", "# the new one", "# typed from the console", "Body stays."):
        assert kept in text
    points = open_library(config).evaluations["x"].point_table()
    assert points["by-hand"].value == 200.0
    assert points["by-hand"].definition == "vllm-bench.ttft"
    assert points["push-ttft-p99-r4"].value == 400.0


def test_again_changes_nothing(tmp_path: Path) -> None:
    """The same files again: no change, no diff, not a byte."""
    config = base(tmp_path / "base")
    path = record(config)
    file = result(tmp_path / "a.json")
    write(plan(config, arms=(f"push={file}",), attach=True), replace=True)
    before = path.read_bytes()
    again = plan(config, arms=(f"push={file}",), attach=True)
    assert not again.changes
    assert again.diff() == []
    write(again)
    assert path.read_bytes() == before


@pytest.mark.parametrize("repeats", [1, 3])
def test_a_draft_and_its_own_files(tmp_path: Path, repeats: int) -> None:
    """What `kb new --from` made of files is what `kb import --into` finds there."""
    config = base(tmp_path / "base")
    res = pair(tmp_path / "res", repeats)
    begin(config, "x", Wanted((str(res),)))
    assert not plan(config, res).changes


def test_many_points_go_to_the_table(tmp_path: Path) -> None:
    """Points that are too many for the record begin a table; those written by hand stay in the record."""
    config = base(tmp_path / "base")
    record(config)
    res = pair(tmp_path / "res")
    taken = plan(config, arms=(f"push={res}/push", f"pull={res}/pull"))
    assert "results: results.csv" in taken.after
    assert taken.table_before is None
    write(taken)
    read = open_library(config).evaluations["x"]
    assert read.points[0].id == "by-hand"
    assert len(read.points) > 40
    assert not plan(config, arms=(f"push={res}/push", f"pull={res}/pull")).changes


def test_a_changed_number_in_the_table(tmp_path: Path) -> None:
    """One number differs: one line of the table does."""
    config = base(tmp_path / "base")
    res = pair(tmp_path / "res")
    begin(config, "x", Wanted((str(res),)))
    result(res / "push/rate8-rep1.json", request_rate=8.0, median_ttft_ms=541.0, mean_ttft_ms=550.5, p99_ttft_ms=1080.0)
    changed = [line for line in plan(config, res).diff() if line.startswith(("-push", "+push"))]
    assert [line.partition(",")[0] for line in changed] == ["-push-ttft-p50-r8", "+push-ttft-p50-r8"]


def test_counts(tmp_path: Path) -> None:
    """Counts of requests are filled in where there are none, and never written over."""
    config = base(tmp_path / "base")
    record(config, RECORD.replace("{id: pull, role: baseline}", "{id: pull, role: baseline, requests: {sent: 5}}"))
    file = result(tmp_path / "a.json")
    taken = plan(config, arms=(f"pull={file}",))
    assert any("the record says 5 sent" in each for each in taken.said)
    assert "requests: {sent: 5}" in taken.after
    assert "completed: 100" in plan(config, arms=(f"push={file}",)).after


def test_facts_are_said_and_not_written(tmp_path: Path) -> None:
    """What the files state and the record leaves open is said; the record's words stay."""
    config = base(tmp_path / "base")
    record(config)
    taken = plan(config, arms=(f"push={result(tmp_path / 'a.json')}",))
    assert "push: the files say model is Qwen/Qwen3-32B, the record leaves it open" in taken.said
    assert "model: unknown   # they did not say" in taken.after


def test_which_arm_is_said(tmp_path: Path) -> None:
    """With several arms in the record, whose the runs are is never guessed."""
    config = base(tmp_path / "base")
    record(config)
    with pytest.raises(KbError, match="not said which arm"):
        plan(config, result(tmp_path / "a.json"))


def test_an_only_arm(tmp_path: Path) -> None:
    """A record with one arm takes the runs into it."""
    config = base(tmp_path / "base")
    record(config, RECORD.replace("  - {id: pull, role: baseline}\n", ""))
    assert [group.id for group in plan(config, result(tmp_path / "a.json")).arranged.groups] == ["push"]


def test_a_new_arm(tmp_path: Path) -> None:
    """An arm that the record does not have is added, and its setup is asked for."""
    config = base(tmp_path / "base")
    record(config)
    taken = plan(config, arms=(f"reader-thread={result(tmp_path / 'a.json')}",))
    assert any("arm reader-thread is new" in each for each in taken.said)
    write(taken)
    assert [arm.id for arm in open_library(config).evaluations["x"].arms] == ["pull", "push", "reader-thread"]


def test_refused(tmp_path: Path) -> None:
    """No such record, a mounted one, or one that changed while its diff was read."""
    config = base(tmp_path / "base")
    path = record(config)
    file = result(tmp_path / "a.json")
    with pytest.raises(NotFound):
        take(config, "nobody", Wanted((str(file),)))
    with pytest.raises(WriteRefused, match="read-only"):
        take(config, "aws-push-vs-pull-efa", Wanted((str(file),)))
    taken = plan(config, arms=(f"push={file}",))
    path.write_text(RECORD.replace("199", "198"))
    with pytest.raises(WriteRefused, match="changed meanwhile"):
        write(taken, replace=True)
    assert "198" in path.read_text()


def test_a_recorded_figure_is_not_replaced_in_passing(tmp_path: Path) -> None:
    """Another value at a place that has one is refused, with arm, load and both values; asked for, it is written."""
    config = base(tmp_path / "base")
    res = pair(tmp_path / "res")
    begun = begin(config, "x", Wanted((str(res),)))
    table = config.base.entries / "evaluations/x/results.csv"
    before = table.read_bytes()
    result(res / "push/rate8-rep1.json", request_rate=8.0, median_ttft_ms=610.0, mean_ttft_ms=620.5, p99_ttft_ms=1080.0)
    taken = plan(config, res)
    assert [(each.there.id, each.there.value, each.new.value) for each in taken.replaced] == [
        ("push-ttft-mean-r8", 550.5, 620.5),
        ("push-ttft-p50-r8", 540.0, 610.0),
    ]
    with pytest.raises(WriteRefused) as refused:
        write(taken)
    assert refused.value.message == (
        "2 figures that are recorded have another value in these results: "
        "2 of push at a request rate of 8 (ttft mean 550.5 -> 620.5 ms, ttft p50 540 -> 610 ms)"
    )
    assert "kb new evaluation" in (refused.value.hint or "")
    assert begun.path
    assert table.read_bytes() == before
    write(taken, replace=True)
    assert open_library(config).evaluations["x"].point_table()["push-ttft-p50-r8"].value == 610.0


@pytest.mark.parametrize("typed", ["value: 200, unit: ms", "value: 200, unit: ms, n: 1"])
def test_the_same_value_is_no_replacement(tmp_path: Path, typed: str) -> None:
    """What a file adds to a figure typed by hand, its definition and count of runs, needs nobody's leave."""
    config = base(tmp_path / "base")
    record(config, RECORD.replace("value: 199, unit: ms", typed))
    taken = plan(config, arms=(f"push={result(tmp_path / 'a.json')}",))
    assert taken.replaced == ()
    write(taken)
    assert open_library(config).evaluations["x"].point_table()["by-hand"].n == 1


def test_many_replaced_figures_are_counted(tmp_path: Path) -> None:
    """A rerun of a whole sweep names three places, arm and load, and counts the rest."""
    config = base(tmp_path / "base")
    res = pair(tmp_path / "res")
    begin(config, "x", Wanted((str(res),)))
    for arm in ("push", "pull"):
        for rate in (1.0, 8.0):
            result(res / arm / f"rate{rate:g}-rep1.json", request_rate=rate, mean_tpot_ms=30.0 + rate)
    with pytest.raises(WriteRefused, match=r"of pull at a request rate of 1 \(.* and more in 1 other place"):
        write(plan(config, res))
