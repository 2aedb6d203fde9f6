"""A draft of an evaluation out of runs: arms, points, setup facts, proposed claims; suggestions stand in comments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from pydantic import ValidationError

from kb.arranging.arms import Group, Split, baseline_of, folder_of
from kb.arranging.lengths import Spans
from kb.arranging.loads import LOAD, SHORT, Load, Sweep, named, slug, sweep, text, varying
from kb.arranging.repeats import (
    Loaded,
    Measured,
    answers_differ,
    at_loads,
    distinct,
    measured,
    never_meet,
    not_in_all,
    requests,
    taken_as_repeats,
)
from kb.arranging.surroundings import Surroundings, flat, nested
from kb.arranging.writing import number
from kb.evidence import Point
from kb.importers.run import Run
from kb.setup import Setup
from kb.setup import keys as setup_keys

NAMED = tuple(key for key in SHORT if key != "num_prompts")
"""Keys in the id of a point that comes to others."""
MANY = 40
"""Points from which on they go to results.csv."""


@dataclass(frozen=True)
class Arranged:
    """Runs put in order: what a record would say of them."""

    id: str
    groups: tuple[Group, ...]
    base: str | None
    """The arm that the others are compared with."""
    points: tuple[dict[str, Any], ...]
    """As a record writes them."""
    numbers: Mapping[str, Mapping[str, Measured]]
    """Arm -> id of a point -> the number."""
    setup: dict[str, Any]
    """Common facts, dotted."""
    arms: Mapping[str, dict[str, Any]]
    """Arm -> facts of its own, dotted."""
    requests: Mapping[str, dict[str, str]]
    repeats: tuple[int, ...]
    """Runs behind each load point."""
    date: str | None = None
    said: tuple[str, ...] = ()
    """Sentences a person must read: what was left out, what disagrees."""
    suggested: tuple[str, ...] = ()
    """Facts that only names hint at, as sentences."""
    surroundings: Surroundings = field(default_factory=Surroundings)
    base_said: bool = False
    """Whether a person named the base, so that nobody has to ask."""

    @property
    def repeated(self) -> bool:
        """Whether every load point was measured more than once."""
        return bool(self.repeats) and min(self.repeats) > 1


def arrange(
    id_: str,
    split: Split,
    surroundings: Surroundings,
    baseline: str | None = None,
    components: Collection[str] = (),
    beside: bool = False,
    lengths: Mapping[str, Spans] | None = None,
) -> Arranged:
    """Everything that the runs say, by arm and load point.

    `components` are those a pin may name. `beside` other points, an id names the whole load, not only what differs
    among these runs; `lengths` are those by which the other points are told apart.
    """
    said: list[str] = [f"{run.file}: in no arm; left out" for run in split.left_over]
    every: list[Run] = []
    kept: dict[str, list[Run]] = {}
    for group in split.groups:
        own, left = distinct(group.runs)
        kept[group.id] = own
        every += own
        said += left
    loading = sweep(every, kept.values(), lengths)
    loads = {arm: at_loads(runs, loading) for arm, runs in kept.items()}
    for arm, found in loads.items():
        said += [*taken_as_repeats(arm, found), *not_in_all(arm, found)]
    base = baseline or baseline_of([group.id for group in split.groups])
    said += [*answers_differ(loads), *never_meet(base, loads), *_found(every)]
    keys = NAMED if beside else varying([each.load for found in loads.values() for each in found])
    numbers = {arm: dict(_points(arm, found, keys, said)) for arm, found in loads.items()}
    common, own_facts = _facts(kept, loads, surroundings, said, components)
    said += _unread(surroundings)
    return Arranged(
        id_,
        split.groups,
        base,
        tuple(_written(id_, each, arm) for arm, found in numbers.items() for id_, each in found.items()),
        numbers,
        common,
        own_facts,
        {arm: requests(runs) for arm, runs in kept.items()},
        tuple(len(each.runs) for found in loads.values() for each in found),
        max((run.ended or run.started or "" for run in every), default="")[:10] or None,
        _without_folder(said, split),
        _without_folder(_suggested(split.groups, surroundings, loading), split),
        surroundings,
        baseline is not None,
    )


def _without_folder(sentences: Iterable[str], split: Split) -> tuple[str, ...]:
    """Sentences that name files below the folder of the results: where that lies on somebody's disk is no fact."""
    runs = [*(run for group in split.groups for run in group.runs), *split.left_over]
    shared = folder_of(runs)
    before = f"{shared}/" if shared is not None and len(shared.parts) > 1 else ""
    return tuple(dict.fromkeys(each.replace(before, "") if before else each for each in sentences))


