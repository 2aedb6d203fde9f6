"""What to measure again: for claims that need it, the fewest load points that could flip each, and their commands.

A comparison is measured with both its arms: a ratio never travels without its baseline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from kb.commands import Task, command, is_known
from kb.comparability import QUANTITIES
from kb.deciding import Load, deciding, fewest, load_of, number
from kb.disagreement import MODIFIERS
from kb.evaluation import Claim, Evaluation, RelationTo
from kb.evidence import Point
from kb.library import Library
from kb.matching import ClaimAt, Subject, points_of, region, subject, subjects, words
from kb.once import once
from kb.ratios import load_point, place
from kb.recorded import Recording, Repeats, recording, repeats, stated_repeats
from kb.regions import Region
from kb.target import Target
from kb.verdict import Verdict, asked_at
from kb.vocabulary import UNKNOWN, ClaimKind, Outcome, Relation

AGAIN = (Outcome.RECHECK, Outcome.NARROWED, Outcome.SUPERSEDED, Outcome.UNKNOWN)
"""Outcomes that ask for a measurement."""
_BEARING = frozenset({Relation.REPLICATES, Relation.FAILS_TO_REPLICATE, Relation.NARROWS, Relation.CONTRADICTS})
"""Relations of others that lean on a claim."""
_MEASURED = "a measurement"
"""What a ruling says settles it when no fact does."""
_FACTORS = frozenset({"load", "lengths", "versions"})
"""Groups of modifiers that a plan states elsewhere: as the load point, as versions."""


class PlannedPoint(NamedTuple):
    """A number to measure again."""

    metric: str
    definition: str | None
    stat: str
    arm: str | None
    was: str | None
    """What was measured, where the claim cites it."""


class ToRun(NamedTuple):
    """The command for one arm."""

    arm: str
    serves: str
    """What is served in that arm."""
    command: str
    file: str | None = None
    """Name of its result file without an ending, where the command gives it one."""


@dataclass(frozen=True)
class Run:
    """One load point of one evaluation, for every claim that it decides."""

    evaluation: str
    claims: tuple[str, ...]
    why: tuple[str, ...]
    """The outcomes and what led to them."""
    load: Mapping[str, str]
    points: tuple[PlannedPoint, ...]
    commands: tuple[ToRun, ...]
    hold: Mapping[str, str]
    """What must be the same in every arm, and as it was: model, cache policy, routing, versions."""
    open: tuple[str, ...]
    """What must be held, too, and is not known: to be written down this time."""
    rests: tuple[str, ...]
    """What rests on these claims."""
    measurements: int
    """Arms times repeats, as far as repeats are known."""
    repeats: Repeats
    """How often each command is run."""

    def as_dict(self) -> dict[str, Any]:
        """With the keys of cli.md."""
        return {
            "evaluation": self.evaluation,
            "claim": self.claims[0],
            "claims": list(self.claims),
            "why": "; ".join(self.why),
            "where": dict(self.load),
            "points": [each._asdict() for each in self.points],
            "commands": [each.command for each in self.commands],
            "arms": [{"arm": each.arm, "serves": each.serves} for each in self.commands],
            "hold": dict(self.hold),
            "unknown": list(self.open),
            "rests_on_it": list(self.rests),
            "measurements": self.measurements,
            "repeats": self.repeats.times,
            "repeats_why": self.repeats.why,
        }


class LookUp(NamedTuple):
    """A fact that would settle claims without a measurement."""

    evaluation: str
    fact: str
    claims: tuple[str, ...]


class Left(NamedTuple):
    """A claim that needs another look and that no point can be planned for."""

    evaluation: str
    claim: str
    why: str


@dataclass(frozen=True)
class Plan:
    """What to look up, what to run, and what neither settles."""

    look_up: tuple[LookUp, ...]
    runs: tuple[Run, ...]
    left: tuple[Left, ...]
    record: tuple[Recording, ...] = ()
    """For each evaluation with runs, how to record what they give."""

    def as_dict(self) -> dict[str, Any]:
        """With the keys of cli.md."""
        return {
            "look_up": [each._asdict() | {"claims": list(each.claims)} for each in self.look_up],
            "runs": [each.as_dict() for each in self.runs],
            "left": [each._asdict() for each in self.left],
            "record": [each.as_dict() for each in self.record],
        }


class _Need(NamedTuple):
    """A claim, and the points that decide it: of each group one is enough."""

    at: ClaimAt
    verdict: Verdict
    groups: tuple[tuple[Load, ...], ...]


def plan(verdicts: Iterable[Verdict], library: Library, target: Target | None = None) -> Plan:
    """What would tell, for the claims whose verdicts ask for it; what most rests on first, then the cheaper."""
    asking = [each for each in verdicts if each.outcome in AGAIN and each.evaluation in library.evaluations]
    needs: dict[str, list[_Need]] = {}
    left: list[Left] = []
    for verdict in sorted(asking, key=lambda each: (each.evaluation, each.claim)):
        at = _at(verdict, library)
        if at is None:
            continue
        if not at.claim.effect:
            left.append(Left(verdict.evaluation, verdict.claim, _no_number(at.claim)))
        else:
            needs.setdefault(verdict.evaluation, []).append(_Need(at, verdict, deciding(at, library)))
    runs = [run for each in needs.values() for run in _runs(each, library, target)]
    ordered = sorted(runs, key=lambda run: (-len(run.rests), run.measurements, run.evaluation, place(dict(run.load))))
    return Plan(tuple(_look_ups(asking)), tuple(ordered), tuple(left), tuple(_recordings(ordered, library)))


def _recordings(runs: Iterable[Run], library: Library) -> Iterator[Recording]:
    """One for each evaluation, in the order of the runs."""
    by_evaluation: dict[str, list[Run]] = {}
    for run in runs:
        by_evaluation.setdefault(run.evaluation, []).append(run)
    for id_, own in by_evaluation.items():
        files: dict[str, list[str | None]] = {}
        for each in (each for run in own for each in run.commands):
            files.setdefault(each.arm, []).append(each.file)
        yield recording(library.evaluations[id_], (claim for run in own for claim in run.claims), files)


def _at(verdict: Verdict, library: Library) -> ClaimAt | None:
    evaluation = library.evaluations[verdict.evaluation]
    claim = next((each for each in evaluation.claims if each.id == verdict.claim), None)
    return ClaimAt(evaluation, claim) if claim else None


def _no_number(claim: Claim) -> str:
    if claim.kind is ClaimKind.MECHANISM and claim.explains:
        return f"an explanation: measure {', '.join(claim.explains)} again, then look whether it still fits"
    return "names no metric: say first which number would show it"


def _look_ups(verdicts: Iterable[Verdict]) -> Iterator[LookUp]:
    found: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        ruling = verdict.deciding
        if verdict.outcome is Outcome.UNKNOWN and ruling and ruling.settles and ruling.settles != _MEASURED:
            found.setdefault((verdict.evaluation, ruling.settles), []).append(verdict.claim)
    for (evaluation, fact), claims in sorted(found.items(), key=lambda each: (-len(each[1]), each[0])):
        yield LookUp(evaluation, fact, tuple(sorted(claims)))


# Runs


def _runs(needs: list[_Need], library: Library, target: Target | None) -> Iterator[Run]:
    chosen = fewest(group for need in needs for group in need.groups)
    for load in chosen:
        served = [need for need in needs if any(load in group for group in need.groups)]
        first = [need for need in served if not _served_before(need, load, chosen)]
        if first:
            yield _run(load, first, library, target)


def _served_before(need: _Need, load: Load, chosen: tuple[Load, ...]) -> bool:
    """Whether an earlier point already decides all that this one would."""
    before = set(chosen[: chosen.index(load)])
    return all(before & set(group) for group in need.groups if load in group)


def _run(load: Load, needs: list[_Need], library: Library, target: Target | None) -> Run:
    evaluation = needs[0].at.evaluation
    arms = {each.id: each for need in needs for each in subjects(need.at, library)}
    ordered = [arms[arm.id] for arm in evaluation.arms if arm.id in arms] or list(arms.values())
    versions = asked_at(need.verdict.target for need in needs)
    hold, unknown = held(ordered, _asked(evaluation, target, library), versions)
    return Run(
        evaluation.id,
        tuple(need.at.claim.id for need in needs),
        tuple(_why(needs)),
        dict(load),
        tuple(dict.fromkeys(point for need in needs for point in _points(need.at, load, library))),
        tuple(_to_run(arm, load, needs[0].at, target, versions) for arm in ordered),
        hold,
        unknown,
        tuple(dict.fromkeys(text for need in needs for text in resting(need.at, library))),
        len(ordered) * max(stated_repeats(arm) or 1 for arm in ordered),
        repeats([need.at for need in needs], ordered),
    )


def _asked(evaluation: Evaluation, target: Target | None, library: Library) -> Subject | None:
    """The deployment that is asked about, as facts."""
    if target is None or target.setup is None:
        return None
    return subject(evaluation.model_copy(update={"setup": target.setup, "not_stated": ()}), None, library)


def _why(needs: Iterable[_Need]) -> Iterator[str]:
    """What led to the outcomes; claims of which the same is said stand together."""
    said: dict[tuple[str, str], list[str]] = {}
    for need in needs:
        ruling = need.verdict.deciding
        said.setdefault((need.verdict.outcome.value, ruling.message if ruling else ""), []).append(need.at.claim.id)
    for (outcome, message), claims in said.items():
        yield f"{', '.join(claims)}: {outcome}" + (f" ({message})" if message else "")


def _points(at: ClaimAt, load: Load, library: Library) -> Iterator[PlannedPoint]:
    arms = {each.id: each for each in subjects(at, library)}
    first = next(iter(arms.values()))
    cited = points_of(at)
    for point in cited:
        if load_of(load_point(point.where, arms.get(point.arm or "", first)), at, first) == load:
            for arm in filter(None, (point.arm, point.against)) if point.reported else (point.arm,):
                yield PlannedPoint(point.metric, point.definition, point.stat.value, arm, _was(point))
    if not cited and at.claim.effect:
        for arm in arms:
            yield PlannedPoint(at.claim.effect.metric, None, UNKNOWN, arm, None)


def _was(point: Point) -> str | None:
    """What was measured, a range as one and what is not exact with its qualifier; nothing of a reported comparison."""
    if point.reported or point.number is None:
        return None
    ends = point.number if isinstance(point.number, tuple) else (point.number,)
    about = f"{point.qualifier.replace('-', ' ')} " if point.qualifier else ""
    return f"{about}{' to '.join(f'{each:.12g}' for each in ends)} {point.unit}"


def _to_run(arm: Subject, load: Load, at: ClaimAt, target: Target | None, versions: Mapping[str, str]) -> ToRun:
    stated = dict(load)
    model = (target.setup.model if target and target.setup else None) or stated.get("model") or arm.stated.get("model")
    workload = arm.setup.workload
    for key in ("num_prompts", "dataset", "burstiness"):
        value = getattr(workload, key, None)
        if value is not None and str(value) != UNKNOWN and not _is_range(value):
            stated.setdefault(key, words(value) if isinstance(value, float) else str(value))
    ranges = {key: found for key in QUANTITIES if key not in stated and (found := region(key, at, arm)) is not None}
    means = _means(stated, ranges)
    tool = arm.stated.get("client.name") or arm.stated.get("client.component")
    task = Task(
        arm.id,
        str(model) if model not in (None, UNKNOWN) else None,
        {key: value for key, value in stated.items() if key not in {"model", "words"}},
        ranges,
        _file_name(at.evaluation.id, arm.id, stated),
        means,
    )
    known = None if tool == UNKNOWN else tool
    return ToRun(arm.id, _serves(arm, versions), command(known, task), task.name if known and is_known(known) else None)


def _means(stated: dict[str, str], ranges: dict[str, Region]) -> frozenset[str]:
    """Lengths that a load point has as the mean that was counted, put where lengths belong. Those that stay means: of
    the others the workload says that they were asked for.
    """
    found = set()
    for key in ("input_tokens", "output_tokens"):
        counted = [number(each) for each in stated.pop(f"mean_{key}", "").split(" to ")]
        ends = [each for each in counted if each is not None]
        if len(ends) != len(counted) or key in stated:
            continue
        listed = ranges.pop(key, None)
        if len(ends) > 1:
            ranges[key] = Region(low=min(ends), high=max(ends))
            continue
        stated[key] = f"{ends[0]:g}"
        if listed is None or ends[0] not in listed.values:
            found.add(key)
    return frozenset(found)


def _is_range(value: Any) -> bool:
    low, high = getattr(value, "low", None), getattr(value, "high", None)
    return low != high


def _file_name(evaluation: str, arm: str, load: Mapping[str, str]) -> str:
    short = {"input_tokens": "in", "output_tokens": "out", "request_rate": "rate", "concurrency": "conc"}
    parts = [f"{short[key]}{re.sub(r'[^0-9A-Za-z.]', '', load[key])}" for key in short if key in load]
    return "-".join([evaluation, arm, *parts])


def _serves(arm: Subject, versions: Mapping[str, str]) -> str:
    """What an arm is made of, and at which versions it is asked about."""
    parts = [str(value) for part, value in arm.made_of.items() if value not in (None, UNKNOWN)]
    return ", ".join(f"{each} {versions[each]}" if each in versions else each for each in dict.fromkeys(parts))


def held(
    arms: list[Subject], asked: Subject | None, versions: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """What must be the same in every arm, and what of it nobody knows. What tells the arms apart is under test."""
    found: dict[str, str] = {}
    unknown: list[str] = []
    keys = [key for group in MODIFIERS if group.name not in _FACTORS for key in group.keys]
    for key in [*keys, "router.policy", "workload.cache_reset", "workload.warmup"]:
        values = [_value(each, key) for each in ([asked] if asked else arms)]
        if len(set(values)) > 1:
            continue
        if values[0] is not None:
            found[key] = values[0]
        elif key not in {"both.hit_rate", "workload.shared_prefix", "same_node", "router.policy"}:
            unknown.append(key)
    for name, said in versions.items():
        if said == UNKNOWN:
            unknown.append(f"version of {name}")
        else:
            found[f"version of {name}"] = said
    return found, tuple(unknown)


def _value(arm: Subject, key: str) -> str | None:
    """A fact in words, of both sides where they differ; None when it is not known."""
    if not key.startswith("both."):
        value = arm.stated.get(key)
        return None if value in (None, UNKNOWN) else words(value)
    name = key.removeprefix("both.")
    one, other = (arm.stated.get(f"{side}.{name}") for side in ("prefill", "decode"))
    known = {side: words(each) for side, each in (("prefill", one), ("decode", other)) if each not in (None, UNKNOWN)}
    if len(known) == 2 and one == other:
        return words(one)
    return ", ".join(f"{side} {value}" for side, value in known.items()) or None


# What rests on a claim


def resting(at: ClaimAt, library: Library) -> Iterator[str]:
    """What was decided on a claim, waits for it, or leans on it."""
    evaluation, claim = at
    if evaluation.decision:
        yield "its decision"
    for signal in evaluation.signals:
        if not signal.claims or claim.id in signal.claims:
            yield f"signal {signal.id}"
    for other in evaluation.claims:
        if claim.id in other.explains:
            yield f"explanation {other.id}"
    for id_, relation in _leaning(library).get(evaluation.id, ()):
        if not relation.claims or claim.id in relation.claims:
            yield f"{id_} {relation.relation.value} it"


@once
def _leaning(library: Library) -> Mapping[str, list[tuple[str, RelationTo]]]:
    """Evaluation -> the relations by which others lean on it, by their ids."""
    found: dict[str, list[tuple[str, RelationTo]]] = {}
    for each in sorted(library.evaluations.values(), key=lambda each: each.id):
        for relation in each.relations:
            if relation.relation in _BEARING:
                found.setdefault(relation.to, []).append((each.id, relation))
    return found
