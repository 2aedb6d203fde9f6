"""Load points of runs: which keys make one, what tells runs of one apart, how it is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kb.arranging.lengths import LENGTHS, Spans, reached, told_apart, written
from kb.importers.run import Fact, Run

LOAD = ("request_rate", "concurrency", "input_tokens", "output_tokens", "num_prompts", "burstiness", "dataset")
"""Keys of a load point as records have them; the rest of `where` is the tool's own."""

SHORT = {
    "request_rate": "r",
    "concurrency": "c",
    "input_tokens": "i",
    "output_tokens": "o",
    "num_prompts": "n",
    "mean_input_tokens": "i",
    "mean_output_tokens": "o",
    "words": "",
}
"""Key -> what stands before its value in the id of a point."""

SPOKEN = {
    "request_rate": "a request rate of",
    "concurrency": "a concurrency of",
    "input_tokens": "an input length of",
    "output_tokens": "an output length of",
    "num_prompts": "a number of prompts of",
    "mean_input_tokens": "a mean input length of",
    "mean_output_tokens": "a mean output length of",
}
"""Key -> how a sentence begins to name its value."""

_STAMP = re.compile(r"^\d{8}[-T_]?\d{4,6}$|^\d{4}-\d\d-\d\d|^1[5-9]\d{8}(?:\.\d+)?$")
_TELLS_APART = frozenset(
    {"date", "run_number", "run", "repeat", "seed", "time", "timestamp", "uid", "run_id", "benchmark_id"}
)

Load = tuple[tuple[str, str], ...]
"""A load point: keys and values as text, in order."""

LONGEST = 200
"""Characters of a value that are kept; people put whole descriptions into metadata."""


def text(value: Fact) -> str:
    """A value as a record writes it, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return " ".join(str(value).split())[:LONGEST]


def tells_apart(key: str, values: Iterable[str]) -> bool:
    """Whether a key only says which run it was: a day, a count of repeats, a seed."""
    return key in _TELLS_APART or all(_STAMP.match(value) for value in values)


@dataclass(frozen=True)
class Sweep:
    """What makes load points of a set of runs."""

    left_out: frozenset[str] = frozenset()
    """Keys of `where` that only tell runs apart."""
    lengths: Mapping[str, Spans] = field(default_factory=dict)
    """Lengths by which runs are told apart that do not say what was asked."""
    hints: tuple[str, ...] = ()
    """Load keys that no run states and whose values in file names differ: runs are kept apart by them."""
    facts: tuple[str, ...] = ()
    """Setup keys (and `client`) that differ within an arm: runs that differ in them are no repeats."""

    def load(self, run: Run) -> Load:
        """The load point of a run; a member of a sweep without any load of its own by its name."""
        found = {text(key): text(value) for key, value in run.where.items() if key not in self.left_out and value != ""}
        lengths = {LENGTHS[key]: written(run, key, spans) for key, spans in self.lengths.items()}
        found |= {key: value for key, value in lengths.items() if value is not None}
        found |= {key: value for key in self.facts if (value := fact(run, key)) is not None}
        named = [f"{key} {hint}" for key in self.hints if (hint := hinted(run, key))]
        if named:
            found["words"] = f"as the file is named: {', '.join(named)}"
        if not found and run.stage:
            found["stage"] = run.stage
        return tuple(sorted(found.items()))


CLIENT = "client"
"""Factor for the tool and its version."""


def fact(run: Run, key: str) -> str | None:
    """A fact that a run states of its setup, or its tool and version."""
    if key == CLIENT:
        return f"{run.tool} {run.tool_version or ''}".strip()
    return text(run.setup[key]) if key in run.setup else None


def _differing(arms: Iterable[Sequence[Run]]) -> tuple[str, ...]:
    """Facts in which runs of one arm differ."""
    found: dict[str, None] = {}
    for runs in arms:
        for key in (CLIENT, *dict.fromkeys(key for run in runs for key in run.setup)):
            if len({fact(run, key) for run in runs}) > 1:
                found[key] = None
    return tuple(found)


def sweep(runs: Sequence[Run], arms: Iterable[Sequence[Run]] = (), known: Mapping[str, Spans] | None = None) -> Sweep:
    """What differs between the loads of these runs; `known` are lengths that points of a record have already."""
    own = [list(each) for each in arms]
    plain = Sweep(labels(runs), {}, tuple(key for key in LOAD if _only_hinted(key, runs)), _differing(own))
    lengths = told_apart(runs, own, plain.load, known or {})
    return replace(plain, lengths=lengths, hints=tuple(key for key in plain.hints if key not in lengths))


def _only_hinted(key: str, runs: Sequence[Run]) -> bool:
    """Whether only names speak of a key, and differ; a mean length that was measured says more than a name."""
    if any(key in run.where for run in runs):
        return False
    if key in LENGTHS and all(reached(run, key) is not None for run in runs):
        return False
    return len({hinted(run, key) for run in runs}) > 1


def hinted(run: Run, key: str) -> str | None:
    """The value of a load key that the names of a run's file and folders hint at."""
    return next((text(each.value) for each in run.suggestions if each.key == f"where.{key}"), None)


def labels(runs: Sequence[Run]) -> frozenset[str]:
    """Keys of `where` that tell runs apart and are no load."""
    values: dict[str, set[str]] = {}
    for run in runs:
        for key, value in run.where.items():
            values.setdefault(key, set()).add(text(value))
    return frozenset(key for key, found in values.items() if key not in LOAD and tells_apart(key, found))


def order(point: Load) -> tuple[tuple[str, float, str], ...]:
    """Sorts load points by value, `inf` last."""
    return tuple((key, _number(value), value) for key, value in point)


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return float("inf")


def varying(points: Iterable[Load]) -> tuple[str, ...]:
    """Keys that differ between load points, those of a load first."""
    values: dict[str, set[str]] = {}
    every = list(points)
    for point in every:
        for key, value in point:
            values.setdefault(key, set()).add(value)
    missing = {key for key in values if any(key not in dict(point) for point in every)}
    differ = [key for key, found in values.items() if len(found) > 1 or key in missing]
    return tuple(sorted(differ, key=lambda key: (LOAD.index(key) if key in LOAD else len(LOAD), key)))


def named(point: Load, keys: Sequence[str]) -> str:
    """A load point as part of an id: `r8`, `c64-i1024`."""
    values = dict(point)
    parts = [f"{SHORT.get(key, f'{key}-')}{values[key]}" for key in keys if key in values]
    return slug("-".join(parts))


def slug(words: str) -> str:
    """Words as an id: lower case, digits, dots and hyphens."""
    return re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9.]+", "-", words.lower())).strip("-.")[:60].strip("-.")


def spoken(values: Mapping[str, str], keys: Sequence[str]) -> str:
    """A load point in words: `a request rate of 8 and a concurrency of 64`."""
    parts = [f"{SPOKEN.get(key, key + ' of')} {values[key]}" for key in keys if key in values]
    return " and ".join(parts)