def _found(runs: Sequence[Run]) -> Iterator[str]:
    """What the import found, once a kind."""
    by_code: dict[str, list[str]] = {}
    for run in runs:
        for each in run.findings:
            by_code.setdefault(f"{each.code} {each.name}", []).append(f"{each.path}: {each.message}")
    for code, places in by_code.items():
        more = f" (and {len(places) - 1} more)" if len(places) > 1 else ""
        yield f"{code}: {places[0]}{more}"


def _points(arm: str, loads: Iterable[Loaded], keys: Sequence[str], said: list[str]) -> Iterator[tuple[str, Measured]]:
    """Numbers with ids made of what tells them apart; a second definition of one label gets a number."""
    used: set[str] = set()
    for loaded in loads:
        for each in measured(loaded):
            stat = "" if each.stat.value == "value" else each.stat.value
            name = slug("-".join(filter(None, [arm, each.metric, stat, named(each.load, keys)])))
            id_ = next(n for n in (name, *(f"{name[:56]}-{count}" for count in range(2, 1000))) if n not in used)
            used.add(id_)
            try:
                Point.model_validate(_written(id_, each, arm))
            except ValidationError as error:
                said.append(f"{each.metric} of {arm}: {error.errors()[0]['msg']}; left out")
            else:
                yield id_, each


def _written(id_: str, each: Measured, arm: str) -> dict[str, Any]:
    point: dict[str, Any] = {"id": id_, "metric": each.metric}
    if each.definition:
        point["definition"] = each.definition
    point |= {"stat": each.stat.value, "arm": arm}
    if where := where_of(each.load):
        point["where"] = where
    point |= {"value": number(each.value), "unit": each.unit, "n": str(len(each.values))}
    if each.interval and each.deviation is not None:
        low, high = each.interval
        point["spread"] = {
            "std": number(each.deviation),
            "low": number(low),
            "high": number(high),
            "kind": "95% confidence interval of the mean",
        }
    return point


def where_of(load: Load) -> dict[str, Any]:
    """A load point as a record writes it; the tool's own factors under their names."""
    where: dict[str, Any] = {key: value for key, value in load if key in LOAD or key == "words"}
    if factors := {key: value for key, value in load if key not in where}:
        where["factors"] = factors
    return where


