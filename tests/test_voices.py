"""The index of rivals against looking at every claim of every later evaluation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.generate import generate
from kb.change import Change
from kb.config import shipped_config
from kb.evaluation import Evaluation
from kb.later import Later, _against, _is_later, _out, _relation, later
from kb.library import Library, open_library
from kb.matching import ClaimAt
from kb.reading import read
from kb.registry import Registry
from kb.scene import Scene, scene
from kb.target import Target
from kb.vocabulary import ClaimKind

SHIPPED = open_library(shipped_config())


def synthetic() -> Library:
    """Hundreds of evaluations of eleven questions, half of them with a noise floor and a definition."""
    made = [
        read(Evaluation if "evaluations" in path else Change, path, text)
        for path, text in generate(800, like_shipped=True)
    ]
    kept = [each for each in SHIPPED.loaded if not isinstance(each.record, Evaluation | Change)]
    return replace(SHIPPED, loaded=(*kept, *made))


def every(asked: Scene) -> list[Later]:
    """Without any index."""
    found = []
    for evaluation in asked.registry.rivalry.of(asked.evaluation):
        relation = _relation(evaluation, asked)
        if relation is False or not _is_later(evaluation, asked.evaluation) or _out(evaluation, relation, asked):
            continue
        for claim in evaluation.claims:
            if claim.kind is ClaimKind.MEASURED:
                found.append(_against(ClaimAt(asked.evaluation, asked.claim), ClaimAt(evaluation, claim), asked))
    return [each for each in found if isinstance(each, Later)]


@pytest.mark.parametrize(("library", "least"), [(SHIPPED, 0), (synthetic(), 5)], ids=["shipped", "synthetic"])
def test_the_index_finds_what_looking_at_every_claim_finds(library: Library, least: int) -> None:
    """Whoever counts is found, and nobody else, in the same order."""
    registry, counting = Registry(library), 0
    for id_ in sorted(library.evaluations):
        for claim in library.evaluations[id_].claims:
            if claim.kind is not ClaimKind.MEASURED:
                continue
            asked = scene(library.evaluations[id_], claim, Target(), registry)
            wanted = every(asked)
            assert [(each.name, each.sort) for each in later(asked)] == [(each.name, each.sort) for each in wanted]
            counting += len(wanted)
    assert counting >= least
