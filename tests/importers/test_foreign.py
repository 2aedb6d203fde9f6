"""Files that hold no performance results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.importers import foreign
from kb.importers.source import open_file
from tests.importers import given


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"evaluation_id": "a", "evaluation_results": []}, "Every Eval Ever"),
        ({"$schema": "x", "properties": {}}, "JSON Schema"),
        ({"$defs": {}, "properties": {}}, "JSON Schema"),
        ([{"task": "gsm8k", "metrics": {"em_strict": 0.9, "n_eff": 1319}}], "accuracy scores of InferenceX"),
        ({"results": {"gsm8k": {}}, "n-shot": {}}, "lm-evaluation-harness"),
        ({"version": 1, "run": {}, "coverage": [], "series": []}, "collective operations"),
        ([{"hardware": "b200", "date": "2026-06-14", "n_success": 0, "total": 0}], "counts which runs succeeded"),
        ({"architectures": ["X"], "model_type": "llama"}, "a model's configuration"),
    ],
)
def test_each_is_named(record: object, words: str) -> None:
    """With a sentence that says what it is."""
    got = given.text(json.dumps(record))
    assert got.runs == ()
    assert words in got.declined[0].why


@pytest.mark.parametrize(
    "record",
    [
        {"results": {"gsm8k": {}}},
        {"summary": 1},
        {"task": "x", "metrics": {"tput_per_gpu": 3}},
        {"$schema": "x", "mean_ttft_ms": 3, "properties": {}},
        [{"model": "m", "isl": 1, "osl": 1, "hardware": "h", "framework": "f", "metrics": {}}],
    ],
)
def test_what_could_be_results_is_not_declined(record: object) -> None:
    """Better to list what was tried than to say something wrong."""
    assert "foreign" not in given.names(json.dumps(record))


@pytest.mark.parametrize("path", sorted(given.FIXTURES.rglob("*")), ids=lambda path: path.name)
def test_no_result_file_is_taken_for_something_else(path: Path) -> None:
    """All other fixtures are for somebody else."""
    if path.is_file() and path.parent.name not in {"foreign", "declined"}:
        with open_file(path) as source:
            assert not foreign.recognises(source)
