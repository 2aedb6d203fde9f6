"""`kb import --into ID`: shows what would change, then writes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from kb.cli.options import config, print_json, say

if TYPE_CHECKING:
    from kb.arranging.begin import Wanted
    from kb.arranging.taking import Taken


def into(
    id_: str,
    wanted: Wanted,
    root: Path | None,
    yes: bool,
    replace: bool,
    json_out: bool,
    quiet: bool,
    tell: Callable[[int, int], None] | None,
) -> bool:
    """The diff of the record first; written with --yes, or when somebody at a terminal says so. Whether runs have
    findings. Recorded figures get another value only with --replace.
    """
    from kb.arranging.replaced import sentence
    from kb.arranging.taking import take, write
    from kb.places import named_by

    taken = take(config(root), named_by(id_)[0], wanted, tell)
    if not json_out:
        _show(taken, quiet)
    elif taken.replaced and not replace:
        print_json(taken.as_dict() | {"written": False})
    taken.ask(replace)
    if replace and taken.replaced and not quiet:
        say(f"{sentence(taken.replaced, taken.points)}; the record's date and builds stay")
    if written := taken.changes and (yes or (not json_out and _asked())):
        write(taken, replace)
    if json_out:
        print_json(taken.as_dict() | {"written": written})
    elif not taken.changes:
        say("nothing to change: the record has these numbers")
    elif not written:
        say("nothing is written; --yes writes it")
    elif not quiet:
        say(f"next: kb lint {taken.as_dict()['path']}")
    return any(run.findings for run in taken.got.runs)


def _show(taken: Taken, quiet: bool) -> None:
    from kb.present.text import clean

    for line in taken.diff():
        typer.echo(clean(line))
    if quiet:
        return
    from kb.present.arranged import arm_table, notes
    from kb.present.text import page

    lines = arm_table(taken.arranged.groups, page())
    lines += notes("To be known:", taken.said, page())
    lines += notes("Hinted at by names only:", taken.arranged.suggested, page())
    say("\n".join(lines))


def _asked() -> bool:
    """Whether somebody at a terminal agrees; nobody is asked in a script."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return typer.confirm("Write this?", default=False, err=True)
