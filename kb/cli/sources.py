"""Where `kb scan` and `kb impact` read releases and diffs from: a clone, folders and archives, the package index."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.options import say
from kb.errors import KbError, NotFound

if TYPE_CHECKING:
    from kb.component import Component
    from kb.library import Library
    from kb.scan import Tree

Pair = tuple["Tree", "Tree"]
_RELEASE = re.compile(r"v\d+\.\d")
_WRITTEN = re.compile(r"v\d")
MAX_DIFF = 64 << 20
"""Bytes of a diff that are read; more is no diff, or one of nothing that a person reviews."""
_PLACES = "--git DIR, --old PATH, or --index with --from"


@dataclass(frozen=True)
class Sources:
    """What was named on the command line."""

    command: str
    """For hints: `scan` or `impact`."""
    component: Component
    old: str = ""
    """Version, tag or commit of the old side."""
    new: str = ""
    git: Path | None = None
    old_path: Path | None = None
    new_path: Path | None = None
    index: bool = False
    written: bool = False
    """Whether it is put into records, which hold versions, not names of tags."""

    def releases(self) -> Pair:
        """Both releases. Raises KbError when no source, or more than one, was named."""
        paths = (self.old_path, self.new_path)
        if sum([self.git is not None, paths != (None, None), self.index]) != 1:
            raise KbError(
                "name one source: --git DIR, --old PATH with --new PATH, or --index",
                f"kb {self.command} {self.component.id} --from A --to B --index",
            )
        if paths != (None, None):
            return _read(self.old_path, self.old, "--old"), _read(self.new_path, self.new, "--new")
        for option, version in (("--from", self.old), ("--to", self.new)):
            if not version:
                raise KbError(f"{option} is missing", "give the versions to compare: --from A --to B")
        if self.git is not None:
            return self._tagged(self.git, self.old), self._tagged(self.git, self.new)
        return self._fetched(self.old), self._fetched(self.new)

    def with_diff(self, diff: Path) -> Pair:
        """The old side, and the old side with the diff applied. Raises KbError."""
        from kb.scan.patch import patched

        before = self._before()
        return before, patched(before, _text(diff), f"{before.label} with the diff")

    def _before(self) -> Tree:
        git, path = self.git is not None, self.old_path is not None
        if sum([git, path, self.index]) == 1 and self.new_path is None:
            if self.git is not None:
                return self._tagged(self.git, self.old or "HEAD")
            if path:
                return _read(self.old_path, self.old, "--old")
            if self.old:
                return self._fetched(self.old)
        places = "--git DIR or --old PATH" if self.command == "impact" else _PLACES
        raise KbError(
            f"a diff is applied to one source: {places}",
            f"kb {self.command} {self.component.id} --git DIR --diff FILE",
        )

    def _tagged(self, clone: Path, ref: str) -> Tree:
        """The tree of a clone: a release's tag by its version (v0.33.0 is 0.33.0), any other name as it was typed."""
        from dataclasses import replace

        from kb.scan.git import tree

        release = _WRITTEN if self.written else _RELEASE
        return replace(tree(clone, ref), label=ref.removeprefix("v") if release.match(ref) else ref)

    def _fetched(self, version: str) -> Tree:
        """A release from the package index."""
        from kb.scan.index import Index

        found = Index(tell=lambda file: say(f"kb: fetching {file.name}"))
        return found.tree(self.component.ships_in or self.component.id, version)


def component(name: str, library: Library) -> Component:
    """The component of that name. Raises NotFound with the nearest one."""
    from kb.suggest import did_you_mean

    if not name:
        raise KbError("name a component, or --all", "`kb search --kind component ''` lists them")
    id_ = library.component_names.get(name.casefold())
    if id_ is None:
        raise NotFound(f'no component is called "{name}"', did_you_mean(name, library.components) or None)
    found = library.components[id_]
    if not found.paths:
        raise KbError(f"{id_} does not say where its code is", f"state its paths in entries/components/{id_}.yaml")
    return found


def matching(trees: Pair, component: Component) -> None:
    """Raises KbError when neither side has a file of the component: "nothing differs" would be a lie."""
    from kb.scan.compare import matching
    from kb.scan.pins import is_wheel

    if not matching(trees, component):
        sides = " or ".join(dict.fromkeys(each.label for each in trees))
        hint = f"its paths start at the project's root: {', '.join(some_globs(component))}"
        if all(map(is_wheel, trees)):
            ask = f"kb scan {component.id} --seen string:WORDS --from A --to B --index"
            hint = f"wheels may hold libraries alone: `--git CLONE` reads the sources, `{ask}` looks into the libraries"
        raise KbError(f"none of {component.id}'s paths matches a file in {sides}", hint)


def some_globs(component: Component, most: int = 2) -> list[str]:
    """The first of a component's own paths."""
    globs = [each.glob for each in component.paths if not each.neighbour]
    return [*globs[:most], *(["…"] if len(globs) > most else [])]


def _text(diff: Path) -> str:
    if str(diff) == "-":
        if sys.stdin.isatty():
            raise KbError("no diff comes in from stdin", "git diff A B | kb ... --diff -")
        content = sys.stdin.buffer.read(MAX_DIFF + 1)
    else:
        try:
            with diff.open("rb") as file:
                content = file.read(MAX_DIFF + 1)
        except OSError as error:
            raise KbError(f"{diff} cannot be read: {error.strerror}") from None
    if len(content) > MAX_DIFF:
        raise KbError(f"the diff has more than {MAX_DIFF >> 20} MB", "give it of the component's own paths only")
    return content.decode("utf-8", "surrogateescape")


def _read(path: Path | None, version: str, option: str) -> Tree:
    from kb.scan.source import read

    if path is None:
        raise KbError(f"{option} is missing", "two folders or archives are compared: --old PATH --new PATH")
    return read(path, version or _version(path))


def _version(path: Path) -> str:
    """The version in a file or folder name (vllm-0.33.0.tar.gz), or the name."""
    found = re.search(r"(?<![\d.])v?(\d+\.\d+[\w.]*?)(?=\.(?:tar|zip|whl|tgz)|-|$)", path.name)
    return found[1] if found else path.name
