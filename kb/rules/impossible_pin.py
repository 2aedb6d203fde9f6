"""A record that cannot be right: what is pinned does not exist.

## What it flags
A pinned release that the component's record does not list although its list reaches beyond it; a release in which
the arm's class cannot be configured; two pins of one distribution that contradict each other, a commit or an image that
the record places among them; an option or variable that is set although the pinned release does not read it.

## Why it matters
One of the two facts is wrong, so nothing can be placed before or after it. It goes before every other outcome, back
to the author.

## What it leaves alone
Development builds, branches, commits, forks and images: no list of releases tells about them. Releases newer than
the list.

## Example
    engine vllm 0.23.0 with NixlPushConnector, which exists from 0.24.0 on

## What to do
Look both up in the source; what it does not state is `unknown`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.builds import Known, builds
from kb.lines import Line, Part
from kb.once import once
from kb.passage import Passage
from kb.registry import Registry
from kb.settings import unread
from kb.stake import Stake
from kb.verdict import Ruling, Said
from kb.versions import parse
from kb.vocabulary import UNKNOWN, Outcome, Severity

CODE = "KB200"
NAME = "impossible-pin"
SEVERITY = Severity.ERROR
STRONGEST = Outcome.UNKNOWN
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Pins of the measured arm that cannot be."""
    line, registry = passage.line, passage.scene.registry
    if line.own_build:
        yield from _apart(passage)
        return
    yield from (_ruling(passage, said) for said in _of_line(line, registry))
    if line.was.known is Known.STATED and passage.was is not None:
        for key in unread(passage, passage.was):
            yield _ruling(passage, f"{key} is set, and {line.names()} {passage.was} does not read it")


@once
def _of_line(line: Line, registry: Registry) -> tuple[str, ...]:
    """What is wrong with the pins of a line, whichever arm and claim it is of: thousands share theirs."""
    return tuple(_wrong(line, registry))


def _wrong(line: Line, registry: Registry) -> Iterator[str]:
    exact = {each for each in line.stated if parse(each)}
    if len({parse(each) for each in exact}) > 1:
        yield f"{line.names()} is pinned to {' and to '.join(sorted(exact))} in one arm"
    if line.was.known is Known.NOWHERE and (line.stated or registry.releases(line.parts[0].component)):
        yield f"no known release of {line.names()} can be what is pinned ({line.was.said})"
    if line.was.known is not Known.STATED or (was := line.was.one) is None:
        return
    if _no_release(was, line, registry):
        yield f"{line.names()} {was} is no known release"
    for part in line.parts:
        if not registry.exists(part.component, was, _class(part)):
            yield f"{line.names()} {was} has no {_class(part) or part.component}"


def is_idle(stake: Stake) -> bool:
    """Where it says nothing of the first choice: it looks at what was pinned, and at a build only where one is stated,
    which is then that of every choice."""
    return not any(judge_passage(Passage(stake.scene, stake.arm, stake.line, stake.line.choices[0])))


def _ruling(passage: Passage, message: str) -> Ruling:
    return Ruling(
        message,
        Outcome.UNKNOWN,
        place=passage.place(),
        hint="look the pin up in the source; what it does not state is `unknown`",
        expected="a build that exists",
        found=passage.line.was.said,
        arm=passage.arm.id,
        settles=f"what ran as {passage.line.names()}",
        impossible=True,
    )


def _apart(passage: Passage) -> Iterator[Ruling]:
    """Pins of one distribution of which the one names a commit or an image that lies where the other is not."""
    line, registry = passage.line, passage.scene.registry
    found = [builds(part.component, part.pin, registry) for part in line.parts]
    placed = [each for each in found if each.known in {Known.STATED, Known.RANGE, Known.PLACED}]
    common = set(placed[0].versions).intersection(*(each.versions for each in placed)) if placed else ()
    if placed and not common:
        said = dict.fromkeys(each.said for each in placed)
        yield _ruling(passage, f"{line.names()} is pinned to {' and to '.join(said)} in one arm")


def _no_release(was: str, line: Line, registry: Registry) -> bool:
    version = parse(was)
    if version is None or version.is_prerelease or version.local:
        return False
    return registry.skips(line.parts[0].component, was)


def _class(part: Part) -> str | None:
    named = part.pin.get("class_name")
    return None if named in {None, UNKNOWN} else str(named)
