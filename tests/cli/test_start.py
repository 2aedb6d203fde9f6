"""What `kb` imports before it does anything: heavy libraries come with the command that needs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kb.cli import COMMANDS
from tests.cli.running import kb

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
    kb("sync", cwd=base)
    found = modules(*arguments, cwd=base)
    assert [name for name in HEAVY if name in found and name not in allowed] == []
    assert int(found[-1]) < (330 if allowed else 230)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(base: Path, name: str) -> None:
    """Each command says what it does, and shows an example."""
    out = kb(name, "--help", cwd=base).out
    assert "Examples:" in out
    assert f"  kb {name}" in out
    assert "..." not in next(line for line in kb("--help", cwd=base).out.splitlines() if line.startswith(f"  {name} "))


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"init"}))
def test_every_command_takes_a_root(base: Path, name: str) -> None:
    """`--root` names the base from anywhere."""
    assert "--root" in kb(name, "--help", cwd=base).out


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_prints_json(base: Path, name: str) -> None:
    """`--json` is there on every command that prints data."""
    assert "--json" in kb(name, "--help", cwd=base).out


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
