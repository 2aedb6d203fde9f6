"""What `kb` imports before it does anything: heavy libraries come with the command that needs them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from kb.cli import COMMANDS
from kb.config import read as read_config
from kb.present.record import record
from kb.present.text import Page, Style, width
from kb.shown import gather
from kb.workspace import Workspace
from tests.cli.running import kb

SPOKEN = sorted({*COMMANDS, "site build", "site serve"} - {"site"})
"""Commands as they are typed."""
HEAVY = (
    "pydantic",
    "pydantic_core",
    "whoosh",
    "sqlite_utils",
    "rich",
    "yaml",
    "ruamel",
    "packaging",
    "click",
    "jinja2",
    "tomllib",
)
CODE = """
import io, sys
from contextlib import redirect_stdout
from kb.cli import run
with redirect_stdout(io.StringIO()):
    code = run(sys.argv[1:])
assert code == 0, code
print(*sorted({name.partition(".")[0] for name in sys.modules}), len(sys.modules))
"""


def modules(*arguments: str, cwd: Path) -> list[str]:
    command = [sys.executable, "-c", CODE, *arguments]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["search", "push", "ttft"], ()),
        (["search", "connector:orbit-push qps:>=4"], ()),
        (["search", "初回トークン遅延", "--facet", "model"], ()),
        (["search", "push", "--json"], ()),
        (["search", "push OR thread"], ("whoosh",)),
        (["--help"], ()),
        (["search", "--help"], ()),
        (["new", "--help"], ()),
        (["--version"], ()),
        (["stats"], ()),
        (["sync"], ()),
    ],
)
def test_light_start(base: Path, arguments: list[str], allowed: tuple[str, ...]) -> None:
    """Searching and asking for help import no models, no YAML, no whoosh for plain words."""
    kb("stats", cwd=base)  # outcomes are judged once, and kept until a record changes
    found = modules(*arguments, cwd=base)
    assert [name for name in HEAVY if name in found and name not in allowed] == []
    assert int(found[-1]) < (300 if allowed else 200)


@pytest.mark.parametrize("query", ["push ttft", "connector:orbit-push qps:>=4", "初回トークン遅延", "push OR thread"])
def test_a_search_declares_no_dataclass(base: Path, query: str) -> None:
    """Named tuples take a seventh of the time, and JSON is for --json and facets of the vocabulary."""
    kb("sync", cwd=base)
    found = modules("search", query, cwd=base)
    assert "dataclasses" not in found
    assert "json" not in found or "connector:" in query


@pytest.mark.parametrize("name", SPOKEN)
def test_every_command_has_help(base: Path, name: str) -> None:
    """Each command says what it does, and shows an example."""
    out = kb(*name.split(), "--help", cwd=base).out
    first = name.split()[0]
    assert "Examples:" in out
    assert f"  kb {name}" in out
    assert "..." not in next(line for line in kb("--help", cwd=base).out.splitlines() if line.startswith(f"  {first} "))


@pytest.mark.parametrize("name", sorted(set(SPOKEN) - {"init"}))
def test_every_command_takes_a_root(base: Path, name: str) -> None:
    """`--root` names the base from anywhere."""
    assert "--root" in kb(*name.split(), "--help", cwd=base).out


@pytest.mark.parametrize("name", sorted(set(SPOKEN) - {"site serve"}))
def test_every_command_prints_json(base: Path, name: str) -> None:
    """`--json` is there on every command that prints data."""
    assert "--json" in kb(*name.split(), "--help", cwd=base).out


def test_broken_pipe_is_quiet(base: Path) -> None:
    """A reader that leaves early (`kb show x | head -1`) costs no traceback."""
    kb("sync", cwd=base)
    command = f"{sys.executable} -m kb show orbit-push-vs-pull | head -1"
    ran = subprocess.run(command, shell=True, cwd=base, capture_output=True, text=True)
    assert ran.stdout == "Push against pull in Orbit, one fixed pair\n"
    assert ran.stderr == ""


def test_fault_of_ours_is_exit_3(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody foresaw is said in two lines with what to report, without a traceback."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("kb.present.hits.hits", broken)
    ran = kb("search", "push", cwd=base)
    assert ran.code == 3
    assert "a fault of ours" in ran.err
    assert "Traceback" not in ran.err


def shell(command: str, base: Path) -> subprocess.CompletedProcess[str]:
    """A command line as a shell runs it; `KB` is the program."""
    kb("sync", cwd=base)
    words = command.replace("KB", f"{sys.executable} -m kb")
    return subprocess.run(["bash", "-c", words], cwd=base, capture_output=True, text=True)


@pytest.mark.parametrize(
    "command", ["KB search push >&-", "KB search push 2>&-", "KB --help >&-", "KB show orbit >&- 2>&-"]
)
def test_closed_streams_are_quiet(base: Path, command: str) -> None:
    """A shell that closes stdout or stderr gets no traceback, and no record is written into."""
    ran = shell(command, base)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_full_disk_is_said(base: Path) -> None:
    """What cannot be written out is an error of one line."""
    ran = shell("KB search push >/dev/full", base)
    assert (ran.returncode, ran.stderr) == (2, "error: no space left on device\n")


@pytest.mark.parametrize("name", SPOKEN)
def test_every_command_is_quiet(base: Path, name: str) -> None:
    """`--quiet` is there on every command."""
    assert "--quiet" in kb(*name.split(), "--help", cwd=base).out


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "push"],
        ["show", "orbit-push-vs-pull"],
        ["show", "orbit-push-vs-pull", "--lang", "ja"],
        ["show", "orbit-reader-thread"],
        ["show", "orbit-7-reader-thread"],
        ["show", "orbit-pull"],
        ["show", "our-cluster"],
        ["show", "post-thread"],
        ["stats"],
        ["explain"],
        ["explain", "KB103"],
    ],
)
def test_narrow_terminal(base: Path, arguments: list[str]) -> None:
    """Nothing is wider than a terminal of 40 columns, but a path or an id that stands alone, to be copied."""
    ran = kb(*arguments, cwd=base, columns=40)
    assert ran.code == 0
    wide = [line for line in ran.out.splitlines() if width(line) > 40 and " " in line.strip()]
    assert [line for line in wide if not line.startswith("    ")] == []


def test_what_a_command_does_is_never_cut(base: Path) -> None:
    """The first help that a person reads has whole sentences, however narrow the terminal."""
    assert "..." not in kb("--help", cwd=base, columns=60).out.partition("Find and read:")[2]
    assert "..." not in kb("site", "--help", cwd=base).out.partition("Commands:")[2]


@pytest.mark.parametrize("name", ["orbit-push-vs-pull", "orbit-7-reader-thread", "orbit-pull", "our-cluster"])
def test_colour_is_whole(base: Path, name: str) -> None:
    """A style that was switched on is never cut into text."""
    shown = gather(Workspace(read_config(base)), name)
    text = "\n".join(record(shown, Page(80, Style(True))))
    assert "\x1b[1m" in text
    assert re.search(r"(?<!\x1b)\[\d+m", text) is None


def test_a_reader_that_leaves_is_no_finding() -> None:
    """More than a pipe holds is written to one that was closed: 1 would mean findings."""
    code = (
        "import typer\n"
        "from kb import cli\n"
        "def body() -> None:\n    typer.echo('x' * 1_000_000)\n"
        "def run(arguments):\n"
        "    made = typer.Typer(); made.command()(body)\n"
        "    return made([], standalone_mode=False) or 0\n"
        "cli.run = run\ncli.main([])\n"
    )
    left = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert left.stdout
    assert left.stderr
    left.stdout.close()
    said = left.stderr.read()
    assert (left.wait(), said) == (0, b"")
