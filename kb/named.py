"""Records as somebody names them on a command line: by id, alias, class name, address or number."""

from __future__ import annotations

from kb.change import Change
from kb.component import Component
from kb.errors import KbError, NotFound
from kb.library import Library
from kb.places import named_by
from kb.registry import Registry
from kb.suggest import nearest, nearest_version
from kb.versions import parse
from kb.vocabulary import Kind


def change_of(name: str, library: Library) -> Change:
    """The change of an id, alias, path, address or number (#45211). Raises KbError, or NotFound with the nearest."""
    found = _changes(name, library)
    if len(found) == 1:
        return library.changes[next(iter(found))]
    if found:
        raise KbError(f'"{name}" is several changes', f"name one: {', '.join(sorted(found))}")
    near = nearest(named_by(name)[0], [*library.changes, *library.components])
    hint = f"did you mean {near}?" if near else "`kb search kind:change WORDS` finds it"
    raise NotFound(f'nothing that changes is called "{name}"', hint)


def _changes(name: str, library: Library) -> frozenset[str]:
    answering = library.answering[Kind.CHANGE]
    if found := answering.get(name.casefold()) or answering.get(named_by(name)[0].casefold()):
        return found
    wanted = name.rstrip("/").casefold()
    number = wanted.removeprefix("#") if wanted.removeprefix("#").isdigit() else None
    addresses = {each.id: str(each.url or "").rstrip("/").casefold() for each in library.changes.values()}
    return frozenset(
        id_
        for id_, address in addresses.items()
        if (address and wanted == address) or number == address.rpartition("/")[2]
    )


def component_of(name: str, library: Library) -> Component | None:
    """The component of an id, alias, path or class name; None when there is none. Raises KbError for several."""
    if name in library.components:
        return library.components[name]
    found = library.answering_component(name) or library.answering_component(named_by(name)[0])
    if len(found) > 1:
        raise KbError(f'"{name}" is several components', f"name one: {', '.join(sorted(found))}")
    return library.components[next(iter(found))] if found else None


def release_of(component: Component, version: str, registry: Registry) -> str:
    """A known release of what a component ships in, as it is written there. Raises KbError with what is known."""
    wanted = parse(version)
    if wanted is None:
        raise KbError(f'"{version}" is no release', "for example 0.33.0")
    known = registry.library.releases_of(component.id)
    found = next((each.version for each in known if parse(each.version) == wanted), None)
    if found is None and known:
        newest = registry.newest(component.id)
        near = nearest_version(version, [each.version for each in known])
        hint = f"did you mean {near}? " if near else ""
        what = registry.distribution(component.id)
        raise NotFound(f"no release {version} of {what} is known", f"{hint}The newest known is {newest}")
    return found or version
