"""Running `kb` inside the test's process, in a folder, as somebody would from a terminal of 80 columns."""

from __future__ import annotations

import os
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from kb.cli import run

FIXTURE = Path(__file__).parents[1] / "fixtures" / "base"


@dataclass(frozen=True)
class Ran:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str


def kb(*arguments: str, cwd: Path) -> Ran:
    """Run one command in a folder."""
    out, err = StringIO(), StringIO()
    environment = {"COLUMNS": "80", "NO_COLOR": "1"}
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, environment):
        code = run(list(arguments))
    return Ran(code, out.getvalue(), err.getvalue())
