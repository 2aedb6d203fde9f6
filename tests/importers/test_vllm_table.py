"""CSV with vLLM's keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.importers import read
from tests.importers import given

TEXT = (given.FIXTURES / "vllm-table" / "summary.csv").read_text(encoding="utf-8")


def test_a_row_is_read_as_a_result_file() -> None:
    """The index column is dropped; what the sweep varied is a factor; repeats keep their number."""
    first, second = given.text(TEXT).runs
    assert (first.repeat, second.repeat, second.record) == (0, 1, 2)
    assert first.where["concurrency"] == 2
    assert first.where["max_num_seqs"] == 4
    assert given.value(second, "ttft") == 46.75
    assert first.setup["model"] == "example/model"


def test_an_empty_cell_is_missing() -> None:
    """Not zero, and not NaN."""
    run = given.text(TEXT.replace("45.25", "")).runs[0]
    assert given.value(run, "ttft") is None
    assert given.value(run, "ttft", "p99") == 60.5


def test_rows_of_other_widths_are_left_out() -> None:
    """And said."""
    runs = given.text(TEXT + "2,2,4\n").runs
    assert runs[2].points == ()
    assert runs[2].not_understood == ("row 3: 3 cells under 23 columns, left out",)


def test_many_rows_are_read_to_the_end(tmp_path: Path) -> None:
    """More than one piece of the file."""
    lines = TEXT.splitlines()
    (tmp_path / "summary.csv").write_text("\n".join([lines[0], *[lines[1]] * 2000]) + "\n", encoding="utf-8")
    assert len(read([str(tmp_path)]).runs) == 2000


@pytest.mark.parametrize("gone", ["completed", "request_throughput", "mean_"])
def test_other_tables_are_not_vllms(gone: str) -> None:
    """Without one of the keys it is somebody's own table."""
    header, *rows = TEXT.splitlines()
    assert "vllm-table" not in given.names("\n".join([header.replace(gone, "x"), *rows]) + "\n")
