"""Which runs make an arm: as said, as one stated factor tells, as folders tell; which runs are repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.arranging.arms import baseline_of, by_field, by_paths, inferred
from kb.arranging.factors import factors
from kb.arranging.loads import sweep
from kb.arranging.repeats import at_loads, distinct, origin
from kb.errors import KbError
from kb.importers import read
from kb.importers.run import Run
from tests.arranging.made import pair, write


def runs(*paths: Path) -> tuple[Run, ...]:
    return read(map(str, paths)).runs


def groups(split: object) -> dict[str, int]:
    return {group.id: len(group.runs) for group in split.groups}  # type: ignore[attr-defined]


def test_by_paths(tmp_path: Path) -> None:
    """A folder, a file or a pattern; what is in no arm is left over."""
    pair(tmp_path)
    extra = write(tmp_path / "other.json", request_rate=2.0)
    found = by_paths(runs(tmp_path), [f"Push 1={tmp_path}/push", f"pull={tmp_path}/pull/*.json"])
    assert groups(found) == {"push-1": 2, "pull": 2}
    assert [run.file for run in found.left_over] == [str(extra)]


@pytest.mark.parametrize("push", ["push", "push/*", "*push*", "push/*rate?-*.json", "{tmp}/push", "{tmp}/p*h/*"])
def test_paths_below_the_results(tmp_path: Path, push: str) -> None:
    """A path or a pattern may be said as it lies below the folder that is read."""
    pair(tmp_path)
    found = by_paths(runs(tmp_path), [f"push={push.format(tmp=tmp_path)}", "pull=pull"], [str(tmp_path)])
    assert groups(found) == {"push": 2, "pull": 2}
    assert not found.left_over


def test_a_pattern_without_a_slash_is_tried_on_file_names(tmp_path: Path) -> None:
    """However deep the files lie; folders of such a name count as well."""
    for name in ("deep/1p3d_c8.json", "deep/3p1d_c8.json", "3p1d/c16.json"):
        write(tmp_path / name)
    found = by_paths(runs(tmp_path), ["a=1p3d*", "b=3p1d*"], [str(tmp_path), str(tmp_path / "deep")])
    assert groups(found) == {"a": 1, "b": 2}


@pytest.mark.parametrize(("path", "hint"), [("pusch", "did you mean push?"), ("*decode*", "for some of: ")])
def test_a_path_that_fits_nothing_says_what_was_read(tmp_path: Path, path: str, hint: str) -> None:
    """The nearest name, else some of the files."""
    pair(tmp_path)
    with pytest.raises(KbError, match="no run was read from") as refused:
        by_paths(runs(tmp_path), [f"a={path}"], [str(tmp_path)])
    assert hint in str(refused.value.hint)
    assert str(tmp_path) not in str(refused.value.hint)


@pytest.mark.parametrize(
    ("arms", "message"),
    [
        (["push"], "is no arm"),
        (["push="], "is no arm"),
        (["=x"], "is no arm"),
        (["push=nowhere"], "no run was read from nowhere"),
        (["---={tmp}/push"], "cannot be the name"),
        (["a={tmp}/push", "b={tmp}"], "is in two arms"),
    ],
)
def test_paths_that_cannot_be(tmp_path: Path, arms: list[str], message: str) -> None:
    """What is no arm, fits no run, or claims a run twice is refused with a sentence."""
    pair(tmp_path)
    with pytest.raises(KbError, match=message):
        by_paths(runs(tmp_path), [each.format(tmp=tmp_path) for each in arms])


def test_by_field(tmp_path: Path) -> None:
    """A field that the files state, by its short name."""
    write(tmp_path / "a.json", label="push")
    write(tmp_path / "b.json", label="pull")
    assert groups(by_field(runs(tmp_path), "label")) == {"push": 1, "pull": 1}


def test_by_what_names_hint_at(tmp_path: Path) -> None:
    """A hint of file names may tell arms apart when the caller says so; it is no fact all the same."""
    write(tmp_path / "1p1d_x.json")
    write(tmp_path / "1p3d_x.json")
    found = by_field(runs(tmp_path), "topology")
    assert groups(found) == {"1p1d": 1, "1p3d": 1}
    assert not any(group.sure for group in found.groups)


def test_by_pattern(tmp_path: Path) -> None:
    """A pattern with a group is tried on file names; the group names the arm."""
    write(tmp_path / "push-r1.json")
    write(tmp_path / "pull-r1.json")
    write(tmp_path / "warm.json")
    found = by_field(runs(tmp_path), r"(push|pull)-r\d")
    assert groups(found) == {"push": 1, "pull": 1}
    assert len(found.left_over) == 1


def test_a_field_nobody_has(tmp_path: Path) -> None:
    """The fields that differ are named."""
    write(tmp_path / "a.json", request_rate=1.0)
    write(tmp_path / "b.json", request_rate=2.0)
    with pytest.raises(KbError) as caught:
        by_field(runs(tmp_path), "connector")
    assert "request_rate" in (caught.value.hint or "")


def test_told_by_one_stated_factor(tmp_path: Path) -> None:
    """One thing beside the load that the files state, and that differs, tells arms apart."""
    for label in ("push", "pull"):
        for rate in (1.0, 8.0):
            write(tmp_path / f"{label}{rate}.json", label=label, request_rate=rate)
    found = inferred(runs(tmp_path))
    assert groups(found) == {"pull": 2, "push": 2}
    assert all(group.sure for group in found.groups)


def test_told_by_folders_with_the_same_loads(tmp_path: Path) -> None:
    """Folders that hold runs at the same loads are arms, and that is no fact."""
    found = inferred(runs(pair(tmp_path)))
    assert groups(found) == {"pull": 2, "push": 2}
    assert not any(group.sure for group in found.groups)


def test_a_folder_for_each_load_is_a_sweep(tmp_path: Path) -> None:
    """Folders that each hold another load are one arm."""
    write(tmp_path / "c16/x.json", max_concurrency=16)
    write(tmp_path / "c32/x.json", max_concurrency=32)
    assert groups(inferred(runs(tmp_path))) == {"measured": 2}


def test_factors(tmp_path: Path) -> None:
    """The load is told from what may be arms and from what only tells runs apart."""
    pair(tmp_path)
    found = {each.key: each for each in factors(runs(tmp_path))}
    assert (found["where.request_rate"].kind, found["where.request_rate"].values) == ("load", ("1", "8"))
    folder = next(each for key, each in found.items() if key.startswith("folder.") and each.kind == "arm")
    assert (folder.values, folder.stated) == (("pull", "push"), False)


def loads(*paths: Path) -> list[tuple[dict[str, str], int]]:
    kept, _ = distinct(runs(*paths))
    return [(dict(each.load), len(each.runs)) for each in at_loads(kept, sweep(kept, [kept]))]


def test_repeats(tmp_path: Path) -> None:
    """Runs of one load whose names differ in numbers only are repeats."""
    found = loads(pair(tmp_path, repeats=3) / "push")
    assert [(load["request_rate"], count) for load, count in found] == [("1", 3), ("8", 3)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("spec/x1.json", "nospec/x1.json"), ("push.json", "pull.json"), ("ns1/x.json", "ns3/x.json")],
)
def test_other_names_are_no_repeats(tmp_path: Path, one: str, other: str) -> None:
    """Files or folders of other names are kept apart, by their names."""
    write(tmp_path / one)
    write(tmp_path / other, median_ttft_ms=201.0, p99_ttft_ms=402.0, mean_ttft_ms=252.0)
    found = loads(tmp_path)
    assert [count for _, count in found] == [1, 1]
    assert all(load["words"].startswith("as the file is named: ") for load, _ in found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("run1/x.json", "run2/x.json"),
        ("2026-10-19/x.json", "2026-10-20/x.json"),
        ("x_20261019.json", "x_20261020.json"),
    ],
)
def test_counts_and_days_are(tmp_path: Path, one: str, other: str) -> None:
    """Folders that count runs or name a day hold repeats."""
    write(tmp_path / one)
    write(tmp_path / other, median_ttft_ms=201.0, p99_ttft_ms=402.0, mean_ttft_ms=252.0)
    assert [count for _, count in loads(tmp_path)] == [2]


def test_other_lengths_are_no_repeats(tmp_path: Path) -> None:
    """Where nobody states the prompt's length, the mean that was measured keeps runs apart."""
    write(tmp_path / "a1.json", total_input_tokens=100_000)
    write(tmp_path / "a2.json", total_input_tokens=101_000, median_ttft_ms=201.0, p99_ttft_ms=402.0)
    write(tmp_path / "a3.json", total_input_tokens=400_000, median_ttft_ms=901.0, p99_ttft_ms=1402.0)
    assert [(load["mean_input_tokens"], count) for load, count in loads(tmp_path)] == [("1005", 2), ("4000", 1)]


