"""Conditions over typed keys, in three-valued logic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from math import isinf
from operator import ge, gt, le, lt
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Discriminator, Field, Tag, model_validator

from kb.finding import Loc
from kb.model import Model, Name, Part, Scalars, Text
from kb.versions import contains, parse
from kb.vocabulary import UNKNOWN, Operator


class Truth(Enum):
    """Yes, no or unknown; unknown is combined here and nowhere else (Kleene's strong logic)."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, value: bool | None) -> Truth:
        """None is unknown."""
        return cls.UNKNOWN if value is None else cls.YES if value else cls.NO

    @classmethod
    def all(cls, truths: Iterable[Truth]) -> Truth:
        """Any no: no; else any unknown: unknown; else yes."""
        found = cls.YES
        for truth in truths:
            if truth is cls.NO:
                return truth
            if truth is cls.UNKNOWN:
                found = truth
        return found

    @classmethod
    def any(cls, truths: Iterable[Truth]) -> Truth:
        """Any yes: yes; else any unknown: unknown; else no."""
        return ~cls.all(~truth for truth in truths)

    def __invert__(self) -> Truth:
        return Truth.NO if self is Truth.YES else Truth.YES if self is Truth.NO else self


_MANY = (Operator.IN, Operator.NOT_IN)  # tuples: an Enum is found in them without working out its hash
_NONE = (Operator.SET, Operator.NOT_SET)
_RANGES = (Operator.WITHIN, Operator.LOW_IN, Operator.HIGH_IN)
_SAME = (Operator.IS, Operator.IN)
_OTHER = (Operator.IS_NOT, Operator.NOT_IN)


class Condition(Part):
    """One thing that must be so: a key, an operator, a value or another key, and why it matters."""

    key: Name
    """Which fact: a setup key (`decode.prefix_caching`, `workload.request_rate`), `options.NAME`, `env.NAME`,
    `versions.COMPONENT`, or `caller.NAME` (what the calling component passes)."""
    op: Operator = Operator.IS
    """How it is compared; `within` takes a two-number range, `matches` a range of versions, `set`/`not-set` nothing.
    `low-in` and `high-in` are for sources that say "light load" or "the demanding end" of a range without a boundary:
    the end itself meets it, outside the range does not, anything between is unknown."""
    value: Scalars = ()
    """What it is compared with, in the key's unit; several values for `in`, `not-in` and `within`."""
    other: Name | None = None
    """Another key to compare with instead of a value, e.g. `prefill.tp` `is` `decode.tp`."""
    arm: Name | None = None
    """The arm it speaks of; without it, every arm."""
    why: Text | None = None
    """Why the conclusion depends on it: what happens outside."""

    @model_validator(mode="after")
    def _arity(self) -> Self:
        given = len(self.value)
        if self.op in _NONE:
            wanted, right = "no value", given == 0 and self.other is None
        elif self.other is not None:
            wanted, right = "a value or another key, not both", given == 0
        elif self.op in _RANGES:
            wanted, right = "two numbers [from, to]", given == 2 and all(_number(v) is not None for v in self.value)
        elif self.op in _MANY:
            wanted, right = "at least one value", given > 0
        else:
            wanted, right = "one value or another key", given == 1
        if not right:
            raise ValueError(f'"{self.op}" takes {wanted}')
        return self

    def test(self, facts: Mapping[str, Any]) -> Truth:
        """Whether `facts` (key -> value, unknown allowed) meet it; a fact that is missing or unknown is unknown."""
        fact = facts.get(self.key)
        if self.op in _NONE:
            return _is_set(fact) if self.op is Operator.SET else ~_is_set(fact)
        versions = self.key.startswith("versions.") or self.key.endswith(".version")
        if self.other is None:
            return compare(fact, self.op, self.value, versions=versions)
        other = facts.get(self.other)
        values = tuple(other) if isinstance(other, list | tuple) and not isinstance(other, Span) else (other,)
        if any(isinstance(each, Span) for each in values):
            return Truth.UNKNOWN
        return compare(fact, self.op, values, versions=versions)

    def __str__(self) -> str:
        right = self.other or (self.value[0] if len(self.value) == 1 else f"[{', '.join(self.value)}]")
        text = f"{self.key} {self.op}" if self.op in _NONE else f"{self.key} {self.op} {right}"
        return f"{self.arm}: {text}" if self.arm else text


class AnyOf(Model):
    """Alternatives: at least one of them must be so."""

    any_of: tuple[Condition, ...] = Field(min_length=2)
    """The alternatives."""
    why: Text | None = None
    """Why the conclusion depends on it: what happens outside."""

    def test(self, facts: Mapping[str, Any]) -> Truth:
        """Whether `facts` meet one of them."""
        return Truth.any(each.test(facts) for each in self.any_of)

    def __str__(self) -> str:
        return " or ".join(map(str, self.any_of))


def _which(value: Any) -> str:
    return "any-of" if isinstance(value, AnyOf) or (isinstance(value, dict) and "any_of" in value) else "condition"


Conditions = tuple[
    Annotated[Annotated[Condition, Tag("condition")] | Annotated[AnyOf, Tag("any-of")], Discriminator(_which)], ...
]
"""All of them must be so; an entry may be a group of alternatives (`any_of`)."""


def single(conditions: Conditions) -> Iterator[tuple[Loc, Condition]]:
    """Every condition with its place, those inside groups included."""
    for n, each in enumerate(conditions):
        if isinstance(each, AnyOf):
            yield from (((n, "any_of", m), inner) for m, inner in enumerate(each.any_of))
        else:
            yield (n,), each


class Span(NamedTuple):
    """A fact that is a range: every value between the ends may occur."""

    low: float
    high: float


class Vague(str):
    """A fact in words of which no value is known: a mean alone, or one end of a range."""

    __slots__ = ()


def compare(fact: Any, op: Operator, values: tuple[Any, ...], *, versions: bool = False) -> Truth:
    """Compare one fact with values.

    A list must meet the comparison as a whole: some yes and some no is unknown, the target is partly inside. A
    Span counts with everything between its ends. With `versions`, text is compared as PEP 440 versions: 0.10 above 0.9.
    """
    if isinstance(fact, Span):
        return _compare_span(fact, op, values)
    if isinstance(fact, list | tuple):
        each = {compare(one, op, values, versions=versions) for one in fact}
        return each.pop() if len(each) == 1 else Truth.UNKNOWN
    if _is_unknown(fact) or any(map(_is_unknown, values)):
        return Truth.UNKNOWN
    if op in _OTHER:
        return ~Truth.any(_equal(fact, value, versions) for value in values)
    if op in _SAME:
        return Truth.any(_equal(fact, value, versions) for value in values)
    if op is Operator.MATCHES:
        return Truth.of(contains(str(values[0]), str(fact)))
    if op in _RANGES:
        return _in_range(fact, op, values[0], values[1])
    return _ordered(fact, op, values[0], versions)


def _compare_span(fact: Span, op: Operator, values: tuple[Any, ...]) -> Truth:
    if fact.low == fact.high:
        return compare(fact.low, op, values)
    numbers = [_number(value) for value in values]
    if any(number is None for number in numbers):
        return Truth.UNKNOWN
    if op in (*_SAME, *_OTHER):
        touched = any(fact.low <= number <= fact.high for number in numbers if number is not None)
        meets = Truth.UNKNOWN if touched else Truth.NO
        return meets if op in _SAME else ~meets
    ends = {compare(end, op, values) for end in fact}
    if op in _RANGES:
        low, high = numbers[0] or 0.0, numbers[1] or 0.0
        if fact.high < low or fact.low > high:
            return Truth.NO
        return Truth.YES if ends == {Truth.YES} else Truth.UNKNOWN
    return ends.pop() if len(ends) == 1 else Truth.UNKNOWN


def _is_unknown(value: Any) -> bool:
    return value is None or value == UNKNOWN or isinstance(value, Vague)


def _is_set(fact: Any) -> Truth:
    return Truth.UNKNOWN if _is_unknown(fact) else Truth.of(fact != "not-set")


def _number(value: Any) -> float | None:
    return _read(value) if isinstance(value, str) else _plain(value)


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> float | None:
    """Most text is no number, and finding that out is what takes long."""
    return _plain(text)


def _plain(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    if number != number or (isinf(number) and isinstance(value, str) and "inf" not in value.casefold()):
        return None  # no number, or digits with an e in them, which is how many a commit reads
    return number


_SWITCH = {"true": "on", "yes": "on", "false": "off", "no": "off", "enabled": "on", "disabled": "off"}


def _text(value: Any) -> str:
    text = str(value).casefold()
    return _SWITCH.get(text, text)


def _equal(a: Any, b: Any, versions: bool = False) -> Truth:
    if versions and (left := parse(str(a))) and (right := parse(str(b))):
        return Truth.of(left == right)
    one, other = _number(a), _number(b)
    if not versions and one is not None and other is not None:
        return Truth.of(one == other)
    return Truth.of(_text(a) == _text(b))


_ORDERS: Mapping[Operator, Callable[[Any, Any], bool]] = {
    Operator.LESS: lt,
    Operator.AT_MOST: le,
    Operator.MORE: gt,
    Operator.AT_LEAST: ge,
}


def _ordered(fact: Any, op: Operator, value: Any, versions: bool = False) -> Truth:
    left: Any = None if versions else _number(fact)
    right: Any = None if versions else _number(value)
    if left is None or right is None:
        left, right = parse(str(fact)), parse(str(value))
    if left is None or right is None:
        return Truth.UNKNOWN
    return Truth.of(_ORDERS[op](left, right))


def _in_range(fact: Any, op: Operator, low: Any, high: Any) -> Truth:
    inside = Truth.all((_ordered(fact, Operator.AT_LEAST, low), _ordered(fact, Operator.AT_MOST, high)))
    if op is Operator.WITHIN or inside is not Truth.YES:
        return inside
    end = low if op is Operator.LOW_IN else high
    return Truth.YES if _equal(fact, end) is Truth.YES else Truth.UNKNOWN


class Refusal(Model):
    """A combination that the component refuses at start or at first contact."""

    when: Conditions = Field(min_length=1)
    """What together is refused."""
    why: Text | None = None
    """What it says or why it must not run."""
