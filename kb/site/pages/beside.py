"""An evaluation as facts for the compare page, and what the rules need beside them: values of kb.compare's own parts.

What two records mean together is worked out in the browser by static/compare-rules.js, which a test holds to kb.compare
over pairs of our own records. Here each record stands alone: work grows with their number, not with their pairs'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement as pairs
from math import inf
from typing import Any

from kb import compare, differences
from kb.comparability import QUANTITIES
from kb.disagreement import MODIFIERS, SELDOM, build, ships_with_engine
from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.library import Library
from kb.lines import BUILD_FIELDS
from kb.matching import PARTS, Subject, subject, words
from kb.ratios import load_point, stated_load
from kb.regions import of_spread
from kb.setup import PIN_KEYS, SIDE_PIN_KEYS, Spread, Workload
from kb.site.gather import Gathered
from kb.units import factors
from kb.vocabulary import Ships

LETTERS = {Ships.YES: "y", Ships.NO: "n", Ships.NOT_ESTABLISHED: "u"}
SIDES = ("prefill", "decode")


def facts(record: Evaluation, asked: frozenset[str], library: Library) -> dict[str, Any]:
    """Arms and points of one evaluation. Of the defaults in force only keys in `asked` are given."""
    arms = [subject(record, arm, library) for arm in record.arms or (None,)]
    return {
        "id": record.id,
        "arms": [_arm(each, asked, library) for each in arms],
        "points": [_point(each, arms[0], library) for each in record.points if each.reported is None],
    }


def _arm(arm: Subject, asked: frozenset[str], library: Library) -> dict[str, Any]:
    facts_ = arm.facts
    roles = (*PIN_KEYS, *(f"{side}.{name}" for side in SIDES for name in SIDE_PIN_KEYS))
    spreads = {key: each for key, each in vars(arm.setup.workload or Workload()).items() if isinstance(each, Spread)}
    return {
        "id": arm.id,
        "whole": arm.arm is None,
        "role": arm.arm.role.value if arm.arm and arm.arm.role else None,
        "made_of": {part: str(name) for part, name in arm.made_of.items()},
        "ships": ships_with_engine(arm, library),
        "stated": {key: _cell(value) for key, value in arm.stated.items()},
        "defaults": {
            key: [_cell(value), facts_.shown(key)]
            for key, value in facts_.defaults.items()
            if key in asked and key not in arm.stated and value is not None
        },
        "builds": {role: found for role in roles if (found := build(role, arm.stated))},
        "classes": {
            key: library.component_names.get(str(value).casefold())
            for key, value in arm.stated.items()
            if key.endswith("class_name")
        },
        "shown": {f"workload.{key}": str(spread) for key, spread in spreads.items()},
        "regions": {f"workload.{key}": _region(spread) for key, spread in spreads.items() if of_spread(spread)},
        "fixed": stated_load(arm),
    }


def _cell(value: Any) -> Any:
    """A value in words; a list stays one."""
    return [_cell(each) for each in value] if isinstance(value, list | tuple) else words(value)


def _region(spread: Spread) -> dict[str, Any]:
    found = of_spread(spread)
    assert found is not None
    return {"values": [_end(each) for each in found.values], "low": _end(found.low), "high": _end(found.high)}


def _end(number: float) -> float | str:
    return "inf" if number == inf else number


def _point(point: Point, arm: Subject, library: Library) -> dict[str, Any]:
    number = list(point.number) if isinstance(point.number, tuple) else point.number
    return {
        "arm": point.arm,
        "metric": point.metric,
        "definition": point.definition,
        "measure": library.measure(point.definition) if point.definition else None,
        "stat": point.stat.value,
        "where": load_point(point.where, arm, bare=True),
        "number": number,
        "unit": point.unit,
        "about": point.qualifier is not None,
    }


# What is said once for all evaluations


def shared(gathered: Gathered) -> dict[str, Any]:
    """Words and constants of the rules, the metrics' possible meanings, and which builds carry what."""
    library = gathered.library
    return {
        "pins": list(PIN_KEYS),
        "side_pins": list(SIDE_PIN_KEYS),
        "parts": list(PARTS),
        "build_fields": list(BUILD_FIELDS),
        "quantities": list(QUANTITIES),
        "held": sorted(compare.HELD),
        "certainty": differences.CERTAINTY,
        "seldom": sorted(SELDOM),
        "modifiers": [[list(each.keys), each.why] for each in MODIFIERS],
        "asked": list(differences.ASKED),
        "units": factors(),
        "metrics": {
            id_: sorted({library.measure(each.id) for each in metric.definitions})
            for id_, metric in sorted(library.metrics.items())
        },
        "builds": dict(_builds(gathered)),
    }


def stated(record: Evaluation, library: Library) -> frozenset[str]:
    """Keys that a record speaks of."""
    return frozenset(key for arm in record.arms or (None,) for key in subject(record, arm, library).stated)


def asked(spoken: Iterable[str]) -> frozenset[str]:
    """Keys that some record speaks of or that are always asked: no other default is ever looked at."""
    found = {f"{side}.{key.removeprefix('both.')}" for key in differences.ASKED for side in SIDES} | {
        *differences.ASKED
    }
    found.update(spoken)
    sided = {rest for side, _, rest in (key.partition(".") for key in found) if side in SIDES}
    return frozenset(found | {f"{side}.{rest}" for rest in sided for side in SIDES})


def _builds(gathered: Gathered) -> Iterator[tuple[str, dict[str, Any]]]:
    """Component -> its pinned versions, which of its loud changes each carries, between which all was looked at."""
    for name, versions in sorted(_pinned(gathered).items()):
        listed = sorted(versions)
        changes = [each for each in gathered.registry.changes.get(name, ()) if each.kind not in differences.QUIET]
        known = gathered.library.components.get(name)
        carried = {
            version: "".join(LETTERS[gathered.registry.carried(each, name, version)] for each in changes)
            for version in listed
        }
        yield (
            name,
            {
                "changes": [each.id for each in changes],
                "carried": carried,
                "covered": [
                    f"{one} {other}"
                    for one, other in pairs(listed, 2)
                    if known
                    and _quiet(carried[one], carried[other])
                    and gathered.registry.cover(name, one, other).complete
                ],
                "known": known is not None,
            },
        )


def _quiet(one: str, other: str) -> bool:
    """Whether no known change lies in between: only then is it asked whether anybody looked."""
    return one == other and LETTERS[Ships.NOT_ESTABLISHED] not in one


def _pinned(gathered: Gathered) -> Mapping[str, set[str]]:
    """Component -> versions that it is pinned at; of a connector that ships with an engine those of the engine."""
    found: dict[str, set[str]] = {}
    shipped: dict[str, set[str]] = {}
    library = gathered.library
    for record in library.evaluations.values():
        for arm in record.arms or (None,):
            one = subject(record, arm, library)
            for role in PIN_KEYS:
                name, *connectors = differences.components(role, (one, one), library) or (None,)
                versions = (
                    build(place, one.stated).get("version") for place in (role, *(f"{s}.{role}" for s in SIDES))
                )
                if name:
                    found.setdefault(name, set()).update(filter(None, versions))
                    shipped.setdefault(name, set()).update(map(str, connectors))
    for engine, names in shipped.items():
        for each in names:
            found.setdefault(each, set()).update(found[engine])
    return found
