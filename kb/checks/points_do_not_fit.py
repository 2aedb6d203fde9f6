"""Points that do not give the effect that names them.

## What it flags
An effect whose points are of another metric, of other arms or in the wrong order (arm first, then baseline), of units
that cannot be set against each other, or too few or too many for its form; a ratio of statistics over two arms. A
share of one metric in another, within one arm, is a `statistic-ratio` too.

## Why it matters
The number is computed from the points: in the wrong order, 0.31 becomes 3.2.

## Example
    points:
      - {id: push-ttft, metric: ttft, arm: push, value: 540, unit: ms}
      - {id: pull-ttft, metric: ttft, arm: pull, value: 1744, unit: ms}
    claims:
      - id: heavy
        kind: measured
        says: Push needed less time.
        effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [pull-ttft, push-ttft]}

## What to do
Put the arm's point first and the baseline's second, or name the one reported comparison.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import Effect, Point
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import EffectForm, Severity

CODE = "KB123"
NAME = "points-do-not-fit"
SEVERITY = Severity.ERROR

_PAIRS = frozenset({EffectForm.RATIO, EffectForm.DIFFERENCE})


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Effects and points that contradict each other; unknown ids are another check's."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    table = record.point_table()
    for n, claim in enumerate(record.claims):
        effect = claim.effect
        if effect and effect.points and all(name in table for name in effect.points):
            used = [table[name] for name in effect.points]
            for message, hint in _misfits(effect, used):
                yield Problem(("claims", n, "effect", "points"), f'claim "{claim.id}": {message}', hint)


def _misfits(effect: Effect, used: list[Point]) -> Iterator[tuple[str, str]]:
    others = sorted({point.metric for point in used} - {effect.metric})
    share = effect.form is EffectForm.STATISTIC_RATIO and effect.metric in {point.metric for point in used}
    if others and not share:
        yield f"the effect is about {effect.metric}, its points are {', '.join(others)}", "name points of one metric"
    elif effect.form is EffectForm.STATISTIC_RATIO:
        yield from _statistics(used)
    elif effect.form in _PAIRS:
        yield from _pair(effect, used) if len(used) == 2 else _count(effect, used)
    if len(used) == 1 and used[0].reported:
        yield from _reported(effect, used[0])


def _count(effect: Effect, used: list[Point]) -> Iterator[tuple[str, str]]:
    if len(used) > 2:
        yield f"a {effect.form} is computed from two points, not {len(used)}", "one claim per pair"
    elif not used[0].reported:
        yield f"one value gives no {effect.form}", "name the arm's point and the baseline's, or a reported comparison"


def _pair(effect: Effect, used: list[Point]) -> Iterator[tuple[str, str]]:
    arm, base = used
    if arm.reported or base.reported:
        yield "a reported comparison is no side of a pair", "name it alone, or name two measured points"
    elif arm.unit != base.unit:
        yield f"{arm.unit} cannot be set against {base.unit}", "give both points in one unit, as the source does"
    elif (effect.arm, effect.against) == (base.arm, arm.arm) and effect.arm != effect.against:
        yield "its points are in the wrong order", f"arm first, then baseline: [{base.id}, {arm.id}]"
    else:
        yield from _other_arms(effect, arm, base)


def _other_arms(effect: Effect, arm: Point, base: Point) -> Iterator[tuple[str, str]]:
    for key, named, point in (("arm", effect.arm, arm), ("against", effect.against, base)):
        if named and point.arm and named != point.arm:
            yield f'`{key}` is "{named}", point "{point.id}" is of "{point.arm}"', "correct one of the two"


def _statistics(used: list[Point]) -> Iterator[tuple[str, str]]:
    if len(used) != 2:
        return
    if used[0].arm != used[1].arm:
        yield "a ratio of two statistics is of one arm, its points are of two", "use form: ratio between arms"
    elif used[0].stat == used[1].stat and used[0].metric == used[1].metric:
        yield f"both points are {used[0].stat}", "a ratio of statistics needs two of them, e.g. p99 and p50"


def _reported(effect: Effect, point: Point) -> Iterator[tuple[str, str]]:
    if effect.arm and effect.against and (effect.arm, effect.against) == (point.against, point.arm):
        yield "the effect turns the reported comparison round", "keep the source's direction"
    else:
        for key in ("arm", "against"):
            named, given = getattr(effect, key), getattr(point, key)
            if named and given and named != given:
                yield f'`{key}` is "{named}", the reported point says "{given}"', "correct one of the two"
