"""Reads a text as `kb.setups` does, for the tables of these tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from kb.component import Component
from kb.config import read as read_config
from kb.library import open_library
from kb.setups import Reading, read_texts
from kb.setups.reading import SideName

ROOT = Path(__file__).parents[2]
RESULTS = ROOT.parent / "shared" / "results"


@lru_cache(maxsize=1)
def components() -> dict[str, Component]:
    """The shipped components."""
    return open_library(read_config(ROOT)).components


def reading(*texts: str, sides: Sequence[SideName | None] = ()) -> Reading:
    """Texts named `1`, `2`... with the shipped components."""
    return read_texts([(str(n), text) for n, text in enumerate(texts, start=1)], components(), sides)


def values(*texts: str) -> dict[str, str]:
    """Key -> value of what is read."""
    return reading(*texts).values()


def why_not(result: Reading, text: str) -> str:
    """Why something that stands in the text was not read; empty when nothing is said about it."""
    return next((each.why for each in result.not_read if text in each.text), "")


def suggested(result: Reading) -> dict[str, str]:
    """Key -> value of what is suggested."""
    return {each.key: each.value for each in result.suggestions}
