"""A connector class that is not the named component's, or works the other way.

## What it flags
A `class_name` that the component's record does not list although it lists others, and a `mode` that is not the one the
class has.

## Why it matters
`NixlConnector` is the pull class. A push result recorded under it would be audited against the wrong code.

## Example
    setup: {connector: {component: vllm-nixl-push, class_name: NixlConnector, mode: push}}

## What to do
Correct the class, the component or the mode; a class that is missing is added to the component's `classes`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.component import Component
from kb.finding import Loc, Problem
from kb.library import Library
from kb.mentions import pins
from kb.reading import Loaded
from kb.setup import Connector
from kb.suggest import did_you_mean
from kb.vocabulary import UNKNOWN, Severity, TransferMode

CODE = "KB148"
NAME = "class-does-not-fit"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Class and mode of every connector."""
    for loc, pin in pins(loaded.record):
        component = library.components.get(pin.component or "")
        if isinstance(pin, Connector) and component and component.classes:
            yield from _judge(loc, pin, component, library)


def _judge(loc: Loc, pin: Connector, component: Component, library: Library) -> Iterator[Problem]:
    named = [each for each in component.classes if pin.class_name in {None, UNKNOWN, each.name}]
    if not named:
        owners = sorted(library.answering_component(str(pin.class_name)) - {component.id})
        hint = f"it is a class of {', '.join(owners)}" if owners else None
        hint = hint or did_you_mean(str(pin.class_name), [each.name for each in component.classes])
        yield Problem(
            (*loc, "class_name"), f'"{pin.class_name}" is no class of {component.id}', hint or _classes(component)
        )
        return
    modes = {each.mode for each in named}
    open_modes = {None, TransferMode.UNKNOWN}
    if pin.mode not in open_modes and not modes & open_modes and pin.mode not in modes:
        has = " or ".join(sorted(str(mode) for mode in modes))
        what = pin.class_name if pin.class_name not in {None, UNKNOWN} else component.id
        yield Problem((*loc, "mode"), f"{what} works by {has}, not {pin.mode}", "correct the mode or the class")


def _classes(component: Component) -> str:
    return f"its classes: {', '.join(sorted({each.name for each in component.classes}))}"
