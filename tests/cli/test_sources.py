"""kb.cli.sources: where the two sides of a comparison come from, and what is said when they hold nothing of it."""

from __future__ import annotations

import pytest

from kb.cli.sources import matching
from kb.errors import KbError
from tests.scan.made import component, tree

METADATA = {"conn-1.0.dist-info/METADATA": "Name: conn\n", "conn.libs/libplugin.so": "library"}


def test_wheels_of_libraries() -> None:
    """Who compares two wheels without sources is told what looks into them."""
    with pytest.raises(KbError, match="paths matches a file in") as told:
        matching((tree(METADATA, "1.0"), tree(METADATA, "1.1")), component(id="conn"))
    assert "--git CLONE" in (told.value.hint or "")
    assert "kb scan conn --seen string:WORDS" in (told.value.hint or "")


def test_another_folder() -> None:
    """Of sources the paths that were looked for are named."""
    with pytest.raises(KbError) as told:
        matching((tree(METADATA, "1.0"), tree({"src/a.py": "a = 1\n"}, "1.1")), component(id="conn"))
    assert (told.value.hint or "").startswith("its paths start at the project's root")
