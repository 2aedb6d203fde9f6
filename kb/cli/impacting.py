"""`kb impact`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.options import Json, Quiet, Root, print_json

if TYPE_CHECKING:
    from kb.impact import Impact
    from kb.library import Library
    from kb.registry import Registry


def impact(
    name: Annotated[
        str,
        typer.Argument(metavar="CHANGE|COMPONENT", help="Id, alias, #number or address of a change; or a component."),
    ],
    since: Annotated[
        str | None, typer.Option("--from", metavar="VERSION", help="Of a component: the release (or commit) that was.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="VERSION", help="The release that is considered; newest without it.")
    ] = None,
    git: Annotated[
        Path | None,
        typer.Option("--git", metavar="DIR", help="Clone: what differs between the commits --from and --to (HEAD)."),
    ] = None,
    diff: Annotated[
        Path | None,
        typer.Option(
            "--diff",
            metavar="FILE",
            help="Unified diff, made from --from (HEAD) of --git or from --old; - for stdin.",
            allow_dash=True,
        ),
    ] = None,
    old_path: Annotated[
        Path | None, typer.Option("--old", metavar="PATH", help="Folder, sdist or wheel that --diff was made from.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every change, and also the claims that are not touched, and why.")
    ] = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Which claims does a change touch, and why?

    Four questions: does it ship, does the setup reach it, does it alter behaviour, does it touch what the claim rests
    on? The answers are those of `kb audit`. A change is asked about at the newest releases; of a component every change
    that turns between --from and --to, at --to (of one with releases of its own also what else ships in them). Without
    --from: all recorded changes of the component. Several changes are listed in few lines; with --all each with its
    claims and reasons, and how far it has got.

    With --git, or with --diff, of a component: the symbols that two commits or a diff touch, and the claims that these
    would touch once a release carries them; for a pull request that nobody has recorded.

    \b
    Examples:
      kb impact vllm-45211-pull-reader-thread
      kb impact "#45211" --all
      kb impact vllm-nixl-push --from 0.29.0 --to 0.33.0
      kb impact NixlConnector
      kb impact vllm-nixl-pull --git ../vllm --from main --to my-branch
      git diff main | kb impact vllm-nixl-pull --git . --from main --diff -
    """
    from kb.cli.auditing import opened
    from kb.registry import Registry

    library = opened(root, quiet)
    if git is not None or diff is not None or old_path is not None:
        _foreseen(name, Sides(since or "", until or "", git, old_path, diff), library, everything, json_out)
        return
    title, found = _found(name, since, until, library, Registry(library))
    if json_out:
        print_json(found.as_dict())
        return
    from kb.present.impact import impact as shown
    from kb.present.text import page

    typer.echo("\n".join(shown(found, title, page(), everything, library.own_evaluations)))


@dataclass(frozen=True)
class Sides:
    """What is compared: two commits of a clone, or a source and a diff of it."""

    since: str
    until: str
    git: Path | None
    old_path: Path | None
    diff: Path | None


def _foreseen(name: str, sides: Sides, library: Library, everything: bool, json_out: bool) -> None:
    """What two commits or a diff of a component touch, and what rests on it. Raises KbError."""
    from kb.cli import sources
    from kb.errors import KbError
    from kb.foreseen import foreseen, unnamed
    from kb.impact import Impact
    from kb.present.impact import foreseen as shown
    from kb.present.text import page
    from kb.registry import Registry
    from kb.scan import scan
    from kb.scan.match import Status
    from kb.scan.report import differing
    from kb.scan.underway import underway
    from kb.scan.unread import unread

    component = sources.component(name, library)
    if sides.diff is None and (sides.git is None or not sides.since):
        raise KbError("two commits or a diff are looked at", f"kb impact {component.id} --git DIR --from A --to B")
    if sides.diff is not None and sides.until:
        raise KbError("--to is for two commits, --diff for one", "leave out one of them")
    until = sides.until or ("" if sides.diff else "HEAD")
    named = sources.Sources("impact", component, sides.since, until, sides.git, sides.old_path)
    trees = named.with_diff(sides.diff) if sides.diff else named.releases()
    sources.matching(trees, component)
    report = scan(*trees, component)
    files = unread(report, trees, component)
    opening = [
        each.path for each in files if each.status is not Status.MOVED and not each.kind
    ]  # neither moved nor docs
    change = underway(report, component)
    if change is None and opening:
        change = unnamed(component.id, report.old, report.new)
    claims = {id_: len(each.claims) for id_, each in library.evaluations.items()}
    found = foreseen(change, Registry(library), opening) if change else Impact((), (), (), claims=claims)
    differs = differing(report.symbols)
    if json_out:
        print_json(
            {
                **found.as_dict(),
                "symbols": [each.as_dict() for each in differs],
                "files": [each.as_dict() for each in files],
            }
        )
    elif not differs and not files:
        where = f"its code is at {', '.join(sources.some_globs(component))}"
        typer.echo(f"No code of {component.id} differs between {report.old} and {report.new}; {where}")
    else:
        title = f"{component.id}: {report.old} to {report.new}, if a release carried it"
        typer.echo("\n".join(shown(found, differs, files, title, page(), everything)))


def _found(name: str, since: str | None, until: str | None, library: Library, registry: Registry) -> tuple[str, Impact]:
    """What was asked for, and what is known of it. Raises KbError."""
    from kb.errors import KbError
    from kb.impact import between, impact
    from kb.named import change_of, component_of, release_of

    component = component_of(name, library)
    if component is None:
        change = change_of(name, library)
        if since or until:
            raise KbError("--from and --to are for a component", f"kb impact {change.component} --from A --to B")
        return change.title, impact([change], registry)
    if since is None:
        if until is not None:
            raise KbError("--from is missing", f"kb impact {component.id} --from A --to {until}")
        return f"All recorded changes of {component.id}", impact(registry.changes.get(component.id, ()), registry)
    first = release_of(component, since, registry)
    second = release_of(component, until, registry) if until else registry.newest(component.id)
    if second is None:
        raise KbError(f"no release of {component.id} is known", "name it with --to")
    return f"{component.id} {first} to {second}", between(component.id, first, second, registry)
