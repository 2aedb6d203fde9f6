"""The target lies outside what was tested.

## What it flags
A load (prompt and answer length, rate, concurrency) or a topology of the target, or conversations instead of single
turns, that the claim's envelope does not reach, where no condition of the claim speaks of it.

## Why it matters
A measurement says nothing beyond its ends, and is never interpolated across a regime: one pair is another
experiment than several decoders, a queue another thing than an idle server.

## What it leaves alone
Keys that a condition names: the condition decides. Targets partly inside: shown under `covers`. A target within a
quarter of an end of what was tested. The length of the answer, for a claim about the first token.

## Example
    measured at 1P1D, asked for 4P2D

## What to do
See the nearest tested point, and measure at yours (`kb plan`).
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.envelope import OUTSIDE, envelope
from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome, Severity

CODE = "KB214"
NAME = "outside-envelope"
SEVERITY = Severity.INFO
STRONGEST = Outcome.NOT_APPLICABLE
CONFIRMS = False


def judge(scene: Scene) -> Iterator[Said]:
    """Keys of the envelope that the target leaves."""
    for side in envelope(scene):
        if side.where == OUTSIDE:
            yield Ruling(
                f"{side.key} {side.asked} is outside what was tested ({side.tested}); nearest tested: {side.nearest}",
                Outcome.NOT_APPLICABLE,
                place=Place(scene.evaluation, scene.loc),
                hint="measure at your own point",
                condition=side.key,
                expected=side.tested,
                found=side.asked,
            )
