"""Where commits lie among the releases of a component, by the tags of a clone: what `builds` of its record state.

A release is often tagged on a branch of its own, with commits picked from the main line. A commit of the main line then
came after a release if the release's branch began before it, and before one whose tag has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from kb.component import Build, Component
from kb.errors import KbError
from kb.library import Library
from kb.rewrite import rewrite
from kb.scan import git
from kb.setup import Pin
from kb.versions import parse
from kb.vocabulary import UNKNOWN

BY_TAG = "tag of the release in the repository"
BY_LINE = "history and tags of the repository"


@dataclass(frozen=True)
class Placed:
    """One commit, and what the clone says of it."""

    commit: str
    named_by: tuple[str, ...] = ()
    """Records that pin it; none for a release's tag."""
    build: Build | None = None
    known: bool = False
    """Whether the component's record has it already."""
    why_not: str = ""
    """Why nothing is said of where it lies."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "commit": self.commit,
            "named_by": list(self.named_by),
            "build": self.build.model_dump(mode="json", exclude_none=True) if self.build else None,
            "known": self.known,
            "why_not": self.why_not or None,
        }


def place(component: Component, library: Library, clone: Path, ref: str = "HEAD") -> tuple[Placed, ...]:
    """Commits of the component's tagged releases, then those that records of the base pin. Raises KbError.

    `ref` is the main line; a fetched clone's HEAD is.
    """
    host = component.ships_in or component.id
    if not component.releases:
        if host in library.components and host != component.id:
            raise KbError(
                f"{component.id} ships in {host}, whose record places commits", f"kb scan {host} --git {clone}"
            )
        raise KbError(f"the record of {component.id} lists no releases to place commits among", "add its releases")
    line = _Line(clone, git.resolve(clone, ref), tuple(each.version for each in component.releases))
    if not line.tags:
        raise KbError(f"{clone} has no tag of a release of {component.id}", "`git fetch --tags` brings them")
    tagged = [_tag(version, commit, line) for version, commit in line.tags.items()]
    pinned = [_pin(commit, by, line) for commit, by in sorted(pins(component, library).items())]
    return tuple(_compared(each, component) for each in (*tagged, *pinned))


def pins(component: Component, library: Library) -> dict[str, tuple[str, ...]]:
    """Commits of the component, or of what ships with it, that records pin -> the records."""
    host = component.ships_in or component.id
    same = {each.id for each in library.components.values() if (each.ships_in or each.id) == host}
    found: dict[str, dict[str, None]] = {}
    for records in (library.evaluations, library.deployments):
        for id_, record in sorted(records.items()):
            for pin in _pins(record):
                if pin.component in same and pin.commit not in {None, UNKNOWN} and pin.fork is None:
                    found.setdefault(str(pin.commit), {})[id_] = None
    return {commit: tuple(by) for commit, by in found.items()}


def _pins(value: object) -> Iterator[Pin]:
    if isinstance(value, Pin):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _pins(getattr(value, name))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _pins(each)


@dataclass(frozen=True)
class _Line:
    """The main line of a clone and the releases that it has tags of."""

    clone: Path
    head: str
    versions: tuple[str, ...]

    @cached_property
    def tags(self) -> dict[str, str]:
        """Version -> commit of its tag, oldest release first."""
        ordered = sorted(self.versions, key=lambda version: parse(version) or version)
        found = ((version, git.tagged(self.clone, version)) for version in ordered)
        return {version: commit for version, commit in found if commit}

    @cached_property
    def forks(self) -> dict[str, str | None]:
        """Version -> the commit of the main line at which its branch began: its own, where it is on it."""
        return {version: git.fork_point(self.clone, commit, self.head) for version, commit in self.tags.items()}

    @cached_property
    def main(self) -> frozenset[str]:
        return frozenset(git.line(self.clone, self.head))

    def order(self, commit: str) -> int | None:
        """Its number on the main line, by which two are compared; what was merged into it has none."""
        return git.count(self.clone, commit) if commit in self.main else None

    def before(self, commit: str) -> str | None:
        """The first release that has it."""
        return next((v for v, tag in self.tags.items() if git.is_ancestor(self.clone, commit, tag)), None)

    def after(self, commit: str) -> str | None:
        """The last release that it has all of, or whose branch began before it."""
        return next((v for v in reversed(self.tags) if self._is_after(commit, v)), None)

    def _is_after(self, commit: str, version: str) -> bool:
        fork = self.forks[version]
        began = fork is not None and fork != commit and git.is_ancestor(self.clone, fork, commit)
        return git.is_ancestor(self.clone, self.tags[version], commit) or (
            began and git.is_ancestor(self.clone, commit, self.head)
        )


def _tag(version: str, commit: str, line: _Line) -> Placed:
    build = Build(commit=commit, version=version, order=line.order(commit), read_in=BY_TAG)
    return Placed(commit, (), build)


def _pin(commit: str, by: tuple[str, ...], line: _Line) -> Placed:
    try:
        full = git.resolve(line.clone, commit)
    except KbError:
        return Placed(commit, by, why_not="the clone does not have it")
    if version := next((version for version, tag in line.tags.items() if tag == full), None):
        return Placed(full, by, Build(commit=full, version=version, order=line.order(full), read_in=BY_TAG))
    after, before = line.after(full), line.before(full)
    if before is None:
        why = "no tag of a release has it"
        return Placed(full, by, why_not=why if git.is_ancestor(line.clone, full, line.head) else f"{why}, nor main")
    if after is None:
        return Placed(full, by, why_not=f"it came before {before} and after no tagged release")
    if not _older(after, before):
        return Placed(full, by, why_not=f"it is in {before} and came after {after}")
    return Placed(full, by, Build(commit=full, after=after, before=before, order=line.order(full), read_in=BY_LINE))


def _older(one: str, other: str) -> bool:
    a, b = parse(one), parse(other)
    return a is not None and b is not None and a < b


def _compared(found: Placed, component: Component) -> Placed:
    """Beside what the record has of the same commit; what it says otherwise is not written over."""
    alike = [each for each in component.builds if each.commit and _same(each.commit, found.commit)]
    if not alike or found.build is None:
        return found
    told, seen = ((each.version, each.after, each.before) for each in (alike[0], found.build))
    if told == seen:
        return Placed(found.commit, found.named_by, found.build, known=True)
    return Placed(found.commit, found.named_by, why_not="the record places it elsewhere: a person decides")


def _same(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def write(found: Iterable[Placed], component: Component, entries: Path) -> Path | None:
    """Write what is new into the component's record; its path when that changed anything."""
    path = entries / "components" / f"{component.id}.yaml"
    fresh = {each.build.commit: each.build for each in found if each.build and not each.known}
    if not fresh or not path.is_file():
        return None
    return path if rewrite(path, lambda record: _add(record, fresh.values())) else None


def _add(record: Any, builds: Iterable[Build]) -> None:
    listed = record.setdefault("builds", CommentedSeq())
    for each in builds:
        stated = CommentedMap(commit=DoubleQuotedScalarString(each.commit or ""))
        for name in ("version", "after", "before"):
            if value := getattr(each, name):
                stated[name] = DoubleQuotedScalarString(value)
        if each.order is not None:
            stated["order"] = str(each.order)
        stated["read_in"] = each.read_in
        stated.fa.set_flow_style()
        listed.append(stated)
