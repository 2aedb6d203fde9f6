"""Lines of an arm: what ships in one distribution, from the builds that were measured to those asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from kb.builds import Builds, Known, at_target, builds, measured
from kb.errors import KbError
from kb.once import kept, once
from kb.placed import Mark
from kb.registry import Registry
from kb.setup import PIN_KEYS, SIDE_PIN_KEYS
from kb.target import NEWEST, SIDES, Target, pin_of
from kb.together import ORDER, together
from kb.versions import parse
from kb.vocabulary import NOTHING, UNKNOWN

MOST_CHOICES = 20_000
"""Pairs of builds of one line that are judged; a hundred releases against a hundred are half of that."""

MOST_KEPT = 4096
"""Arms of which the lines are kept for those with the same pins."""

PIN_FIELDS = ("component", "version", "commit", "image", "branch", "fork", "patches", "as_of", "class_name", "mode")
BUILD_FIELDS = ("version", "commit", "image", "branch", "fork", "patches", "as_of")
"""Fields that say which build ran, not what was configured."""

PinFacts = Mapping[str, Any]
"""The stated fields of one pin."""


class Part(NamedTuple):
    """One component of a line, in its role."""

    role: str
    component: str
    pin: PinFacts


class Choice(NamedTuple):
    """The builds of a line that are looked at together; None where no build is known."""

    was: str | None
    now: str | None


@dataclass(frozen=True)
class Line:
    """What of an arm ships in one distribution: from the builds that were measured to those asked about."""

    distribution: str
    side: str | None
    """prefill or decode, where the sides differ; none for both."""
    parts: tuple[Part, ...]
    was: Builds
    now: Builds

    @kept
    def open(self) -> bool:
        """Whether there is more than one build it could be about."""
        return len(self.choices) > 1

    @kept
    def inferred(self) -> bool:
        """Whether one of its builds is not stated, but follows from a range, a day, a record..."""
        return {self.was.known, self.now.known} != {Known.STATED}

    @kept
    def choices(self) -> tuple[Choice, ...]:
        """Every pair of builds it could be about. Raises KbError for more than anybody would wait for."""
        was, now = len(self.was.versions), len(self.now.versions)
        if was * now > MOST_CHOICES:
            said = f"{self.names()}: {was} builds that may have been measured against {now} that are asked about"
            raise KbError(f"{said} are too many to judge one by one", f"--at {self.distribution}=VERSION")
        pairs = [Choice(a, b) for a in self.was.versions or (None,) for b in self.now.versions or (None,)]
        return tuple(each for each in pairs if _in_order(each, self.was.mark, self.now.mark)) or tuple(pairs)

    @property
    def name(self) -> tuple[str, str | None]:
        """What tells it from the other lines of its arm."""
        return self.distribution, self.side

    @property
    def key(self) -> tuple[str, str | None, Builds, Builds]:
        """What it has in common with the lines of other arms that are the same unknown."""
        return self.distribution, self.side, self.was, self.now

    @kept
    def components(self) -> tuple[str, ...]:
        """Ids, without repetition."""
        return tuple(dict.fromkeys(part.component for part in self.parts))

    @kept
    def stated(self) -> frozenset[str]:
        """Versions and ranges to which its parts are pinned."""
        pinned = (part.pin.get("version") for part in self.parts)
        return frozenset(str(version) for version in pinned if version not in {None, UNKNOWN})

    @kept
    def own_build(self) -> bool:
        """Whether something that is no plain release ran: a commit, an image, a branch, a fork, patches."""
        named = (name for name in BUILD_FIELDS if name != "version")
        return any(part.pin.get(name) not in (None, UNKNOWN, ()) for name in named for part in self.parts)

    @once
    def builds_in_force(self, before: bool, chosen: str | None) -> tuple[dict[str, str], tuple[str, ...]]:
        """What a line adds to the facts of each arm that has it: setup keys that name the build, and the builds of its
        components; `unknown` where none is chosen."""
        build, roles = chosen or UNKNOWN, [part.role for part in self.parts if part.role in SIDE_PIN_KEYS]
        sides = (self.side,) if self.side else SIDES
        possible = (chosen,) if chosen else (self.was if before else self.now).versions or (UNKNOWN,)
        return {f"{side}.{role}.version": build for role in roles for side in sides}, possible

    @kept
    def role_keys(self) -> tuple[str, ...]:
        """Setup keys of the versions of its roles."""
        return tuple(dict.fromkeys(f"{part.role}.version" for part in self.parts))

    @kept
    def filled_by(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """The same, each with its component, and with the keys of which one must name that, where it fills the role."""
        named: list[tuple[str, str, tuple[str, ...]]] = []
        for role, component in dict.fromkeys((part.role, part.component) for part in self.parts):
            sides = (f"{side}.{role}.component" for side in SIDES if role in SIDE_PIN_KEYS)
            named.append((f"{role}.version", component, (f"{role}.component", *sides)))
        return tuple(named)

    def names(self) -> str:
        """In words: the distribution, and the side where it matters."""
        return f"{self.side} {self.distribution}" if self.side else self.distribution


def _in_order(choice: Choice, was: Mark | None, now: Mark | None) -> bool:
    """Whether two builds can be chosen together, by what is known of the commits: one and the same is one build, and
    of two on the main line the later is of no earlier release."""
    a, b = parse(choice.was or ""), parse(choice.now or "")
    if was is None or now is None or a is None or b is None:
        return True
    if was.same(now):
        return a == b
    if was.order is None or now.order is None or was.order == now.order:
        return True
    return a <= b if was.order < now.order else a >= b


def role_pins(flat: Mapping[str, Any], role: str) -> dict[str | None, PinFacts]:
    """The pins of a role: one for both sides (None), or one a side where they differ."""
    if role not in SIDE_PIN_KEYS:
        return {None: found} if (found := _pin(flat, role)) else {}
    one, other = (_pin(flat, f"{side}.{role}") for side in SIDES)
    if one == other:
        return {None: one} if one else {}
    return {side: pin for side, pin in zip(SIDES, (one, other), strict=True) if pin}


def _pin(flat: Mapping[str, Any], prefix: str) -> PinFacts:
    if flat.get(f"{prefix}.component") in (None, UNKNOWN, NOTHING):
        return {}
    return {name: flat[key] for name in PIN_FIELDS if (key := f"{prefix}.{name}") in flat}


def lines_of(
    stated: Mapping[str, Any], asked: Mapping[str, Any], target: Target, registry: Registry, day: str | None
) -> tuple[Line, ...]:
    """The lines of an arm; arms with the same pins have the same, found once. `day` is that of the evaluation, for
    pins that state nothing."""
    about = (stated.get("transport.backend"), asked.get("router.name"), target.own, tuple(target.at.items()))
    key = (_pinned(stated), None if asked is stated or asked == stated else _pinned(asked), *map(repr, about))
    known: dict[Any, tuple[Line, ...]] = registry.lines
    for each in (key, (key, day)):
        if each in known:
            return known[each]
    found = tuple(_lines(stated, asked, target, registry, day))
    if len(known) >= MOST_KEPT:
        known.pop(next(iter(known)))
    known[(key, day) if any(line.was.known in _BY_DAY for line in found) else key] = found
    return found


_BY_DAY = (Known.OPEN, Known.NOWHERE)
"""Pins of which the day of the evaluation says what they can have been."""


def _pinned(flat: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """All that a flat setup says of builds."""
    return tuple([(key, repr(flat[key])) for key in _of_pins(tuple(flat))])


@lru_cache(maxsize=4096)
def _of_pins(keys: tuple[str, ...]) -> tuple[str, ...]:
    """The keys that are of pins; thousands of arms state the same keys."""
    return tuple(key for key in keys if key.rpartition(".")[2] in PIN_FIELDS)


def _lines(
    stated: Mapping[str, Any], asked: Mapping[str, Any], target: Target, registry: Registry, day: str | None
) -> Iterator[Line]:
    ran = _by_distribution(stated, registry)
    wanted = _by_distribution(asked, registry)
    newest = _newest(ran, stated, target, registry) if target.own else {}
    for distribution, sides in ran.items():
        there = wanted.get(distribution, {})
        allowed = {side: versions.get(distribution) for side, versions in newest.items()}
        split = {*sides, *there} - {None} or target.has_sides((distribution, *_ids(sides)))
        split = split or len(set(allowed.values())) > 1
        for side in SIDES if split else (None,):
            parts = _on(sides, side)
            running = _on(there, side)
            if not parts or _replaced(parts, running, asked):
                continue
            was = _measured(parts, registry, day, _text(stated.get("transport.backend")))
            fitting = _fitting(was, allowed.get(side), parts[0].component, registry)
            yield Line(
                distribution,
                side,
                tuple(parts),
                was,
                _asked(distribution, parts, running, target, side, registry, fitting),
            )


def _newest(
    ran: Mapping[str, Mapping[str | None, list[Part]]], stated: Mapping[str, Any], target: Target, registry: Registry
) -> Mapping[str | None, Mapping[str, str]]:
    """Side -> distribution -> the newest release that goes with the others at the target, where they bound it. What
    holds of both at once (None) is that of either, unless they differ."""
    parts = [(part, name) for name, sides in ran.items() for each in sides.values() for part in each]
    parts.sort(key=lambda pair: ORDER.index(pair[0].role))
    components: dict[str, str] = {}
    for part, distribution in parts:
        if part.role != "client":  # a harness is installed apart
            components.setdefault(distribution, part.component)

    def of(side: str | None) -> Mapping[str, str]:
        return together(components, dict(_given(parts, target, side, registry)), stated, registry)

    if not any(side for side, _ in target.at):
        return dict.fromkeys((None, *SIDES), of(None))
    prefill, decode = map(of, SIDES)
    return {None: prefill, **dict(zip(SIDES, (prefill, decode), strict=True))}


def _given(
    parts: list[tuple[Part, str]], target: Target, side: str | None, registry: Registry
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Distribution -> the releases of which one is asked for on a side."""
    for part, distribution in parts:
        version = target.version(side, (part.component, distribution))
        if version not in {None, NEWEST}:
            yield distribution, at_target(part.component, pin_of(str(version)), registry).versions


