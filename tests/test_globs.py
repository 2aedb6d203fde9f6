"""kb.globs: patterns of paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.globs import _matches, matches


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("a/b/c.py", "a/**", True),
        ("a/b/c.py", "a/*", False),
        ("a/c.py", "a/*", True),
        ("a", "a/**", True),
        ("ab", "a/**", False),
        ("ab/c", "a/**", False),
        ("a/b.py", "a/b.py", True),
        ("a/b.pyc", "a/b.py", False),
        ("x/a/b.py", "**/a/b.py", True),
        ("a/b.py", "**/a/b.py", True),
        ("a/x/y/b.py", "a/**/b.py", True),
        ("a/b.py", "a/**/b.py", True),
        ("a/pull_x.py", "a/pull_*.py", True),
        ("a/deep/pull_x.py", "a/pull_*.py", False),
        ("anything/at/all", "**", True),
        ("a/b.py", "a/[b].py", True),
        ("a/[b].py", "a/[b].py", False),
        ("", "**", True),
        ("a.py", "a.py/**", True),
        ("a.py", "a.py/**/**", True),
        ("a.py", "a.py/*", False),
    ],
)
def test_matches(path: str, pattern: str, fits: bool) -> None:
    """`**` is any number of folders, none too; `*` stays in one."""
    assert matches(path, pattern) is fits


PART = st.sampled_from(["a", "b", "ab", "a.py"])
WILD = st.sampled_from(["a", "ab", "*", "**", "a*", "?", "[ab]", "a.py"])


@given(st.lists(PART, min_size=1, max_size=4), st.lists(WILD, min_size=1, max_size=4))
def test_the_short_way_is_the_long_one(path: list[str], pattern: list[str]) -> None:
    """What is decided by the first folders alone is what the whole pattern says."""
    assert matches("/".join(path), "/".join(pattern)) is _matches("/".join(path), "/".join(pattern))
