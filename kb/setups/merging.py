"""Instances and facts from several texts -> one setup. Whatever they disagree on stays out and is said.

Facts of a side go to `prefill` and `decode` where the side is stated, and to `both` where every instance agrees. A side
that only a name suggests gives suggestions. Options and variables have no sides in a setup: what all share is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pydantic import ValidationError

from kb.component import Component
from kb.setup import Setup
from kb.setups.classes import connector_facts, unlisted
from kb.setups.reading import Fact, Found, Instance, NotRead, Reading, SideFound, SideName, Suggestion
from kb.setups.transfer import LOCAL, STORES

PER_SIDE = ("connector.", "engine.", "transfer_library.")
"""Pins that may differ from side to side."""
COUNTS = frozenset({"side.instances", "side.gpus"})
"""Never shared: both sides together have the sum."""
WHOLE = frozenset(
    {"command-line", "server-log", "kubernetes", "compose", "dstack", "sglang-server-info", "kubectl-describe"}
)
"""Kinds that show a server's whole configuration, so that a connector that is not there is none."""
_SAY = "; give each side a file and say --for prefill=FILE --for decode=FILE"
SIDES: tuple[SideName, ...] = ("prefill", "decode")


@dataclass
class _Merge:
    """The setup while it is put together."""

    instances: list[Instance]
    running: bool = False
    """Whether it is what runs, and no record of what was measured."""
    facts: list[Fact] = field(default_factory=list)
    not_read: list[NotRead] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)

    def values(self, key: str) -> list[tuple[Instance, Fact]]:
        """The last fact with that key of each instance that has one."""
        found = []
        for each in self.instances:
            last = next((fact for fact in reversed(each.facts) if fact.key == key), None)
            if last is not None:
                found.append((each, last))
        return found


class Part(NamedTuple):
    """What was found in one text."""

    name: str
    kind: str
    found: Found
    side: SideName | None = None
    """Side that the caller says it is of."""


def merged(parts: Sequence[Part], components: Mapping[str, Component], running: bool = False) -> Reading:
    """One reading of all texts."""
    instances = [
        replace(each, kind=part.kind, **_forced(part.side, each)) for part in parts for each in part.found.instances
    ]
    instances = _told_twice(instances)
    whole = [_of_side(fact, part.side) for part in parts for fact in part.found.facts]
    merge = _Merge([_with_classes(each, whole, components) for each in instances], running)
    merge.not_read += [each for part in parts for each in part.found.not_read]
    merge.suggestions += [each for part in parts for each in part.found.suggestions]
    merge.not_read += unlisted(merge.instances, components)
    _place_all(merge, whole)
    _topology(merge)
    setup, nested = _validated(merge)
    return Reading(
        setup,
        tuple((part.name, part.kind) for part in parts),
        tuple(SideFound(each.name, each.side, each.sure, each.why, each.place) for each in merge.instances),
        tuple(merge.facts),
        tuple(dict.fromkeys(merge.not_read)),
        tuple(_open_suggestions(merge)),
        nested=nested,
    )


def _open_suggestions(merge: _Merge) -> Iterator[Suggestion]:
    """Suggestions that no fact confirms, each once."""
    known = {(fact.key, fact.value) for fact in merge.facts}
    for each in merge.suggestions:
        if (each.key, each.value) not in known:
            known.add((each.key, each.value))
            yield each


def _forced(side: SideName | None, instance: Instance) -> dict[str, Any]:
    """The caller's word goes before a name's."""
    return {} if side is None or instance.sure else {"side": side, "sure": True, "why": "said by the caller"}


def _of_side(fact: Fact, side: SideName | None) -> Fact:
    """A build found on a machine of which the caller says the side."""
    return replace(fact, key=f"{side}.{fact.key}") if side and fact.key.startswith(PER_SIDE) else fact


