"""Options and variables that an arm sets, against those that a release of its components reads."""

from __future__ import annotations

from kb.component import Component
from kb.once import once
from kb.passage import Passage
from kb.stake import Stake


def unread(passage: Passage, version: str) -> tuple[str, ...]:
    """Options and variables that the measured arm sets, that a component of the line is known to read in some release,
    and that this release does not read. Nothing where nobody read the release's artifact."""
    return _unread(passage.stake, version) if passage.arm.settings else ()


@once
def _unread(stake: Stake, version: str) -> tuple[str, ...]:
    return tuple(key for key in stake.arm.settings if _is_unread(key, stake, version))


def _is_unread(key: str, stake: Stake, version: str) -> bool:
    judged = [each for each in _owners(stake, key) if stake.scene.registry.reads(each.id, version)]
    return bool(judged) and not any(_reads(each, version, key) for each in judged)


@once
def _owners(stake: Stake, key: str) -> tuple[Component, ...]:
    """Components of the line that read the option or variable in some release."""
    known = (stake.scene.library.components.get(name) for name in stake.line.components)
    kind, _, name = key.partition(".")
    return tuple(each for each in known if each and any(name in getattr(fact, kind) for fact in each.facts))


def _reads(component: Component, version: str, key: str) -> bool:
    kind, _, name = key.partition(".")
    return any(name in getattr(fact, kind) for fact in component.facts_at(version))
