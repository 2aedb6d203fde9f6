"""What a search loads: counted in modules, because milliseconds depend on the day."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

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
    assert not {"kb.search.parser", "kb.search.borrowed"} & modules
    assert "kb.store.writing" not in modules


def test_the_parser_is_loaded_when_it_is_needed_and_without_a_warning(path: Path) -> None:
    """Query syntax loads whoosh, silently even where warnings are errors."""
    assert "whoosh.qparser" in loaded(path, "push OR pull")


def test_spelling_is_loaded_when_something_is_misspelt(path: Path) -> None:
    """A word that nothing holds is worth whoosh's spelling; a number that nothing has is not."""
    assert "whoosh.spelling" in loaded(path, "psuh")
    assert "whoosh" not in loaded(path, "qps:>=4")


def test_one_module_knows_whoosh() -> None:
    """It takes the parser's machinery and the spelling; no index, no writing, no store of whoosh's is opened."""
    root = Path(__file__).parents[2] / "kb"
    imports = {
        path.relative_to(root).as_posix(): found
        for path in root.rglob("*.py")
        if (found := re.findall(r"^\s*(?:from|import) (whoosh\S*)", path.read_text(encoding="utf-8"), re.MULTILINE))
    }
    assert imports == {"search/borrowed.py": ["whoosh.qparser", "whoosh.spelling", "whoosh.support.levenshtein"]}
