"""kb.docstrings: help texts of fields, from the source."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from kb.docstrings import descriptions
from kb.model import Model
from kb.setup import Connector, Pin


class Whole(Model):
    """A model of two fields."""

    first: str = ""
    """Text over
    two lines."""
    bare: str = ""
    second: str = ""
    """Own words."""


class Part(Whole):
    """Says one of them anew."""

    third: str = ""
    """One more."""
    second: str = ""
    """Other words."""


def test_what_stands_under_a_field_describes_it() -> None:
    """Also over lines, and never under another field."""
    assert descriptions(Whole) == {"first": "Text over\ntwo lines.", "second": "Own words."}


def test_inherited_fields_keep_their_text_until_it_is_said_anew() -> None:
    """In the order of the fields."""
    assert descriptions(Part) == {"first": "Text over\ntwo lines.", "second": "Other words.", "third": "One more."}
    assert descriptions(Connector)["component"] == descriptions(Pin)["component"]


def test_a_schema_has_them() -> None:
    """Those of a model inside another one, too."""
    assert Part.model_json_schema()["properties"]["second"]["description"] == "Other words."


def test_a_model_without_source_has_none(tmp_path: Path) -> None:
    """A class that was typed in, or whose file is gone."""
    code = (
        "from kb.docstrings import descriptions\nfrom kb.model import Model\n"
        "class Typed(Model):\n    a: str = ''\n    'Text.'\n"
        "assert descriptions(Typed) == {}\nassert 'description' not in Typed.model_json_schema()['properties']['a']\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
