"""Every page in this folder is a session: commands after `$`, then what they print.

`! ` begins a line of stderr, `[exit N]` ends a command that does not leave with 0, `...` in a line stands for anything.
Beside `kb`, a page may `write FILE TEXT`, `mkdir FOLDER` and `rm FILE`; sessions start in a copy of the fixture base.
KB_WRITE_TRANSCRIPTS=1 writes what is printed now into the pages: read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import kb

PAGES = sorted(Path(__file__).parent.glob("*.md"))
BLOCK = re.compile(r"(?ms)^```console\n(.*?)^```$")
WAITED = re.compile(r"(?m)^kb: \d[\d,]* (?:records|claims) \w+ in [\d.]+ s\n")
"""Said only where a machine was slow: no part of a session."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_transcript(page: Path, base: Path) -> None:
    """Commands print what the page says."""
    text = page.read_text(encoding="utf-8")
    now = BLOCK.sub(lambda block: f"```console\n{''.join(_played(block[1], base))}```", text)
    if os.environ.get("KB_WRITE_TRANSCRIPTS"):
        page.write_text(now, encoding="utf-8")
    assert now == text


def _played(block: str, base: Path) -> Iterator[str]:
    for command, expected in re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", block):
        printed = _run(shlex.split(command), base)
        yield f"$ {command}\n{expected if _same(expected, printed) else printed}"


def _run(words: list[str], base: Path) -> str:
    name, *arguments = words
    if name == "kb":
        ran = kb(*arguments, cwd=base)
        err = "".join(f"! {line}\n" for line in WAITED.sub("", ran.err).splitlines())
        out = "".join(f"{line}\n" for line in ran.out.splitlines())
        return (out + err + (f"[exit {ran.code}]\n" if ran.code else "")).replace(str(base), "BASE")
    target = base / arguments[0]
    if name == "write":
        target.parent.mkdir(parents=True, exist_ok=True)
        escaped = arguments[1].encode("latin-1", "backslashreplace")
        target.write_bytes(escaped.decode("unicode_escape").encode("latin-1"))
    elif name == "mkdir":
        target.mkdir(parents=True)
    elif name == "rm":
        target.unlink()
    else:
        raise AssertionError(f"a page cannot {name}")
    return ""


def _same(expected: str, printed: str) -> bool:
    pattern = ".*".join(map(re.escape, expected.split("...")))
    return re.fullmatch(pattern, printed) is not None
