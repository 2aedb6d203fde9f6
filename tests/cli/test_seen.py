"""`kb scan --seen`: what is looked for is checked before anything is fetched."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import kb
from tests.cli.test_impact_git import PATHS


@pytest.mark.parametrize("wanted", ["foo:bar", ":x", ":", "num_threads", "", "option:", "option: "])
def test_no_kind_or_no_name(base: Path, wanted: str) -> None:
    """One sentence with an example, exit 2."""
    record = base / "entries" / "components" / "orbit-pull.yaml"
    record.write_text(record.read_text() + PATHS)
    ran = kb("scan", "orbit-pull", "--seen", wanted, "--from", "1.0.0", "--to", "1.2.0", "--index", cwd=base)
    assert (ran.code, ran.out) == (2, "")
    named = wanted.startswith("option:")
    assert ("nothing to look for was named" if named else f'"{wanted}" does not say what it is') in ran.err
    assert ("option:NAME" if named else "for example option:") in ran.err
