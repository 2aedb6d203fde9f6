"""nixlbench tables."""

from __future__ import annotations

import pytest

from tests.importers import given

CURRENT = (given.FIXTURES / "nixlbench" / "current.txt").read_text(encoding="utf-8")
LEGACY = (given.FIXTURES / "nixlbench" / "legacy.txt").read_text(encoding="utf-8")


def test_columns_are_told_by_the_header() -> None:
    """With two bandwidths and network use between the columns, latency stays latency."""
    first, second = given.text(CURRENT).runs
    assert given.value(first, "latency") == 3.6
    assert [(p.value, p.definition) for p in first.points if p.metric == "transfer_bandwidth"] == [
        (1.25, "nixlbench.transfer_bandwidth"),
        (2.5, "nixlbench.aggregate_bandwidth"),
    ]
    assert first.facts["network_util_percent"] == 20
    assert given.value(second, "transfer_duration", "p99") == 12.0


def test_a_printed_zero_is_a_rounded_time() -> None:
    """Preparation of less than 0.05 us prints as 0.0; there is nothing unknown about it."""
    assert given.value(given.text(CURRENT).runs[1], "prep_duration") == 0.0


def test_load_point_and_setup_come_from_the_configuration() -> None:
    """Block and batch size from the row, operation and memory from above it."""
    run = given.text(CURRENT).runs[0]
    assert run.where == {
        "block_size": 4096,
        "batch_size": 4,
        "operation": "READ",
        "initiator_memory": "DRAM",
        "target_memory": "VRAM",
        "scheme": "pairwise",
    }
    assert run.setup == {"transfer_library.component": "nixl", "transport.backend": "LIBFABRIC"}


def test_the_legacy_table_has_its_latency_first() -> None:
    """Bandwidth is taken once, in GB/s, exponents included."""
    first, second = given.text(LEGACY).runs
    assert (given.value(first, "latency"), given.value(second, "transfer_bandwidth", "value")) == (21.25, 1361.19)
    assert len(second.points) == 2


def test_a_second_configuration_begins_anew() -> None:
    """A log with a write and a read run keeps them apart."""
    both = CURRENT + CURRENT.replace(": READ", ": WRITE")
    assert [run.where["operation"] for run in given.text(both).runs] == ["READ", "READ", "WRITE", "WRITE"]


def test_stamps_of_a_log_collector_are_dropped() -> None:
    """CI logs put a moment before each line."""
    stamped = "".join(f"[2026-07-28T10:17:33.487Z] {line}\n" for line in CURRENT.splitlines())
    assert len(given.text(stamped).runs) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("20                  3.6", "3.6"), "11 cells under 12 columns"),
        (("3.6            62.0", "nan            62.0"), None),
    ],
)
def test_rows_that_do_not_fit(change: tuple[str, str], said: str | None) -> None:
    """Too few cells are never shifted into other columns; NaN is missing."""
    run = given.text(CURRENT.replace(*change)).runs[0]
    assert given.value(run, "latency") is None
    assert said is None or any(said in each for each in run.not_understood)


def test_a_cut_row_is_left_out() -> None:
    """The last number may have lost digits."""
    runs = given.text(CURRENT[:-4]).runs
    assert len(runs) == 1
    assert any("last line may be cut" in said for said in runs[0].not_understood)


@pytest.mark.parametrize("text", ["Block Size (B) is 4096\nand nothing else\n", "a,b\n1,2\n"])
def test_other_texts_are_not_recognised(text: str) -> None:
    """A mention of a block is no table."""
    assert "nixlbench" not in given.names(text)
