"""The target that somebody asks for: a deployment of the base, files that describe one, versions given by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kb.builds import Known, at_target, neighbours
from kb.errors import KbError, NotFound
from kb.library import Library
from kb.lines import BUILD_FIELDS
from kb.registry import Registry
from kb.suggest import nearest, nearest_version
from kb.target import SIDES, SideName, Target, pin_of, versions_given
from kb.vocabulary import UNKNOWN, Kind

if TYPE_CHECKING:
    from kb.setup import Pin
    from kb.setups import Reading


Versions = dict[tuple[str | None, str], str]
"""(Side or none, component or distribution) -> version."""


def target(names: Iterable[str], at: Iterable[str], library: Library, against: Iterable[str] = ()) -> Target:
    """The target of `--for` and `--at`, with what has to be known of its versions; `against` goes before `at`. A name
    is a deployment's id, a file that describes one, a command line that starts a server, or one of the two for a side
    (prefill=FILE, decode=FILE). Raises KbError."""
    found = _target(names, at, library, against)
    return replace(found, notes=tuple(dict.fromkeys(_notes(found, library))))


def _notes(target: Target, library: Library) -> Iterator[str]:
    """Versions that are not stated, and releases that are asked about and that nobody has recorded."""
    registry = Registry(library)
    yield from _unstated(target, registry)
    yield from _marked(target, registry)
    given = [(name, version) for (_, name), version in target.at.items()]
    pinned = [
        (name, each) for name, found in (target.setup.versions() if target.setup else {}).items() for each in found
    ]
    over = {registry.distribution(name) for name, _ in given}
    for name, version in (*given, *(pair for pair in pinned if registry.distribution(pair[0]) not in over)):
        if (around := neighbours(name, version, registry)) is not None:
            known = [each.version for each in registry.releases(name)]
            yield _note(registry.distribution(name), version, around, registry.newest(name), known)


def _unstated(target: Target, registry: Registry) -> Iterator[str]:
    """Distributions that the target runs without saying which build."""
    given = {registry.distribution(name) for _, name in target.at}
    pins: dict[str, list[Pin]] = {}
    for pin in target.setup.pins().values() if target.setup else ():
        if pin.component and pin.component in registry.library.components:
            pins.setdefault(registry.distribution(pin.component), []).append(pin)
    for name, found in pins.items():
        stated = (getattr(pin, each) for pin in found for each in BUILD_FIELDS)
        newest = registry.newest(name)
        if newest and name not in given and all(not each or each == UNKNOWN for each in stated):
            add = f"add what runs there, like --at {name}={newest}, or a pin in a deployment"
            yield f"no version of {name} is stated: judged for every release that it can be; {add}"


def _marked(target: Target, registry: Registry) -> Iterator[str]:
    """Commits and images that the target runs: where they lie, or that nobody has said."""
    given = [(name, pin_of(said)) for (_, name), said in target.at.items()]
    over = {registry.distribution(name) for name, _ in given}
    pins = [pin for pin in (target.setup.pins().values() if target.setup else ()) if pin.component]
    run = [(str(pin.component), pin.stored()) for pin in pins if registry.distribution(str(pin.component)) not in over]
    for component, pin in (*given, *run):
        found = at_target(component, pin, registry)
        name = registry.distribution(component)
        if found.unplaced:
            known = [each.version for each in registry.releases(component)]
            between = f" ({known[0]} to {known[-1]})" if known else ""
            any_of_them = f"judged for every release that it can be{between}, and it may be newer"
            yield f"{name} {found.said} is placed by no record: {any_of_them}; `builds` of {name} places it"
        elif found.known is Known.PLACED:
            yield f"{name} {found.said}: judged as {' or '.join(found.versions)}"


def _note(name: str, version: str, around: tuple[str, ...], newest: str | None, known: Iterable[str]) -> str:
    near = nearest_version(version, known)
    slip = f"; did you mean {near}?" if near and near not in around else ""
    if len(around) > 1:
        return f"{name} {version} is no known release: judged as any of {', '.join(around)}{slip}"
    said = f"{name} {version} is no known release: what it carries is not established"
    scan = f"`kb scan {name} --from {around[0]} --to {version} --index --write` records it"
    return f"{said} (newest known: {newest}; {scan}){slip}"


def _target(names: Iterable[str], at: Iterable[str], library: Library, against: Iterable[str]) -> Target:
    wanted = tuple(names)
    versions = _over(versions_given(at, library), versions_given(against, library))
    if not wanted:
        return Target(at=versions)
    if len(wanted) == 1 and (found := _deployment(wanted[0], library)) is not None:
        deployment = library.deployments[found]
        return Target(deployment.id, deployment.setup, versions)
    reading = read_files(wanted, library)
    sides = (each for each in reading.suggestions if each.key.startswith(("both.", "prefill.", "decode.")))
    unread = (*map(str, reading.not_read), *map(str, sides))
    return Target(", ".join(wanted), reading.setup, versions, unread)


def _over(at: Versions, against: Versions) -> Versions:
    """What is considered over what runs; what is given for both sides goes before what ran on one."""
    whole = {name for side, name in against if side is None}
    return {key: version for key, version in at.items() if key[1] not in whole} | against


def _deployment(name: str, library: Library) -> str | None:
    """Id of the deployment of that name."""
    answering = library.answering[Kind.DEPLOYMENT].get(name.casefold(), frozenset())
    return min(answering, default=None)


def read_files(names: Iterable[str], library: Library) -> Reading:
    """What files, and command lines as they are typed, say of a deployment. Raises NotFound for what is neither a
    deployment nor one of these."""
    from kb.setups import read_texts, text_of

    texts: list[tuple[str, str]] = []
    sides: list[SideName | None] = []
    for name in names:
        before, equals, rest = name.partition("=")
        side: SideName | None = next((each for each in SIDES if equals and each == before), None)
        said = rest if side else name
        if _starts_a_server(said):
            texts.append((f"the command line of {side}" if side else "the command line", said))
        elif (path := Path(said)).is_file():
            texts.append((str(path), text_of(path)))
        else:
            raise _nowhere(name, path, library)
        sides.append(side)
    return read_texts(texts, components=library.components, sides=sides, running=True)


def _starts_a_server(text: str) -> bool:
    """Whether it is a command line itself, and not the name of a file that holds one."""
    from kb.setups.shell import commands

    return any(blank in text for blank in " \t\n") and bool(commands(text))


def _nowhere(name: str, path: Path, library: Library) -> KbError:
    if path.is_dir():
        return KbError(f"{path} is a folder", "name the files in it that describe the deployment")
    if _deployment(name, library) is not None:
        return KbError(f'"{name}" is a deployment of this base, and files are named beside it', "name one or the other")
    near = nearest(name, library.deployments)
    known = ", ".join(sorted(library.deployments)) or "none yet"
    others = "a file" if " " not in name else "a file, or a command line that starts a server"
    hint = f"did you mean {near}?" if near else f"deployments of this base: {known}; or give {others}"
    return NotFound(f'"{name}" is neither a deployment of this base nor a file', hint)
