"""The index of rivals against looking at every claim of every later evaluation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.generate import generate
from kb.audit import judge
from kb.change import Change
from kb.config import shipped_config
from kb.directions import same_direction
from kb.evaluation import Evaluation
from kb.gist import gist, of
from kb.later import Later, Sort, _against, _is_later, _out, _relation, foremost, later
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
                mine, other = ClaimAt(asked.evaluation, asked.claim), ClaimAt(evaluation, claim)
                found.append(_against(mine, other, same_direction(mine, other, asked.library), asked))
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


def of_every_load(number: int, text: str) -> str:
    """A record whose conditions and loads are unlike those of its neighbours: some state no load, some measured the
    arms under two loads."""
    if number % 3 == 0:
        before, after = text.split("    conditions:\n")
        text = before + "    rests_on:" + after.split("    rests_on:")[1]
    if number % 5 == 0:
        lines = text.split("\n")
        slower = [line.replace("input_tokens: 4096", "input_tokens: 1000") for line in lines]
        text = "\n".join(new if "{id: new-" in new else old for old, new in zip(lines, slower, strict=True))
    return text


def neighbours() -> Library:
    """Few questions, so that each claim has dozens of rivals."""
    made = []
    for number, (path, text) in enumerate(generate(900, like_shipped=True)):
        if "evaluations" in path:
            asked = text.replace(text.split("\nquestion: ")[1].split("\n")[0], "push-vs-pull-handoff", 1)
            made.append(read(Evaluation, path, of_every_load(number, asked)))
    kept = [each for each in SHIPPED.loaded if not isinstance(each.record, Evaluation | Change)]
    return replace(SHIPPED, loaded=(*kept, *made))


def test_the_first_by_name_is_found_without_the_rest() -> None:
    """Loads that keep two claims apart rule out what they must rule out, and nothing else."""
    library = neighbours()
    registry, seen = Registry(library), dict.fromkeys((Sort.CONTRADICTS, Sort.NARROWS), 0)
    for evaluation in library.evaluations.values():
        asked = scene(evaluation, evaluation.claims[0], Target(), registry)
        for sort in seen:
            every = [each for each in later(asked) if each.sort is sort]
            first = foremost(scene(evaluation, evaluation.claims[0], Target(), registry), sort)
            assert [each.name for each in first] == sorted(each.name for each in every)[:1]
            seen[sort] += bool(first)
        assert gist(asked) == of(judge(asked))
    assert all(seen.values())


RIVAL = """schema_version: 1
id: {id}
title: {id}
kind: controlled
question: push-vs-pull-handoff
date: {date}
source: {{relation: own, depth: full, url: unknown, by: test}}
setup:
  model: Qwen3-32B
  topology: 1P1D
  engine: {{component: vllm, version: 0.29.0}}
  transfer_library: {{component: nixl, version: 1.4.1}}
  both: {{prefix_caching: on}}
arms:
  - id: a
    setup: {{connector: {{component: vllm-nixl-{a}}}, workload: {{input_tokens: {at_a}}}}}
  - id: b
    setup: {{connector: {{component: vllm-nixl-{b}}}, workload: {{input_tokens: {at_b}}}}}
points:
  - id: a
    metric: ttft
    definition: vllm-bench.ttft
    stat: mean
    arm: a
    value: 50
    unit: ms
  - id: b
    metric: ttft
    definition: vllm-bench.ttft
    stat: mean
    arm: b
    value: 99
    unit: ms
claims:
  - id: one
    kind: measured
    says: Of these the first is better.
    effect: {{form: ratio, metric: ttft, arm: a, against: b, points: [a, b], better: a}}
    rests_on: [descriptor-count]
"""


def beside(*rivals: str) -> Scene:
    """A claim that pull is better, measured at 1000 with pull and at 8000 with push, and its rivals."""
    mine = RIVAL.format(id="mine", date="2026-01-01", a="pull", b="push", at_a=1000, at_b=8000)
    made = [read(Evaluation, f"evaluations/{n}.md", f"---\n{text}---\n") for n, text in enumerate((mine, *rivals))]
    kept = [each for each in SHIPPED.loaded if not isinstance(each.record, Evaluation)]
    library = replace(SHIPPED, loaded=(*kept, *made))
    evaluation = library.evaluations["mine"]
    return scene(evaluation, evaluation.claims[0], Target(), Registry(library))


def test_loads_are_compared_arm_by_arm() -> None:
    """A rival names the arms the other way round: what counts is at which load each of them was tested."""
    asked = beside(RIVAL.format(id="theirs", date="2026-02-01", a="push", b="pull", at_a=8000, at_b=1000))
    assert [each.name for each in foremost(asked, Sort.CONTRADICTS)] == ["theirs/one"]


def test_the_first_is_the_one_whose_ruling_goes_first() -> None:
    """By names with the claim's: `a-2/one` goes before `a/one`, though `a` goes before `a-2`."""
    same = {"date": "2026-02-01", "a": "push", "b": "pull", "at_a": 8000, "at_b": 1000}
    asked = beside(*(RIVAL.format(id=id_, **same) for id_ in ("a", "a-2")))
    assert [each.name for each in later(asked)] == ["a/one", "a-2/one"]
    assert [each.name for each in foremost(asked, Sort.CONTRADICTS)] == ["a-2/one"]
    assert gist(asked) == of(judge(asked))
