"""Lengths of prompts and answers where no run says what it asked for: those that were measured tell load points apart.

A prompt's length is part of the load. An answer's length is in part a result: a model stops where it stops, in one arm
later than in the other, and two arms whose answers differ somewhat ran one sweep. So answers are told apart by the
widest groups that mix no two runs of one arm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from kb.evidence import Point
from kb.importers.run import Run
from kb.vocabulary import Statistic

LENGTHS = {"input_tokens": "mean_input_tokens", "output_tokens": "mean_output_tokens"}
"""Length -> factor that stands for it where no run says what was asked and the lengths measured differ."""
ALIKE = 0.05
"""Mean lengths whose neighbours differ by no more than this share are one length: prompts are drawn at random."""
OF_ANSWERS = (0.5, 0.25, 0.1, ALIKE)
"""The same for answers, the widest first: lengths that are asked for are mostly doubled."""

Spans = tuple[tuple[float, float, str], ...]
"""From, to, and the value that it is written as: what counts as one length."""
Rest = Callable[[Run], object]
"""What else makes the load point of a run."""


def reached(run: Run, key: str) -> float | None:
    """The mean length of a run."""
    return run.get(key, Statistic.MEAN)


def told_apart(
    runs: Sequence[Run], arms: Sequence[Sequence[Run]], rest: Rest, known: Mapping[str, Spans]
) -> dict[str, Spans]:
    """Lengths that make load points. `known` are those by which the points of a record are told apart already; `rest`
    is the load without lengths."""
    found: dict[str, Spans] = {}
    prompts = _measured("input_tokens", runs)
    if prompts and (len(spans := _spans(prompts, ALIKE)) > 1 or "input_tokens" in known):
        found["input_tokens"] = (*known.get("input_tokens", ()), *spans)
    answers = _measured("output_tokens", runs)
    if answers and (spans := _of_answers(answers, arms, rest, found, "output_tokens" in known)):
        found["output_tokens"] = (*known.get("output_tokens", ()), *spans)
    return found


def _measured(key: str, runs: Sequence[Run]) -> list[float]:
    """Mean lengths reached; none where a run says what was asked."""
    found = [value for run in runs if (value := reached(run, key)) is not None]
    return [] if any(key in run.where for run in runs) or len(found) < len(runs) else sorted(found)


def _of_answers(
    values: list[float],
    arms: Sequence[Sequence[Run]],
    rest: Rest,
    prompts: Mapping[str, Spans],
    asked: bool,
) -> Spans:
    def load(run: Run) -> object:
        return rest(run), *(written(run, key, spans) for key, spans in prompts.items())

    def mixes(spans: Spans) -> bool:
        places: dict[object, list[float]] = {}
        for arm, own in enumerate(arms):
            for run in own:
                length = reached(run, "output_tokens") or 0.0
                places.setdefault((arm, load(run), written(run, "output_tokens", spans)), []).append(length)
        return any(max(found) > min(found) * (1 + ALIKE) for found in places.values())

    groups = [_spans(values, share) for share in OF_ANSWERS]
    spans = next((each for each in groups if not mixes(each)), groups[-1])
    return spans if asked or len(spans) > 1 else ()


def _spans(values: Sequence[float], share: float) -> Spans:
    groups: list[list[float]] = []
    for value in values:
        if groups and value <= groups[-1][-1] * (1 + share):
            groups[-1].append(value)
        else:
            groups.append([value])
    return tuple((group[0], group[-1], _said(group)) for group in groups)


def _said(group: Sequence[float]) -> str:
    """One length, or those that it goes from and to."""
    if any(late > early * (1 + ALIKE) for early, late in pairwise(group)):
        return f"{group[0]:.0f} to {group[-1]:.0f}"
    return str(round(sum(group) / len(group)))


def written(run: Run, key: str, spans: Spans) -> str | None:
    """The length of a run as its load point says it."""
    value = reached(run, key)
    return None if value is None else next((said for low, high, said in spans if low <= value <= high), None)


def of_points(points: Iterable[Point]) -> dict[str, Spans]:
    """Lengths by which the points of a record are told apart."""
    found: dict[str, dict[str, None]] = {}
    for point in points:
        for key, factor in LENGTHS.items():
            if point.where and (said := point.where.factors.get(factor)) is not None:
                found.setdefault(key, {})[str(said)] = None
    return {key: tuple(filter(None, map(around, values))) for key, values in found.items()}


def around(said: str) -> tuple[float, float, str] | None:
    """A length as it was written, and what is like it."""
    try:
        numbers = [float(each) for each in said.split(" to ")]
    except ValueError:
        return None
    return min(numbers) * (1 - ALIKE), max(numbers) * (1 + ALIKE), said
