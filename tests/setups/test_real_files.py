"""Real public files that describe a setup: everything that is read of each, and everything that is not."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from kb.setups import NotASetup, Reading, read_texts, text_of
from tests.setups.reading import RESULTS, ROOT, components

CASES: list[dict[str, Any]] = yaml.safe_load((ROOT / "tests/setups/real_files.yaml").read_text("utf-8"))
READABLE = [case for case in CASES if "refused" not in case]

pytestmark = pytest.mark.skipif(not RESULTS.is_dir(), reason="../shared/results is not here")


def ids(case: dict[str, Any]) -> str:
    return str(case["path"]).rpartition("/")[2]


def line(place: str) -> int:
    return int(place.rpartition(":")[2])


def read(case: dict[str, Any]) -> Reading:
    return read_texts([(case["path"], text_of(RESULTS / case["path"]))], components())


@pytest.mark.parametrize("case", READABLE, ids=ids)
def test_all_that_is_read(case: dict[str, Any]) -> None:
    """Each fact with its value and its line, and no other."""
    got = read(case)
    assert got.files[0][1] == case["kind"]
    assert [[fact.key, fact.value, line(fact.place)] for fact in got.read] == case["read"]


@pytest.mark.parametrize("case", READABLE, ids=ids)
def test_all_that_is_not(case: dict[str, Any]) -> None:
    """What stands there and is no part of the setup, with the reason and the line; and what is only suggested."""
    got = read(case)
    assert [[each.text, each.why, line(each.place)] for each in got.not_read] == case["not_read"]
    assert [[each.key, each.value, line(each.place)] for each in got.suggestions] == case["suggested"]


@pytest.mark.parametrize("case", READABLE, ids=ids)
def test_the_setup_holds_what_was_read(case: dict[str, Any]) -> None:
    """Facts and setup agree, and no suggestion is in it."""
    got = read(case)
    flat = dict(_flat(got.fields()))
    assert {key: value for key, value, _ in case["read"]} == flat


def _flat(tables: dict[str, Any], prefix: str = "") -> Any:
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value if isinstance(value, str) else ", ".join(value)


@pytest.mark.parametrize("case", [case for case in CASES if "refused" in case], ids=ids)
def test_refused(case: dict[str, Any]) -> None:
    """A file without a setup is refused with a sentence that lists what was tried."""
    with pytest.raises(NotASetup, match=case["refused"]) as caught:
        read(case)
    assert "command-line" in (caught.value.hint or "")


def test_every_file_has_its_row() -> None:
    """Each of the files that people attached is in the table."""
    there = {str(path.relative_to(RESULTS)) for path in (RESULTS / "setup-config").rglob("*") if path.is_file()}
    assert there == {case["path"] for case in CASES if case["path"].startswith("setup-config/")}


@pytest.mark.parametrize("case", READABLE, ids=ids)
def test_broken_off(case: dict[str, Any]) -> None:
    """Cut off anywhere, a file is read in part or refused; nothing else happens."""
    text = (RESULTS / case["path"]).read_text("utf-8", errors="replace")
    for part in range(1, 20):
        try:
            got = read_texts([("x", text[: len(text) * part // 20])], components())
        except NotASetup:
            continue
        assert got.files


def test_results_are_no_setups() -> None:
    """No other result file is taken for a setup, but a manifest and a log in which the server speaks as well."""
    holding = {"sglang-bench", "llmd-benchmark-report"}
    taken = set()
    for path in sorted(RESULTS.rglob("*")):
        folder = path.relative_to(RESULTS).parts[0]
        if path.is_file() and path.stat().st_size < 50_000 and folder not in {*holding, "setup-config"}:
            try:
                read_texts([(str(path), text_of(path))])
            except NotASetup:
                continue
            taken.add(path.name)
    assert taken == {"manifests.yaml", "gptoss_tp1_c4_1k1k.log"}
