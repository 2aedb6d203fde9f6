"""Prose that states another number of a metric than the record's points.

## What it flags
A figure beside the name of a metric, in the title, a limit or the body, that no point of that metric gives, alone or
set against another. Only sentences that name one metric count, and not those that quote another source (a link, a
pull request, another record), code, or tables.

## Why it matters
Readers take numbers from prose; one that is in no point cannot be traced, computed with or aged.

## Example
    points:
      - {id: push-ttft, metric: ttft, arm: push, value: 540, unit: ms}
      - {id: pull-ttft, metric: ttft, arm: pull, value: 1744, unit: ms}
    ---
    Push brought TTFT down by 90 %.

## What to do
Correct it, record it as a point, or leave it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.evaluation import Evaluation, Translation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.prose import Figure, figures, numbers_of, speaks_of, stands_behind
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB132"
NAME = "prose-another-number"
SEVERITY = Severity.WARNING

NEAR = 60
"""Characters between a metric's name and its figure."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n(?=\s*[-*|#>])|\n\n|。")
_ELSEWHERE = re.compile(
    r"\]\(|https?:|#\d|\bPR\b|pull request|issue|elsewhere|another|other (?:report|source|measurement)|`", re.I
)


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Figures that no point of the metric beside them gives."""
    record = loaded.record
    original = library.evaluations.get(record.translates) if isinstance(record, Translation) else record
    if not isinstance(original, Evaluation) or not isinstance(record, Evaluation | Translation) or not original.points:
        return
    metrics = {point.metric for point in original.points}
    for loc, text in _texts(loaded, record):
        for figure, metric in _beside(text, metrics, record.language, library):
            points = [point for point in original.points if point.metric == metric]
            unit = (
                points[0].unit
                if points[0].reported is None or metric not in library.metrics
                else library.metrics[metric].unit
            )
            if speaks_of(figure, unit) and not stands_behind(figure, text, numbers_of(points)):
                message = f"{figure.text} stands beside {metric}, and no {metric} point gives it"
                yield Problem(loc, message, "correct it, or record it as a point")


def _texts(loaded: Loaded, record: Evaluation | Translation) -> Iterator[tuple[Loc, str]]:
    yield ("title",), record.title
    yield from ((("limits", n), text) for n, text in enumerate(record.limits))
    at, fenced = 0, False
    for block in re.split(r"(\n\s*\n)", loaded.body):
        fenced ^= block.count("```") % 2 == 1
        if not fenced and not block.lstrip().startswith(("|", "```", "    ", ">")):
            yield ("body", at + block[: len(block) - len(block.lstrip())].count("\n")), block
        at += block.count("\n")


def _beside(text: str, metrics: set[str], language: str, library: Library) -> Iterator[tuple[Figure, str]]:
    start = 0
    for sentence in _SENTENCE.split(text):
        start = text.find(sentence, start)
        if not any(map(str.isdigit, sentence)) or _ELSEWHERE.search(sentence):
            continue
        if stated := [figure for figure in figures(text, language) if start <= figure.start < start + len(sentence)]:
            named = library.metrics_named(sentence)
            if len({metric for metric, _ in named}) == 1 and named[0][0] in metrics:
                near = (f for f in stated if any(abs(f.start - start - at) <= NEAR for _, at in named))
                yield from ((figure, named[0][0]) for figure in near)
