"""The derived file and the search of the site are the same bytes in every process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHIPPED = Path(__file__).parents[2]

DIGEST = """
import sys
from hashlib import sha256
from pathlib import Path
from kb.config import read
from kb.site.search.shards import shards
from kb.workspace import Workspace

store = Workspace(read(Path(sys.argv[1]))).store
index = repr(list(store.rows("SELECT rowid, * FROM text ORDER BY rowid")))
files = shards(store, lambda *_: "page")
print(len(files), sha256(index.encode()).hexdigest(), sha256(repr(sorted(files.items())).encode()).hexdigest())
"""


def test_sets_have_no_say_in_the_search_files(tmp_path: Path) -> None:
    """Sets of text have another order in every process; an index kept from one and filled by another must not show
    it, as a record that is read again is."""
    printed = set()
    for seed in ("1", "2", "3"):
        base = tmp_path / seed
        (base / "entries").mkdir(parents=True)
        shutil.copy(SHIPPED / "kb.toml", base)
        shutil.copy(SHIPPED / "entries" / "vocabulary.yaml", base / "entries")
        shutil.copytree(SHIPPED / "entries" / "deployments", base / "entries" / "deployments")
        env = os.environ | {"PYTHONHASHSEED": seed}
        ran = subprocess.run(
            [sys.executable, "-c", DIGEST, str(base)], env=env, capture_output=True, text=True, check=True
        )
        printed.add(ran.stdout)
    assert len(printed) == 1, printed
    assert not printed.pop().startswith("0 ")
