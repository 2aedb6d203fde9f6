"""Repeats: runs of one arm at one load point -> points with n and spread; numbers of a single run stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import PurePath

from kb.arranging import student
from kb.arranging.lengths import ALIKE, reached
from kb.arranging.loads import Load, Sweep, order, spoken
from kb.importers.findings.same_run_twice import twins
from kb.importers.run import Run, RunPoint
from kb.vocabulary import Statistic

DIGITS = 10
"""Significant digits of a mean over runs; the numbers it is made of have no more."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One number of an arm at a load point, over its runs."""

    metric: str
    stat: Statistic
    definition: str | None
    unit: str
    load: Load
    values: tuple[float, ...]
    """One a run."""

    @property
    def value(self) -> float:
        """The number: of the one run as it is, of several their mean."""
        return self.values[0] if len(self.values) == 1 else rounded(student.mean(self.values))

    @property
    def deviation(self) -> float | None:
        """Standard deviation over runs."""
        return rounded(student.deviation(self.values)) if len(self.values) > 1 else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95% confidence interval of the mean."""
        if len(self.values) < 2:
            return None
        low, high = student.interval(self.values)
        return rounded(low), rounded(high)


def rounded(value: float) -> float:
    """A computed number without the noise of its last bits."""
    return float(f"{value:.{DIGITS}g}")


@dataclass(frozen=True, slots=True)
class Loaded:
    """The runs of one arm at one load point."""

    load: Load
    runs: tuple[Run, ...]


def distinct(runs: Sequence[Run]) -> tuple[list[Run], list[str]]:
    """The runs that are evidence, each once, and a sentence for each that is left out."""
    kept: list[Run] = []
    said: list[str] = []
    for run in runs:
        if run.server_side:
            said.append(f"{run.file}: the server's own numbers are another point of view; left out")
        elif _mixed(run, runs):
            said.append(f"{_place(run)}: mixes the stages that stand beside it; left out")
        else:
            kept.append(run)
    again = twins(kept)
    said += [
        f"{_place(kept[late])}: the same run as {_place(kept[early])}; counted once" for late, early in again.items()
    ]
    return [run for n, run in enumerate(kept) if n not in again], said


def _mixed(run: Run, runs: Sequence[Run]) -> bool:
    return run.stage == "summary" and any(
        other.stage not in {None, "summary"} for other in runs if other.importer == run.importer
    )


def _place(run: Run) -> str:
    return run.file if run.record == 1 else f"{run.file} #{run.record}"


def at_loads(runs: Sequence[Run], loading: Sweep) -> list[Loaded]:
    """Runs by load point, in order of load."""
    found: dict[Load, list[Run]] = {}
    for run in runs:
        found.setdefault(loading.load(run), []).append(run)
    apart = [each for point, own in found.items() for each in _apart(point, own)]
    return sorted(apart, key=lambda each: order(each.load))


def _apart(point: Load, runs: Sequence[Run]) -> Iterator[Loaded]:
    """Runs whose names differ in more than numbers are no repeats, unless the tool itself counted them."""
    named: dict[str, list[Run]] = {}
    for run in runs:
        named.setdefault("" if run.repeat is not None else origin(run), []).append(run)
    if len(named) < 2:
        yield Loaded(point, tuple(runs))
        return
    shared = len(PurePath(_shared(list(named))).parts)
    for name, own in named.items():
        words = "/".join(PurePath(name).parts[shared:]) or name
        yield Loaded(tuple(sorted({**dict(point), "words": f"as the file is named: {words}"}.items())), tuple(own))


def _shared(names: Sequence[str]) -> str:
    parts = zip(*(PurePath(name).parts[:-1] for name in names), strict=False)
    return "/".join(level[0] for level in takewhile(lambda level: len(set(level)) == 1, parts))


def origin(run: Run) -> str:
    """Where a run comes from as far as it is no repeat: its folders without counts, its file's name without numbers."""
    path = PurePath(run.file)
    folders = [part for part in path.parts[:-1] if not _COUNT.fullmatch(part)]
    return "/".join([*folders, _NUMBER.sub("#", path.stem)])


