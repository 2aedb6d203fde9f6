"""Facts in force: what a setup states, and under it the defaults that its components' releases are known to have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.component import Component, Facts
from kb.conditions import AnyOf, Condition, Conditions, Refusal, Span, Truth, single
from kb.once import kept, once
from kb.vocabulary import NOTHING, UNKNOWN, Operator

NOT_SET = "not-set"
_LACKING_OPS = (Operator.IS_NOT, Operator.NOT_IN, Operator.NOT_SET)
"""What holds of something that is not there."""
_SET_OPS = (Operator.SET, Operator.NOT_SET)
_SETTABLE = ("options.", "env.")
_BOTH = "both."


class _Absent:
    """Nothing is stated, or in force."""


_ABSENT = _Absent()
_PLAIN = frozenset({str, int, _Absent})


@once
def answers(condition: Condition) -> tuple[tuple[str, ...], dict[tuple[Any, ...], Truth]]:
    """Keys of the facts that a condition's answer rests on (its own, for both sides those of each, and whether the role
    they are of is empty), and what it was found to be by their values; kept with the condition."""
    given = tuple(name for name in (condition.key, condition.other) if name)
    named = tuple(dict.fromkeys(each for name in given for each in (name, *of_sides(name))))
    roles = (role for name in (condition.key, *of_sides(condition.key)) if (role := name.rpartition(".")[0]))
    return (*named, *(f"{role}.component" for role in roles)), {}


def of_sides(key: str) -> tuple[str, ...]:
    """The keys of each side for what is said of both: each of the two must be so."""
    return tuple(f"{side}.{key.removeprefix(_BOTH)}" for side in ("prefill", "decode")) if key.startswith(_BOTH) else ()


@dataclass(frozen=True)
class InForce(Mapping[str, Any]):
    """Setup key -> value. What is stated goes before what is in force by default; `unknown` stated stays unknown."""

    stated: Mapping[str, Any]
    """What the setup states, `unknown` included."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """What is in force where nothing is stated."""
    origins: Mapping[str, str] = field(default_factory=dict)
    """Key of a default -> the component and release whose artifact it was read in."""

    def __getitem__(self, key: str) -> Any:
        return self.stated[key] if key in self.stated else self.defaults[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The same without an error, which would take longer than the answer."""
        return self.stated[key] if key in self.stated else self.defaults.get(key, default)

    def __iter__(self) -> Iterator[str]:
        return iter({**self.defaults, **self.stated})

    def __len__(self) -> int:
        return len({**self.defaults, **self.stated})

    def __or__(self, granted: Mapping[str, Any]) -> InForce:
        """The same with facts that are stated elsewhere."""
        return InForce({**granted, **self.stated}, self.defaults, self.origins) if granted else self

    def test(self, condition: Condition | AnyOf) -> Truth:
        """Whether a condition is met. `set` and `not-set` look at what is stated; an option or variable that is not
        stated is not set. Everything else sees the default in force."""
        if isinstance(condition, AnyOf):
            return Truth.any(map(self.test, condition.any_of))
        keys, known = answers(condition)
        asked = self._values(keys)
        if asked is None:
            return self._test(condition)
        if asked not in known:
            known[asked] = self._test(condition)
        return known[asked]

    def _values(self, keys: Iterable[str]) -> tuple[Any, ...] | None:
        """The values on which an answer rests; None where they are not plain enough to be told apart by being equal
        (True is 1, and a list may not be looked up)."""
        found: list[Any] = []
        for key in keys:
            value = self.stated.get(key, _ABSENT)
            below = self.defaults.get(key, _ABSENT) if value is _ABSENT else _ABSENT
            if type(value) not in _PLAIN or type(below) not in _PLAIN:
                return None
            found += (value, below)
        return tuple(found)

    def _test(self, condition: Condition) -> Truth:
        if condition.key.startswith(_BOTH):
            return Truth.all(map(self._test_one, self._side_by_side(condition)))
        return self._test_one(condition)

    def _test_one(self, condition: Condition) -> Truth:
        if condition.key == "model" and condition.other is None:
            plain = condition.model_copy(update={"value": tuple(map(_unpublished, condition.value))})
            return plain.test({"model": _unpublished(self.get("model"))})
        if condition.key.startswith(_SETTABLE) and condition.key not in self.stated:
            if condition.op in _SET_OPS:
                return Truth.of(condition.op is Operator.NOT_SET)
            if condition.op is Operator.IN and NOT_SET in condition.value:
                return Truth.YES
            if condition.op is Operator.NOT_IN and NOT_SET in condition.value:
                return Truth.NO
        if self._nothing_there(condition):
            return Truth.of(condition.op in _LACKING_OPS)
        return condition.test(self)

    def _side_by_side(self, condition: Condition) -> Iterator[Condition]:
        """What a condition on both sides asks of each: of what the side states, else of what is said of both."""
        others = of_sides(condition.other or "") or (condition.other, condition.other)
        for key, other in zip(of_sides(condition.key), others, strict=False):
            named = {"key": key, "other": other}
            yield condition.model_copy(update={name: each for name, each in named.items() if each in self.stated})

    def _nothing_there(self, condition: Condition) -> bool:
        """Whether a condition speaks of a component's part in a role that is stated to be empty."""
        if condition.key in self.stated or condition.key in self.defaults or condition.other is not None:
            return False
        role, dot, _ = condition.key.rpartition(".")
        return bool(dot) and self.stated.get(f"{role}.component") == NOTHING

    def all(self, conditions: Conditions) -> Truth:
        """Whether all of them are met."""
        return Truth.all(map(self.test, conditions))

    def shown(self, key: str) -> str:
        """A value in words, and where a default came from."""
        sides = of_sides(key)
        if any(each in self.stated for each in sides) and len({repr(self.get(each)) for each in (key, *sides)}) > 1:
            return ", ".join(f"{each} {self.shown(each)}" for each in sides)
        value = self.get(key)
        if value is None:
            return "not stated"
        joined = " to " if isinstance(value, Span) else ", "
        text = joined.join(map(_told, value)) if isinstance(value, list | Span) else _told(value)
        return f"{text} (default of {self.origins[key]})" if key not in self.stated and key in self.origins else text


