"""A deployment's page: every claim that is about it, once, under the reason that decides."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kb.config import read
from kb.library import open_library
from kb.rules import hypothesis_not_shown
from kb.site.gather import gather
from kb.site.page import Page
from kb.site.pages.deployment import pages
from tests.cli.running import kb
from tests.site.building import copied

ID = "another"
RECORD = """schema_version: 1
id: another
title: Another cluster, of which little is said
setup:
  engine: {component: orbit, version: 1.3.0}
  connector: {component: orbit-push, mode: push}
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """With a deployment that many claims may be about."""
    made = copied(tmp_path / "base")
    (made / f"entries/deployments/{ID}.yaml").write_text(RECORD)
    return made


def whole(base: Path) -> dict[str, Any]:
    later = next(each for each in pages(gather(open_library(read(base)))) if each.name == f"deployment {ID}")
    page = next(each for each in later.make() if isinstance(each, Page))
    return dict(page.values)


def groups(base: Path) -> list[dict[str, Any]]:
    return list(whole(base)["groups"])


def test_every_claim_about_it_stands_under_its_reason(base: Path) -> None:
    """As the audit for it says: outcome, whether a person must confirm it, the first reason, how many more decide."""
    audited = json.loads(kb("audit", "--for", ID, "--json", cwd=base).out)["verdicts"]
    expected = {
        f"{each['evaluation']}/{each['claim']}": (
            each["outcome"], each["confirm"], [said["name"] for said in each["findings"][:1]],
            sum(said["outcome"] == each["outcome"] for said in each["findings"][1:]),
        )
        for each in audited
        if each["outcome"] != "not-applicable"
    }  # fmt: skip
    shown = [
        (claim["link"]["id"], (group["name"], row["confirm"], [said["rule"] for said in row["because"]], claim["more"]))
        for group in groups(base)
        for row in group["reasons"]
        for claim in row["claims"]
    ]
    assert len(shown) == len(expected) > 3
    assert dict(shown) == expected


def test_one_reason_is_said_once(base: Path) -> None:
    """Within an outcome no two rows say the same; the reason of most claims comes first, guesses last."""
    found = groups(base)
    for group in found:
        rows = group["reasons"]
        said = [repr((row["confirm"], row["because"])) for row in rows]
        assert len(said) == len(set(said))
        guesses = [any(each["rule"] == hypothesis_not_shown.NAME for each in row["because"]) for row in rows]
        assert guesses == sorted(guesses)
        counts = [len(row["claims"]) for row, guess in zip(rows, guesses, strict=True) if not guess]
        assert counts == sorted(counts, reverse=True)
        assert group["number"] == sum(len(row["claims"]) for row in rows)
    assert any(len(row["claims"]) > 1 for group in found for row in group["reasons"])


def test_versions_that_it_leaves_open_stand_at_the_top(base: Path) -> None:
    """Each once, with what to add and how many claims wait for it, as `kb audit --for` says."""
    open_ = RECORD.replace("version: 1.3.0", "version: unknown")
    (base / f"entries/deployments/{ID}.yaml").write_text(open_)
    said = kb("audit", "--for", ID, "--fail-on", "none", cwd=base).out
    rows = whole(base)["to_state"]
    assert "components/orbit/index.html" in [row["link"]["href"] for row in rows]
    for row in rows:
        assert re.search(rf"{row['claims']} depends? on {row['link']['text']}: +{re.escape(row['add'])}", said)
    assert len(rows) == said.count("--at ")


def test_one_that_states_its_versions_is_not_asked_for_any(base: Path) -> None:
    """Nor for one on which nothing depends."""
    assert whole(base)["to_state"] == []
