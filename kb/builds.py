"""The builds that a pin may be: one release, those of a range or around a day, or all that it can have been."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from packaging.version import Version

from kb.component import Build, Release
from kb.once import once
from kb.placed import Mark, in_words, mark
from kb.registry import Registry, opened_on
from kb.versions import contains, parse
from kb.vocabulary import UNKNOWN


class Known(StrEnum):
    """How a set of candidate builds was come by."""

    STATED = "stated"
    """One release, named."""
    RANGE = "range"
    """Releases in a range that is stated."""
    DATED = "dated"
    """Main or latest on a day: between the release before it and the one after."""
    PLACED = "placed"
    """A commit or an image, and the releases that the component's record gives for it."""
    OPEN = "open"
    """Nothing is stated: every release that it can have been."""
    UNLISTED = "unlisted"
    """One release, or main on a day, and newer than all that anybody recorded."""
    NOWHERE = "nowhere"
    """No release is known that it could be."""


class Builds(NamedTuple):
    """The builds that a pin may be, oldest first."""

    versions: tuple[str, ...]
    known: Known
    said: str
    """The pin in words."""
    carries: frozenset[str] = frozenset()
    """Ids of changes that were patched in."""
    mark: Mark | None = None
    """The commit or image that is named."""

    @property
    def one(self) -> str | None:
        """The build, if there is no choice."""
        return self.versions[0] if len(self.versions) == 1 else None

    @property
    def unplaced(self) -> bool:
        """Whether it is a commit or an image, and nobody says where that lies."""
        return self.mark is not None and self.known in {Known.OPEN, Known.NOWHERE}


def builds(
    component: str,
    pin: Mapping[str, object],
    registry: Registry,
    until: str | None = None,
    class_name: str | None = None,
) -> Builds:
    """The builds that a pin may be.

    `pin` holds the stated keys of a kb.setup.Pin. `until` is the day of the evaluation, for pins that state nothing:
    what ran was released by then, or was main on its way to the first release after it.
    """
    stated = tuple((name, tuple(each) if isinstance(each, list) else each) for name, each in pin.items())
    return _builds(registry, component, stated, until, class_name)


@once
def _builds(
    registry: Registry,
    component: str,
    fields: tuple[tuple[str, object], ...],
    until: str | None,
    class_name: str | None,
) -> Builds:
    pin = dict(fields)
    carries = _patched(pin, registry) | registry.proposed_as(str(pin.get("branch") or ""), component)
    stated = pin.get("version")
    releases = registry.releases(component)
    if stated not in {None, UNKNOWN}:
        text = str(stated)
        if parse(text):
            return _stated(text, releases, carries)
        inside = tuple(each.version for each in releases if contains(text, each.version))
        return Builds(inside, Known.RANGE if inside else Known.NOWHERE, text, carries)
    named, place = mark(pin, registry.builds(component))
    if place is not None:
        inside = tuple(each.version for each in releases if _is_within(each.version, place))
        where = f"{_named(pin)} ({in_words(place)}, by the record of {registry.distribution(component)})"
        return Builds(inside, Known.PLACED if inside else Known.NOWHERE, where, carries, named)
    day = pin.get("as_of")
    if day not in {None, UNKNOWN}:
        return Builds(*_around(releases, str(day)), f"as of {day}", carries, named)
    young = _since(_until(releases, until), _opened(carries, pin, registry))
    possible = [each for each in young if registry.exists(component, each.version, class_name)]
    found = tuple(each.version for each in possible)
    return Builds(found, Known.OPEN if found else Known.NOWHERE, _named(pin), carries, named)


def _named(pin: Mapping[str, object]) -> str:
    """The commit or image in words."""
    stated = (f"{name} {pin[name]}" for name in ("commit", "image") if pin.get(name) not in {None, UNKNOWN})
    return next(stated, UNKNOWN)


def _is_within(version: str, place: Build) -> bool:
    """Whether a release can be like a build: it is the build, or one of those from the one before to the one after."""
    wanted = parse(version)
    low, high = parse(place.version or place.after or ""), parse(place.version or place.before or "")
    return wanted is not None and low is not None and high is not None and low <= wanted <= high


def measured(
    component: str, pin: Mapping[str, object], registry: Registry, until: str | None, class_name: str | None
) -> Builds:
    """The builds that may have been measured. Of one that is newer than every recorded release it is not established
    what it carried: a range without an end says nothing of what nobody opened."""
    found = builds(component, pin, registry, until, class_name)
    stated, newest = str(pin.get("version")), parse(registry.newest(component) or "")
    version = parse(stated)
    if version is None or newest is None or version < newest or neighbours(component, stated, registry) is None:
        return found
    return found._replace(versions=(), known=Known.UNLISTED, said=stated)


