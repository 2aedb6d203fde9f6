"""Setups of two arms beside each other: what differs and matters, what differs and does not, what nobody knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from kb.change import Change
from kb.conditions import Truth
from kb.disagreement import MODIFIERS, SELDOM, build, build_words, same_build, ships_with_engine
from kb.library import Library
from kb.matching import Pairs, Subject, is_build, words
from kb.regions import Region, of_spread
from kb.registry import Registry
from kb.setup import PIN_KEYS, SIDE_PIN_KEYS, Setup, Spread
from kb.vocabulary import UNKNOWN, ChangeKind

Material = Literal["yes", "no", "unknown"]

CERTAINTY = {
    "workload.num_prompts": "how many requests were sent makes a number surer, not larger",
    "workload.repeats": "how often it was measured makes a number surer, not larger",
}
"""Keys that say how sure a number is, not what was measured."""
QUIET = frozenset({ChangeKind.REFACTOR, ChangeKind.LOGGING, ChangeKind.TYPES, ChangeKind.TESTS, ChangeKind.DOCS})
"""Changes that alter no behaviour."""
ASKED = tuple(
    key for group in MODIFIERS for key in group.keys if "." in key or key in {"topology", "model", "precision"}
)
"""Keys that are asked for even where neither record speaks of them."""
_SIDES = ("prefill", "decode")
_IMPLIED = ("connector.class_name", "connector.mode")
"""What follows from the component of a connector."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One key in which two arms differ, or may."""

    key: str
    a: str
    b: str
    material: Material
    why: str
    """Why it matters, does not, or cannot be told."""
    arm: str | None = None
    """The arms it speaks of, where there are several pairs."""
    changes: tuple[str, ...] = ()
    """Changes between two builds that alter behaviour."""

    def as_dict(self) -> dict[str, Any]:
        """With the keys of cli.md, and why."""
        found: dict[str, Any] = {"key": self.key, "a": self.a, "b": self.b, "material": self.material, "why": self.why}
        return (
            found | ({"arm": self.arm} if self.arm else {}) | ({"changes": list(self.changes)} if self.changes else {})
        )


class Alike(NamedTuple):
    """A key in which two arms are the same."""

    key: str
    value: str


def differences(pairs: Pairs, library: Library) -> tuple[tuple[Difference, ...], tuple[Alike, ...]]:
    """What differs between arms, said once where it differs alike for every pair, and what is the same for all."""
    registry = Registry(library)
    each = [tuple(_pair(pair, registry)) for pair in pairs]
    everywhere = set.intersection(*({_bare(item) for item in looked} for looked in each)) if each else set()
    found: dict[Difference, None] = {}
    for (one, other), looked in zip(pairs, each, strict=True):
        label = one.id if one.id == other.id else f"{one.id} | {other.id}"
        for item in looked:
            if isinstance(item, Difference):
                found[item if _bare(item) in everywhere else replace(item, arm=label)] = None
    alike = [item for item in (each[0] if each else ()) if isinstance(item, Alike) and _bare(item) in everywhere]
    return tuple(found), tuple(alike)


def _bare(item: Difference | Alike) -> tuple[str, ...]:
    return (item.key, item.value) if isinstance(item, Alike) else (item.key, item.a, item.b, item.material)


def _pair(pair: tuple[Subject, Subject], registry: Registry) -> Iterator[Difference | Alike]:
    for role in roles(pair):
        yield from _build(role, pair, registry)
    for key in _keys(pair):
        yield from _fact(key, pair, registry.library)


def roles(pair: Iterable[Subject]) -> Iterator[str]:
    """Pins that either arm has; those of a side only where the sides differ."""
    stated = [arm.stated for arm in pair]
    for role in PIN_KEYS:
        if role not in SIDE_PIN_KEYS:
            yield from [role] if any(_has(each, role) for each in stated) else []
            continue
        split = any(build(f"prefill.{role}", each) != build(f"decode.{role}", each) for each in stated)
        if not split:
            yield from [role] if any(_has(each, f"prefill.{role}") for each in stated) else []
        else:
            yield from (f"{side}.{role}" for side in _SIDES)


