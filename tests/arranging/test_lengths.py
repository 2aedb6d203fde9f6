"""kb.arranging.lengths: prompts of other lengths are other loads, answers only where they have to be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.arranging.arms import by_paths
from kb.arranging.begin import Wanted, begin
from kb.arranging.draft import Arranged, arrange
from kb.arranging.surroundings import Surroundings
from kb.importers import read
from kb.library import open_library
from tests.arranging.made import base, write
from tests.cli.running import kb


def arranged(folder: Path) -> Arranged:
    runs = read([str(folder)]).runs
    return arrange("made", by_paths(runs, ["push=push", "pull=pull"], [str(folder)]), Surroundings(), "pull")


def sweep(folder: Path, push: list[int], pull: list[int], prompts: tuple[int, int] = (100_000, 100_000)) -> Path:
    """Two arms at concurrencies 8, 16, 32...; answers as given, in tokens of the whole run of a hundred requests."""
    for arm, answers, asked in (("push", push, prompts[0]), ("pull", pull, prompts[1])):
        for n, tokens in enumerate(answers):
            ttft = (100.0 if arm == "push" else 200.0) + n
            write(folder / arm / f"c{8 << n}.json", max_concurrency=8 << n, request_rate="inf",
                  total_output_tokens=tokens * 100, total_input_tokens=asked, median_ttft_ms=ttft)  # fmt: skip
    return folder


def met(found: Arranged) -> int:
    """Load points that both arms have."""
    places = [{str(point.get("where")) for point in found.points if point["arm"] == arm} for arm in ("push", "pull")]
    return len(places[0] & places[1])


def factors(found: Arranged) -> set[str]:
    return {str(value) for point in found.points for value in point.get("where", {}).get("factors", {}).values()}


def test_arms_of_one_sweep_meet_though_their_answers_differ(tmp_path: Path) -> None:
    """An answer's length is a result: it stands at its point, in no load, and that it differs is said."""
    found = arranged(sweep(tmp_path, push=[128, 131, 150], pull=[112, 115, 140]))
    assert met(found) == 3
    assert factors(found) == set()
    [said] = [each for each in found.said if each.startswith("answers differ in length")]
    assert "128 tokens (push), 112 tokens (pull)" in said
    assert "less so at 2 more" in said


def test_lengths_that_were_asked_for_are_loads(tmp_path: Path) -> None:
    """A sweep of answers of 128 and 1024 is told apart by them, and each load meets that of the other arm."""
    found = arranged(sweep(tmp_path, push=[128, 1000], pull=[120, 880]))
    assert met(found) == 2
    assert factors(found) == {"120 to 128", "880 to 1000"}


def test_runs_of_one_load_and_other_answers_are_no_repeats(tmp_path: Path) -> None:
    """At one concurrency, 100 and 130 tokens are two loads, however near they are."""
    for arm in ("push", "pull"):
        for n, tokens in enumerate((100, 130)):
            write(tmp_path / arm / f"r{n}.json", total_output_tokens=tokens * 100, median_ttft_ms=100.0 + n)
    found = arranged(tmp_path)
    assert factors(found) == {"100", "130"}
    assert met(found) == 2


def test_prompts_of_other_lengths_are_other_loads(tmp_path: Path) -> None:
    """Two arms with other prompts share no load; nothing is compared, and what keeps them apart is said."""
    found = arranged(sweep(tmp_path, [128], [128], prompts=(100_000, 400_000)))
    assert met(found) == 0
    assert any(
        "push and pull share no load point" in each and "mean_input_tokens is 1000 of push, 4000 of pull" in each
        for each in found.said
    )


def test_what_is_taken_in_later_meets_what_is_there(tmp_path: Path) -> None:
    """A single file of a sweep told apart by answers changes nothing in the record that it was read into."""
    sweep(tmp_path / "results", push=[128, 1000], pull=[120, 880])
    config = base(tmp_path / "base")
    begin(config, "made", Wanted((str(tmp_path / "results"),), ("push=push", "pull=pull"), baseline="pull"))
    one = tmp_path / "results" / "pull" / "c16.json"
    ran = kb("import", str(one), "--into", "made", "--arm", "pull=c16.json", "--quiet", cwd=tmp_path / "base")
    assert ran.err.strip() == "nothing to change: the record has these numbers"


def test_the_draft_lints_and_compares(tmp_path: Path) -> None:
    """`kb lint` finds no error in it, and `kb compare` divides the arms at every load they share."""
    sweep(tmp_path / "base" / "results", push=[128, 131], pull=[112, 115])
    config = base(tmp_path / "base")
    made = kb("new", "evaluation", "made", "--from", "results", "--arm", "push=push", "--arm", "pull=pull", "--json",
              cwd=tmp_path / "base")  # fmt: skip
    assert made.code == 0
    assert kb("lint", "entries/evaluations/made.md", cwd=tmp_path / "base").code == 0
    compared = json.loads(kb("compare", "made/push", "made/pull", "--json", cwd=tmp_path / "base").out)
    assert compared["comparable"] == "yes"
    found = [each for each in compared["metrics"] if (each["metric"], each["stat"]) == ("ttft", "p50")]
    assert {each["where"]: each["ratio"] for each in found} == {
        "req/s inf, conc 8": 0.5,
        "req/s inf, conc 16": pytest.approx(101 / 201, rel=1e-3),
    }
    assert open_library(config).evaluations["made"].claims
