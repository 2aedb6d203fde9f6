"""Cold start: `kb` as a whole process on 1,000 entries, beside a typer hello-world, a bare script and ripgrep."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from benchmarks.generate import write_base
from benchmarks.timing import Row, processes

HELLO = """
import typer

def main(name: str = "world") -> None:
    print(f"hello {name}")

typer.run(main)
"""

BARE = """
import argparse, sqlite3
parser = argparse.ArgumentParser()
parser.add_argument("words", nargs="+")
words = parser.parse_args().words
base = sqlite3.connect("file:.kb/kb.sqlite?mode=ro", uri=True)
for row in base.execute(STATEMENT, [" ".join(words)]):
    print(*row)
"""

STATEMENT = """
SELECT records.id, records.title, bm25(text) FROM text JOIN records ON records.rid = text.rowid
WHERE text MATCH ? ORDER BY bm25(text) LIMIT 10
"""


def measure(folder: Path, runs: int) -> tuple[list[Row], str]:
    """Rows of the cold start, and where the time of a plain search goes."""
    base = write_base(folder / "cold", 1000)
    kb = str(Path(sys.executable).with_name("kb"))
    subprocess.run([kb, "sync"], cwd=base, check=True, capture_output=True)
    hello = folder / "hello.py"
    hello.write_text(HELLO, encoding="utf-8")
    bare = folder / "bare.py"
    bare.write_text(BARE.replace("STATEMENT", repr(STATEMENT)), encoding="utf-8")
    commands = {
        "typer hello-world": [sys.executable, str(hello)],
        "python -c pass": [sys.executable, "-c", "pass"],
        "kb --help": [kb, "--help"],
        "kb search latency": [kb, "search", "latency"],
        "kb search, two words": [kb, "search", "transfer", "latency"],
        "kb search, query syntax": [kb, "search", '(latency OR transfer) AND "first token" -router'],
        "bare argparse + sqlite3": [sys.executable, str(bare), "latency"],
    }
    if rg := shutil.which("rg"):
        commands["ripgrep, same files"] = [rg, "-l", "-i", "latency", "entries"]
    ms = processes(commands, runs, base)
    hello_ms = ms["typer hello-world"]
    bounds = {"kb --help": 1.3, "kb search latency": 1.6, "kb search, two words": 1.6, "kb search, query syntax": 2.6}
    rows = [
        Row(name, each, "typer hello-world", hello_ms, bounds.get(name))
        for name, each in ms.items()
        if name != "typer hello-world"
    ]
    return rows, where_time_goes([kb, "search", "latency"], base)


def where_time_goes(command: list[str], cwd: Path) -> str:
    """Import time by top-level package, from the interpreter's own report."""
    code = f"import sys; sys.argv = {command[0:1] + command[1:]!r}; from kb.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code], cwd=cwd, capture_output=True, text=True, check=False
    )
    spent: dict[str, float] = defaultdict(float)
    for own, name in re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+([\w.]+)", done.stderr):
        spent[name.split(".")[0]] += int(own) / 1000
    top = sorted(spent.items(), key=lambda item: -item[1])[:10]
    return "imports of a plain search (ms): " + ", ".join(f"{name} {each:.1f}" for name, each in top)