def _told_twice(instances: list[Instance]) -> list[Instance]:
    """Two kinds of text about one server (its command and its log) are one instance when they never disagree."""
    kept: list[Instance] = []
    for each in instances:
        twins = [other for other in kept if _same_server(other, each)]
        if len(twins) == 1 and sum(_same_server(twins[0], other) for other in instances) == 1:
            twin = twins[0]
            known = {fact.key for fact in twin.facts}
            joined = (*twin.facts, *(fact for fact in each.facts if fact.key not in known))
            side = twin if twin.side else each
            may = _may_transfer(twin, each)
            told = replace(twin, facts=joined, side=side.side, sure=side.sure, why=side.why, may_transfer=may)
            kept[kept.index(twin)] = told
        else:
            kept.append(each)
    return kept


def _may_transfer(one: Instance, other: Instance) -> bool:
    """Of a command and its log the log decides, where it prints the arguments: there nothing is filled in any more."""
    logs = [each for each in (one, other) if each.kind == "server-log"]
    if not logs:
        return one.may_transfer or other.may_transfer
    log = logs[0]
    return log.may_transfer if log.whole else (other if log is one else one).may_transfer


def _same_server(one: Instance, other: Instance) -> bool:
    """Another kind of text, sides that may be one, the same model, and no key on which they disagree."""
    if one is other or one.kind == other.kind:
        return False
    if one.side and other.side and one.side != other.side:
        return False
    mine = {fact.key: fact.value for fact in one.facts}
    theirs = {fact.key: fact.value for fact in other.facts}
    shared = mine.keys() & theirs.keys()
    return mine.get("model") == theirs.get("model") is not None and all(
        mine[key].lower() == theirs[key].lower() for key in shared
    )


def _with_classes(instance: Instance, whole: Iterable[Fact], components: Mapping[str, Component]) -> Instance:
    version = instance.value("engine.version") or next(
        (fact.value for fact in whole if fact.key == "engine.version"), None
    )
    return replace(instance, facts=(*instance.facts, *connector_facts(instance.facts, version, components)))


def _place_all(merge: _Merge, whole: Sequence[Fact]) -> None:
    keys = list(dict.fromkeys(fact.key for each in merge.instances for fact in each.facts))
    for key in keys:
        if key.startswith("side."):
            _side(key, merge)
        elif key.startswith(PER_SIDE):
            _pin(key, merge)
        elif key.startswith(("options.", "env.")):
            _shared(key, merge)
        else:
            _agreed(key, [fact for _, fact in merge.values(key)], merge)
    for key in dict.fromkeys(fact.key for fact in whole):
        _agreed(key, [fact for fact in whole if fact.key == key], merge)


def _agreed(key: str, facts: Sequence[Fact], merge: _Merge) -> None:
    """One value for the whole, else none; what is known already is confirmed or contradicted."""
    before = [fact for fact in merge.facts if fact.key == key]
    values = {fact.value.lower() for fact in (*before, *facts)}
    if len(values) == 1:
        merge.facts += [] if before else [facts[0]]
        return
    merge.facts[:] = [fact for fact in merge.facts if fact.key != key]
    _disagree(key, [*before, *facts], merge)


def _disagree(key: str, facts: Sequence[Fact], merge: _Merge) -> None:
    said = "; ".join(f"{fact.value} ({fact.place})" for fact in facts)
    merge.not_read.append(NotRead(f"{key}: {said}"[:300], facts[0].place, "they disagree; say which one ran"))


def _by_side(pairs: Iterable[tuple[Instance, Fact]]) -> dict[SideName | None, list[tuple[Instance, Fact]]]:
    found: dict[SideName | None, list[tuple[Instance, Fact]]] = {}
    for instance, fact in pairs:
        found.setdefault(instance.side if instance.sure else None, []).append((instance, fact))
    return found


def _alike(pairs: Sequence[tuple[Instance, Fact]]) -> bool:
    return len({fact.value.lower() for _, fact in pairs}) == 1


