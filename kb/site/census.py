"""Who points at what, kept from build to build: after a change only links that it can have broken are looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.site.links import Broken, Found, Place, broken, resolved


@dataclass
class Census:
    """How many pages point at each place; links that lead nowhere."""

    inside: Counter[str] = field(default_factory=Counter)
    """By file, or file#name."""
    outside: Counter[str] = field(default_factory=Counter)
    broken: tuple[Broken, ...] = ()

    def as_row(self) -> list[Any]:
        """As JSON types."""
        return [dict(self.inside), dict(self.outside), [list(each) for each in self.broken]]

    @classmethod
    def of(cls, row: list[Any]) -> Census:
        """What `as_row` gave."""
        return cls(Counter(row[0]), Counter(row[1]), tuple(Broken(*each) for each in row[2]))

    @property
    def external(self) -> tuple[str, ...]:
        """Addresses outside of the site, each once."""
        return tuple(sorted(self.outside))


def taken(pages: Mapping[str, Found], files: Iterable[str]) -> Census:
    """The census of a site, from nothing."""
    found = Census(broken=tuple(broken(pages, files)))
    for path, page in pages.items():
        _count(found, path, page.targets, 1)
    return found


def after(
    before: Census,
    gone: Mapping[str, Found],
    new: Mapping[str, Found],
    files: frozenset[str],
    lost: Iterable[str],
    known: Callable[[str], Found | None],
    whole: Callable[[], Mapping[str, Found]],
) -> Census:
    """The census after a change. `gone` and `new` are the pages that changed, as they were and as they are; `files` is
    all that is there, `lost` what no longer is. `known` gives one page as it is now, `whole` all of them.
    """
    found = Census(before.inside.copy(), before.outside.copy())
    for path, page in gone.items():
        _count(found, path, _beyond(page, new.get(path)), -1)
    for path, page in new.items():
        _count(found, path, _beyond(page, gone.get(path)), 1)
    found.inside, found.outside = +found.inside, +found.outside
    if before.broken or _loses(found, gone, new, lost) or not all(_sound(before, new, files, known)):
        found.broken = tuple(broken(whole(), files))
    return found


def _beyond(page: Found, other: Found | None) -> list[str]:
    """What a page points at and another version of it does not: of thousands few."""
    known = frozenset(other.targets if other else ())
    return [target for target in page.targets if target not in known]


def _count(census: Census, path: str, targets: Iterable[str], by: int) -> None:
    for target in targets:
        place = resolved(path, target)
        if place.outside:
            census.outside[target] += by
        elif place.file is not None:
            census.inside[place.file] += by
            if place.name:
                census.inside[_key(place)] += by


def _key(place: Place) -> str:
    return f"{place.file}#{place.name}" if place.name else place.file or ""


def _loses(census: Census, gone: Mapping[str, Found], new: Mapping[str, Found], lost: Iterable[str]) -> bool:
    """Whether somebody points at a file or a name that went."""
    if any(path in census.inside for path in lost):
        return True
    for path, page in gone.items():
        names = set(page.names) - set(new[path].names if path in new else ())
        if any(f"{path}#{name}" in census.inside for name in names):
            return True
    return False


def _sound(
    before: Census, new: Mapping[str, Found], files: frozenset[str], known: Callable[[str], Found | None]
) -> Iterable[bool]:
    """Whether each link of the pages that changed leads somewhere; one that others have is known to."""
    asked: dict[str, frozenset[str] | None] = {}
    for path, page in new.items():
        for target in page.targets:
            place = resolved(path, target)
            if place.why:
                yield False
            elif place.file is not None and _key(place) not in before.inside:
                yield place.file in files
                if place.name and place.file not in asked:
                    there = known(place.file)
                    asked[place.file] = frozenset(there.names) if there else None
                names = asked.get(place.file) if place.name else None
                yield names is None or place.name in names
