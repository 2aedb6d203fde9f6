"""The documents say what is so: commands shown in them run and print it, files named in them exist."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import kb

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md")
BLOCK = re.compile(r"(?ms)^```console\n(.*?)^```$")
COMMAND = re.compile(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh copy of what a reader of the README has in front of them."""
    folder = tmp_path / "evalkb"
    shutil.copytree(ROOT / "entries", folder / "entries")
    shutil.copy(ROOT / "kb.toml", folder)
    return folder


def test_readme_session(checkout: Path) -> None:
    """Every command shown in the README prints what the README shows; `...` stands for anything."""
    here, played = checkout, 0
    for block in BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        for command, expected in COMMAND.findall(block):
            name, *arguments = shlex.split(command)
            if name == "cd":
                here /= arguments[0]
                continue
            ran = kb(*arguments, cwd=here)
            assert ran.code == 0, (command, ran.err)
            pattern = ".*".join(map(re.escape, expected.split("...\n")))
            assert re.fullmatch(pattern, ran.out, re.DOTALL), (command, ran.out)
            played += 1
    assert played >= 5


def test_demo_is_a_page(checkout: Path) -> None:
    """What `make demo` prints fits on about two screens, and each command that it names is one that runs."""
    shutil.copy(ROOT / "demo.sh", checkout)
    environment = os.environ | {"BIN": str(Path(sys.executable).parent)}
    ran = subprocess.run(
        ["sh", "demo.sh"], cwd=checkout, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) <= 64
    assert ran.stdout.count("\n== ") == 4
    for command in re.findall(r"(?m)^kb (.*?)(?:  .*)?$", ran.stdout):
        tried = kb(*shlex.split(command), cwd=checkout)
        assert tried.code in {0, 1}, (command, tried.err)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_files_exist(document: str) -> None:
    """A path in backticks or a link that looks like a file of ours is one."""
    text = (ROOT / document).read_text(encoding="utf-8")
    named = re.findall(r"`((?:kb|entries|tests|benchmarks|schemas|\.ci)/[\w./\-]*)`", text)
    named += re.findall(r"\]\(([\w./\-]+)\)", text)
    own = [path for path in named if not path.startswith(("entries/x", "entries/evaluations/my-"))]
    missing = [path for path in own if not (ROOT / path).exists()]
    assert not missing


def test_make_targets_exist() -> None:
    """A `make` target named in a document is in the Makefile."""
    rules = set(re.findall(r"(?m)^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        assert set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.MULTILINE)) <= rules


def test_checks_named_in_contributing_exist() -> None:
    """The check that the guide points to is there, with its test."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (name,) = re.findall(r"kb/checks/(\w+)\.py", text)
    assert (ROOT / "tests" / "checks" / f"test_{name}.py").exists()
