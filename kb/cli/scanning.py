"""`kb scan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.options import Json, Quiet, Root, config, print_json, say
from kb.errors import KbError, NotFound

if TYPE_CHECKING:
    from kb.component import Component
    from kb.config import Base
    from kb.library import Library
    from kb.scan import Report, Tree
    from kb.scan.history import History


def scan(
    component: Annotated[
        str, typer.Argument(metavar="COMPONENT", help="Id, alias or class name of a component.", show_default=False)
    ] = "",
    old: Annotated[str, typer.Option("--from", metavar="VERSION", help="Release to start from.")] = "",
    new: Annotated[str, typer.Option("--to", metavar="VERSION", help="Release to compare with it.")] = "",
    git: Annotated[
        Path | None, typer.Option("--git", metavar="DIR", help="Local clone; versions are looked up among its tags.")
    ] = None,
    old_path: Annotated[
        Path | None, typer.Option("--old", metavar="PATH", help="Folder, sdist or wheel of the old release.")
    ] = None,
    new_path: Annotated[
        Path | None, typer.Option("--new", metavar="PATH", help="Folder, sdist or wheel of the new release.")
    ] = None,
    index: Annotated[
        bool, typer.Option("--index", help="Ask the package index that pip is configured for; keeps what it fetched.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Write drafts of change records, the table of symbols and the coverage.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="With --index: every component against its newest release.")
    ] = False,
    diff: Annotated[
        Path | None,
        typer.Option(
            "--diff", metavar="FILE", help="Unified diff to apply to the old side; - for stdin.", allow_dash=True
        ),
    ] = None,
    lines: Annotated[int, typer.Option("--lines", metavar="N", min=0, help="Lines shown of each hunk.")] = 8,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """What really changed in a component between two releases?

    Read by function on the syntax tree: moved is not removed, and docs, types, logs and refactorings are told
    apart from behaviour. It says what differs, never how much it matters.

    \b
    Examples:
      kb scan vllm-nixl-pull --from 0.26.0 --to 0.33.0 --index
      kb scan vllm-nixl-pull --from 0.26.0 --to 0.27.0 --git ../vllm
      kb scan vllm-nixl-pull --old vllm-0.26.0.tar.gz --new vllm-0.27.0.tar.gz --write
      kb scan vllm-nixl-pull --git ../vllm --diff pull-request.diff
      kb scan --all --index --write
    """
    from kb.library import open_library
    from kb.scan import scan as compare

    opened = config(root)
    library = open_library(opened)
    if every:
        from kb.cli.refreshing import refresh

        _only_all(index, component, old, new, git, old_path, new_path, diff)
        refresh(library, opened.base, write, json_out)
        return
    found = _component(component, library)
    if diff is not None:
        if write:
            raise KbError("a diff is no release: nothing of it is written", "leave out --write")
        trees = _with_diff(found, diff, old, git, old_path, index)
    else:
        trees = _trees(found, (old, new), git, (old_path, new_path), index)
    _matching(trees, found)
    history = _history(git, (old, new), found) if diff is None else None
    report = compare(*trees, found, library.changes.values(), history)
    from kb.present.scan import scan as shown
    from kb.present.text import page
    from kb.present.touched import touched as listed
    from kb.scan.resting import touched

    rests = touched(report, library)
    if json_out:
        print_json({**report.as_dict(), "touched": [each.as_dict() for each in rests]})
    else:
        typer.echo("\n".join([*shown(report, page(), 0 if quiet else lines), *listed(rests, page())]))
    if write:
        _write(report, trees, found, library, opened.base, "git tags" if git else "index" if index else "as given")


def _write(
    report: Report, trees: tuple[Tree, Tree], component: Component, library: Library, base: Base, source: str
) -> None:
    """Drafts, the table of symbols and the statement of coverage; what cannot be written is said."""
    from datetime import date

    from kb.scan.keeping import Keeping
    from kb.scan.writing import write_drafts

    known = library.digests.read(component.id)  # a damaged one stops here, before anything is written
    host = library.components.get(component.ships_in or "")
    keeping = Keeping(component, known, base.entries, date.today().isoformat(), source, host)
    for each in (*write_drafts(report, base.entries, library.changes), *keeping.keep(report, trees)):
        if isinstance(each, KbError):
            say(f"kb: {each.message}")
        else:
            say(f"wrote {each.relative_to(base.root) if each.is_relative_to(base.root) else each}")


def _matching(trees: tuple[Tree, Tree], component: Component) -> None:
    """Raises KbError when neither side has a file of the component: "nothing differs" would be a lie."""
    from kb.scan.compare import matching

    if not matching(trees, component):
        sides = " or ".join(dict.fromkeys(each.label for each in trees))
        raise KbError(
            f"none of {component.id}'s paths matches a file in {sides}",
            f"its paths start at the project's root: {', '.join(_some_globs(component))}",
        )


def _some_globs(component: Component, most: int = 2) -> list[str]:
    globs = [each.glob for each in component.paths if not each.neighbour]
    return [*globs[:most], *(["…"] if len(globs) > most else [])]


def _only_all(index: bool, *others: object) -> None:
    """Raises KbError when --all was asked for with something that speaks of one component."""
    if not index or any(others):
        raise KbError(
            "--all asks the package index about every component", "kb scan --all --index, with --write or --json"
        )


def _with_diff(
    component: Component, diff: Path, old: str, git: Path | None, old_path: Path | None, index: bool
) -> tuple[Tree, Tree]:
    """The old side, and the old side with the diff applied. Raises KbError."""
    from kb.scan.patch import patched

    if git is not None and old_path is None and not index:
        before = _tagged(git, old or "HEAD")
    elif old_path is not None and git is None and not index:
        before = _read(old_path, old, "--old")
    elif index and git is None and old_path is None and old:
        before = _fetched(component, old)[0]
    else:
        raise KbError(
            "a diff is applied to one source: --git DIR, --old PATH, or --index with --from",
            f"kb scan {component.id} --git DIR --diff FILE",
        )
    return before, patched(before, _text(diff), f"{before.label}-diff")


def _text(diff: Path) -> str:
    if str(diff) == "-":
        import sys

        return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    try:
        return diff.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise KbError(f"{diff} cannot be read: {error.strerror}") from None


def _component(name: str, library: Library) -> Component:
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


def _trees(
    component: Component,
    versions: tuple[str, str],
    git: Path | None,
    paths: tuple[Path | None, Path | None],
    index: bool,
) -> tuple[Tree, Tree]:
    """Both releases. Raises KbError when no source, or more than one, was named."""
    named = [git is not None, paths != (None, None), index]
    if sum(named) != 1:
        raise KbError(
            "name one source: --git DIR, --old PATH with --new PATH, or --index",
            f"kb scan {component.id} --from A --to B --index",
        )
    if paths != (None, None):
        return _read(paths[0], versions[0], "--old"), _read(paths[1], versions[1], "--new")
    for option, version in zip(("--from", "--to"), versions, strict=True):
        if not version:
            raise KbError(f"{option} is missing", "give the versions to compare: --from A --to B")
    if git is not None:
        return _tagged(git, versions[0]), _tagged(git, versions[1])
    before, after = _fetched(component, *versions)
    return before, after


def _fetched(component: Component, *versions: str) -> tuple[Tree, ...]:
    """Releases from the package index."""
    from kb.scan.index import Index

    found = Index(tell=lambda file: say(f"kb: fetching {file.name}"))
    return tuple(found.tree(component.ships_in or component.id, version) for version in versions)


def _history(clone: Path | None, versions: tuple[str, str], component: Component) -> History | None:
    if clone is None:
        return None
    from kb.scan.history import history

    return history(clone, *versions, component)


def _read(path: Path | None, version: str, option: str) -> Tree:
    from kb.scan.source import read

    if path is None:
        raise KbError(f"{option} is missing", "two folders or archives are compared: --old PATH --new PATH")
    return read(path, version or _version(path))


def _version(path: Path) -> str:
    """The version in a file or folder name (vllm-0.33.0.tar.gz), or the name."""
    import re

    found = re.search(r"(?<![\d.])v?(\d+\.\d+[\w.]*?)(?=\.(?:tar|zip|whl|tgz)|-|$)", path.name)
    return found[1] if found else path.name


def _tagged(clone: Path, version: str) -> Tree:
    from dataclasses import replace

    from kb.scan.git import tree

    return replace(tree(clone, version), label=version.removeprefix("v"))
