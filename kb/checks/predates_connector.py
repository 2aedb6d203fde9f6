"""A build older than the connector it is said to have run.

## What it flags
A connector class together with a release of its distribution in which that class cannot be configured, according to the
component's record. Development builds, branches, commits, forks and images are not judged.

## Why it matters
One of the two pins is wrong: the result was measured on another build, or with another class.

## Example
    setup:
      engine: {component: vllm, version: 0.20.0}
      connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}

## What to do
Look both up in the source; where it does not state the version, it is `unknown`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.checks.no_such_release import is_own_build
from kb.component import Component
from kb.evaluation import Evaluation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.mentions import setups
from kb.reading import Loaded
from kb.setup import Connector, Pin, Setup
from kb.versions import contains, parse, parse_range
from kb.vocabulary import Severity

CODE = "KB147"
NAME = "predates-connector"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Connectors against the version of what they ship in."""
    record = loaded.record
    common = record.setup if isinstance(record, Evaluation) else None
    for loc, setup in setups(record):
        for path, connector, engine in _sides(setup, common):
            component = library.components.get(connector.component or "")
            if component and (version := _version(connector, engine, component, library)):
                yield from _judge((*loc, *path), connector, component, version, library)


def _sides(setup: Setup, common: Setup | None) -> Iterator[tuple[Loc, Connector, Pin | None]]:
    """Each connector as written or inherited, with the engine that runs beside it."""
    shared = setup.engine or (common.engine if common else None)
    connector = setup.connector or (common.connector if common and setup.engine else None)
    if connector:
        yield ("connector",), connector, shared
    for name in ("prefill", "decode", "both"):
        side = getattr(setup, name)
        if side and side.connector:
            yield (name, "connector"), side.connector, side.engine or shared


def _version(connector: Connector, engine: Pin | None, component: Component, library: Library) -> str | None:
    """The version of the connector's distribution: its own pin, else the engine's when it ships with that."""
    if is_own_build(connector) or (engine and is_own_build(engine)):
        return None
    if connector.version and _usable(connector.version):
        return connector.version
    host = library.components.get(engine.component or "") if engine else None
    ships_along = host is not None and component.ships_in == (host.ships_in or host.id)
    return engine.version if engine and ships_along and engine.version and _usable(engine.version) else None


def _usable(version: str) -> bool:
    parsed = parse(version)
    return not (parsed.is_devrelease or parsed.local) if parsed else parse_range(version) is not None


def _judge(loc: Loc, connector: Connector, component: Component, version: str, library: Library) -> Iterator[Problem]:
    ranges = [each.versions for each in component.classes if connector.class_name in {None, each.name}]
    if not ranges or any(_meets(version, span, component, library) for span in ranges):
        return
    what = connector.class_name or component.title
    hint = f"{what} can be configured in {' or '.join(ranges)}"
    yield Problem((*loc, "class_name" if connector.class_name else "component"), f"{version} has no {what}", hint)


def _meets(version: str, span: str, component: Component, library: Library) -> bool:
    if parse(version) is not None:
        return contains(span, version) is not False
    releases = library.releases_of(component.id)
    inside = [each.version for each in releases if contains(version, each.version)]
    return not inside or any(contains(span, each) for each in inside)
