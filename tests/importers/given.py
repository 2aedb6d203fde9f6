"""Texts and files given to one importer, or to all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kb import importers
from kb.importers.run import Imported, Run, RunPoint
from kb.importers.source import of_text, open_file

FIXTURES = Path(__file__).parent / "fixtures"


def text(value: str, name: str = "-") -> Imported:
    """What comes of a text, whoever recognises it."""
    return importers.read_source(of_text(value, name))


def record(value: Mapping[str, Any]) -> Imported:
    """What comes of one JSON object."""
    return text(json.dumps(value))


def lines(values: Iterable[Mapping[str, Any]]) -> Imported:
    """What comes of JSON Lines."""
    return text("".join(json.dumps(value) + "\n" for value in values))


def file(path: Path) -> Imported:
    """What comes of a file."""
    with open_file(path) as source:
        return importers.read_source(source)


def only(got: Imported) -> Run:
    """The one run of it."""
    assert len(got.runs) == 1, got.declined
    return got.runs[0]


def point(run: Run, metric: str, stat: str = "mean") -> RunPoint | None:
    """A point of a run."""
    return next((each for each in run.points if each.metric == metric and each.stat.value == stat), None)


def value(run: Run, metric: str, stat: str = "mean") -> float | None:
    """Its value."""
    found = point(run, metric, stat)
    return found.value if found else None


def names(value: str) -> list[str]:
    """Importers that recognise a text."""
    source = of_text(value)
    return [each.NAME for each in importers.importers() if each.recognises(source)]
