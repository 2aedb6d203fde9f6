"""`kb state` and `kb review`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.options import Json, Quiet, Root, config, print_json, say

if TYPE_CHECKING:
    from pathlib import Path

    from kb.config import Config
    from kb.evaluation import Claim, Evaluation
    from kb.library import Library
    from kb.statements import Signed, Statement

Because = Annotated[
    str, typer.Option("--because", metavar="TEXT", help="The reason, in a sentence that holds without you.")
]
By = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who says so.")]
Day = Annotated[str | None, typer.Option("--date", metavar="DATE", help="Day of the statement; today without it.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show; nothing is written.")]


def state(
    change: Annotated[str, typer.Argument(metavar="CHANGE", help="Id, alias, #number or address of a change.")],
    claim: Annotated[str, typer.Option("--claim", metavar="ID/CLAIM", help="The claim it is about.")],
    status: Annotated[
        str,
        typer.Option("--status", metavar="STATUS", help="not-affected, affected, under-investigation or remeasured."),
    ],
    because: Because,
    justification: Annotated[
        str | None,
        typer.Option("--justification", metavar="WHY", help="Why not affected: one of the list below."),
    ] = None,
    by: By = None,
    day: Day = None,
    dry_run: DryRun = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Say what a change means for one claim, with a reason.

    Appended to `impacts` of the evaluation's file; nothing that stands there is altered, and of several statements the
    latest counts. not-affected and remeasured settle the change for that claim, affected makes it a recheck,
    under-investigation an unknown.

    \b
    not-affected needs one of: path-not-executed, arm-not-involved, default-off, refactor-only,
    observability-only, outside-envelope, same-behaviour-shown.

    \b
    Examples:
      kb state vllm-12345-name --claim my-test/heavy-load --status not-affected \\
        --justification default-off --because "we never pass num_threads"
    """
    from kb.named import change_of
    from kb.registry import Registry
    from kb.statements import state as stated

    opened, library = _opened(root, quiet)
    evaluation, found = _claim(claim, library)
    if found is None:
        from kb.errors import KbError

        names = ", ".join(each.id for each in evaluation.claims) or "none"
        raise KbError(f"{claim} names no claim", f"--claim {evaluation.id}/CLAIM; its claims: {names}")
    signed = _signed(because, by, day)
    made = stated(change_of(change, library), evaluation, found, status, justification, signed, Registry(library))
    _finish(made, opened, library, dry_run, json_out, quiet)


def review(
    name: Annotated[str, typer.Argument(metavar="ID[/CLAIM]", help="An evaluation, or one claim of it.")],
    because: Because,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", metavar="COMPONENT=VERSION", help="Release up to which it was looked at; repeatable."),
    ] = None,
    before: Annotated[
        list[str] | None,
        typer.Option("--before", metavar="COMPONENT=VERSION", help="The review ends before this release, knowingly."),
    ] = None,
    by: By = None,
    day: Day = None,
    dry_run: DryRun = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Sign a claim off up to named releases, having seen what changed.

    The old conclusion is shown beside every change since.
    Appended to `reviews` of the evaluation's file, with the ids of the changes that spoke (`seen`). What is silent
    needs no signature and is not recorded: at another target it may speak. Nothing that was measured is altered: a
    review moves the claim's verified-at forward, until a seen change moves again or a newer one comes.

    A review passes over nothing in silence. Where a known newer release, or a component that --at does not name, brings
    a change that speaks against the claim, it is refused and names the change. Review at that release, or say with
    --before COMPONENT=VERSION that you know and stop short of it; such changes are not signed off and keep speaking.

    \b
    Examples:
      kb review my-test --at vllm=0.33.0 --at nixl=1.5.1 --because "read the changes; none is on our path"
      kb review my-test/heavy-load --at vllm=0.31.0 --before vllm=0.32.0 --because "as we run it" --dry-run
    """
    from kb.registry import Registry
    from kb.reviews import review as reviewed

    opened, library = _opened(root, quiet)
    evaluation, claim = _claim(name, library)
    signed = _signed(because, by, day)
    made = reviewed(evaluation, claim, at or (), before or (), signed, Registry(library))
    _finish(made, opened, library, dry_run, json_out, quiet)


def _opened(root: Path | None, quiet: bool) -> tuple[Config, Library]:
    """The base to write into, never the one that comes with kb, and its records."""
    from kb.library import open_library

    opened = config(root)
    library = open_library(opened)
    if library.findings and not quiet:
        say("kb: some records cannot be read and are not judged (`kb lint` says why)")
    return opened, library


def _claim(name: str, library: Library) -> tuple[Evaluation, Claim | None]:
    from kb.cli.auditing import named_claims

    [found] = named_claims([name], library) or [name]
    id_, _, wanted = found.partition("/")
    evaluation = library.evaluations[id_]
    return evaluation, next((each for each in evaluation.claims if each.id == wanted), None)


def _signed(because: str, by: str | None, day: str | None) -> Signed:
    from datetime import date

    from kb.errors import KbError
    from kb.statements import Signed

    try:
        on = date.fromisoformat(day) if day else date.today()
    except ValueError:
        raise KbError(f'"{day}" is no day', "written like 2026-11-29") from None
    return Signed(because, on.isoformat(), by)


def _finish(made: Statement, opened: Config, library: Library, dry_run: bool, json_out: bool, quiet: bool) -> None:
    """Write it, unless it is only to be shown."""
    from kb.history import append, path_of

    shown = path_of(made.evaluation, library)
    path = shown if dry_run else append(opened, library, made.evaluation, made.list, made.record)
    if json_out:
        print_json({"path": path, "written": not dry_run, **made.as_dict()})
        return
    from kb.present.statements import statement
    from kb.present.text import page

    typer.echo("\n".join(statement(made, library, page())))
    if not quiet:
        say(f"not written (--dry-run): {path}" if dry_run else f"appended to {made.list} of {path}")
