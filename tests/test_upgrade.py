"""kb.upgrade: records of older formats are read."""

from kb.evaluation import Evaluation
from kb.model import SCHEMA_VERSION
from kb.reading import read
from kb.upgrade import STEPS, upgrade

DRAFT = """---
schema_version: 0
id: it
title: A draft
points: [{id: a, metric: ttft, statistic: median, value: 1, unit: s}, {metric: ttft, statistic: p99, value: 2, unit: s}]
claims: [{id: c, kind: hypothesis, sentence: Push wins.}]
---
"""


def test_a_draft_is_read_as_a_present_record() -> None:
    """Renamed fields and words arrive under their new names."""
    record = read(Evaluation, "it.md", DRAFT).record
    assert isinstance(record, Evaluation)
    assert record.schema_version == SCHEMA_VERSION
    assert [point.stat.value for point in record.points] == ["p50", "p99"]
    assert record.claims[0].says == "Push wins."


def test_steps_lead_to_the_present_format() -> None:
    """From every known version, one at a time."""
    for version in STEPS:
        assert upgrade({"schema_version": version})["schema_version"] == str(SCHEMA_VERSION)


def test_a_present_record_is_left_alone() -> None:
    """With or without its version."""
    for fields in ({"id": "it"}, {"schema_version": "1", "claims": [{"sentence": "x"}]}):
        assert upgrade(fields) is fields


def test_what_was_given_is_not_changed() -> None:
    """Upgrading makes a new table."""
    fields = {"schema_version": "0", "claims": [{"sentence": "x"}], "points": None}
    upgrade(fields)
    assert fields["claims"] == [{"sentence": "x"}]
