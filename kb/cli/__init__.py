"""The command line: names, help, exit codes. A body opens, calls one function, presents; it imports what it calls."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Annotated

import typer

from kb.cli.help import CHECK, FIND, KEEP, RECORD, Group
from kb.cli.typed import not_yet, understood
from kb.errors import KbError, RecordError

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
ClickException: type[Exception] = typer.BadParameter.__mro__[2]
"""Typer carries its own copy of click from 0.28 on; these are the classes it really raises."""

COMMANDS = {
    "search": ("reading", FIND),
    "show": ("reading", FIND),
    "stats": ("basekeeping", FIND),
    "new": ("recording", RECORD),
    "import": ("importing", RECORD),
    "audit": ("auditing", CHECK),
    "lint": ("checking", CHECK),
    "scan": ("scanning", CHECK),
    "impact": ("impacting", CHECK),
    "state": ("signing", CHECK),
    "review": ("signing", CHECK),
    "compare": ("comparing", CHECK),
    "plan": ("comparing", CHECK),
    "explain": ("checking", CHECK),
    "site": ("siting", FIND),
    "init": ("recording", KEEP),
    "schema": ("checking", KEEP),
    "sync": ("basekeeping", KEEP),
}
"""Commands in the order of help: module and job. Only the one that was called is built, so that it starts faster."""


def app(called: str | None = None) -> typer.Typer:
    """The program with the command that was called; with every command when it is none of ours."""
    made = typer.Typer(
        name="kb",
        cls=Group,
        help="An advisory database for performance conclusions: does a measured result still hold, for you, now?",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    made.callback()(_options)
    for name in [called] if called in COMMANDS else COMMANDS:
        module, job = COMMANDS[name]
        found = getattr(import_module(f"kb.cli.{module}"), name.replace("import", "import_"))
        if isinstance(found, typer.Typer):
            made.add_typer(found, name=name, rich_help_panel=job)
        else:
            made.command(name, rich_help_panel=job)(found)
    return made


def _version(wanted: bool) -> None:
    if wanted:
        from kb import __version__

        typer.echo(f"kb {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version and stop.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Options before the command."""


def main(arguments: list[str] | None = None) -> None:
    """Run `kb` and leave with its exit code: 0 fine, 1 findings, 2 usage or unreadable input, 3 a fault of ours."""
    _open_closed()
    with suppress(AttributeError, ValueError):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        sys.stderr.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        code = run(arguments)
    except SystemExit as error:
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        code = 0  # a reader that left: the library's 1 would be read as findings
    try:
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # a reader that left is no error
            code = _refused(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _open_closed() -> None:
    """Streams that the shell closed (`>&-`) lead nowhere, instead of taking whatever file is opened next."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115


def run(arguments: list[str] | None = None, again: bool = False) -> int:
    """Run `kb`; its exit code. A derived file found damaged on the way has been removed: the command runs once more."""
    words = understood(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] not in COMMANDS and (later := not_yet(words[0])):
            raise later
        code = app(words[0] if words else None)(words, standalone_mode=False, prog_name="kb")
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except ClickException as error:
        return _usage(error)
    except KbError as error:
        _complain(error)
        return error.exit_code
    except BrokenPipeError:
        return 0
    except OSError as error:
        return _refused(error)
    except Exception as error:  # noqa: BLE001  the last door: a fault of ours is said, never thrown at the user
        if not again and type(error).__name__ == "Damaged":  # by name: the store is not imported at start
            return run(words, again=True)
        return _fault(error)
    return code if isinstance(code, int) else 0


def _say(*lines: str | None) -> None:
    """Talk on stderr; what came from a record, a file or an argument must not steer the terminal."""
    for line in filter(None, lines):
        print("".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in line), file=sys.stderr)  # noqa: T201


def _usage(error: Exception) -> int:
    """A usage error in one sentence; help asked for by giving nothing is no error."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(context.get_help())  # type: ignore[union-attr]  # noqa: T201
        return 0
    sentence, near = _split(error.format_message())  # type: ignore[attr-defined]
    path = context.command_path if context else "kb"
    hint = f"did you mean {near}?" if near else f"`{path} --help` lists what it takes"
    _say(f"error: {sentence[:1].lower()}{sentence[1:]}", f"hint: {hint}")
    return 2


def _split(message: str) -> tuple[str, str]:
    """Typer's message without its guess, and the guess."""
    for mark, end in ((" Did you mean ", "?"), (" (Possible options: ", ")"), (" (Did you mean one of: ", ")")):
        if mark in message:
            sentence, _, near = message.partition(mark)
            return sentence.rstrip(". "), near.rstrip(end)
    return message.rstrip(". "), ""


def _complain(error: KbError) -> None:
    told = str(error) if isinstance(error, RecordError) else f"error: {error.message}"
    _say(told.replace("\n", " "))  # of a file's name, say: what would begin a line of its own, a workflow obeys
    _say(f"hint: {error.hint}" if error.hint else None)


def _refused(error: OSError) -> int:
    """The machine said no: a folder that cannot be written, a full disk."""
    place = f"{error.filename}: " if error.filename else ""
    _say(f"error: {place}{(error.strerror or str(error)).lower()}".replace("\n", " "))
    return 2


def _fault(error: Exception) -> int:
    import platform
    import traceback

    from kb import __version__

    last = traceback.extract_tb(error.__traceback__)[-1]
    _say(
        f"kb: a fault of ours, not of your input: {type(error).__name__}: {error}",
        f"hint: please report it with the command you ran and this line: kb {__version__}, "
        f"Python {platform.python_version()}, {last.filename.rsplit('/kb/', 1)[-1]}:{last.lineno} in {last.name}",
    )
    return 3
