"""How to measure an evaluation again: the fewest load points that could flip its claims, and their commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kb.evaluation import Evaluation
from kb.plan import Run, plan
from kb.ratios import place
from kb.site.gather import Gathered
from kb.site.judged import Judged
from kb.verdict import Covers, Ruling, Verdict
from kb.vocabulary import Outcome

MOST = 4
"""Runs shown; `kb plan` prints all."""


def rerun(record: Evaluation, verdicts: Iterable[Judged], gathered: Gathered) -> dict[str, Any] | None:
    """Runs of one evaluation, what is to be looked up first, and the command that prints the same."""
    found = plan([_as_verdict(each) for each in verdicts], gathered.library)
    if not (found.runs or found.look_up or found.left):
        return None
    return {
        "look_up": [{"fact": each.fact, "claims": list(each.claims)} for each in found.look_up],
        "runs": [_run(run) for run in found.runs[:MOST]],
        "more": max(0, len(found.runs) - MOST),
        "left": [{"claim": each.claim, "why": each.why} for each in found.left],
        "command": f"kb plan {record.id}",
    }


def _as_verdict(judged: Judged) -> Verdict:
    """As much of a verdict as a plan needs: its outcome, what decided, the versions asked about."""
    rulings = tuple(
        Ruling(each["message"], Outcome(each["outcome"]) if each["outcome"] else None, settles=each["settles"])
        for each in judged["findings"]
    )
    outcome = Outcome(judged["outcome"])
    covers = Covers(judged["covers"]["envelope"])
    return Verdict(
        judged["evaluation"], judged["claim"], outcome, judged["confirm"], covers, (), rulings, tuple,
        judged["target"], judged["verified_at"],
    )  # fmt: skip


def _run(run: Run) -> dict[str, Any]:
    return {
        "where": place(dict(run.load)) or "load point not stated",
        "claims": list(run.claims),
        "points": [_point(each) for each in run.points],
        "hold": list(run.hold.items()),
        "open": list(run.open),
        "rests": list(run.rests),
        "commands": [
            {"arm": each.arm, "serves": each.serves, "command": _broken(each.command)} for each in run.commands
        ],
        "measurements": run.measurements,
    }


def _point(point: Any) -> str:
    stat = "" if point.stat == "unknown" else f"{point.stat} "
    was = f" (was {point.was})" if point.was else ""
    return f"{stat}{point.definition or point.metric} of {point.arm}{was}"


def _broken(command: str) -> str:
    """One option a line, so that it can be read and copied."""
    return command.replace(" --", " \\\n  --")
