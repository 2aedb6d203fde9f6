"""The command line: names, help, exit codes. A body opens, calls one function, presents; it imports what it calls."""

from __future__ import annotations

import sys

import click
import typer

from kb.cli import checking
from kb.errors import KbError, RecordError

app = typer.Typer(
    name="kb",
    help="An advisory database for performance conclusions: does a measured result still hold, for you, now?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
checking.register(app)


def main(arguments: list[str] | None = None) -> None:
    """Run `kb` and leave with its exit code: 0 fine, 1 findings, 2 usage or unreadable input, 3 a fault of ours."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run `kb`; its exit code."""
    try:
        code = app(arguments, standalone_mode=False, prog_name="kb")
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        error.show()
        return 2
    except KbError as error:
        _complain(error)
        return error.exit_code
    except BrokenPipeError:
        return 0
    except Exception as error:  # noqa: BLE001  the last door: a fault of ours is said, never thrown at the user
        return _fault(error)
    return code if isinstance(code, int) else 0


def _complain(error: KbError) -> None:
    print(str(error) if isinstance(error, RecordError) else f"error: {error.message}", file=sys.stderr)  # noqa: T201
    if error.hint:
        print(f"hint: {error.hint}", file=sys.stderr)  # noqa: T201


def _fault(error: Exception) -> int:
    import platform
    import traceback

    from kb import __version__

    last = traceback.extract_tb(error.__traceback__)[-1]
    print(  # noqa: T201
        f"kb: a fault of ours, not of your input: {type(error).__name__}: {error}\n"
        f"hint: please report it with the command you ran and this line: kb {__version__}, "
        f"Python {platform.python_version()}, {last.filename.rsplit('/kb/', 1)[-1]}:{last.lineno} in {last.name}",
        file=sys.stderr,
    )
    return 3
