"""A connector's class name -> the component that lists it and who moves the KV under that name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kb.component import Component
from kb.setups.reading import Fact, Instance, NotRead
from kb.setups.transfer import LOCAL, STORES, TRANSFERS
from kb.suggest import did_you_mean
from kb.versions import contains


def of_class(name: str, version: str | None, components: Mapping[str, Component]) -> tuple[str, str] | None:
    """Component and mode of a class; None when no component lists it, or releases that it may be differ."""
    found = {
        (component.id, each.mode.value if each.mode else "")
        for component in components.values()
        for each in component.classes
        if each.name == name and (version is None or contains(each.versions, version) is not False)
    }
    return found.pop() if len(found) == 1 else None


def connector_facts(facts: Iterable[Fact], version: str | None, components: Mapping[str, Component]) -> list[Fact]:
    """Facts that follow from the class (vLLM) or the transfer backend (SGLang) that an instance is configured with."""
    made: list[Fact] = []
    for fact in facts:
        if fact.key == "connector.class_name" and (found := of_class(fact.value, version, components)):
            made += _pin(found, fact, f"the component that lists class {fact.value}")
        elif fact.key == "options.disaggregation-transfer-backend":
            component = components.get(f"sglang-{fact.value}")
            if component is not None:
                modes = {each.mode.value for each in component.classes if each.mode}
                mode = modes.pop() if len(modes) == 1 else ""
                made += _pin((component.id, mode), fact, f"SGLang's transfer backend {fact.value}")
    return made


def _pin(found: tuple[str, str], fact: Fact, how: str) -> list[Fact]:
    component, mode = found
    made = [Fact("connector.component", component, fact.place, how)]
    return [*made, Fact("connector.mode", mode, fact.place, how)] if mode and mode != "unknown" else made


def unlisted(instances: Iterable[Instance], components: Mapping[str, Component]) -> Iterator[NotRead]:
    """Connector classes that no component lists."""
    known = {each.name for component in components.values() for each in component.classes}
    for fact in (fact for instance in instances for fact in instance.facts if fact.key == "connector.class_name"):
        if known and fact.value not in known | TRANSFERS | STORES.keys() | LOCAL:
            hint = did_you_mean(fact.value, known)
            why = "no component lists this class; which code it runs is not known" + (f"; {hint}" if hint else "")
            yield NotRead(f"{fact.how} {fact.value}", fact.place, why)