def _fitting(was: Builds, version: str | None, component: str, registry: Registry) -> Builds | None:
    """The target at that release. Nothing is moved back: where something newer was measured, it may run on, or anything
    since. Of an open pin that is so where none of its builds is old enough; what only may have been newer is asked
    about what can be installed."""
    found = parse(version or "")
    measured = {each: parsed for each in was.versions if (parsed := parse(each)) is not None}
    if version is None or found is None or len(measured) < len(was.versions):
        return None
    if measured and all(each > found for each in measured.values()):
        since = at_target(component, pin_of(f">={max(measured, key=measured.__getitem__)}"), registry)
        return since if len(since.versions) > 1 else None
    return Builds((version,), Known.STATED, version)


def _replaced(parts: list[Part], running: list[Part], asked: Mapping[str, Any]) -> bool:
    """Whether the target fills a role of the line with another component: then the line does not go there."""
    roles = [part for part in parts if part.role == "engine" or (not running and part.role != "client")]
    if any(part.role == "router" and not running and _text(asked.get("router.name")) for part in parts):
        return True  # another router, by its own name
    if all(asked.get(f"{part.role}.component") == NOTHING for part in parts):
        return True  # stated to be empty there
    named = ((pin["component"], part) for part in roles for pin in role_pins(asked, part.role).values())
    return any(there != part.component for there, part in named)


