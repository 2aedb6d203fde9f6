# ruff: noqa: E501  records read better unbroken
"""kb.anchors: the builds that ran an anchor's code, and what became of it; shown below the claim's code."""

from __future__ import annotations

import json

import pytest

from kb.anchors import Since, anchors, in_words, since
from kb.evaluation import Evaluation
from kb.present.claims import section
from kb.present.text import Page, Style

from .checks import library

READS = "vllm-nixl-pull:NixlPullConnectorWorker._read_blocks"
BEFORE = "vllm-nixl-pull:NixlConnectorWorker._read_blocks"
DONE = "vllm-nixl-pull:NixlPullConnectorWorker.get_finished"
OLD = "vllm-nixl-pull:NixlConnectorWorker.old_only"


def found(setup: str, *names: str, arms: str = "arms: []", arm: str = "all") -> tuple[Evaluation, tuple[Since, ...]]:
    claim = f"{{id: a, kind: mechanism, says: It reads., anchors: {{{arm}: {json.dumps(names)}}}}}"
    records = library(f"setup: {setup}\n{arms}\nclaims: [{claim}]")
    record = records.evaluations["it"]
    return record, since(record, records)


def engine(version: str) -> str:
    return f"{{engine: {{component: vllm, version: {version}}}}}"


@pytest.mark.parametrize(
    ("setup", "name", "words"),
    [
        (engine("0.26.0"), READS, "unchanged 0.26.0..0.29.0"),
        (engine("0.24.0"), READS, "changed in 0.26.0"),
        (engine("0.20.0"), BEFORE, "changed in 0.26.0, now NixlPullConnectorWorker._read_blocks"),
        (engine("0.20.0"), READS, "changed in 0.26.0"),
        (engine("0.24.0"), DONE, "unchanged 0.24.0..0.29.0"),
        (engine("0.20.0"), DONE, "not in 0.20.0"),
        (engine("0.20.0"), OLD, "not in 0.29.0"),
        (engine("unknown"), READS, "last changed in 0.26.0"),
        (engine("unknown"), OLD, "unchanged 0.20.0..0.20.0, not in 0.29.0"),
        (engine("0.25.0"), READS, "last changed in 0.26.0"),
        (engine("'>=0.24'"), READS, "last changed in 0.26.0"),
        ("{engine: {component: vllm, version: 0.26.0, branch: mine}}", READS, "last changed in 0.26.0"),
        ("{}", DONE, "unchanged 0.24.0..0.29.0"),
    ],
)
def test_in_words(setup: str, name: str, words: str) -> None:
    """Since the pin where it is a scanned release; else when it last changed."""
    (only,) = found(setup, name)[1]
    assert in_words(only) == words


@pytest.mark.parametrize("name", ["vllm-nixl-push:Any.thing", "damaged:Any", "vllm-nixl-pull:Not.there", "gone:A"])
def test_nothing_is_said_without_a_table(name: str) -> None:
    """No table, a damaged one, or a name that it does not have."""
    assert found(engine("0.26.0"), name)[1] == ()


def test_pins_of_arms() -> None:
    """An arm's own pin; all cited arms for `all`; the oldest counts; one unknown arm makes it unknown."""
    two = "arms: [{id: x, setup: {engine: {component: vllm, version: 0.24.0}}}, {id: y, setup: {engine: {component: vllm, version: 0.26.0}}}]"
    assert [found("{}", READS, arms=two, arm=arm)[1][0].pin for arm in ("x", "y", "all")] == [
        "0.24.0",
        "0.26.0",
        "0.24.0",
    ]
    half = two.replace("0.26.0", "unknown")
    assert [found("{}", READS, arms=half, arm=arm)[1][0].pin for arm in ("x", "y", "all")] == ["0.24.0", None, None]


def test_sides_have_pins_of_their_own() -> None:
    """Both versions of a mixed pair are its pins."""
    mixed = (
        "{prefill: {engine: {component: vllm, version: 0.29.0}}, decode: {engine: {component: vllm, version: 0.24.0}}}"
    )
    record, _ = found(mixed, READS)
    (only,) = anchors(record, library())
    assert only.pins == ("0.24.0", "0.29.0")


def test_as_data() -> None:
    """`kb show --json` gives the same as data."""
    (only,) = found(engine("0.20.0"), BEFORE)[1]
    assert only.as_dict() == {
        "claim": "a",
        "arm": "all",
        "anchor": BEFORE,
        "pin": "0.20.0",
        "newest": "0.29.0",
        "outcome": "changed",
        "name_at_pin": "NixlConnectorWorker._read_blocks",
        "name_now": "NixlPullConnectorWorker._read_blocks",
        "changed_in": ["0.26.0"],
        "touched_in": [],
        "last_changed": "0.26.0",
        "first_seen": "0.20.0",
        "last_seen": "0.29.0",
    }
    assert found(engine("unknown"), BEFORE)[1][0].as_dict()["outcome"] == "pin unknown"


def test_shown_below_the_code() -> None:
    """Symbols of which the same is said stand together; nothing stands there without a table."""
    record, followed = found(engine("0.26.0"), READS, DONE)
    lines = "\n".join(section(record, Page(100, Style(False)), anchors=followed))
    assert "      _read_blocks, get_finished unchanged 0.26.0..0.29.0" in lines
    assert "unchanged" not in "\n".join(section(record, Page(100, Style(False))))
