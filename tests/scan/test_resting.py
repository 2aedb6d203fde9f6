"""Which claims rest on code that differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.config import read
from kb.digests import write
from kb.library import Library, open_library
from kb.scan import scan
from kb.scan.digesting import table
from kb.scan.resting import touched
from tests.scan.made import component, tree

OLD = (
    "class Worker:\n    def read(self, n):\n        return get(n, 1)\n    def stop(self):\n        return halt(self)\n"
)
BASE = "class BaseWorker:\n    def stop(self):\n        return halt(self)\n"
PULL = (
    "from pkg.base import BaseWorker\nclass PullWorker(BaseWorker):\n    def read(self, n):\n        return get(n, 1)\n"
)
SHIM = "from pkg.pull import PullWorker\nWorker = PullWorker\n"
FIRST = tree({"pkg/worker.py": OLD}, "1.0")
SPLIT = {"pkg/worker.py": SHIM, "pkg/base.py": BASE, "pkg/pull.py": PULL}
SECOND = tree(SPLIT, "2.0")
RECORD = """---
schema_version: 1
id: {id}
title: "A claim"
kind: controlled
date: 2026-01-01
source: {{relation: own, depth: full}}
setup: {{engine: {{component: dist, version: "1.0"}}}}
arms:
  - {{id: one, title: One, role: baseline}}
claims:
  - id: c
    kind: measured
    says: It is so.
    anchors: {{one: ["push:{anchor}"]}}
---
"""


def base(folder: Path, *anchors: str) -> Library:
    """A base with one claim for each anchor, and the table of both releases."""
    (folder / "kb.toml").write_text("")
    for kind in ("components", "evaluations"):
        (folder / "entries" / kind).mkdir(parents=True)
    text = 'schema_version: 1\nid: push\ntitle: Push\nkind: connector\nships_in: dist\npaths:\n  - {glob: "pkg/**"}\n'
    (folder / "entries/components/push.yaml").write_text(text)
    (folder / "entries/components/push.symbols.tsv").write_text(write(table([FIRST, SECOND], component())))
    for number, anchor in enumerate(anchors):
        (folder / f"entries/evaluations/e{number}.md").write_text(RECORD.format(id=f"e{number}", anchor=anchor))
    return open_library(read(folder))


@pytest.mark.parametrize(
    ("change", "anchor", "rests"),
    [
        ({"pkg/pull.py": PULL.replace("1", "2")}, "PullWorker.read", True),
        ({"pkg/pull.py": PULL.replace("1", "2")}, "Worker.read", True),
        ({"pkg/pull.py": PULL.replace("1", "2")}, "Worker", True),
        ({"pkg/base.py": BASE.replace("halt", "kill")}, "PullWorker.stop", True),
        ({"pkg/base.py": BASE.replace("halt", "kill")}, "Worker.stop", True),
        ({"pkg/base.py": BASE.replace("halt", "kill")}, "Worker", True),
        ({"pkg/base.py": BASE.replace("halt", "kill")}, "PullWorker.read", False),
        ({"pkg/pull.py": PULL.replace("1", "2")}, "BaseWorker", False),
        ({}, "Worker", False),
    ],
)
def test_claims_by_any_name(change: dict[str, str], anchor: str, rests: bool, tmp_path: Path) -> None:
    """Through old names, aliases and bases; not those whose code is the same."""
    library = base(tmp_path, anchor)
    after = tree({**SPLIT, **change}, "3.0")
    found = touched(scan(SECOND, after, component()), library)
    assert [each.claims for each in found if each.claims] == ([(("e0", "c", f"push:{anchor}"),)] if rests else [])


def test_a_symbol_without_claims(tmp_path: Path) -> None:
    """It is listed with its anchor all the same."""
    library = base(tmp_path)
    (found,) = touched(
        scan(SECOND, tree({**SPLIT, "pkg/pull.py": PULL.replace("1", "2")}, "3.0"), component()), library
    )
    assert found.as_dict() == {"anchor": "push:PullWorker.read", "status": "changed", "kind": "behaviour", "claims": []}
