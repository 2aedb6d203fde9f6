"""An option or variable that the arm sets is no longer read.

## What it flags
An option or environment variable that the measured arm set and the measured build read, and that the target's build
does not read any more, according to what was read in both artifacts.

## Why it matters
The command line still works, and does something else: the measured configuration cannot be had that way any longer.

## What it leaves alone
Options that neither build reads, releases whose artifacts nobody has read, and options that the arm leaves alone.

## Example
    enable_cross_layers_blocks=true, read by vLLM 0.16.0 to 0.28.0, not from 0.29.0 on

## What to do
Find what decides it now, and measure that; note the release from which the old command line is void.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.passage import Passage
from kb.settings import unread
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome, Severity

CODE = "KB243"
NAME = "option-not-read"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.RECHECK
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Settings of the measured arm that the target's build ignores."""
    if passage.was is None or passage.now is None or passage.scene.only is not None:
        return
    before = set(unread(passage, passage.was))
    for key in unread(passage, passage.now):
        if key not in before:
            yield Ruling(
                f"{key} is set, and {passage.line.names()} {passage.now} does not read it any more",
                Outcome.RECHECK,
                place=Place(passage.scene.evaluation, passage.setting(key)),
                hint="find what decides it now, and measure that",
                condition=key,
                expected=f"read, as in {passage.was}",
                found=f"not read in {passage.now}",
                arm=passage.arm.id,
            )