def _covers_both(merge: _Merge) -> bool:
    """Whether the instances speak for prefill and decode alike."""
    sure = {each.side for each in merge.instances if each.sure}
    unsure = [each for each in merge.instances if not each.sure]
    return set(SIDES) <= sure or len(unsure) >= 2 or (bool(sure) and bool(unsure))


def _side(key: str, merge: _Merge) -> None:
    pairs, rest = merge.values(key), key.removeprefix("side.")
    shared = key not in COUNTS and len(pairs) == len(merge.instances) and _alike(pairs)
    if shared and (_covers_both(merge) or _alone(merge)):
        merge.facts.append(replace(pairs[0][1], key="hardware.gpu" if rest == "gpu" else f"both.{rest}"))
        return
    for side, own in _by_side(pairs).items():
        if side is not None:
            _one_side(side, rest, own, merge)
        else:
            _unsure(rest, own, merge)


def _alone(merge: _Merge) -> bool:
    """One server that hands KV to no other: the only side there is."""
    return len(merge.instances) == 1 and not merge.instances[0].sure and not hands_over(merge.instances[0])


def hands_over(instance: Instance) -> bool:
    """Whether an instance is configured to move KV between prefill and decode, or may be."""
    if instance.value("connector.mode") in {"pull", "push"} or instance.value(
        "options.disaggregation-transfer-backend"
    ):
        return True
    name = instance.value("connector.class_name") or instance.value("connector.wrapped_by")
    if name is None:
        return instance.may_transfer
    return name not in STORES and name not in LOCAL


def _either(merge: _Merge) -> bool:
    """One server that runs and takes either role: what it states is true of prefill and decode. Of a measurement it is
    not said which side it ran."""
    only = merge.instances[0] if len(merge.instances) == 1 and merge.running else None
    return only is not None and only.side is None and only.value("side.kv_role") == "kv_both"


def _one_side(side: SideName, rest: str, own: Sequence[tuple[Instance, Fact]], merge: _Merge) -> None:
    if rest in {"instances", "gpus"} and len(own) > 1 and all(fact.value.isdigit() for _, fact in own):
        total = sum(int(fact.value) for _, fact in own)
        merge.facts.append(replace(own[0][1], key=f"{side}.{rest}", value=str(total), how=f"{own[0][1].how}, added up"))
    elif _alike(own):
        merge.facts.append(replace(own[0][1], key=f"{side}.{rest}"))
    else:
        _disagree(f"{side}.{rest}", [fact for _, fact in own], merge)


def _unsure(rest: str, own: Sequence[tuple[Instance, Fact]], merge: _Merge) -> None:
    """Facts of instances whose side is not stated."""
    if _alone(merge) or (_either(merge) and f"side.{rest}" not in COUNTS):
        merge.facts.append(replace(own[0][1], key=f"both.{rest}"))
        return
    for instance, fact in own:
        if instance.side:
            why = f"{fact.how}; that this is {instance.side}, only {instance.why} says"
            merge.suggestions.append(Suggestion(f"{instance.side}.{rest}", fact.value, fact.place, why))
        elif len(merge.instances) == 1:
            why = f"{fact.how}; which side this server is, is not said"
            merge.suggestions.append(Suggestion(f"both.{rest}", fact.value, fact.place, why))
        else:
            hint = _SAY if instance.value("side.kv_role") == "kv_both" else ""
            why = f"which side {instance.name} is, is not said{hint}"
            merge.not_read.append(NotRead(f"{fact.how} {fact.value}", fact.place, why))


def _pin(key: str, merge: _Merge) -> None:
    pairs = merge.values(key)
    complete = len(pairs) == len(merge.instances)
    only = len(merge.instances) == 1 and merge.instances[0].sure
    if _alike(pairs) and complete and not only and (_covers_both(merge) or len(merge.instances) == 1):
        merge.facts.append(replace(pairs[0][1], key=key))
        return
    for side, own in _by_side(pairs).items():
        if side is None:
            _unsure(key, own, merge)
        elif _alike(own):
            merge.facts.append(replace(own[0][1], key=f"{side}.{key}"))
        else:
            _disagree(f"{side}.{key}", [fact for _, fact in own], merge)