def _by_distribution(flat: Mapping[str, Any], registry: Registry) -> dict[str, dict[str | None, list[Part]]]:
    found: dict[str, dict[str | None, list[Part]]] = {}
    for role in PIN_KEYS:
        for side, pin in role_pins(flat, role).items():
            component = str(pin["component"])
            sides = found.setdefault(registry.distribution(component), {})
            sides.setdefault(side, []).append(Part(role, component, pin))
    return found


def _ids(sides: Mapping[str | None, list[Part]]) -> set[str]:
    return {part.component for parts in sides.values() for part in parts}


def _on(sides: Mapping[str | None, list[Part]], side: str | None) -> list[Part]:
    """Parts that run on a side; what is not told apart runs on both."""
    return [*sides.get(None, ()), *(sides.get(side, ()) if side else ())]


def _measured(parts: list[Part], registry: Registry, day: str | None, backend: str | None) -> Builds:
    named = next((str(p.pin["class_name"]) for p in parts if p.pin.get("class_name") not in {None, UNKNOWN}), None)
    best = _best(parts)
    found = measured(best.component, best.pin, registry, day, named)
    possible = _having(found, parts, registry, backend)
    carries = frozenset().union(*(builds(part.component, part.pin, registry, day).carries for part in parts))
    return found._replace(
        versions=possible,
        known=found.known if possible or found.known is Known.UNLISTED else Known.NOWHERE,
        carries=found.carries | carries,
    )


