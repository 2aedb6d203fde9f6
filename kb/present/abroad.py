"""Files that lie elsewhere, by their names: a path as long as the line would leave no room for what stands in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath

ROOM = 40
"""Columns that a place may take before its folder is left out."""


def by_name(text: str, files: Iterable[str]) -> str:
    """`text` with long paths of these files shortened to their names; two files of one name keep their paths."""
    listed = dict.fromkeys(files)
    names = Counter(PurePath(each).name for each in listed)
    for each in sorted(listed, key=len, reverse=True):
        name = PurePath(each).name
        if len(each) > ROOM and names[name] == 1:
            text = text.replace(f"{each}:", f"{name}:")
    return text
