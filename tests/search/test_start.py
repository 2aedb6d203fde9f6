"""What a search loads: counted in modules, because milliseconds depend on the day."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kb.search import search
from kb.store import open_store

from .world import document

HEAVY = {
    "pydantic",
    "whoosh",
    "sqlite_utils",
    "rich",
    "typer",
    "yaml",
    "ruamel",
    "markdown",
    "jinja2",
    "dataclasses",
    "difflib",
}
CODE = """
import sys
from pathlib import Path
from kb.search import search
from kb.store import open_store
with open_store(Path(sys.argv[1])) as store:
    search(store, sys.argv[2]).as_dict()
print(*sys.modules)
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("start") / "kb.sqlite"
    with open_store(made) as store, store.writing() as writer:
        writer.document(document("a", "Push against pull", facets={"connector": ("nixl",)}))
    return made


def loaded(path: Path, query: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CODE, path, query], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.parametrize("query", ["push", "push pull", '"push against" connector:nixl', "qps:>=4", "date:2026-10"])
def test_plain_queries_load_nothing_heavy(path: Path, query: str) -> None:
    """Words, phrases, fields and ranges need sqlite3 and a few small modules, whoosh and the rest stay out."""
    modules = loaded(path, query)
    assert not HEAVY & {name.split(".")[0] for name in modules}
    assert "kb.search.parser" not in modules
    assert "kb.store.writing" not in modules


def test_the_parser_is_loaded_when_it_is_needed_and_without_a_warning(path: Path) -> None:
    """Query syntax loads whoosh, silently even where warnings are errors."""
    assert "whoosh.qparser" in loaded(path, "push OR pull")


def test_nothing_else_of_whoosh_is_used(path: Path) -> None:
    """The parser reads syntax trees; whoosh's index, writing and stores of its own are not opened."""
    with open_store(path) as store:
        search(store, "push OR pull")
    source = (Path(__file__).parents[2] / "kb" / "search" / "parser.py").read_text()
    assert "import QueryParser, plugins, syntax" in source
    others = [
        p
        for p in (Path(__file__).parents[2] / "kb").rglob("*.py")
        if "whoosh" in p.read_text() and p.name != "parser.py"
    ]
    assert not [
        p
        for p in others
        if any(line.strip().startswith(("import whoosh", "from whoosh")) for line in p.read_text().splitlines())
    ]