def _having(found: Builds, parts: list[Part], registry: Registry, backend: str | None) -> tuple[str, ...]:
    """Of an open pin the builds that have every part; where main had one before any release, the first that does."""
    if found.known in {Known.STATED, Known.UNLISTED}:
        return found.versions

    def has(version: str) -> bool:
        there = all(registry.exists(part.component, version, _class(part.pin)) for part in parts)
        return there and not any(registry.lacks_backend(part.component, version, backend) for part in parts)

    possible = tuple(filter(has, found.versions))
    if possible or found.known is Known.RANGE:
        return possible
    return tuple(each.version for each in registry.releases(parts[0].component) if has(each.version))[:1]


def _text(value: Any) -> str | None:
    return None if value in {None, UNKNOWN} else str(value)


def _class(pin: PinFacts) -> str | None:
    named = pin.get("class_name")
    return None if named in {None, UNKNOWN} else str(named)


def _best(parts: list[Part]) -> Part:
    """The part whose pin says most: a version, else a day, else a commit or image; the engine's first."""
    for fields in (("version",), ("as_of",), ("commit", "image")):
        for part in parts:
            if any(part.pin.get(name) not in {None, UNKNOWN} for name in fields):
                return part
    return parts[0]


def _asked(
    distribution: str,
    parts: list[Part],
    running: list[Part],
    target: Target,
    side: str | None,
    registry: Registry,
    fitting: Builds | None,
) -> Builds:
    """The builds that are asked about; `fitting` is what goes with the newest of the others, where they bound it."""
    component = parts[0].component
    given = target.version(side, (*(part.component for part in parts), distribution))
    if given not in {None, NEWEST}:
        return at_target(component, pin_of(str(given)), registry)
    harness = all(part.role == "client" for part in parts)
    if fitting is not None and given is None:
        return fitting
    if target.own or harness or given == NEWEST:
        newest = registry.newest(component)
        return Builds((newest,), Known.STATED, newest) if newest else Builds((), Known.NOWHERE, UNKNOWN)
    best = _best(running) if running else None
    found = at_target(best.component if best else component, best.pin if best else {}, registry)
    found = _contradicted(running, registry) or found
    return found._replace(carries=found.carries.union(*(builds(p.component, p.pin, registry).carries for p in running)))


def _contradicted(running: list[Part], registry: Registry) -> Builds | None:
    """Of a target that pins one distribution to several releases any of them: which one runs its owner must say."""
    pins = {str(part.pin["version"]): part for part in running if parse(str(part.pin.get("version"))) is not None}
    if len({parse(each) for each in pins}) < 2:
        return None
    found = [at_target(part.component, part.pin, registry) for part in pins.values()]
    versions = {name: parse(name) for each in found for name in each.versions}
    placed = sorted((version, name) for name, version in versions.items() if version is not None)
    known = Known.RANGE if all(each.versions for each in found) else Known.NOWHERE
    return Builds(tuple(name for _, name in placed) if known is Known.RANGE else (), known, " and ".join(sorted(pins)))