def _told(value: Any) -> str:
    """A value as it was written: a load of 1000 is read as 1000.0."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _unpublished(name: Any) -> Any:
    """A model's name without its publisher: `Qwen/Qwen3-32B` and `Qwen3-32B` are one model."""
    return name.rpartition("/")[2] if isinstance(name, str) and " " not in name else name


@dataclass(frozen=True)
class Ground:
    """What some releases have in force by default, worked out once for all that is stated on top of it."""

    plain: InForce
    """What holds whatever is stated."""
    bound: tuple[tuple[str, Facts], ...]
    """Release in words -> facts of it that hold under a condition."""
    shared: dict[str, Mapping[str, Any]] = field(default_factory=dict, compare=False, repr=False)
    """Defaults by what they say: releases that agree share theirs, so that agreeing is being the same."""

    def under(self, stated: Mapping[str, Any]) -> InForce:
        """The facts in force where this is stated; worked out once for all that states the same of what matters."""
        asked = tuple((key, repr(stated[key])) for key in self._matters if key in stated)
        if asked not in self._known:
            below = InForce(stated, self.plain.defaults, self.plain.origins)
            tested = [(where, fact, below.all(fact.when)) for where, fact in self.bound]
            applying = [each for each in tested if each[2] is not Truth.NO]
            laid = _laid(below, applying) if applying else below
            same = self.shared.setdefault(repr(sorted(laid.defaults.items())), laid.defaults)
            self._known[asked] = InForce(laid.stated, same, laid.origins)
        found = self._known[asked]
        return InForce(stated, found.defaults, found.origins)

    @kept
    def _matters(self) -> tuple[str, ...]:
        """Keys that the conditions of its facts speak of, and those that say whether the role is empty."""
        conditions = (each for _, fact in self.bound for _, each in single(fact.when))
        named = (name for each in conditions for name in (each.key, each.other) if name)
        return tuple(dict.fromkeys(key for name in named for key in (name, f"{name.rpartition('.')[0]}.component")))

    @kept
    def _known(self) -> dict[tuple[tuple[str, str], ...], InForce]:
        return {}


def ground(builds: Iterable[tuple[Component, str]], shared: dict[str, Mapping[str, Any]] | None = None) -> Ground:
    """What these releases of these components have in force by default."""
    known = [(f"{each.id} {version}", fact) for each, version in builds for fact in each.facts_at(version)]
    plain = _laid(InForce({}), [(where, fact, Truth.YES) for where, fact in known if not fact.when])
    bound = tuple((where, fact) for where, fact in known if fact.when)
    return Ground(plain, bound, {} if shared is None else shared)


def _laid(below: InForce, known: list[tuple[str, Facts, Truth]]) -> InForce:
    """Defaults over defaults, each with whether it applies."""
    defaults, origins = dict(below.defaults), dict(below.origins)
    for where, fact, applies in known:
        for key, value in _entries(fact):
            given = value if applies is Truth.YES else UNKNOWN
            if key in below.defaults and fact.when:
                defaults[key] = given  # what holds under a condition goes before what holds in general
            else:
                defaults[key] = given if defaults.get(key, given) == given else UNKNOWN
            origins[key] = where
    return InForce(below.stated, defaults, origins)


@once
def given(component: Component) -> frozenset[str]:
    """Setup keys for which any release of a component has a default."""
    return frozenset(key for fact in component.facts for key, _ in _entries(fact))


def _entries(fact: Facts) -> Iterator[tuple[str, Any]]:
    """Setup key -> default of one fact."""
    yield from ((f"options.{name}", value) for name, value in fact.options.items())
    yield from ((f"env.{name}", value) for name, value in fact.env.items())
    yield from ((f"caller.{name}", value) for name, value in fact.passes.items())
    yield from fact.defaults.items()


def refusals(component: Component, version: str, facts: InForce) -> Iterator[tuple[Refusal, Truth]]:
    """Combinations that a release refuses, and whether these facts are one of them."""
    for fact in component.facts_at(version):
        holds = facts.all(fact.when) if fact.refuses else Truth.NO
        for refusal in fact.refuses:
            yield refusal, holds if holds is Truth.NO else Truth.all((holds, facts.all(refusal.when)))
