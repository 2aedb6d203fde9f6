"""KB191 placeholder-left."""

import pytest

from kb.checks.placeholder_left import check
from kb.library import MODELS, Library
from kb.lint import count, lint
from kb.places import FOLDERS
from kb.reading import read
from kb.template import BODIES, template
from kb.vocabulary import Kind

from . import base, cases, fires, quiet, rows


@cases(
    ("title: TODO one line", "title still says TODO"),
    ("claims: [{id: main, kind: hypothesis, says: TODO what you conclude}]", "says still says TODO"),
    ("limits: [fine, TODO]", "limits[1] still says TODO"),
    ("limits: [fine, 'TODO: write it']", "limits[1] still says TODO"),
    ("setup:\n  hardware: {gpu: H200}  # TODO this is an example: write what ran", 'nobody has chosen gpu "H200" yet'),
    ("title: TBD", "title still says TBD"),
    ("title: FIXME later", "title still says FIXME"),
    ("title: x\n---\n" + BODIES[Kind.EVALUATION], "still the template's"),
)
def test_fires(fragment: str, says: str) -> None:
    """What the template left open is named at its place."""
    fires("placeholder-left", fragment, says)


@rows(
    "title: A list of TODOs in the scheduler",
    "title: TODO-driven development",
    "title: x\n---\nWhat it shows.\n",
    "title: TODOs of the scheduler",
    "title: A sentence",
    "setup:\n  # hardware: {gpu: H200}  # TODO this is an example: write what ran\n  model: m",
    "limits: [what is still TODO upstream]",
)
def test_is_quiet(fragment: str) -> None:
    """A sentence that speaks of a TODO is no placeholder."""
    quiet("placeholder-left", fragment)


@pytest.mark.parametrize("kind", Kind)
def test_a_fresh_template_has_warnings_and_no_errors(kind: Kind) -> None:
    """Of every kind of record: what is still to be written is named and counted."""
    folder = f"{kind}s"
    path = f"entries/{folder}/it{FOLDERS[folder]}"
    loaded = read(MODELS[folder], path, template(kind, "it", "vllm"))
    records = Library((loaded, *base()), (), frozenset({path}))
    found = lint(records)
    left = list(check(loaded, records))
    assert count(found)["error"] == 0
    assert any("title still says TODO" in each.message for each in left)
    assert count(each for each in found if each.code == "KB191")["warning"] == len(left) >= 2
