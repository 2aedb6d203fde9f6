"""Setup files beside the results: command lines, logs, manifests in the same folders, for each arm or for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.arranging.arms import Group
from kb.component import Component
from kb.importers.run import Imported
from kb.setups import NotASetup, Reading, read_texts, recognised
from kb.setups.merging import nested_tables
from kb.setups.reading import Fact
from kb.setups.source import decoded

MAX_BYTES = 8 << 20
"""Largest file beside the results that is looked into."""
LOGS = frozenset({".log", ".txt", ".out"})
"""Endings of result files in which the server may speak as well."""


@dataclass(frozen=True)
class Surroundings:
    """What the files beside the results say of the setup."""

    common: Reading | None = None
    arms: Mapping[str, Reading] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    """Sentences: files that could not be used."""

    def readings(self) -> list[Reading]:
        """All of them, the common one first."""
        return [*([self.common] if self.common else []), *self.arms.values()]


def look(got: Imported, groups: Sequence[Group], components: Mapping[str, Component]) -> Surroundings:
    """Read the setup files among what was given; a file in an arm's own folder speaks of that arm alone."""
    texts = [(name, text) for name in _candidates(got) if (text := _text(name)) is not None and recognised(name, text)]
    if not texts:
        return Surroundings()
    own: dict[str, list[tuple[str, str]]] = {}
    for name, text in texts:
        own.setdefault(_arm_of(name, groups), []).append((name, text))
    said: list[str] = []
    readings = {arm: reading for arm, each in own.items() if (reading := _read(each, components, said))}
    common = readings.pop("", None)
    return Surroundings(common, readings, tuple(said))


def _candidates(got: Imported) -> list[str]:
    with_runs = dict.fromkeys(run.file for run in got.runs if Path(run.file).suffix in LOGS)
    return [*(each.file for each in got.declined if each.file != "-"), *with_runs]


def _text(name: str) -> str | None:
    path = Path(name)
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return None
        return decoded(path.read_bytes(), name)
    except (OSError, NotASetup):
        return None


def _arm_of(name: str, groups: Sequence[Group]) -> str:
    """The arm whose files alone lie in, below or above the file's folder; nothing when several do, or none."""
    folder = Path(name).absolute().parent
    near = [
        group.id
        for group in groups
        if any(
            folder == (at := Path(run.file).absolute().parent) or folder in at.parents or at in folder.parents
            for run in group.runs
        )
    ]
    return near[0] if len(near) == 1 and len(groups) > 1 else ""


def _read(texts: list[tuple[str, str]], components: Mapping[str, Component], said: list[str]) -> Reading | None:
    try:
        return read_texts(texts, components)
    except NotASetup as error:
        said.append(error.message)
        return None


def flat(tables: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as dotted keys; names of options and variables keep their dots."""
    found: dict[str, Any] = {}
    for key, value in tables.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = value
    return found


def nested(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted facts as tables."""
    listed = {key: value for key, value in facts.items() if isinstance(value, list)}
    tables = nested_tables(Fact(key, str(value), "", "") for key, value in facts.items() if key not in listed)
    for key, value in listed.items():
        *path, last = key.split(".")
        here = tables
        for step in path:
            here = here.setdefault(step, {})
        here[last] = value
    return tables
