"""kb.start: the process around the command line."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kb.config import read
from kb.workspace import Workspace

FIXTURE = Path(__file__).parent / "fixtures" / "base"
HEAD = """\
import atexit, sys
from kb import cli, start
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    shutil.copytree(FIXTURE, folder, ignore=shutil.ignore_patterns(".kb"))
    return folder


def python(code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A program with the start-up module; what it writes is kept."""
    return subprocess.run([sys.executable, "-c", HEAD + code], cwd=cwd, capture_output=True, text=True)


@pytest.mark.parametrize(("code", "stop"), [(0, "sys.exit(0)"), (0, "None"), (1, "sys.exit(1)"), (3, "sys.exit(3)")])
def test_the_exit_code_is_the_commands(tmp_path: Path, code: int, stop: str) -> None:
    """Whether the command line ends by returning or by leaving."""
    ran = python(f"cli.main = lambda: {stop}\nstart.main()", tmp_path)
    assert (ran.returncode, ran.stderr) == (code, "")


def test_what_waits_to_be_written_is_written(tmp_path: Path) -> None:
    """Nothing that was printed is lost, however the process ends."""
    ran = python(
        "cli.main = lambda: (print('out', end=''), print('err', end='', file=sys.stderr))\nstart.main()", tmp_path
    )
    assert (ran.stdout, ran.stderr) == ("out", "err")


def test_who_asked_to_be_told_of_the_end_is_told(tmp_path: Path) -> None:
    """Temporary folders and connections clean up behind themselves."""
    ran = python("atexit.register(print, 'bye')\ncli.main = lambda: sys.exit(2)\nstart.main()", tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "bye\n")


def test_nothing_after_the_command_line_runs(tmp_path: Path) -> None:
    """Modules are not taken apart: that is what leaving at once saves."""
    code = (
        "class Left:\n    def __del__(self): print('taken apart')\nleft = Left()\ncli.main = lambda: None\nstart.main()"
    )
    assert python(code, tmp_path).stdout == ""


def test_the_derived_file_is_closed(base: Path) -> None:
    """SQLite's log and shared memory are gone when a command has ended, so that no next one has to recover them."""
    for words in (["sync"], ["search", "push"], ["show", "nothing-of-this-name"]):
        subprocess.run([sys.executable, "-m", "kb", *words], cwd=base, capture_output=True)
        assert sorted(path.name for path in (base / ".kb").iterdir()) == ["kb.sqlite", "lock"]


def test_a_store_that_is_dropped_is_closed(base: Path) -> None:
    """Without waiting for the end of the process."""
    opened = Workspace(read(base))
    assert opened.store.kinds()
    assert (base / ".kb" / "kb.sqlite-wal").exists()
    del opened
    assert not (base / ".kb" / "kb.sqlite-wal").exists()
