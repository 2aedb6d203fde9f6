"""Running `kb` inside the test's process, in a folder, as somebody would from a terminal of 80 columns."""

from __future__ import annotations

import os
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from tempfile import gettempdir
from unittest.mock import patch

from kb.cli import run

FIXTURE = Path(__file__).parents[1] / "fixtures" / "base"


@dataclass(frozen=True)
class Ran:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str


def kb(*arguments: str, cwd: Path, columns: int = 80) -> Ran:
    """Run one command in a folder; what it keeps of the shipped base lies outside of the user's own cache."""
    out, err = StringIO(), StringIO()
    environment = {"COLUMNS": str(columns), "NO_COLOR": "1", "XDG_CACHE_HOME": f"{gettempdir()}/kb-tests-{os.getpid()}"}
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, environment):
        code = run(list(arguments))
    return Ran(code, out.getvalue(), err.getvalue())
