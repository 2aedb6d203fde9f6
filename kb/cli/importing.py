"""`kb import`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.arming import ArmBy, Arms, Attach, Said
from kb.cli.options import Json, Quiet, Root, print_json, say
from kb.errors import KbError

if TYPE_CHECKING:
    from kb.importers.run import Imported


def import_(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE|DIR|-...", help="What a benchmark wrote; - is standard input.")
    ],
    tool: Annotated[
        str | None, typer.Option("--tool", metavar="NAME", help="Importer to use, where a file could be of several.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when there is any finding.")] = False,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="ID", help="Evaluation to take the runs into; its diff is shown first."),
    ] = None,
    arm: Arms = None,
    arm_by: ArmBy = None,
    attach: Attach = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --into: write it.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="With --into: recorded figures may get another value.")
    ] = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> int:
    """Read result files of benchmarks and show what is in them.

    Which tool wrote a file is told by its content. Numbers come in canonical units, each with what the tool measures
    under that label; what looks wrong is said (`kb explain CODE`).

    Reads vllm bench (JSON, sweeps, console), SGLang, GuideLLM, AIPerf, GenAI-Perf, inference-perf, llm-d reports,
    InferenceX, trtllm-bench, LMCache, nixlbench, MLPerf, llmperf, and tables (CSV, TSV).

    With --into a figure that is recorded is never replaced by another value unless --replace says so.

    \b
    Examples:
      kb import results/
      kb import run.log --json
      kubectl logs job/bench | kb import -
      kb import new-runs/ --into my-push-test --arm push=new-runs/push
    """
    if into is not None:
        from kb.cli.taking import into as take_into

        said = Said(paths, arm, arm_by, None, attach, tool)
        found = take_into(into, said.wanted(), root, yes, replace, json_out, quiet, None if quiet else progress())
        return 1 if strict and found else 0
    if arm or arm_by or attach or yes or replace:
        raise KbError("--arm, --arm-by, --attach, --yes and --replace go with --into", "kb import RESULTS --into ID")
    from kb.importers import read

    got = read(paths, tool, None if quiet else progress())
    if json_out:
        print_json(got.as_dict())
    elif got.runs:
        _show(got, paths, quiet)
    if not got.runs:
        raise _nothing(got, paths)
    return 1 if strict and any(run.findings for run in got.runs) else 0


def _show(got: Imported, paths: list[str], quiet: bool) -> None:
    from kb.present.imported import imported, summary
    from kb.present.text import page

    typer.echo("\n".join(imported(got, page())))
    if not quiet:
        say(summary(got))
        if "-" not in paths:
            named = [word for each in paths for word in ("--from", each)]
            say(f"next: {shlex.join(['kb', 'new', 'evaluation', 'ID', *named])}")


def _nothing(got: Imported, paths: list[str]) -> KbError:
    """Why nothing could be read: the one reason, or how many there are of each kind."""
    if len(got.declined) == 1:
        only = got.declined[0]
        return KbError(f"{only.file} {only.why}", "`kb import --help` names what can be read")
    for each in got.declined[:20]:
        say(f"{each.file}: {each.why}".replace("\n", " "))
    said = (
        f"none of {len(got.declined)} files holds results"
        if got.declined
        else f"there is no file in {' or '.join(paths)}"
    )
    return KbError(said, "`kb import --help` names what can be read")


def progress() -> Callable[[int, int], None] | None:
    """Draws a bar on a terminal once there are enough files to wait for."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        if total < 20 or (done % max(1, total // 100) and done < total - 1):
            return
        from kb.present.imported import bar
        from kb.present.text import page

        last = done >= total - 1
        sys.stderr.write("\r\x1b[K" if last else "\r" + bar(done, total, page().width))
        sys.stderr.flush()

    return tell
