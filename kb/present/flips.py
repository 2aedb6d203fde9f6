"""Two targets beside each other: their versions, the outcomes at both, and what flips from one to the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kb.audit import Audit, FlippedClaim
from kb.present.text import Page, bullets, heading, wrap
from kb.present.text import table as laid_out
from kb.vocabulary import Outcome

_OPEN = {Outcome.UNKNOWN: "unknown", Outcome.RECHECK: "to recheck"}
"""Outcomes that speak for nothing, however often they stay what they are."""


def flips(found: Iterable[FlippedClaim], here: Audit, there: Audit, page: Page) -> list[str]:
    """What is compared, the counts at both, claims whose outcome differs, and what those that stay do not say."""
    listed = list(found)
    lines = [*_versions(here, there, page), *_counts(here, there, page)]
    lines += heading(f"Outcomes that flip ({len(listed)} of {len(here.verdicts)})", page)
    lines += _by_cause(listed, page) if listed else wrap(_none(here, there), page.width, "  ")
    return [*lines, *_sign(listed, page), *_stay(here, there, page)]


def _none(here: Audit, there: Audit) -> str:
    if _asked(here) == _asked(there):
        return "None: both are the same versions. Say what runs now with --at COMPONENT=VERSION, or --for a deployment."
    return "None, and that is no clearance."


def _sign(listed: Iterable[FlippedClaim], page: Page) -> list[str]:
    """How somebody who has read what changed says so."""
    says = (
        "What you have read: `kb state CHANGE --claim ID/CLAIM` says what one change means for a claim, `kb review ID "
        "--at COMPONENT=VERSION` signs it off up to a release."
    )
    return ["", *wrap(says, page.width)] if listed else []


def _versions(here: Audit, there: Audit, page: Page) -> list[str]:
    """Every version that a claim was asked at, those that differ first."""
    now, then = _asked(here), _asked(there)
    rows = [[name, now.get(name, "not asked"), then.get(name, "not asked")] for name in {**now, **then}]
    rows.sort(key=lambda row: row[1] == row[2])
    what = here.target.name or "each evaluation's own setup"
    lines = wrap(f"Asked for {what}, now and against the versions considered.", page.width)
    return [*lines, "", *laid_out(rows, page.width, ["version of", "now", "against"], page=page)]


def _asked(audit: Audit) -> dict[str, str]:
    """Component or distribution -> the versions at which claims were judged, those of most claims first."""
    counted = Counter(pair for verdict in audit.verdicts for pair in verdict.target.items())
    found: dict[str, list[str]] = {}
    for (name, said), _ in counted.most_common():
        found.setdefault(name, []).append(said)
    return {name: " or ".join(said) for name, said in found.items()}


def _counts(here: Audit, there: Audit, page: Page) -> list[str]:
    rows = [[name, str(number), str(there.counts[name])] for name, number in here.counts.items()]
    return ["", *laid_out(rows, page.width, ["claims", "now", "against"], right=(1, 2), page=page)]


def _by_cause(listed: Iterable[FlippedClaim], page: Page) -> list[str]:
    """Each cause once, under it the claims that it turns."""
    causes: dict[str, dict[str, list[str]]] = {}
    for each in listed:
        turn = f"{each.here.outcome} -> {each.there.outcome}"
        causes.setdefault(_named(each), {}).setdefault(turn, []).append(f"{each.evaluation}/{each.claim}")
    lines: list[str] = []
    for because, turns in causes.items():
        lines += ["", *wrap(because, page.width, "  ")]
        for turn, claims in turns.items():
            lines += [f"    {turn} ({len(claims)})", *bullets(claims, page.width, "    - ")]
    return lines


def _named(flipped: FlippedClaim) -> str:
    """The cause, with the id of its change in front, by which it can be read and settled."""
    deciding = flipped.there.deciding or flipped.here.deciding
    change = deciding.change if deciding else None
    return f"{change}: {flipped.because}" if change and change not in flipped.because else flipped.because


def _stay(here: Audit, there: Audit, page: Page) -> list[str]:
    """Claims that are open at both: that they do not flip says nothing for them."""
    pairs = zip(here.verdicts, there.verdicts, strict=True)
    same = [a.outcome for a, b in pairs if a.outcome is b.outcome]
    stay = Counter(outcome for outcome in same if outcome in _OPEN)
    if not stay:
        return []
    counted = " and ".join(
        f"{stay[outcome]} {'is' if stay[outcome] == 1 else 'are'} {words}"
        for outcome, words in _OPEN.items()
        if stay[outcome]
    )
    stays = "1 claim that does" if len(same) == 1 else f"{len(same)} claims that do"
    said = f"Of the {stays} not flip, {counted} at both: nobody knows whether they are true there."
    how = "`kb audit` with these versions under --at gives the reasons, `kb plan` what to measure."
    return ["", *wrap(f"{said} {how}", page.width)]
