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
    from kb.statements_of_code import Interval

Because = Annotated[
    str, typer.Option("--because", metavar="TEXT", help="The reason, in a sentence that holds without you.")
]
By = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who says so.")]
Day = Annotated[str | None, typer.Option("--date", metavar="DATE", help="Day of the statement; today without it.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show; nothing is written.")]


def state(
    about: Annotated[
        list[str],
        typer.Argument(
            metavar="CHANGE|COMPONENT:SYMBOL...",
            help="Id, alias, #number or address of a change; or code that was read, with --from and --to.",
        ),
    ],
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
    old: Annotated[
        str | None, typer.Option("--from", metavar="VERSION", help="Release from which code was read.")
    ] = None,
    new: Annotated[str | None, typer.Option("--to", metavar="VERSION", help="Release up to which, included.")] = None,
    before: Annotated[
        str | None,
        typer.Option("--before", metavar="VERSION", help="The reading ends before this later release, knowingly."),
    ] = None,
    by: By = None,
    day: Day = None,
    dry_run: DryRun = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Say what a change, or code, means for one claim, and why.

    Appended to `impacts` of the evaluation's file; nothing that stands there is altered, and of several statements the
    latest counts. not-affected and remeasured settle it for that claim, affected makes it a recheck,
    under-investigation an unknown.

    Code is named as COMPONENT:SYMBOL, a class for all its members, with the two releases between which you read it.
    Only what differs there is settled: a difference after --to speaks again. It is refused where the code does not
    differ, and where a known later release changes it once more, unless --before says that you know.

    \b
    not-affected needs one of: path-not-executed, arm-not-involved, default-off, refactor-only,
    observability-only, outside-envelope, same-behaviour-shown.

    \b
    Examples:
      kb state vllm-12345-name --claim my-test/heavy-load --status not-affected \\
        --justification default-off --because "we never pass num_threads"
      kb state vllm-nixl-pull:NixlPullConnectorWorker._read_blocks --from 0.26.0 --to 0.33.0 \\
        --claim my-test/heavy-load --status not-affected --justification refactor-only --because "only renames"
    """
    from kb.registry import Registry

    opened, library = _opened(root, quiet)
    evaluation, found = _claim(claim, library)
    if found is None:
        from kb.errors import KbError

        names = ", ".join(each.id for each in evaluation.claims) or "none"
        raise KbError(f"{claim} names no claim", f"--claim {evaluation.id}/CLAIM; its claims: {names}")
    signed = _signed(because, by, day)
    registry = Registry(library)
    code, change = _read(about, old, new, before)
    if code:
        from kb.statements_of_code import state_code

        made = state_code(about, code, evaluation, found, status, justification, signed, registry)
    else:
        from kb.named import change_of
        from kb.statements import state as stated

        made = stated(change_of(change, library), evaluation, found, status, justification, signed, registry)
    _finish(made, opened, library, dry_run, json_out, quiet)


def _read(about: list[str], old: str | None, new: str | None, before: str | None) -> tuple[Interval | None, str]:
    """The interval of code that was read, or else the one change. Raises KbError for what fits neither."""
    from kb.errors import KbError
    from kb.statements_of_code import Interval, is_code

    code = [name for name in about if is_code(name)]
    if code and len(code) < len(about):
        other = next(name for name in about if not is_code(name))
        raise KbError(f"{code[0]} is code and {other} is a change", "a statement is about one of the two")
    if code:
        if old is None or new is None:
            raise KbError(f"between which releases was {code[0]} read?", "--from VERSION --to VERSION")
        return Interval(old, new, before), ""
    if len(about) > 1:
        raise KbError("a statement is about one change", f"say it of {about[0]} first, then of {about[1]}")
    given = [name for name, value in (("--from", old), ("--to", new), ("--before", before)) if value is not None]
    if given:
        raise KbError(f"{given[0]} belongs to code that was read; {about[0]} is a change", "leave it out")
    return None, about[0]


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
    everything: Annotated[bool, typer.Option("--all", help="Name the changes that are silent, too.")] = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Sign a claim off up to named releases, having seen what changed.

    The old conclusion is shown beside every change since that speaks (--all: beside every one), anchored code that
    differs without a record, and the outcome with what decides it now: a review settles changes, it is no coverage.
    Appended to `reviews` of the evaluation's file, with the ids of the changes that spoke (`seen`) and the releases in
    which the code differs (`code`): these differences are settled for the claim, later ones speak again. What is silent
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
    _finish(made, opened, library, dry_run, json_out, quiet, everything)


def _opened(root: Path | None, quiet: bool) -> tuple[Config, Library]:
    """The base to write into, never the one that comes with kb, and its records."""
    from kb.library import open_library

    opened = config(root)
    library = open_library(opened)
    if library.findings and not quiet:
        say("kb: some records cannot be read and are not judged (`kb lint` says why)")
    return opened, library


def _claim(name: str, library: Library) -> tuple[Evaluation, Claim | None]:
    """What it is said of. Raises WriteRefused where nothing can be said of it: before anything else is asked for."""
    from kb.cli.auditing import named_claims
    from kb.history import path_of

    [found] = named_claims([name], library) or [name]
    id_, _, wanted = found.partition("/")
    evaluation = library.evaluations[id_]
    path_of(evaluation, library)
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


def _finish(
    made: Statement,
    opened: Config,
    library: Library,
    dry_run: bool,
    json_out: bool,
    quiet: bool,
    everything: bool = False,
) -> None:
    """Write it, unless it is only to be shown."""
    from kb.history import append, path_of

    shown = path_of(made.evaluation, library)
    path = shown if dry_run else append(opened, library, made.evaluation, made.list, made.record)
    if json_out:
        print_json({"path": path, "written": not dry_run, **made.as_dict()})
        return
    from kb.present.statements import statement
    from kb.present.text import page

    typer.echo("\n".join(statement(made, library, page(), everything)))
    if not quiet:
        say(f"not written (--dry-run): {path}" if dry_run else f"appended to {made.list} of {path}")
