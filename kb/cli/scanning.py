"""`kb scan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli import sources
from kb.cli.options import Json, Quiet, Root, config, print_json, say
from kb.errors import KbError

if TYPE_CHECKING:
    from kb.component import Component
    from kb.config import Base
    from kb.library import Library
    from kb.scan import Report, Tree
    from kb.scan.history import History
    from kb.scan.presence import Marker


def scan(
    component: Annotated[
        str, typer.Argument(metavar="COMPONENT", help="Id, alias or class name of a component.", show_default=False)
    ] = "",
    old: Annotated[str, typer.Option("--from", metavar="VERSION", help="Release to start from.")] = "",
    new: Annotated[str, typer.Option("--to", metavar="VERSION", help="Release to compare with it.")] = "",
    git: Annotated[
        Path | None,
        typer.Option("--git", metavar="DIR", help="Local clone with tags; without --from and --to: places commits."),
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
        bool,
        typer.Option(
            "--write", help="Write drafts of change records, the table of symbols and the coverage; or builds."
        ),
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
    seen: Annotated[
        list[str] | None,
        typer.Option(
            "--seen",
            metavar="KIND:NAME",
            help="With --index: first and last release with a symbol, string, option or env, of those --from to --to; "
            "repeatable.",
            show_default=False,
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
      kb scan vllm-nixl-pull --seen option:num_threads --from 0.22.0 --to 0.33.0 --index
      kb scan nixl --git ../nixl --write
      kb scan --all --index --write
    """
    from kb.library import open_library
    from kb.scan import scan as compare

    opened = config(root)
    library = open_library(opened)
    if every:
        from kb.cli.refreshing import refresh

        _only_all(index, component, old, new, git, old_path, new_path, diff, bool(seen))
        refresh(library, opened.base, write, json_out)
        return
    found = sources.component(component, library)
    if seen:
        from kb.scan.sought import marker

        asked = [marker(each) for each in dict.fromkeys(seen)]
        if not (index and old and new) or any((git, old_path, new_path, diff, write)):
            example = f"kb scan {found.id} --seen option:NAME --from A --to B --index"
            raise KbError("--seen asks the package index about a range of releases", example)
        _seen(found, asked, f">={old},<={new}", json_out)
        return
    if git is not None and not any((old, new, old_path, new_path, index, diff)):
        _place(found, library, git, opened.base, write, json_out)
        return
    named = sources.Sources("scan", found, old, new, git, old_path, new_path, index, write)
    if diff is not None and write:
        raise KbError("a diff is no release: nothing of it is written", "leave out --write")
    trees = named.with_diff(diff) if diff is not None else named.releases()
    sources.matching(trees, found)
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


def _seen(component: Component, wanted: list[Marker], versions: str, json_out: bool) -> None:
    """In which releases something is. Raises KbError."""
    from kb.present.sought import sought as shown
    from kb.present.text import page
    from kb.scan.index import Index
    from kb.scan.sought import sought
    from kb.versions import parse_range

    if parse_range(versions) is None:
        raise KbError(f'"{versions}" is no range of versions', "--from and --to are versions of the distribution")
    index = Index(tell=lambda file: say(f"kb: fetching {file.name}"))
    found = list(sought(wanted, component, index, versions))
    if json_out:
        print_json({"seen": [each.as_dict() for each in found]})
    else:
        typer.echo("\n".join(shown(found, page())))


def _place(component: Component, library: Library, clone: Path, base: Base, write: bool, json_out: bool) -> None:
    """Where commits lie among the component's releases. Raises KbError."""
    from kb.present.placing import placing as shown
    from kb.present.text import page
    from kb.scan import placing

    found = placing.place(component, library, clone)
    if json_out:
        print_json({"builds": [each.as_dict() for each in found]})
    else:
        typer.echo("\n".join(shown(found, page())))
    if write and (path := placing.write(found, component, base.entries)):
        say(f"wrote {path.relative_to(base.root) if path.is_relative_to(base.root) else path}")


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


def _only_all(index: bool, *others: object) -> None:
    """Raises KbError when --all was asked for with something that speaks of one component."""
    if not index or any(others):
        raise KbError(
            "--all asks the package index about every component", "kb scan --all --index, with --write or --json"
        )


def _history(clone: Path | None, versions: tuple[str, str], component: Component) -> History | None:
    if clone is None:
        return None
    from kb.scan.history import history

    return history(clone, *versions, component)
