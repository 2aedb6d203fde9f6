"""kb.results: a record's own table of points, there and back, and where it counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.config import read as read_config
from kb.evaluation import Evaluation
from kb.evidence import compute
from kb.frontmatter import FormError
from kb.library import open_library
from kb.lint import lint
from kb.record import make_base
from kb.results import COLUMNS, rows, table
from kb.workspace import Workspace

TABLE = """\
id,metric,definition,stat,arm,value,unit,n,std,spread_low,spread_high,spread_kind,request_rate,factor:threads
push-8,ttft,vllm-bench.ttft,p99,push,540.5,ms,3,12,510,571,95% CI,8,4

pull-8,ttft,vllm-bench.ttft,p99,pull,1744,ms,3,40,,,,8,4
"""

RECORD = """\
---
schema_version: 1
id: x
title: Push against pull
source: {relation: own}
arms:
  - {id: pull, role: baseline}
  - {id: push, role: candidate}
points:
  - {id: push-1, metric: ttft, stat: p99, arm: push, where: {request_rate: 1}, value: 100, unit: ms}
results: results.csv
claims:
  - id: heavy
    kind: measured
    says: At a rate of 8 push needed less time.
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-8, pull-8], better: push}
---
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A base with one record and its table."""
    make_base(tmp_path)
    folder = tmp_path / "entries/evaluations"
    (folder / "x.md").write_text(RECORD)
    (folder / "x").mkdir()
    (folder / "x/results.csv").write_text(TABLE)
    return tmp_path


def evaluation(base: Path) -> Evaluation:
    return open_library(read_config(base)).evaluations["x"]


def messages(base: Path) -> list[str]:
    found = lint(open_library(read_config(base)))
    return [f"{each.line}: {each.code} {each.message}" for each in found if each.code in {"KB102", "KB103", "KB193"}]


def test_rows() -> None:
    """Columns are fields of a point, its load point, its spread and the sweep's factors; empty cells are left out."""
    (line, first), (other, second) = rows(TABLE)
    assert (line, other) == (2, 4)
    assert first == {
        "id": "push-8",
        "metric": "ttft",
        "definition": "vllm-bench.ttft",
        "stat": "p99",
        "arm": "push",
        "value": "540.5",
        "unit": "ms",
        "n": "3",
        "spread": {"std": "12", "low": "510", "high": "571", "kind": "95% CI"},
        "where": {"request_rate": "8", "factors": {"threads": "4"}},
    }
    assert second["spread"] == {"std": "40"}


CELL = st.text(alphabet="ab1,.\" '初", min_size=1, max_size=8).filter(lambda text: text == text.strip() and text)
POINT = st.fixed_dictionaries(
    {"metric": CELL, "unit": CELL},
    optional={
        "id": CELL,
        "value": CELL,
        "spread": st.fixed_dictionaries({}, optional={"std": CELL, "kind": CELL}).filter(bool),
        "where": st.fixed_dictionaries(
            {}, optional={"concurrency": CELL, "factors": st.dictionaries(st.sampled_from("xyz"), CELL, min_size=1)}
        ).filter(bool),
    },
)


@given(st.lists(POINT, min_size=1, max_size=4))
def test_there_and_back(points: list[dict[str, object]]) -> None:
    """What is written is read again."""
    assert [point for _, point in rows(table(points))] == points


def test_only_columns_that_are_filled() -> None:
    """A table has the columns that some point needs, in a fixed order."""
    text = table([{"metric": "ttft", "value": 1, "unit": "ms", "where": {"concurrency": 4}}])
    assert text == "metric,value,unit,concurrency\nttft,1,ms,4\n"
    assert len(set(COLUMNS)) == len(COLUMNS)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("metric,unit,stats\nttft,ms,p99\n", 1, 'unknown column "stats"'),
        ("metric,value\nttft,1\n", 1, "column unit is missing"),
        ("metric,unit,unit\nttft,ms,ms\n", 1, "a column is given twice"),
        ("metric,unit\nttft,ms,3\n", 2, "3 cells under 2 columns"),
        ('metric,unit\n"ttft,ms\n', 2, "not readable as CSV"),
        ("", 1, "column metric is missing"),
    ],
)
def test_refused(text: str, line: int, message: str) -> None:
    """A table that cannot be right is refused with its line."""
    with pytest.raises(FormError) as caught:
        rows(text)
    assert caught.value.line == line
    assert message in caught.value.message


def test_points_of_the_table_count(base: Path) -> None:
    """They follow those of the record; an effect is computed from them."""
    record = evaluation(base)
    assert [point.id for point in record.points] == ["push-1", "push-8", "pull-8"]
    effect = record.claims[0].effect
    assert effect is not None
    computed = compute(effect, record.point_table())
    assert computed is not None
    assert computed.value == 540.5 / 1744
    assert messages(base) == []


def test_without_the_field_the_table_is_not_read(base: Path) -> None:
    """A file in the folder is an attachment unless the record says that its points lie there."""
    path = base / "entries/evaluations/x.md"
    path.write_text(RECORD.replace("results: results.csv\n", ""))
    assert [point.id for point in evaluation(base).points] == ["push-1"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("540.5", "fast", '11: KB102 results.csv:2: value: a number is expected, not "fast"'),
        ("p99,pull", "p98,pull", "11: KB102 results.csv:4: stat:"),
        ("factor:threads", "threads", '11: KB102 results.csv:1: unknown column "threads"'),
    ],
)
def test_mistakes_name_the_row(base: Path, old: str, new: str, message: str) -> None:
    """A mistake in a row is found at the field that names the table, with the row's line."""
    path = base / "entries/evaluations/x/results.csv"
    path.write_text(TABLE.replace(old, new))
    assert messages(base)[0].startswith(message)


def test_checks_see_rows(base: Path) -> None:
    """A check's finding about a row names it."""
    path = base / "entries/evaluations/x.md"
    path.write_text(RECORD.replace("arms:", "setup: {workload: {request_rate: 1..4}}\narms:"))
    assert messages(base)[0].startswith("12: KB193 results.csv:2: request_rate 8 is outside")


def test_a_table_that_is_not_there(base: Path) -> None:
    """The record says where its points lie, and nothing lies there."""
    (base / "entries/evaluations/x/results.csv").unlink()
    assert messages(base) == ["11: KB102 results.csv:1: there is no such file in the record's own folder"]


def test_search_sees_a_changed_table(base: Path) -> None:
    """The derived file follows the table, not only the record."""
    config = read_config(base)
    store, _ = Workspace(config).sync()
    store.close()
    store, done = Workspace(config).sync()
    store.close()
    assert not done.changed
    (base / "entries/evaluations/x/results.csv").write_text(TABLE.replace("540.5", "541.25"))
    store, done = Workspace(config).sync()
    values = [row[0] for row in store.rows("SELECT value FROM points WHERE value IN (540.5, 541.25)")]
    store.close()
    assert done.updated == 1
    assert values == [541.25]
