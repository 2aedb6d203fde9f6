"""`kb lint`, `kb explain` and `kb schema`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.options import Format, Json, Quiet, Root, config, print_json, say
from kb.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.config import Config
    from kb.library import Library


def lint(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH]...", help="Files or folders; without any, the whole base.")
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="How findings are printed.")] = "text",
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> int:
    """Is every record well-formed, traceable and complete?

    Errors cannot be right (exit 1), warnings make a reviewer stumble, infos name facts a reviewer will ask for.
    --quiet prints errors only.

    \b
    Examples:
      kb lint
      kb lint entries/evaluations/my-test.md
      kb lint --format github
    """
    from kb.library import open_library
    from kb.lint import count, lint

    opened = config(root)
    library = open_library(opened)
    findings = lint(library, _wanted(opened, library, paths) if paths else None)
    counts = count(findings)
    if json_out or format_ == "json":
        print_json({"findings": [finding.as_dict() for finding in findings], "counts": counts})
    else:
        from kb.present.findings import github, summary, text
        from kb.present.text import page

        shown = [each for each in findings if not quiet or each.severity.value == "error"]
        lines = github(shown) if format_ == "github" else text(shown, page())
        typer.echo("\n".join(lines)) if lines else None
        say(summary(counts, len(findings) - len(shown)))
    return 1 if counts["error"] else 0


def _wanted(opened: Config, library: Library, paths: Iterable[Path]) -> list[str]:
    """Shown paths of the base's own records in the files and folders named. Raises NotFound for one with none."""
    root = opened.base.root.resolve()
    own = {shown: (root / shown).resolve() for shown in library.own}
    wanted: list[str] = []
    for path in paths:
        inside = [shown for shown, full in own.items() if full.is_relative_to(path.resolve())]
        if not inside:
            why = "is not a record of this base" if path.exists() else "is not there"
            raise NotFound(f"{path} {why}", f"records lie in {opened.base.entries}")
        wanted += inside
    return wanted


def explain(
    code: Annotated[str | None, typer.Argument(metavar="[CODE]", help="Code or name; without one, all.")] = None,
    json_out: Json = False,
    root: Root = None,  # noqa: ARG001  every command takes it
) -> None:
    """What a check flags, why it matters, and what to do.

    \b
    Examples:
      kb explain KB103
      kb explain unknown-field
    """
    from kb.present.findings import every_check, one_page
    from kb.present.text import page

    if code is None:
        from kb.checks import checks

        known = [(each.CODE, each.NAME, each.SEVERITY.value, (each.__doc__ or "").split("\n")[0]) for each in checks()]
        if json_out:
            print_json([dict(zip(("code", "name", "severity", "title"), each, strict=True)) for each in known])
        else:
            typer.echo("\n".join(every_check(known, page())))
        return
    from kb.lint import page as lint_page

    code_, name, text = lint_page(code)
    if json_out:
        print_json({"code": code_, "name": name, "page": text})
        return
    typer.echo("\n".join(one_page(code_, name, text, page())))


def schema(
    check: Annotated[bool, typer.Option("--check", help="Only say whether schemas/ is up to date.")] = False,
    json_out: Json = False,
    root: Root = None,
) -> int:
    """Write the JSON Schemas of the records, for editors.

    \b
    Examples:
      kb schema
      kb schema --check
    """
    from kb import schema as schemas

    folder = config(root).base.root / "schemas"
    stale = schemas.stale(folder)
    if json_out:
        print_json({"stale": [str(path) for path in stale], "written": [] if check else [str(path) for path in stale]})
    elif check:
        for path in stale:
            say(f"{path}: not what the models say; run `kb schema`")
    if check:
        return 1 if stale else 0
    for path in schemas.write(folder):
        typer.echo(path) if not json_out else None
    return 0
