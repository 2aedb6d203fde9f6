"""`kb lint`, `kb explain` and `kb schema`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.options import Format, Json, Quiet, Root, config, print_json, reading, say
from kb.errors import NotFound
from kb.places import named_by
from kb.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.config import Config
    from kb.library import Library


def lint(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", help="Files, folders or ids; without one, all."),
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="How findings are printed.")] = "text",
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> int:
    """Is every record well-formed, traceable and complete?

    Errors cannot be right (exit 1), warnings make a reviewer stumble, infos name facts a reviewer will ask for.
    Errors come last, beside the count; --quiet prints only them.

    \b
    Examples:
      kb lint
      kb lint my-test
      kb lint --format github
    """
    from kb.library import open_library
    from kb.lint import count, lint

    opened = config(root)
    library = open_library(opened)
    findings = lint(library, _wanted(opened, library, paths) if paths else None)
    counts = count(findings)
    shown = [each for each in findings if not quiet or each.severity.value == "error"]
    if json_out or format_ == "json":
        print_json({"findings": [finding.as_dict() for finding in shown], "counts": counts})
    else:
        from kb.present.findings import github, gravest_last, summary, text
        from kb.present.text import page

        lines = github(shown) if format_ == "github" else text(gravest_last(shown), page())
        typer.echo("\n".join(lines)) if lines else None
        say(summary(counts, len(findings) - len(shown)))
    return 1 if counts["error"] else 0


def _wanted(opened: Config, library: Library, paths: Iterable[Path]) -> list[str]:
    """Shown paths of the base's own records in the files and folders named, or of those ids. Raises NotFound."""
    root = opened.base.root.resolve()
    own = {shown: (root / shown).resolve() for shown in library.own}
    wanted: list[str] = []
    for path in paths:
        inside = [shown for shown, full in own.items() if full.is_relative_to(path.resolve())]
        wanted += inside or _called(str(path), library) or [_nowhere(path, opened, library)]
    return wanted


def _called(name: str, library: Library) -> list[str]:
    """Own files of the record of that id, its translations included."""
    id_, language = named_by(name)
    found = [(shown, named_by(shown)) for shown in library.own]
    return sorted(shown for shown, (each, lang) in found if each == id_ and language in (None, lang))


def _nowhere(path: Path, opened: Config, library: Library) -> str:
    """Raises NotFound: what was named is no record that lint looks at."""
    mounted = [each.path for each in library.loaded if named_by(each.path)[0] == str(path)]
    if mounted:
        raise NotFound(f"{path} is in a mounted base, which lint leaves alone", f"`kb show {path}` reads it")
    why = "is not a record of this base" if path.exists() else "is not there"
    near = None if path.exists() else nearest(named_by(str(path))[0], [named_by(shown)[0] for shown in library.own])
    raise NotFound(f"{path} {why}", f"did you mean {near}?" if near else f"records lie in {opened.base.entries}")


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="[CODE]",
            help="Code, name, outcome, word of the vocabulary or field; without one, all codes and words.",
        ),
    ] = None,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """What a check, outcome, word or field means, and what to do.

    \b
    Examples:
      kb explain KB103
      kb explain unknown-field
      kb explain post-thread
      kb explain recheck
    """
    if code is None:
        _explain_all(json_out, quiet, root)
        return
    from kb.lint import page as check_page

    try:
        code_, name, text = check_page(code)
    except NotFound as error:
        _explain_word(code, error, json_out, quiet, root)
        return
    from kb.present.findings import one_page
    from kb.present.text import page

    if json_out:
        print_json({"code": code_, "name": name, "page": text})
    else:
        typer.echo("\n".join(one_page(code_, name, text, page())))


def _explain_all(json_out: bool, quiet: bool, root: Path | None) -> None:
    from kb.lint import pages

    known = [(each.CODE, each.NAME, each.SEVERITY.value, (each.__doc__ or "").split("\n")[0]) for each in pages()]
    if json_out:
        print_json([dict(zip(("code", "name", "severity", "title"), each, strict=True)) for each in known])
        return
    from kb.present.findings import every_check
    from kb.present.text import page
    from kb.present.word import every_word

    lines = every_check(known, page())
    typer.echo("\n".join([*lines, *every_word(reading(root, quiet).library([]).vocabulary, page())]))


def _explain_word(name: str, unknown: NotFound, json_out: bool, quiet: bool, root: Path | None) -> None:
    """An outcome, a word of the vocabulary or a field of records; where it is none, the check is what is unknown."""
    from kb.present.outcome import explained, outcome
    from kb.present.text import page
    from kb.present.word import word
    from kb.words import find

    if (verdict := explained(name)) is not None:
        print_json(verdict.as_dict()) if json_out else typer.echo("\n".join(outcome(verdict, page())))
        return
    found = None if name.upper().startswith("KB") else find(reading(root, quiet), name)
    if found is not None:
        print_json(found.as_dict()) if json_out else typer.echo("\n".join(word(found, page())))
        return
    _explain_field(name, unknown, json_out)


def _explain_field(name: str, unknown: NotFound, json_out: bool) -> None:
    from kb.present.field import field
    from kb.present.text import page
    from kb.schema import places

    at = places(name)
    if not at:
        raise _no_check(name, unknown)
    if json_out:
        print_json({"field": name, "places": [each._asdict() for each in at]})
    else:
        typer.echo("\n".join(field(name, at, page())))


def _no_check(name: str, unknown: NotFound) -> NotFound:
    """For a number that no check has, the one before it: the nearest spelling says nothing of numbers."""
    from kb.lint import pages

    if not re.fullmatch(r"KB\d+", name.upper()):
        return unknown
    below = max((each.CODE for each in pages() if name.upper() >= each.CODE), default="")
    near = f"{below} is the last one before it; " if below else ""
    return NotFound(unknown.message, f"{near}`kb explain` lists them all")


def schema(
    check: Annotated[bool, typer.Option("--check", help="Only say whether schemas/ is up to date.")] = False,
    json_out: Json = False,
    quiet: Quiet = False,
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
        for path in stale if not quiet else ():
            say(f"{path}: not what the models say; run `kb schema`")
    if check:
        return 1 if stale else 0
    for path in schemas.write(folder):
        typer.echo(path) if not json_out else None
    return 0