def _facts(
    runs: Mapping[str, Sequence[Run]],
    loads: Mapping[str, Sequence[Loaded]],
    surroundings: Surroundings,
    said: list[str],
    components: Collection[str],
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Facts of all arms, and those of each; what the files disagree on is in neither, and said."""
    own = {arm: _of_arm(arm, each, surroundings, said) for arm, each in runs.items()}
    if surroundings.common:
        for arm, facts in own.items():
            own[arm] = _joined(surroundings.common.fields(), facts, said)
    for arm, found in loads.items():
        own[arm] = _fitting(_known(own[arm], components, said) | _workload(found), said)
    shared = {
        key: value
        for key, value in next(iter(own.values()), {}).items()
        if all(facts.get(key) == value for facts in own.values())
    }
    return shared, {
        arm: {key: value for key, value in facts.items() if key not in shared} for arm, facts in own.items()
    }


def _of_arm(arm: str, runs: Sequence[Run], surroundings: Surroundings, said: list[str]) -> dict[str, Any]:
    """Facts that an arm's result files state, and the files in its own folder."""
    stated: dict[str, Any] = {}
    known = setup_keys()
    for key in dict.fromkeys(key for run in runs for key in run.setup):
        values = {text(run.setup[key]) for run in runs if key in run.setup}
        if key in known and len(values) == 1:
            stated[key] = values.pop()
        elif key in known:
            said.append(f"{key}: the runs of {arm} differ ({', '.join(sorted(values))}); it stands at the points")
    for key, values in (("client.name", {run.tool for run in runs}), ("client.version", _versions(runs))):
        if len(values) == 1:
            stated.setdefault(key, values.pop())
    reading = surroundings.arms.get(arm)
    return _joined(reading.fields(), stated, said) if reading else stated


def _known(facts: dict[str, Any], components: Collection[str], said: list[str]) -> dict[str, Any]:
    """Facts without pins on components that the base does not have."""
    foreign = [key for key, value in facts.items() if key.endswith(".component") and value not in components]
    said += [f"{key}: this base has no component {facts[key]}; left out" for key in foreign]
    return {key: value for key, value in facts.items() if key not in foreign}


def _unread(surroundings: Surroundings) -> Iterator[str]:
    """What stands in setup files and could not be read."""
    yield from surroundings.said
    for reading in surroundings.readings():
        for each in reading.not_read:
            if "no part of a setup" not in each.why and "left out" not in each.why:
                yield f"{each.place}: {each.text}: {each.why}"


def _fitting(facts: dict[str, Any], said: list[str]) -> dict[str, Any]:
    """Facts that a setup can hold; the rest is said."""
    while True:
        try:
            Setup.model_validate(nested(facts))
        except ValidationError as error:
            places = {".".join(map(str, each["loc"])): each["msg"] for each in error.errors(include_url=False)}
            wrong = {key for key in facts if any(place == key or place.startswith(f"{key}.") for place in places)}
            if not wrong:
                raise
            said += [f"{key}: {facts[key]} is no value of it; left out" for key in sorted(wrong)]
            facts = {key: value for key, value in facts.items() if key not in wrong}
        else:
            return facts


def _versions(runs: Sequence[Run]) -> set[str]:
    """The client's version, where every run shows it."""
    found = {run.tool_version for run in runs}
    return set() if None in found else {each for each in found if each}


def _joined(tables: Mapping[str, Any], facts: Mapping[str, Any], said: list[str]) -> dict[str, Any]:
    """Facts of setup files and of result files together; where they disagree, neither."""
    beside = flat(tables)
    differ = {key for key in beside.keys() & facts.keys() if str(beside[key]).lower() != str(facts[key]).lower()}
    said += [f"{key}: a result file says {facts[key]}, a setup file {beside[key]}; left out" for key in sorted(differ)]
    return {key: value for key, value in {**beside, **facts}.items() if key not in differ}


def _workload(loads: Sequence[Loaded]) -> dict[str, Any]:
    """What was asked: one value, or the values of the sweep."""
    found: dict[str, Any] = {}
    for key in LOAD:
        values = list(dict.fromkeys(value for each in loads if (value := dict(each.load).get(key)) is not None))
        if any(dict(each.load).get(key) is None for each in loads):
            continue  # what only some runs state is said at their points, never of the whole
        if len(values) == 1:
            found[f"workload.{key}"] = values[0]
        elif values and key not in {"dataset", "burstiness"}:
            found[f"workload.{key}"] = values
    counts = {len(each.runs) for each in loads}
    if len(counts) == 1 and len(loads) <= prod(_many(found.get(f"workload.{key}")) for key in GRID):
        found["workload.repeats"] = str(counts.pop())
    return found


GRID = ("request_rate", "concurrency", "input_tokens", "output_tokens")
"""What a workload sweeps over; where the loads differ in more, repeats are not said of the whole."""


def _many(value: Any) -> int:
    return len(value) if isinstance(value, list) else 1


def _suggested(groups: Sequence[Group], surroundings: Surroundings, loading: Sweep) -> Iterator[str]:
    """Hints of names, each value with where it was read; none at lengths that were measured."""
    found: dict[tuple[str, str], str] = {}
    for group in groups:
        for run in group.runs:
            for each in run.suggestions:
                if each.key.removeprefix("where.") not in loading.lengths:
                    found.setdefault((each.key, text(each.value)), each.origin)
    for reading in surroundings.readings():
        for hint in reading.suggestions:
            found.setdefault((hint.key, hint.value), hint.why)
    by_key: dict[str, list[str]] = {}
    for (key, value), origin in found.items():
        by_key.setdefault(key, []).append(f"{value} ({origin})")
    for key, values in by_key.items():
        more = f" and {len(values) - 4} more" if len(values) > 4 else ""
        yield f"{key}: {'; '.join(values[:4])}{more}"
