"""`kb sync` and `kb stats`."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.options import Json, Quiet, Root, config, print_json, say


def stats(json_out: Json = False, quiet: Quiet = False, root: Root = None) -> None:
    """What the base holds: kinds, languages, outcomes, coverage.

    \b
    Examples:
      kb stats
      kb stats --json
    """
    from kb.cli.options import reading
    from kb.outcomes import refresh
    from kb.stats import stats

    found = stats(refresh(reading(root, quiet)))
    if json_out:
        print_json(found.as_dict())
        return
    from kb.present.stats import lines
    from kb.present.text import page

    typer.echo("\n".join(lines(found, page())))


def sync(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make the derived file from nothing.")] = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Bring the derived file .kb/ up to date.

    Other commands do so by themselves.

    \b
    Examples:
      kb sync
      kb sync --rebuild
    """
    from time import perf_counter

    from kb.workspace import Workspace

    began = perf_counter()
    _, done = Workspace(config(root), None if quiet else say).sync(rebuild)
    seconds = round(perf_counter() - began, 3)
    if json_out:
        print_json({"added": done.added, "updated": done.updated, "removed": done.removed, "seconds": seconds})
    else:
        typer.echo(f"{done.added} added, {done.updated} updated, {done.removed} removed in {seconds:.2f} s")
