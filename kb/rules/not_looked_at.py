"""An interval that nobody has looked at whole.

## What it flags
A component of a cited arm whose record has no coverage statement for the way from the measured build to the
target's, or whose scan found behavioural differences there that no change record accounts for.

## Why it matters
That nothing recorded speaks against a claim says little where nobody has looked. Only with coverage of every
component of every cited arm is there a `holds`.

## What it leaves alone
Intervals of no length: the build that was measured is the build asked about. Differences of which a person has said,
for this claim, that they do not matter (`kb state COMPONENT:SYMBOL`, or `kb state DRAFT`).

## Example
    nixl 1.4.1 -> 1.5.1, of which no scan and no person has said that all changes were looked at

## What to do
Scan it (`kb scan COMPONENT --from A --to B --write`), read the drafts, or state by hand how all changes were looked
at.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb import accounted
from kb.coverage import Cover
from kb.once import once
from kb.passage import Passage
from kb.verdict import Place, Ruling, Said
from kb.versions import parse
from kb.vocabulary import Outcome, Severity

CODE = "KB270"
NAME = "not-looked-at"
SEVERITY = Severity.INFO
STRONGEST = Outcome.UNKNOWN
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Components of the line that are not covered from build to build."""
    was, now = passage.was, passage.now
    if passage.scene.only is not None or (was and now and parse(was) and parse(was) == parse(now)):
        return
    for component in passage.line.components:
        lacking = _lacking(component, was, now, passage)
        if lacking:
            yield _ruling(component, lacking, passage)


def _lacking(component: str, was: str | None, now: str | None, passage: Passage) -> str:
    record = passage.scene.library.components.get(component)
    if record is None:
        return "there is no record of it"
    if was is None or now is None:
        return f"the way from {was or passage.line.was.said} to {now or passage.line.now.said} cannot be placed"
    return _words(accounted.rest(passage.scene.registry.cover(component, was, now), passage))


@once
def _words(cover: Cover) -> str:
    if cover.complete:
        return ""
    symbols = [*cover.unrecorded, *cover.around]
    said = [f"{gap.since}..{gap.until}: {gap.why}" for gap in cover.gaps]
    if symbols:
        few = ", ".join(each.anchor for each in symbols[:3])
        more = f" and {len(symbols) - 3} more" if len(symbols) > 3 else ""
        said.append(f"{len(symbols)} behavioural differences have no record ({few}{more})")
    if cover.open:
        said.append(f"{len(cover.open)} further differences are open ({cover.open[0]})")
    return "; ".join(said)


def _ruling(component: str, lacking: str, passage: Passage) -> Ruling:
    record = passage.scene.library.components.get(component)
    was, now = passage.was or passage.line.was.said, passage.now or passage.line.now.said
    return Ruling(
        f"{component} {was} -> {now}: {lacking}",
        Outcome.UNKNOWN,
        place=Place(record, ("coverage",)) if record else None,
        hint=f"`kb scan {component} --from {passage.was} --to {passage.now} --index --write` (`--git CLONE` where the "
        "index has no sources), then read the drafts"
        if passage.was and passage.now
        else "give the record its releases",
        expected="coverage of the whole interval",
        found=lacking,
        arm=passage.arm.id,
        settles=f"that all changes of {component} between {was} and {now} were looked at",
    )
