"""What a claim says its numbers show: how big, of what against what, and where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kb.evaluation import Claim, Evaluation
from kb.evidence import Effect, Point, compute
from kb.library import Library
from kb.present.claims import effect as in_a_sentence
from kb.present.numbers import computed, few, plain, reported, stated, with_unit
from kb.present.points import place
from kb.vocabulary import EffectForm, Statistic

NO_FIGURE = "no figure"


def figure(claim: Claim, record: Evaluation, library: Library) -> dict[str, Any] | None:
    """The effect of a claim as a figure with what it is a figure of; None for a claim that measures nothing."""
    effect = claim.effect
    if effect is None:
        return None
    cited = [point for point in map(record.point_table().get, effect.points) if point]
    return {
        "figure": _figure(effect, record, cited),
        "metric": title(effect.metric, library),
        "of": _of(effect, cited),
        "better": effect.better,
        "reported": bool(cited) and all(point.reported for point in cited),
        "where": list(dict.fromkeys(filter(None, (place(point.where) for point in cited)))),
        "stat": _stat(cited),
        "from": [_shown(point) for point in cited if not point.reported],
        "sentence": in_a_sentence(effect, record),
    }


def title(metric: str, library: Library) -> str:
    """A metric as people write it."""
    found = library.metrics.get(metric)
    names = found.titles.en if found else ()
    return names[0] if names else metric


def _figure(effect: Effect, record: Evaluation, cited: list[Point]) -> str:
    if effect.form is EffectForm.PARITY:
        if effect.margin is None:
            return "about equal"
        return f"within {with_unit(plain(effect.margin), effect.unit or '')}"
    if len(cited) == 1 and cited[0].reported is not None:
        return reported(cited[0])
    if effect.form is EffectForm.ORDER:
        return "order only"
    number = compute(effect, record.point_table())
    if effect.form in {EffectForm.BOUND, EffectForm.THRESHOLD}:
        return _typed(effect) or (computed(number) if number else "no bound stated")
    return computed(number) if number else _typed(effect) or NO_FIGURE


def _typed(effect: Effect) -> str:
    unit = effect.unit or ""
    said = [(effect.value, ""), (effect.at_most, "at most "), (effect.at_least, "at least ")]
    return ", ".join(word + with_unit(plain(number), unit) for number, word in said if number is not None)


def _of(effect: Effect, cited: list[Point]) -> str:
    """The arms a figure is about."""
    arms = f"{effect.arm or '?'} / {effect.against or '?'}"
    if len(cited) == 1 and cited[0].reported is not None:
        return f"{cited[0].arm} against {cited[0].against}"
    if effect.form in {EffectForm.RATIO, EffectForm.PARITY, EffectForm.ORDER}:
        return arms
    if effect.form is EffectForm.DIFFERENCE:
        return arms.replace(" / ", " − ")
    return effect.arm or "every arm"


def _stat(cited: Iterable[Point]) -> str:
    """The statistic behind a figure; said also where it is not known."""
    found = list(dict.fromkeys(point.stat for point in cited))
    if not found:
        return ""
    return ", ".join("statistic not stated" if each is Statistic.UNKNOWN else each.value for each in found)


def _shown(point: Point) -> str:
    return f"{point.arm or point.id} {with_unit(stated(point, few), point.unit)}"
