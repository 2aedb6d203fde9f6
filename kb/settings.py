"""Options and variables that an arm sets, against those that a release of its components reads."""

from __future__ import annotations

from collections.abc import Iterator

from kb.component import Component
from kb.passage import Passage


def unread(passage: Passage, version: str) -> Iterator[str]:
    """Options and variables that the measured arm sets, that a component of the line is known to read in some release,
    and that this release does not read. Nothing where nobody read the release's artifact."""
    for key in passage.arm.settings:
        owners = _owners(passage, key)
        judged = [each for each in owners if passage.scene.registry.reads(each.id, version)]
        if judged and not any(_reads(each, version, key) for each in judged):
            yield key


def _owners(passage: Passage, key: str) -> tuple[Component, ...]:
    """Components of the line that read the option or variable in some release."""
    known = (passage.scene.library.components.get(name) for name in passage.line.components)
    kind, _, name = key.partition(".")
    return tuple(each for each in known if each and any(name in getattr(fact, kind) for fact in each.facts))


def _reads(component: Component, version: str, key: str) -> bool:
    kind, _, name = key.partition(".")
    return any(name in getattr(fact, kind) for fact in component.facts_at(version))
