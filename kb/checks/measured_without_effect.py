"""A measured claim that shows no number.

## What it flags
A claim of kind `measured` without an effect, and one whose effect is a ratio, a difference or an absolute value without
points that give it. A source that says only "better" or "about equal" is an `order` or a `parity`; these may stand
without points.

## Why it matters
What no number carries cannot be replicated, contradicted or narrowed by another number.

## Example
    claims:
      - {id: faster, kind: measured, says: Push was faster.}

## What to do
Add the effect and its points; a source that gives only a ratio has a `reported` point. What was not measured is a
`mechanism` or a `hypothesis`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Claim, Evaluation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import ClaimKind, EffectForm, Severity

CODE = "KB120"
NAME = "measured-without-effect"
SEVERITY = Severity.ERROR

FIGURES = frozenset({EffectForm.RATIO, EffectForm.DIFFERENCE, EffectForm.VALUE, EffectForm.STATISTIC_RATIO})
"""Forms that are a number."""


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Measured claims that nothing was measured for."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for n, claim in enumerate(record.claims):
            if claim.kind is ClaimKind.MEASURED:
                yield from _judge(("claims", n), claim)


def _judge(loc: Loc, claim: Claim) -> Iterator[Problem]:
    effect = claim.effect
    if effect is None:
        hint = "add the effect, or make it a mechanism or a hypothesis"
        yield Problem(loc, f'claim "{claim.id}" is measured and has no effect', hint)
    elif effect.form in FIGURES and not effect.points and effect.value is None:
        hint = "name its points; a ratio that the source only reports is a point with `reported`"
        yield Problem((*loc, "effect"), f'claim "{claim.id}": a {effect.form} without points', hint)
