"""The review queue: what was concluded beside what came since, and commands that do what they say."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from kb.config import read
from kb.library import open_library
from kb.site.gather import Gathered, gather
from kb.site.page import Page
from kb.site.pages.queued import ASKING
from kb.site.pages.reviews import pages
from tests.cli.running import kb
from tests.site.building import Elements, built, changed, copied

EVALUATION = "evaluations/orbit-push-vs-pull"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return copied(tmp_path / "base")


def gathered(base: Path) -> Gathered:
    return gather(open_library(read(base)))


def entries(base: Path) -> list[dict[str, Any]]:
    (later,) = pages(gathered(base))
    (page,) = later.make()
    assert isinstance(page, Page)
    found: list[dict[str, Any]] = list(page.values["entries"])
    return found


def claims_of(entry: dict[str, Any]) -> list[str]:
    return [claim["link"]["id"] for group in entry["groups"] for claim in group["claims"]]


def test_every_claim_that_asks_for_a_person_stands_there_once(base: Path) -> None:
    """And no other."""
    asking = {
        f"{each['evaluation']}/{each['claim']}"
        for verdicts in gathered(base).own.values()
        for each in verdicts
        if each["outcome"] in ASKING or each["confirm"]
    }
    shown = [name for entry in entries(base) for name in claims_of(entry)]
    assert len(shown) == len(set(shown))
    assert set(shown) == asking != set()


def test_claims_stand_together_only_for_the_same_changes(base: Path) -> None:
    """Each group's changes are those that speak against each of its claims."""
    at = gathered(base)
    for entry in entries(base):
        for group in entry["groups"]:
            shown = {(each["link"]["id"], each["outcome"]["name"]) for each in group["changes"]}
            for claim in group["claims"]:
                verdict = at.verdict(*claim["link"]["id"].split("/"))
                assert verdict is not None
                spoken = {
                    (each["change"], each["outcome"])
                    for each in verdict["findings"]
                    if each["change"] and each["outcome"] not in {None, "unknown"}
                }
                assert shown == spoken


def test_a_change_has_where_it_came_in_and_when_it_is_reached(base: Path) -> None:
    """Release, day, and its guards without their reasons."""
    rows = [row for entry in entries(base) for group in entry["groups"] for row in group["changes"]]
    row = next(row for row in rows if row["link"]["id"] == "orbit-7-reader-thread")
    assert (row["release"], row["day"]) == ("1.2.0", "2030-05-10")
    assert row["reached"] == ["connector.mode is pull"]


def test_decisions_come_first(base: Path) -> None:
    """An evaluation that a decision rests on goes before one on which none does, however much else rests on that."""
    assert [each["link"]["id"] for each in entries(base)] == ["orbit-push-vs-pull", "orbit-reader-thread"]
    decided = "\ndecision: {chose: wait, because: nothing is urgent}\n---\n"
    changed(base, "evaluations/orbit-reader-thread.md", lambda text: text.replace("\n---\n", decided, 1))
    changed(base, "evaluations/orbit-push-vs-pull.md", undecided)
    first, second = entries(base)
    assert (first["link"]["id"], second["link"]["id"]) == ("orbit-reader-thread", "orbit-push-vs-pull")
    assert len(first["rests"]) < len(second["rests"])


def undecided(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("decision:"))


def test_the_commands_can_be_run_as_they_stand(base: Path) -> None:
    """With a status and a reason: `kb state` writes its statement, and `kb review` looks at the releases it names."""
    for entry in entries(base):
        for group in entry["groups"]:
            for row in group["changes"]:
                words = shlex.split(row["command"].replace("STATUS", "affected"))
                assert kb(*words[1:], "--dry-run", cwd=base).code == 0
        ran = kb(*shlex.split(entry["command"])[1:], "--dry-run", cwd=base)
        assert ran.code == 0, ran.err


def reviewed(base: Path, out: Path, at: tuple[str, ...], before: str, *paths: str) -> list[str]:
    """Text of pages after a review of one claim."""
    words = [word for each in at for word in ("--at", each)]
    words += ["--before", before, "--because", "I read it.", "--date", "2030-06-01"]
    ran = kb("review", "orbit-push-vs-pull/heavy-load", *words, cwd=base)
    assert ran.code == 0, ran.err
    built(base, out)
    return [" ".join(Elements((out / path).read_bytes()).text.split()) for path in paths]


def test_what_was_reviewed_is_not_told_as_measured(base: Path, tmp_path: Path) -> None:
    """Released and reviewed is not measured: the build that ran, then up to which release somebody looked, and when."""
    pages_of = (f"{EVALUATION}/index.html", f"{EVALUATION}/ja/index.html")
    page, ja = reviewed(base, tmp_path / "out", ("orbit=1.2.0",), "tether=0.5.0", *pages_of)
    upto = "orbit 1.2.0, orbit-pull 1.2.0, orbit-push 1.2.0"
    assert page.count(f"Reviewed up to {upto} on 2030-06-01.") == 1  # of the claim alone that was reviewed
    assert f"レビュー済みの版 {upto} ・ 2030-06-01." in ja
    assert "Measured at orbit 1.1.0" in page
    assert "Measured at orbit 1.2.0" not in page


def test_the_queue_tells_what_was_reviewed_beside_what_was_measured(base: Path, tmp_path: Path) -> None:
    """With the claims, where it was not all that wait; a review up to the very build that ran says nothing new."""
    at = ("tether=0.5.0", "orbit=1.1.0")
    (queue,) = reviewed(base, tmp_path / "out", at, "orbit=1.2.0", "reviews.html")
    assert "· reviewed up to tether 0.5.0 on 2030-06-01 (heavy-load)" in queue
    (entry,) = [each for each in entries(base) if each["link"]["id"] == "orbit-push-vs-pull"]
    assert ["tether", "unknown"] in entry["measured"]
    assert len(claims_of(entry)) > 1


def test_a_review_of_the_whole_names_what_any_of_its_claims_ran(base: Path) -> None:
    """Also what the claim that stands first does not run: without it `kb review` refuses."""
    tether = "  transfer_library: {component: tether, version: unknown}\n"
    alone = "effect: {form: bound, metric: ttft, arm: pull, points: [pull-ttft], at_most: 1000, unit: ms}"
    claim = f"  - {{id: alone, kind: measured, says: Pull stayed below a second., {alone}, rests_on: [post-thread]}}\n"
    changed(
        base,
        "evaluations/orbit-push-vs-pull.md",
        lambda text: (
            text.replace(tether, "")
            .replace("mode: push}}", "mode: push}, transfer_library: {component: tether, version: unknown}}")
            .replace("claims:\n", f"claims:\n{claim}", 1)
        ),
    )
    entry = next(entry for entry in entries(base) if entry["link"]["id"] == "orbit-push-vs-pull")
    first = gathered(base).verdict("orbit-push-vs-pull", "alone")
    assert first is not None
    assert set(first["target"]) == {"orbit"}
    assert claims_of(entry)[0] == "orbit-push-vs-pull/alone"
    assert "--at orbit=1.2.0" in entry["command"]
    assert "--at tether=0.5.0" in entry["command"]
    ran = kb(*shlex.split(entry["command"])[1:], "--dry-run", cwd=base)
    assert ran.code == 0, ran.err