def test_other_versions_are_no_repeats(tmp_path: Path) -> None:
    """Runs of two clients are never averaged."""
    write(tmp_path / "a1.json")
    new = write(tmp_path / "a2.json", rtfx=0.0, median_ttft_ms=201.0, p99_ttft_ms=402.0)
    assert {run.tool_version for run in runs(tmp_path)} != {runs(new)[0].tool_version}
    assert [count for _, count in loads(tmp_path)] == [1, 1]


def test_the_same_run_twice_counts_once(tmp_path: Path) -> None:
    """A copy is no repeat, and that is said."""
    write(tmp_path / "a1.json")
    write(tmp_path / "a2.json")
    kept, said = distinct(runs(tmp_path))
    assert len(kept) == 1
    assert "the same run as" in said[0]


def test_origin() -> None:
    """A file's name without its numbers, below its folders without counts."""
    run = Run("res/rep3/sweep_c16.json", "x", "x")
    assert origin(run) == "res/sweep_c#"


@pytest.mark.parametrize("field", ["folder.x", "folder.99", "folder.-1", "folder.99999999999999999999", "folder.²"])
def test_a_folder_that_no_run_has(tmp_path: Path, field: str) -> None:
    """It is no field, and a sentence says so."""
    pair(tmp_path)
    with pytest.raises(KbError, match="no run states"):
        by_field(runs(tmp_path), field)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["pull", "push"], "pull"),
        (["push", "pull"], "pull"),
        (["before", "after"], "before"),
        (["spec-off", "spec-on"], "spec-off"),
        (["pull", "pull-old", "push"], "pull"),
        (["vllm-0.29", "vllm-0.30"], "vllm-0.30"),
        (["pull-1p1d", "pull-2p2d"], "pull-2p2d"),
        (["offload", "mainline", "basement"], "basement"),
        (["measured"], None),
    ],
)
def test_baseline_of(names: list[str], expected: str | None) -> None:
    """A name that says what the others are compared with decides, whatever its place; a part of a word says nothing."""
    assert baseline_of(names) == expected
