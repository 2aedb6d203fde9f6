"""`kb compare` and `kb plan`."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.options import At, For, Json, Quiet, Root, print_json, reading


def compare(
    a: Annotated[str, typer.Argument(metavar="A[/ARM]", help="An evaluation, or one arm of it.")],
    b: Annotated[
        str | None, typer.Argument(metavar="B[/ARM]", help="What to compare it with; without it, A's two arms.")
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="Also show what is the same and what differs without mattering.")
    ] = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Two results side by side: can they be compared?

    Setup stands apart from results. Across two evaluations a ratio is given only where definition, statistic, load
    point and arms allow it; otherwise the field in the way is named. Where claims on one question say different
    things, what separates the runs is listed.

    \b
    Examples:
      kb compare aws-push-vs-pull-efa
      kb compare vllm-45211-reader-thread-author vllm-50913-reader-thread-3p1d
      kb compare vllm-35264-push-branch/push moriio-mi300x-read-write/write --json
    """
    opened = reading(root, quiet)
    from kb.compare import Named
    from kb.compare import compare as compared
    from kb.shown import together

    (one, arm), (other, other_arm) = (_split(name) for name in (a, b or a))
    library, (first, second) = together(opened, (one, other))
    found = compared(Named(first, arm), Named(second, other_arm), library)
    if json_out:
        print_json(found.as_dict())
        return
    from kb.present.compare import compare as presented
    from kb.present.text import page

    typer.echo("\n".join(presented(found, page(), all_)))


def plan(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID[/CLAIM]]...", help="Evaluations or claims; without any, all.")
    ] = None,
    for_: For = None,
    at: At = None,
    all_: Annotated[bool, typer.Option("--all", help="Every run, with its commands.")] = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """What should be measured again first, and how?

    For claims that no longer simply hold: the fewest load points that could flip each, as commands of the tool that
    measured it. What a record does not state is a <placeholder>. What most rests on comes first, then the cheaper.
    Without ID the runs are listed; of evaluations or claims that are named each stands with its commands.

    \b
    Examples:
      kb plan
      kb plan aws-push-vs-pull-efa --for efa-p5en-1p1d-pull
      kb plan vllm-35264-push-branch/saturated --json
    """
    from kb.asked import target
    from kb.audit import audit
    from kb.cli.auditing import named_claims, opened, told, without_claims
    from kb.plan import plan as planned

    library = opened(root, quiet)
    asked = target(for_ or (), at or (), library)
    told(asked, quiet)
    wanted = named_claims(ids, library)
    found = planned(audit(library, asked, wanted).verdicts, library, asked)
    if json_out:
        print_json(found.as_dict())
        return
    from kb.present.plan import plan as presented
    from kb.present.runs import runs
    from kb.present.text import page

    empty = not (found.runs or found.look_up or found.left)
    nothing = without_claims(wanted, library) if empty else []
    few = not (wanted or all_ or empty)
    lines = runs(found, page(), library.own_evaluations) if few else nothing or presented(found, page(), all_)
    typer.echo("\n".join(lines).lstrip("\n"))


def _split(name: str) -> tuple[str, str | None]:
    """An evaluation's id, alias or path, and its arm: `x`, `x/push`, `entries/evaluations/x.md`, `.../x.md/push`."""
    path, dot, arm = name.partition(".md/")
    if dot or name.endswith(".md"):
        return (f"{path}.md", arm) if dot else (name, None)
    evaluation, _, arm = name.rpartition("/")
    return (evaluation, arm) if evaluation else (name, None)