def _shared(key: str, merge: _Merge) -> None:
    """An option or variable: taken where every instance sets it alike."""
    pairs = merge.values(key)
    only = len(merge.instances) == 1 and merge.instances[0].sure
    if _alike(pairs) and len(pairs) == len(merge.instances) and not only:
        merge.facts.append(pairs[0][1])
        return
    said = "; ".join(f"{instance.name}: {fact.value}" for instance, fact in pairs)
    lacking = [each.name for each in merge.instances if each not in [instance for instance, _ in pairs]]
    why = "the instances differ, and a setup's options have no sides"
    if only:
        why = f"set on {merge.instances[0].side}; the other side was not read"
    elif lacking:
        why = f"not set on {', '.join(lacking)}, and a setup's options have no sides"
    merge.not_read.append(NotRead(f"{key} {said}"[:300], pairs[0][1].place, why))


def _topology(merge: _Merge) -> None:
    counts = {side: next((f for f in merge.facts if f.key == f"{side}.instances"), None) for side in SIDES}
    prefill, decode = counts["prefill"], counts["decode"]
    if any(fact.key == "topology" for fact in merge.facts):
        return
    if prefill and decode and prefill.value.isdigit() and decode.value.isdigit():
        merge.facts.append(
            Fact("topology", f"{int(prefill.value)}P{int(decode.value)}D", prefill.place, "instances of both sides")
        )
    elif _alone(merge) and merge.instances[0].kind in WHOLE:
        each = merge.instances[0]
        merge.facts.append(
            Fact("topology", "aggregated", each.place, "one server, and no connector that hands KV to another")
        )
    elif {each.side for each in merge.instances} == set(SIDES):
        numbers = [sum(each.side == side for each in merge.instances) for side in SIDES]
        why = "commands or entries counted; how many of each run is not said"
        merge.suggestions.append(Suggestion("topology", f"{numbers[0]}P{numbers[1]}D", merge.instances[0].place, why))


def _validated(merge: _Merge) -> tuple[Setup, dict[str, Any]]:
    """The setup; facts that do not fit its fields are taken out and said."""
    while True:
        nested = nested_tables(merge.facts)
        try:
            return Setup.model_validate(nested), nested
        except ValidationError as error:
            wrong = {_key(each["loc"], merge.facts): str(each["msg"]) for each in error.errors(include_url=False)}
            if not any(fact.key in wrong for fact in merge.facts):
                raise
            for fact in merge.facts:
                if fact.key in wrong:
                    merge.not_read.append(
                        NotRead(
                            f"{fact.how} {fact.value}"[:300], fact.place, f"does not fit {fact.key}: {wrong[fact.key]}"
                        )
                    )
            merge.facts[:] = [fact for fact in merge.facts if fact.key not in wrong]


def _key(loc: Sequence[str | int], facts: Sequence[Fact]) -> str:
    """The fact at a place that validation names; unions add words of their own behind it."""
    text = ".".join(map(str, loc))
    fitting = [fact.key for fact in facts if text == fact.key or text.startswith(f"{fact.key}.")]
    return max(fitting, key=len, default=text)


def nested_tables(facts: Iterable[Fact]) -> dict[str, Any]:
    """Facts as the nested tables of a record; names of options and variables keep their dots."""
    nested: dict[str, Any] = {}
    for fact in facts:
        *path, last = _steps(fact.key)
        table = nested
        for step in path:
            table = table.setdefault(step, {})
        table[last] = _written(fact)
    return nested


def _steps(key: str) -> Iterator[str]:
    head, dot, rest = key.partition(".")
    if head in {"options", "env"} and dot:
        yield from (head, rest)
    else:
        yield from key.split(".")


def _written(fact: Fact) -> Any:
    """Several values of a swept quantity are a list."""
    if fact.key.startswith("workload.") and ", " in fact.value:
        return fact.value.split(", ")
    return fact.value
