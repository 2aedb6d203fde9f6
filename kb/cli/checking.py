"""`kb lint`, `kb explain`, `kb schema`."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer

Root = Annotated[Optional[Path], typer.Option("--root", help="Knowledge base; default: the nearest folder upwards with kb.toml.")]
Json = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Errors and the last line only.")]


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command()(lint)
    app.command()(schema)


def lint(
    paths: Annotated[Optional[list[Path]], typer.Argument(help="Files or folders; default: the whole base.")] = None,
    format: Annotated[Format, typer.Option("--format", help="text, json or github annotations.")] = Format.TEXT,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> int:
    """Is every record well-formed, traceable and complete?"""
    from kb.config import find_root, read
    from kb.library import open_library
    from kb.lint import count, lint

    config = read(root or find_root(Path.cwd()))
    library = open_library(config)
    only = None
    if paths:
        wanted = [p.resolve() for p in paths]
        only = [o for o in library.own if any((config.base.root / o).resolve().is_relative_to(w) for w in wanted)]
    findings = lint(library, only)
    counts = count(findings)
    if json_out or format is Format.JSON:
        json.dump({"findings": [f.as_dict() for f in findings], "counts": counts}, sys.stdout, indent=1, ensure_ascii=False)
        sys.stdout.write("\n")
    else:
        for f in findings:
            if quiet and f.severity.value != "error":
                continue
            typer.echo(f"{f.path}:{f.line}: {f.code} [{f.severity}] {f.message}" + (f"\n    hint: {f.hint}" if f.hint else ""))
        typer.echo(f"{counts['error']} errors, {counts['warning']} warnings, {counts['info']} infos", err=True)
    return 1 if counts["error"] else 0


def schema(check: Annotated[bool, typer.Option("--check", help="Only say whether schemas/ is up to date.")] = False, root: Root = None) -> int:
    """Write the JSON Schemas of the records into schemas/."""
    from kb import schema as schemas
    from kb.config import find_root

    folder = (root or find_root(Path.cwd())) / "schemas"
    if check:
        stale = schemas.stale(folder)
        for path in stale:
            typer.echo(f"{path}: not what the models say; run `kb schema`")
        return 1 if stale else 0
    for path in schemas.write(folder):
        typer.echo(path)
    return 0
