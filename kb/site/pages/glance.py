"""What is seen first of an evaluation: what was compared, how big and where, does it still hold and why, what next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from kb.change import Change
from kb.evaluation import Evaluation
from kb.signals import State
from kb.site.gather import Gathered
from kb.site.judged import Judged
from kb.site.pages.passed import Passed, between
from kb.site.pages.verdicts import outcome, tally
from kb.verdict import asked_at
from kb.vocabulary import Kind, Outcome

FACTS = ("model", "hardware", "topology", "engine")
"""What everything was measured on, as far as the arms share it."""
FIRST = 4
"""Measured claims shown at once."""
REASONS, SIGNALS, LOOK_UPS = 3, 2, 2
AGE = {State.FIRED: 0, State.OVERDUE: 1, State.WAITING: 2, State.UNWATCHED: 3}


def glance(
    record: Evaluation,
    verdicts: Sequence[Judged],
    common: Iterable[tuple[str, str]],
    signals: Sequence[dict[str, Any]],
    rerun: dict[str, Any] | None,
    gathered: Gathered,
) -> dict[str, Any]:
    """What the sections below say at length; `signals` and `rerun` are those of the page."""
    reasons = _reasons(record, verdicts, gathered)
    target = asked_at(verdict["target"] for verdict in verdicts)
    waiting = sorted(signals, key=lambda each: (AGE[State(each["state"])], str(each["until"] or "9")))
    look_up = rerun["look_up"] if rerun else []
    return {
        "facts": [value for key, value in common if key in FACTS],
        "first": FIRST,
        "holds": sum(each["outcome"] == Outcome.HOLDS for each in verdicts),
        "total": len(verdicts),
        "tally": tally(gathered.counts(each["outcome"] for each in verdicts)),
        "at": list(target.items()),
        "reasons": reasons[:REASONS],
        "more_reasons": max(0, len(reasons) - REASONS),
        "signals": waiting[:SIGNALS],
        "more_signals": max(0, len(waiting) - SIGNALS),
        "look_up": [{"fact": each["fact"], "claims": len(each["claims"])} for each in look_up[:LOOK_UPS]],
        "more_look_up": max(0, len(look_up) - LOOK_UPS),
        "runs": len(rerun["runs"]) + rerun["more"] if rerun else 0,
    }


def _reasons(record: Evaluation, verdicts: Iterable[Judged], gathered: Gathered) -> list[dict[str, Any]]:
    """What decided, each once with the number of claims: changes by name, everything else in its own words."""
    came = {each.change.id: each for each in between(record, gathered).changes}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for verdict in verdicts:
        for each in _deciding(verdict):
            change = gathered.library.changes.get(each["change"] or "")
            message = _brief(each, change)
            key = (each["outcome"], change.id if change else message)
            row = found.setdefault(key, {
                "outcome": outcome(each["outcome"]),
                "change": gathered.link(change.id, Kind.CHANGE, change.title) if change else None,
                "message": message,
                "since": _release(came.get(change.id)) if change else None,
                "builds": {},
                "claims": set(),
            })  # fmt: skip
            row["claims"].add(verdict["claim"])
            row["builds"][_builds(each["message"])] = None
    rows = [row | {"claims": len(row["claims"]), "since": _since(row)} for row in found.values()]
    return sorted(rows, key=lambda row: (row["outcome"]["name"] == Outcome.UNKNOWN, -row["claims"], row["message"]))


def _release(passed: Passed | None) -> str | None:
    """The release with which a change came or went, as far as that is established."""
    if passed is None or passed.release is None:
        return None
    return f"{'gone since ' if passed.gone else ''}{passed.change.component} {passed.release.version}"


_FOR = re.compile(r" \(for [^()]+\)$")
"""For which builds of an open pin a reason is one."""


def _builds(message: str) -> str:
    found = _FOR.search(message)
    return found[0] if found else ""


def _since(row: dict[str, Any]) -> str | None:
    """With what release a change came, and for which builds it is a reason, where claims agree on them."""
    builds = list(row.pop("builds"))
    return f"{row['since']}{builds[0] if len(builds) == 1 else ''}" if row["since"] else None


def _brief(finding: dict[str, Any], change: Change | None) -> str:
    """A reason in few words: what a change's title says is not said again, builds of an open pin are not listed."""
    if finding["name"] == "open-pin" and finding["settles"]:
        return f"the answer depends on {finding['settles']}, which is not stated"
    message: str = finding["message"]
    return message.removeprefix(f"{change.title}: ") if change else message


def _deciding(verdict: Judged) -> list[dict[str, Any]]:
    """What led to the outcome; of facts that are missing the first."""
    found = [each for each in verdict["findings"] if each["outcome"] == verdict["outcome"]]
    return found[:1] if verdict["outcome"] == Outcome.UNKNOWN else found
