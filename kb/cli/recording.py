"""`kb new` and `kb init`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.arming import ArmBy, Arms, Attach, Baseline, Said, Tool
from kb.cli.options import Json, Quiet, Root, config, language, new_kind, print_json, say
from kb.errors import KbError

if TYPE_CHECKING:
    from kb.config import Config
    from kb.record import Made


def new(
    kind: Annotated[
        str,
        typer.Argument(metavar="KIND", parser=new_kind, help="evaluation, change, component, deployment; translation."),
    ],
    id_: Annotated[str, typer.Argument(metavar="ID", help="Lower-case name with hyphens; also the file's name.")],
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE|DIR|COMMAND",
            help="Result files to make an evaluation of; files or command lines to make a deployment of.",
        ),
    ] = None,
    arm: Arms = None,
    arm_by: ArmBy = None,
    baseline: Baseline = None,
    attach: Attach = False,
    tool: Tool = None,
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="LANG", help="Language of a translation: ja, pt...")
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
      kb new evaluation my-push-test --from results/
      kb new evaluation my-push-test --arm push=results/push --arm pull=results/pull
      kb new deployment our-cluster --from "vllm serve MODEL --tensor-parallel-size 8"
      kb new deployment our-cluster --from prefill=prefill.sh --from decode=decode.sh
      kb new change vllm-12345-shorter-handshake
      kb new translation my-push-test --lang ja
    """
    if kind == "deployment" and source and not (arm or arm_by or baseline or attach or tool):
        _from_setups(root, _id(id_), source, quiet, json_out)
        return
    if source or arm:
        _from_results(
            kind, config(root), _id(id_), Said(source or [], arm, arm_by, baseline, attach, tool), quiet, json_out
        )
        return
    if arm_by or baseline or attach or tool:
        raise KbError(
            "--arm-by, --baseline, --attach and --tool go with --from", f"kb new {kind} {id_} --from results/"
        )
    made = _made(config(root), kind, _id(id_), lang)
    if json_out:
        print_json(made.as_dict())
        return
    typer.echo(made.path)
    if quiet:
        return
    if made.missing:
        from kb.present.missing import checklist
        from kb.present.text import page

        say("\n".join(checklist(made.missing, page())))
    say(f"next: fill in what says TODO, then kb lint {made.path}")


def _from_results(kind: str, opened: Config, id_: str, said: Said, quiet: bool, json_out: bool) -> None:
    """A draft out of result files; what was understood of them is shown for confirmation."""
    if kind != "evaluation":
        what = (
            "--arm, --arm-by, --baseline, --attach and --tool go with evaluations"
            if kind == "deployment"
            else (f"--from makes evaluations and deployments, not a {kind}")
        )
        raise KbError(what, f"kb new evaluation {id_} --from results/")
    from kb.arranging.begin import begin
    from kb.cli.importing import progress

    made = begin(opened, id_, said.wanted(), None if quiet else progress())
    if json_out:
        print_json(made.as_dict())
        return
    from kb.present.text import clean, page

    typer.echo(clean("\n".join([made.path, *made.files])))
    if quiet:
        return
    from kb.present.arranged import begun, unsplit
    from kb.present.missing import checklist

    say("\n".join([*begun(made, page()), *checklist([(key, made.where[key]) for key, _ in made.missing], page())]))
    if not (said.arm or said.arm_by):
        command = shlex.join(["kb", "new", kind, id_, *(word for each in said.paths for word in ("--from", each))])
        again = unsplit(made, command, page())
        say("\n".join(again)) if again else None
    say(f"next: fill in what says TODO, then kb lint {made.path}")


def _from_setups(root: Path | None, id_: str, names: list[str], quiet: bool, json_out: bool) -> None:
    """A deployment out of what `kb audit --for` reads."""
    from kb.arranging.deploying import deploy

    made = deploy(config(root), id_, names)
    if json_out:
        print_json(made.as_dict())
        return
    from kb.present.text import clean, page

    typer.echo(clean(made.path))
    if quiet:
        return
    from kb.present.deployed import deployed

    say("\n".join(deployed(made, page())))
    say(f"next: kb audit --for {id_}{f' --root {root}' if root else ''}")


def _id(text: str) -> str:
    """The id in a path or file name, with a word that the rest was dropped."""
    from kb.places import named_by

    id_, _ = named_by(text)
    if id_ != text and (text.endswith((".md", ".yaml"))):
        say(f"kb: an id has no folder and no suffix; taking {id_}")
        return id_
    return text


def _made(opened: Config, kind: str, id_: str, lang: str | None) -> Made:
    from kb.record import create, translate
    from kb.vocabulary import Kind

    if kind != "translation":
        if lang:
            raise KbError("--lang is for translations", f"kb new translation {id_} --lang {lang}")
        return create(opened, Kind(kind), id_)
    if not lang:
        raise KbError("--lang is missing", f"name the language: kb new translation {id_} --lang ja")
    from kb.library import open_library

    return translate(opened, open_library(opened), id_, language(lang) or "")


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

    around = _base_around(folder)
    made = make_base(folder)
    if json_out:
        print_json({"path": str(folder), "files": [str(path) for path in made]})
        return
    typer.echo("\n".join(map(str, made)))
    if not quiet:
        if around:
            say(f"kb: {folder} lies inside of another base, {around}; one that gets a git of its own belongs beside it")
        say(f"next: cd {folder} && kb new evaluation my-first-test")


def _base_around(folder: Path) -> Path | None:
    """The base that a new one would lie in."""
    from kb.config import find_root
    from kb.errors import NoBase

    try:
        return find_root(folder.absolute().parent.resolve())
    except NoBase:
        return None
