"""The answer depends on a build that nobody stated.

## What it flags
A pin that is missing, a day, or a range, in the record or at the target, whose candidates do not agree on the
outcome: the table `candidates` says for each what the verdict would be and which change decides it. And a setup that
names no component at all, or one whose releases nobody has recorded, so that there is not even a set to choose from;
and a release that nobody has recorded: at the target, of one between known releases it may be either, beyond them
none; what was measured beyond the newest known release carried nobody knows what;
and a target on a commit or an image that no record places, which may be newer than all that is known.

## Why it matters
One fact would settle it, and the table shows which. Guessing it would make a verdict that looks as good as one that
rests on what was reported.

## What it leaves alone
Open pins whose candidates all agree: that outcome is given, and marked `confirm`.

## Example
    engine: {component: vllm, version: unknown}, and a change that ships from 0.31.0 on

## What to do
Find the build out: in the source, from its author, in the image. At a target, say which release it runs: in the
deployment's pins, or with `--at vllm=0.33.0`. For a component of your own, add its releases to its record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.builds import Known
from kb.candidates import Table
from kb.lines import Line
from kb.passage import Passage
from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.versions import parse
from kb.vocabulary import UNKNOWN, Outcome, Severity

CODE = "KB201"
NAME = "open-pin"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.UNKNOWN
CONFIRMS = False


def judge(scene: Scene) -> Iterator[Said]:
    """Arms of which no component is named, and commits or images at the target that no record places."""
    for line in {line.key: line for arm in scene.arms for line in arm.lines if _is_unplaced(line)}.values():
        yield Ruling(
            f"{line.names()} {line.now.said} at the target is placed by no record; it may be newer than every release",
            Outcome.UNKNOWN,
            hint=f"say between which releases it lies, under `builds` of {line.distribution}, or ask at a release",
            expected="a release, or a build that is recorded",
            found=line.now.said,
            settles=f"where {line.names()} {line.now.said} lies",
        )
    for arm in scene.arms:
        if not arm.lines:
            yield Ruling(
                f"the {arm.id} arm names no component that could have changed"
                if scene.evaluation.arms
                else "no component is named",
                Outcome.UNKNOWN,
                place=Place(scene.evaluation, ("setup",)),
                hint="name engine, connector and transfer library, with versions as far as they are stated",
                expected="engine.component",
                found="not stated",
                arm=arm.id,
                settles="which engine and connector ran",
            )


def _is_unplaced(line: Line) -> bool:
    """Whether a commit or image is asked about that no record places, and not the very one that was measured."""
    measured, asked = line.was.mark, line.now.mark
    return line.now.unplaced and not (measured and asked and measured.same(asked))


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Lines of which no build is known on one side."""
    if passage.was is None or passage.now is None:
        yield Ruling(
            _nowhere(passage),
            Outcome.UNKNOWN,
            place=passage.place(),
            hint=_recorded(passage),
            expected="a version",
            found=passage.line.was.said if passage.was is None else passage.line.now.said,
            arm=passage.arm.id,
            settles=_open(passage),
        )


def _unlisted(passage: Passage) -> str | None:
    """The release that nobody has recorded, of the side of which no build is known."""
    found = passage.line.was if passage.was is None else passage.line.now
    return found.said if found.known is Known.UNLISTED else None


def _open(passage: Passage) -> str:
    names, said = passage.line.names(), _unlisted(passage)
    return f"what {names} {said} carries" if said else f"the version of {names}"


def _nowhere(passage: Passage) -> str:
    names, said = passage.line.names(), _unlisted(passage)
    if said is None:
        which = "ran" if passage.was is None else "runs at the target"
        return f"which build of {names} {which} is not known, and no releases are recorded to choose from"
    releases = passage.scene.registry.releases(passage.line.parts[0].component)
    known = f"known are {releases[0].version} to {releases[-1].version}" if releases else "none is known"
    beyond = "is no known release" if parse(said) else "is after the newest known release"
    return f"{names} {said} {beyond}, and what it carries is not established; {known}"


def _recorded(passage: Passage) -> str:
    component, said = passage.line.parts[0].component, _unlisted(passage)
    if said is None:
        return f"state the version, or give {component} its releases"
    if parse(said) is None:
        return f"state which release or commit it was, or record the release of {component} after that day"
    newest = passage.scene.registry.newest(component)
    return f"look it up, or record it: `kb scan {component} --from {newest} --to {said} --index --write`"


FEW = 4
"""Rows of a table that are told in a sentence; the rest is counted."""


def disagreement(table: Table, said: str) -> Ruling:
    """What is said of an open pin whose candidates disagree; the driver, who has the table, asks for it."""
    rows = table.brief().rows
    left = len(rows) - FEW
    asks = f"the answer depends on {table.which} ({'not stated' if said == UNKNOWN else said})"
    answers = [*map(str, rows[:FEW]), *([f"and {left} more"] if left > 0 else [])]
    how = f"say which runs there: `--at {table.names.split()[-1]}={table.rows[-1].last}`, or in the deployment"
    return Ruling(
        f"{asks}: {'; '.join(answers)}",
        Outcome.UNKNOWN,
        hint=how if table.asked else f"find out {table.which}",
        expected="one build",
        found=said,
        settles=f"the version of {table.what}",
        lines=(asks, *answers),
        code=CODE,
        rule=NAME,
    )


def table_of(ruling: Ruling, tables: Iterable[Table]) -> Table | None:
    """The table of the pin of which `disagreement` spoke; None for any other ruling."""
    mine = ruling.settles if ruling.lines else None
    return next((each for each in tables if mine == f"the version of {each.what}"), None)