_COUNT = re.compile(r"(?:run|rep|repeat|trial|iter|iteration|seed|attempt)?[-_=#]?\d[\d_T:-]*", re.IGNORECASE)
"""A folder that counts runs, or is named by a day."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def taken_as_repeats(arm: str, loads: Iterable[Loaded]) -> Iterator[str]:
    """A sentence for each load point with several runs, unless the tool itself counted them."""
    for each in loads:
        if len(each.runs) > 1 and any(run.repeat is None for run in each.runs):
            at = spoken(dict(each.load), [key for key, _ in each.load]) or "the one load"
            files = ", ".join(_place(run) for run in each.runs[:4]) + (", ..." if len(each.runs) > 4 else "")
            yield f"{arm} at {at}: {len(each.runs)} runs are taken as repeats: {files}"


def answers_differ(arms: Mapping[str, Iterable[Loaded]]) -> Iterator[str]:
    """A sentence for loads at which one arm's answers were longer than another's: that was not the same work."""
    found: dict[Load, dict[str, float]] = {}
    for arm, loads in arms.items():
        for each in loads:
            lengths = [length for run in each.runs if (length := reached(run, "output_tokens"))]
            if lengths:
                found.setdefault(each.load, {})[arm] = student.mean(lengths)
    apart = [load for load, own in found.items() if max(own.values()) > min(own.values()) * (1 + ALIKE)]
    if apart:
        load = max(apart, key=lambda each: max(found[each].values()) / min(found[each].values()))
        at = spoken(dict(load), [key for key, _ in load]) or "the one load"
        means = ", ".join(f"{length:.0f} tokens ({arm})" for arm, length in found[load].items())
        more = f"; less so at {len(apart) - 1} more" if len(apart) > 1 else ""
        yield f"answers differ in length at {at}: {means}{more}; a longer answer is more work"


def never_meet(base: str | None, arms: Mapping[str, Sequence[Loaded]]) -> Iterator[str]:
    """A sentence for each arm that shares no load point with the baseline, with what keeps them apart."""
    against = [dict(each.load) for each in arms.get(base or "", ())]
    for arm, loads in arms.items() if against else ():
        own = [dict(each.load) for each in loads]
        if arm == base or any(each in against for each in own):
            continue
        keys = dict.fromkeys(key for each in (*own, *against) for key in each)
        keep = [key for key in keys if any(_without(key, a) == _without(key, b) for a in own for b in against)]
        told = "; ".join(f"{key} is {_values(key, own)} of {arm}, {_values(key, against)} of {base}" for key in keep)
        yield f"{arm} and {base} share no load point, so nothing is compared{f': {told}' if told else ''}"


def _without(key: str, load: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in load.items() if name != key}


def _values(key: str, loads: Iterable[Mapping[str, str]]) -> str:
    return ", ".join(dict.fromkeys(load.get(key, "not stated") for load in loads))


def measured(loaded: Loaded) -> Iterator[Measured]:
    """Every number that these runs have, in the order of the first run that has it."""
    found: dict[tuple[str, Statistic, str | None, str], list[float]] = {}
    for run in loaded.runs:
        for point in _once(run.points):
            found.setdefault((point.metric, point.stat, point.definition, point.unit), []).append(point.value)
    most = max(map(len, found.values()), default=0)
    for (metric, stat, definition, unit), values in found.items():
        if len(values) == most:
            yield Measured(metric, stat, definition, unit, loaded.load, tuple(values))


def not_in_all(arm: str, loads: Iterable[Loaded]) -> Iterator[str]:
    """A sentence for each load point at which some numbers are left out, as only some of its runs have them."""
    for each in loads:
        counts: dict[str, int] = {}
        for run in each.runs:
            for point in _once(run.points):
                name = f"{point.metric} {point.stat.value}"
                counts[name] = counts.get(name, 0) + 1
        fewer = [name for name, count in counts.items() if count < max(counts.values())]
        if fewer:
            more = f" and {len(fewer) - 3} more" if len(fewer) > 3 else ""
            yield f"{arm}: only some of {len(each.runs)} repeats have {', '.join(fewer[:3])}{more}; left out"


def _once(points: Iterable[RunPoint]) -> Iterator[RunPoint]:
    """Each number once: a run that states one twice has not measured it twice."""
    seen = set()
    for point in points:
        key = (point.metric, point.stat, point.definition, point.unit)
        if key not in seen:
            seen.add(key)
            yield point


def requests(runs: Sequence[Run]) -> dict[str, str]:
    """What became of an arm's requests over all its runs, as far as every run says it."""
    found = {}
    for name in ("sent", "completed", "failed"):
        counts = [getattr(run.requests, name) for run in runs]
        if counts and all(count is not None for count in counts):
            found[name] = str(sum(counts))
    return found
