"""The commands' JSON has the keys that scripts rely on."""

from __future__ import annotations

import json
from pathlib import Path

from tests.arranging.made import base, pair, write
from tests.cli.running import kb


def test_new(tmp_path: Path) -> None:
    """`kb new --from --json`: path and missing, with the reason and the place of each missing fact."""
    base(tmp_path / "base")
    pair(tmp_path / "res")
    arms = [f"--arm={arm}={tmp_path}/res/{arm}" for arm in ("push", "pull")]
    ran = kb("new", "evaluation", "x", *arms, "--json", cwd=tmp_path / "base")
    assert ran.code == 0, ran.err
    got = json.loads(ran.out)
    assert got["path"] == "entries/evaluations/x.md"
    assert set(got["missing"]) == set(got["why"]) == set(got["where"])
    assert [arm["id"] for arm in got["arms"]] == ["push", "pull"]
    assert (got["runs"], got["claims"]) == (4, 2)
    assert {each["key"] for each in got["factors"]} >= {"where.request_rate"}


def test_import(tmp_path: Path) -> None:
    """`kb import --into --json`: the runs as without it, the diff, and whether it was written."""
    base(tmp_path / "base")
    file = str(write(tmp_path / "a.json"))
    assert kb("new", "evaluation", "x", "--from", file, "--quiet", cwd=tmp_path / "base").code == 0
    write(tmp_path / "a.json", median_ttft_ms=201.0)
    shown = kb("import", file, "--into", "x", "--json", cwd=tmp_path / "base")
    got = json.loads(shown.out)
    assert {"runs", "declined", "path", "diff", "written"} <= set(got)
    assert got["written"] is False
    assert any("value: 201" in line for line in got["diff"])
    assert [(each["id"], each["old"], each["new"]) for each in got["replaced"]] == [
        ("measured-ttft-p50", "200", "201"),
    ]
    refused = kb("import", file, "--into", "x", "--json", "--yes", cwd=tmp_path / "base")
    assert (refused.code, json.loads(refused.out)["written"]) == (2, False)
    written = kb("import", file, "--into", "x", "--json", "--yes", "--replace", cwd=tmp_path / "base")
    assert (written.code, json.loads(written.out)["written"]) == (0, True)
    again = json.loads(kb("import", file, "--into", "x", "--json", "--yes", cwd=tmp_path / "base").out)
    assert (again["written"], again["diff"]) == (False, [])


def test_refused(tmp_path: Path) -> None:
    """What cannot be done leaves with 2, a sentence and a hint, and writes nothing."""
    base(tmp_path / "base")
    file = str(write(tmp_path / "a.json"))
    for words in (
        ("new", "evaluation", "x", "--from", "nowhere"),
        ("new", "evaluation", "X Y", "--from", file),
        ("new", "evaluation", "x", "--from", file, "--arm-by", "colour"),
        ("new", "evaluation", "x", "--from", file, "--tool", "hammer"),
        ("import", file, "--into", "nobody"),
    ):
        ran = kb(*words, cwd=tmp_path / "base")
        assert ran.code == 2, words
        assert ran.err.startswith("error: "), words
    assert not list((tmp_path / "base/entries/evaluations").glob("*.md"))