def at_target(component: str, pin: Mapping[str, object], registry: Registry) -> Builds:
    """The builds that a target may run. Of a release that nobody has recorded it is not established what it carries:
    one between known releases may be like either of its neighbours, one beyond them like none."""
    found = builds(component, pin, registry)
    text = found.said
    around = neighbours(component, text, registry)
    if around is None:
        return _rebuilt(found, component, registry)
    known = Known.DATED if len(around) > 1 else Known.UNLISTED
    return Builds(around if len(around) > 1 else (), known, text, found.carries)


def _rebuilt(found: Builds, component: str, registry: Registry) -> Builds:
    """A release that somebody built again, with a local label: taken for the release, which is inferred (PEP 440 lets
    such a build have patches)."""
    version = parse(found.said)
    if version is None or not version.local:
        return found
    releases = (each.version for each in registry.library.releases_of(component))
    same = next((each for each in releases if parse(each) == parse(version.public)), None)
    return found._replace(versions=(same,), known=Known.DATED) if same else found


def neighbours(component: str, text: str, registry: Registry) -> tuple[str, ...] | None:
    """The known releases around one that is none of them, older first: one alone where it lies beyond all. None where
    it is known, is no version, or no releases are recorded."""
    version = parse(text)
    known = {parsed for each in registry.library.releases_of(component) if (parsed := parse(each.version))}
    releases = [(parsed, each.version) for each in registry.releases(component) if (parsed := parse(each.version))]
    if version is None or not releases or version in known or parse(version.public) in known:
        return None
    if not releases[0][0] < version < releases[-1][0]:
        return (releases[0] if version < releases[0][0] else releases[-1])[1:]
    return _beside(version, releases)


def _stated(text: str, releases: tuple[Release, ...], carries: frozenset[str]) -> Builds:
    """A version that is named. A development build is main on the way to a release: what it holds of main may have been
    in the next release, or, when that one was made on a branch, only in the next minor one."""
    version = parse(text)
    if version is None or not version.is_devrelease:
        return Builds((text,), Known.STATED, text, carries)
    placed = [(parsed, each.version) for each in releases if (parsed := parse(each.version))]
    around = _beside(version, placed)
    return Builds(around or (text,), Known.DATED if around else Known.STATED, text, carries)


def _beside(version: Version, placed: Sequence[tuple[Version, str]]) -> tuple[str, ...]:
    before = [name for parsed, name in placed if parsed < version][-1:]
    after = [name for parsed, name in placed if parsed > version][:1]
    minor = [name for parsed, name in placed if parsed.release[:2] > version.release[:2]][:1] if version.micro else []
    return tuple(dict.fromkeys((*before, *after, *minor)))


def _patched(pin: Mapping[str, object], registry: Registry) -> frozenset[str]:
    """Ids of the changes that were patched in."""
    patches = pin.get("patches")
    named = patches if isinstance(patches, list | tuple) else ()
    return frozenset().union(*(registry.named(str(each)) for each in named))


def _opened(carries: frozenset[str], pin: Mapping[str, object], registry: Registry) -> str | None:
    """The day before which a branch cannot have been: when its proposal was opened."""
    if pin.get("branch") in {None, UNKNOWN}:
        return None
    days = [opened_on(registry.library.changes[name].dates) for name in carries]
    return min((day for day in days if day), default=None)


def _since(releases: tuple[Release, ...], day: str | None) -> tuple[Release, ...]:
    """The last release up to a day and all later ones."""
    if day is None or not all(each.date and each.date != UNKNOWN for each in releases):
        return releases
    before = max((str(each.date) for each in releases if str(each.date) <= f"{day}~"), default="")
    return tuple(each for each in releases if str(each.date) >= before)


def _until(releases: tuple[Release, ...], day: str | None) -> tuple[Release, ...]:
    """Releases up to a day and the first one after it; all of them where days are not known."""
    if day is None or day == UNKNOWN or not all(each.date and each.date != UNKNOWN for each in releases):
        return releases
    next_day = min((str(each.date) for each in releases if str(each.date) > f"{day}~"), default=None)
    return tuple(each for each in releases if str(each.date) <= f"{day}~" or str(each.date) == next_day)


def _around(releases: tuple[Release, ...], day: str) -> tuple[tuple[str, ...], Known]:
    """The last release up to a day and the first after it; where none came after it, nobody has opened what main had
    become."""
    dated = [each for each in releases if each.date and each.date != UNKNOWN]
    before = [each.version for each in dated if str(each.date) <= f"{day}~"]
    after = [each.version for each in dated if str(each.date) > f"{day}~"]
    if not after:
        return (), Known.UNLISTED if before else Known.NOWHERE
    return (*before[-1:], *after[:1]), Known.DATED