def _has(stated: Any, role: str) -> bool:
    return any(key.startswith(f"{role}.") for key in stated)


def _build(role: str, pair: tuple[Subject, Subject], registry: Registry) -> Iterator[Difference | Alike]:
    plain = role.rpartition(".")[2]
    read = role if "." in role or plain not in SIDE_PIN_KEYS else f"prefill.{plain}"
    here, there = (build(read, arm.stated) for arm in pair)
    if plain == "connector" and not (here or there) and all(ships_with_engine(arm, registry.library) for arm in pair):
        return
    a, b = build_words(here), build_words(there)
    truth = same_build(here, there)
    key = f"{role}.version"
    if truth is Truth.YES:
        yield Alike(key, a)
    elif truth is Truth.UNKNOWN:
        yield Difference(key, a, b, "unknown", "which builds ran is not stated on both sides")
    else:
        material, why, changes = _between(plain, here, there, pair, registry)
        yield Difference(key, a, b, material, why, None, tuple(each.id for each in changes))


def _between(
    role: str, here: dict[str, str], there: dict[str, str], pair: tuple[Subject, Subject], registry: Registry
) -> tuple[Material, str, tuple[Change, ...]]:
    """Whether anything that alters behaviour lies between two builds, as far as the records know."""
    names = components(role, pair, registry.library)
    if "version" not in here or "version" not in there or not names:
        return "yes", "other builds", ()
    flips = [flip for name in names for flip in registry.flips(name, here["version"], there["version"])]
    loud = [flip for flip in flips if flip.change.kind not in QUIET]
    moved = tuple({flip.change.id: flip.change for flip in loud if flip.arrived or flip.gone}.values())
    if moved:
        return "yes", f"{len(moved)} change{'s' if len(moved) > 1 else ''} in between", moved
    known = [name for name in names if name in registry.library.components]
    covers = [registry.cover(name, here["version"], there["version"]) for name in known]
    if len(covers) == len(names) and all(each.complete for each in covers) and all(flip.same for flip in loud):
        return "no", "all changes in between were looked at; none alters behaviour", ()
    return "unknown", "no change in between is known, and not all of it was looked at", ()


def components(role: str, pair: tuple[Subject, Subject], library: Library) -> tuple[str, ...]:
    """The component of a role and, with an engine, the connector that ships in it; none where the arms differ in it."""
    mine, theirs = (arm.made_of.get(role) or arm.stated.get(f"{role}.component") for arm in pair)
    if mine != theirs or mine in (None, UNKNOWN):
        return ()
    shipped = {str(arm.made_of["connector"]) for arm in pair if role == "engine" and ships_with_engine(arm, library)}
    return (str(mine), *sorted(shipped))


# Facts that are no build


def _keys(pair: tuple[Subject, Subject]) -> Iterator[str]:
    expanded = [f"{side}.{key.removeprefix('both.')}" for key in ASKED if key.startswith("both.") for side in _SIDES]
    listed = [*pair[0].stated, *pair[1].stated, *(key for key in ASKED if not key.startswith("both.")), *expanded]
    for key in dict.fromkeys(listed):
        side, _, rest = key.partition(".")
        twin = f"{'decode' if side == 'prefill' else 'prefill'}.{rest}"
        if is_build(key) or side == "both" or rest.partition(".")[0] in SIDE_PIN_KEYS:
            continue
        if side in _SIDES and all(each(key, pair) == each(twin, pair) for each in (_values, _in_force)):
            if side == "prefill":
                yield f"both.{rest}"
            continue
        yield key


def _values(key: str, pair: tuple[Subject, Subject]) -> tuple[Any, Any]:
    read = _read(key)
    return pair[0].stated.get(read), pair[1].stated.get(read)


def _in_force(key: str, pair: tuple[Subject, Subject]) -> tuple[Any, Any]:
    return pair[0].facts.get(key), pair[1].facts.get(key)


