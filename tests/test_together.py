"""Newest releases that go together, and how several versions are told."""

from __future__ import annotations

import pytest

from kb.component import Component
from kb.library import Library
from kb.reading import read
from kb.registry import Registry
from kb.together import together
from kb.verdict import asked_at, newest_of

STACK = """schema_version: 1
id: crate
title: Crate, a stack
kind: stack
releases:
  - {version: "1.0.0", date: 2026-01-01}
  - {version: "1.1.0", date: 2026-05-01}
facts:
  - versions: ">=1.1.0"
    when: [{key: engine.component, op: is, value: ember, why: its extra}]
    requires: {ember: "==2.1.0"}
    read_in: METADATA
"""
ENGINE = """schema_version: 1
id: ember
title: Ember, an engine
kind: engine
releases:
  - {version: "2.0.0", date: 2026-01-01}
  - {version: "2.1.0", date: 2026-03-01}
  - {version: "2.2.0", date: 2026-06-01}
facts:
  - {versions: "==2.1.0", requires: {"wire[fast]": ">=0.4,<0.6", other: any}, read_in: requirements}
  - {versions: "==2.2.0", requires: {wire: "==0.7.0"}, read_in: requirements}
"""
LIBRARY = """schema_version: 1
id: wire-lib
title: Wire, a transfer library
kind: transfer-library
ships_in: wire
releases:
  - {version: "0.4.0", date: 2026-01-01}
  - {version: "0.5.0", date: 2026-02-01}
  - {version: "0.6.0", date: 2026-04-01}
  - {version: "0.7.0", date: 2026-06-01}
  - {version: "0.8.0", date: 2026-07-01}
"""


@pytest.fixture
def registry() -> Registry:
    texts = {"crate": STACK, "ember": ENGINE, "wire-lib": LIBRARY}
    return Registry(Library(tuple(read(Component, f"components/{name}.yaml", text) for name, text in texts.items())))


BARE = {"ember": "ember", "wire": "wire-lib"}
STACKED = {"crate": "crate", **BARE}


@pytest.mark.parametrize(
    ("components", "asked", "engine", "expected"),
    [
        (BARE, {}, "ember", {"wire": "0.7.0"}),
        (BARE, {"ember": "2.1.0"}, "ember", {"wire": "0.5.0"}),
        (BARE, {"ember": "2.0.0"}, "ember", {}),
        (BARE, {"ember": "9.9.9"}, "ember", {}),
        (BARE, {"wire": "0.8.0"}, "ember", {}),
        (STACKED, {}, "ember", {"ember": "2.1.0", "wire": "0.5.0"}),
        (STACKED, {"ember": "2.2.0"}, "ember", {"wire": "0.7.0"}),
        (STACKED, {"crate": "1.0.0"}, "ember", {"wire": "0.7.0"}),
        (STACKED, {}, "flint", {"wire": "0.7.0"}),
        (STACKED, {}, "unknown", {"wire": "0.7.0"}),
        ({"wire": "wire-lib"}, {}, "ember", {}),
    ],
)
def test_what_those_before_it_require_bounds_a_distribution(
    registry: Registry, components: dict[str, str], asked: dict[str, str], engine: str, expected: dict[str, str]
) -> None:
    """A stack bounds the engine, and the engine that is left its library; what is asked for is bound by nothing."""
    named = {name: (version,) for name, version in asked.items()}
    assert together(components, named, {"engine.component": engine}, registry) == expected


def test_of_several_that_may_run_what_all_require_bounds(registry: Registry) -> None:
    stated = {"engine.component": "ember"}
    assert together(BARE, {"ember": ("2.1.0", "2.2.0")}, stated, registry) == {}
    assert together(BARE, {"ember": ("2.2.0", "2.2.0")}, stated, registry) == {"wire": "0.7.0"}
    assert together(BARE, {"ember": ()}, stated, registry) == {}


def test_versions_that_differ_between_arms_are_all_told() -> None:
    told = asked_at([{"ember": "2.2.0", "wire": "unknown"}, {"ember": "2.1.0"}, {"ember": "2.1.0 and 2.2.0"}])
    assert told == {"ember": "2.2.0 and 2.1.0", "wire": "unknown"}


@pytest.mark.parametrize(
    ("words", "newest"),
    [
        ("2.9.0 and 2.10.0", "2.10.0"),
        ("2.1.0", "2.1.0"),
        ("unknown", "unknown"),
        ("2.1.0 and unknown", "2.1.0 and unknown"),
    ],
)
def test_the_newest_of_several(words: str, newest: str) -> None:
    assert newest_of(words) == newest
