"""The newest releases that go together: what one component requires of another bounds how far the other is moved.

An engine, or a stack around it, pins its transfer library. A claim that is moved to the newest releases is moved to
what somebody can install, and not to a library that its newest engine excludes. Where a release of the engine is asked
for, the library comes with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.conditions import Truth
from kb.inforce import InForce
from kb.registry import Registry
from kb.setup import PIN_KEYS
from kb.versions import contains

ORDER = ("stack", *(role for role in PIN_KEYS if role != "stack"))
"""Roles in the order in which what fills them decides for the others: a stack decides for its engine, too."""


def together(
    components: Mapping[str, str], asked: Mapping[str, tuple[str, ...]], stated: Mapping[str, Any], registry: Registry
) -> Mapping[str, str]:
    """Distribution -> its newest release that those before it allow, by what they require in this setup.

    `components` are distributions, in the order of their roles, each with a component that ships in it; `asked` are
    the releases that somebody named, which nothing bounds: of several any may run, and what all of them require bounds
    others. Of a distribution that nothing bounds, or of which no known release is allowed, nothing is said.
    Requirements under a condition of which it is not known whether it is met bound nothing.
    """
    found: dict[str, str] = {}
    facts, bounds = InForce(stated), dict[str, list[str]]()
    for distribution, component in components.items():
        version = None
        if distribution not in asked and distribution in bounds:
            version = _allowed(component, bounds[distribution], registry)
            found |= {distribution: version} if version else {}
        running = asked.get(distribution, (version or registry.newest(component),))
        spans = [required(component, each, facts, registry).items() for each in running]
        for name, span in spans[0] if spans else ():
            if all((name, span) in each for each in spans):
                bounds.setdefault(name.partition("[")[0], []).append(span)  # with an extra it is the same distribution
    return found


def _allowed(component: str, spans: list[str], registry: Registry) -> str | None:
    """The newest release within all of these ranges; what is no range (`any`) bounds nothing."""
    versions = (each.version for each in reversed(registry.releases(component)))
    return next((each for each in versions if all(contains(span, each) is not False for span in spans)), None)


def required(component: str, version: str | None, facts: InForce, registry: Registry) -> Mapping[str, str]:
    """What a release requires where these facts are in force: distribution, with its extra in brackets -> range."""
    known = registry.library.components.get(component)
    plain, bound = known.required_at(version) if known and version else ({}, ())
    met = [fact for fact in bound if facts.all(fact.when) is Truth.YES]
    return {**plain, **{str(name): str(span) for fact in met for name, span in fact.requires.items()}} if met else plain