def _read(key: str) -> str:
    """Where the value of a key is: what both sides have in common is read on one."""
    return f"prefill.{key.removeprefix('both.')}" if key.startswith("both.") else key


def _fact(key: str, pair: tuple[Subject, Subject], library: Library) -> Iterator[Difference | Alike]:
    a, b = _values(key, pair)
    if a is None and b is None and {key, f"both.{_read(key).partition('.')[2]}"} & SELDOM:
        return
    if a in (None, UNKNOWN) or b in (None, UNKNOWN):
        yield from _half(key, _read(key), (a, b), pair)
        return
    known = _same_for_a_reason(key, a, b, pair, library)
    one, other = _shown(key, (a, b), pair)
    if one == other:
        yield Alike(key, one)
    elif known:
        yield Difference(key, one, other, "no", known)
    else:
        yield Difference(key, one, other, "yes", _why(key))


def _shown(key: str, values: tuple[Any, Any], pair: tuple[Subject, Subject]) -> tuple[str, str]:
    """Two values in words; of a load that is a range both ends and what lies between."""
    spreads = [getattr(arm.setup.workload, key.removeprefix("workload."), None) for arm in pair]
    one, other = (
        str(spread) if isinstance(spread, Spread) and key.startswith("workload.") and value != UNKNOWN else words(value)
        for spread, value in zip(spreads, values, strict=True)
    )
    return one, other


def _half(key: str, read: str, values: tuple[Any, Any], pair: tuple[Subject, Subject]) -> Iterator[Difference | Alike]:
    """A key that one side does not state: a default in force may say it."""
    made = [arm.made_of.get("connector") for arm in pair]
    if read.endswith(_IMPLIED) and made[0] == made[1] not in (None, UNKNOWN):
        return
    in_force = [arm.facts.get(read) if value is None else value for arm, value in zip(pair, values, strict=True)]
    if any(each in (None, UNKNOWN) for each in in_force):
        if key not in CERTAINTY:
            yield Difference(key, *_shown(key, values, pair), "unknown", _why(key))
        return
    shown = [
        words(value) if value is not None else arm.facts.shown(read) for arm, value in zip(pair, values, strict=True)
    ]
    if words(in_force[0]).casefold() == words(in_force[1]).casefold():
        yield Difference(key, shown[0], shown[1], "no", "the default in force is the same")
    else:
        yield Difference(key, shown[0], shown[1], "yes", _why(key))


def _same_for_a_reason(key: str, a: Any, b: Any, pair: tuple[Subject, Subject], library: Library) -> str | None:
    """Why two values that are written differently are no difference."""
    if key in CERTAINTY:
        return CERTAINTY[key]
    if key.endswith("class_name") and _component(a, library) == _component(b, library) is not None:
        return "two names of one class"
    if key == "model" and _tail(a) == _tail(b):
        return "one model, written differently"
    if key.startswith("workload."):
        here, there = (_region(key, arm) for arm in pair)
        if here and there and here.meets(there) is Truth.YES:
            return "the tested loads meet; numbers are paired load point by load point"
    return "written differently" if words(a).casefold() == words(b).casefold() else None


def _component(name: Any, library: Library) -> str | None:
    return library.component_names.get(str(name).casefold())


def _tail(model: Any) -> str:
    return str(model).rpartition("/")[2].casefold()


def _region(key: str, arm: Subject) -> Region | None:
    """The whole region that a load key was set to."""
    setup = arm.setup or Setup()
    found = getattr(setup.workload, key.removeprefix("workload."), None)
    return of_spread(found) if isinstance(found, Spread) else None


def _why(key: str) -> str:
    rest = f"both.{key.partition('.')[2]}" if key.partition(".")[0] in _SIDES else key
    head = key.partition(".")[0]
    fallback = "what the arm is made of" if head in PIN_KEYS else "part of what was measured"
    return next((group.why for group in MODIFIERS if {key, rest} & set(group.keys)), fallback)
