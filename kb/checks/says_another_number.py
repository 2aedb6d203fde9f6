"""A claim that says another number than its points give.

## What it flags
A figure in the sentence of a measured claim - a factor, a percentage, or a number in the unit of its metric - that
neither its points, nor a ratio, difference or percentage between two of them, nor its conditions give. Rounding is
fine: 3x for 3.23, "about 30 %" for 32.7. So are figures of something else: versions, lengths, rates, timeouts, hit
rates.

## Why it matters
The sentence is what people repeat; the points are what was measured.

## Example
    points:
      - {id: push-ttft, metric: ttft, arm: push, value: 540, unit: ms}
      - {id: pull-ttft, metric: ttft, arm: pull, value: 1744, unit: ms}
    claims:
      - id: heavy
        kind: measured
        says: Push was 5x faster to the first token.
        effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}

## What to do
Correct the sentence, or name the points that give its figure. The same holds for the sentence's translations.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.conditions import single
from kb.evaluation import Claim, Evaluation, Translation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.prose import figures, numbers_of, speaks_of, stands_behind
from kb.reading import Loaded
from kb.vocabulary import ClaimKind, Severity

CODE = "KB131"
NAME = "says-another-number"
SEVERITY = Severity.ERROR

SCALES = ("%", "x", "ms", "req/s", "tok/s")


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Figures of measured claims that nothing gives."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for n, claim in enumerate(record.claims):
            yield from _judge(("claims", n, "says"), claim.says, claim, record, library)
    elif isinstance(record, Translation) and (original := library.evaluations.get(record.translates)):
        claims = {claim.id: claim for claim in original.claims}
        for n, text in enumerate(record.claims):
            if text.id in claims:
                loc = ("claims", n, "says")
                yield from _judge(loc, text.says, claims[text.id], original, library, record.language)


def _judge(
    loc: Loc, says: str, claim: Claim, record: Evaluation, library: Library, language: str | None = None
) -> Iterator[Problem]:
    if claim.kind is not ClaimKind.MEASURED or claim.effect is None or not any(map(str.isdigit, says)):
        return
    metric = library.metrics.get(claim.effect.metric)
    own = [point for name in claim.effect.points if (point := record.point_table().get(name))]
    unit = metric.unit if metric else own[0].unit if own else "x"
    known: list[tuple[float, str]] | None = None
    for figure in figures(says, language or record.language):
        if not speaks_of(figure, unit):
            continue
        known = numbers_of(own, claim.effect) + _context(claim, record) if known is None else known
        if not stands_behind(figure, says, known):
            hint = "correct the sentence, or name the points that give it"
            yield Problem(loc, f'claim "{claim.id}" says {figure.text}; its points do not give it', hint)


def _context(claim: Claim, record: Evaluation) -> list[tuple[float, str]]:
    """Numbers the sentence may repeat: of conditions, of any single point, of the noise floor."""
    bounds = [float(value) for _, each in single(claim.conditions) for value in each.value if _is_number(value)]
    known = [(value * scale, unit) for value in bounds for unit in SCALES for scale in (1, 100)]
    known += [(point.value, point.unit) for point in record.points if point.value is not None]
    if record.noise and record.noise.value is not None:
        known.append((record.noise.value, record.noise.unit or "%"))
    return known


def _is_number(text: str) -> bool:
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False
