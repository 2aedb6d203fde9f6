"""`kb new` and `kb init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kb.cli.options import Json, KindName, Quiet, Root, config, print_json, say
from kb.errors import KbError


def new(
    kind: Annotated[KindName, typer.Argument(metavar="KIND", help="evaluation, change, component or deployment.")],
    id_: Annotated[str, typer.Argument(metavar="ID", help="Lower-case name with hyphens; also the file's name.")],
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE|DIR", help="Result files to fill it from (not there yet).")
    ] = None,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Begin a record from a commented template.

    Names the facts a reviewer will ask for.
    Ten facts make a valid evaluation; what the source does not state stays `unknown`.

    \b
    Examples:
      kb new evaluation my-push-test
      kb new change vllm-12345-shorter-handshake
    """
    if source is not None:
        raise KbError(
            "--from: reading result files comes with a later version of kb",
            f"`kb new {kind} {id_}` writes a template to fill in by hand",
        )
    from kb.record import create
    from kb.vocabulary import Kind

    made = create(config(root), Kind(kind), id_)
    if json_out:
        print_json(made.as_dict())
        return
    typer.echo(made.path)
    if quiet or not made.missing:
        return
    from kb.present.missing import checklist
    from kb.present.text import page

    say("\n".join(checklist(made.missing, page())))
    say(f"next: fill in what says TODO, then kb lint {made.path}")


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the new base; made when it is missing.")],
    json_out: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a base of your own, with the shipped one mounted.

    It knows the shipped components, changes and words from the first minute.

    \b
    Examples:
      kb init our-evaluations
      cd our-evaluations && kb new evaluation first-test
    """
    from kb.record import make_base

    made = make_base(folder)
    if json_out:
        print_json({"path": str(folder), "files": [str(path) for path in made]})
        return
    typer.echo("\n".join(map(str, made)))
    if not quiet:
        say(f"next: cd {folder} && kb new evaluation my-first-test")
