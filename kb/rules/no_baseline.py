"""A comparison that does not say what with.

## What it flags
A measured claim in the form of a ratio, a difference, parity or an order that names no second arm, in its effect or
in a reported point.

## Why it matters
A ratio never travels without its baseline: nobody can tell which arms would have to stay the same, so nothing about
it can be audited.

## What it leaves alone
Bounds, capacities and values of one arm, and ratios of two statistics of one arm.

## Example
    effect: {form: ratio, metric: ttft, arm: push, value: 3, unit: x}

## What to do
Name the baseline arm, as the source states it; or record what is left as an absolute value.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import COMPARISONS
from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome, Severity

CODE = "KB205"
NAME = "no-baseline"
SEVERITY = Severity.ERROR
STRONGEST = Outcome.UNKNOWN
CONFIRMS = False


def judge(scene: Scene) -> Iterator[Said]:
    """Comparisons without a second arm."""
    effect = scene.claim.effect
    if effect is None or effect.form not in COMPARISONS or effect.against is not None:
        return
    points = scene.evaluation.point_table()
    cited = [points[name] for name in effect.points if name in points]
    if not any(point.against for point in cited) and len({point.arm for point in cited}) < 2:
        yield Ruling(
            f"a {effect.form} of {effect.metric} without a baseline: compared with what, it does not say",
            Outcome.UNKNOWN,
            place=Place(scene.evaluation, (*scene.loc, "effect")),
            hint="name the baseline arm as the source states it",
            expected="effect.against",
            found="not stated",
            settles="the arm it is compared with",
        )
