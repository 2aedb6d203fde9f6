"""`kb audit --for` a command line that states no version: what to add is seen at once, and the tables are short."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.cli.running import Ran, kb

SERVE = (
    """vllm serve Qwen/Qwen3-32B -tp 4 --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_both"}'\n"""
)
ROW = re.compile(r" {8}\d\S* -> [a-z]|          \S|        and \d+ more")


def test_a_target_without_versions_is_told_in_few_rows(tmp_path: Path) -> None:
    """Eighty columns; the version is asked for on top, each open pin has at most five rows under it."""
    (tmp_path / "serve.sh").write_text(SERVE, encoding="utf-8")
    asked = ["audit", "aws-push-vs-pull-efa", "--root", "shipped", "--for", "serve.sh", "--fail-on", "none"]
    ran = kb(*asked, cwd=tmp_path)
    assert ran.code == 0
    assert "kb: no version of vllm is stated" in ran.err
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    top = "\n".join(lines[: next(n for n, line in enumerate(lines) if line.startswith("unknown ("))])
    assert "The target leaves versions open" in top
    assert re.search(r"\d+ depend on vllm: +--at vllm=\d", top)
    heads = [
        n for n, line in enumerate(lines) if "the answer depends on which vllm the target runs (not stated)" in line
    ]
    assert heads
    for head in heads:
        rows = 0
        while ROW.match(lines[head + 1 + rows]):
            rows += 1
        assert 2 <= len([line for line in lines[head + 1 : head + 1 + rows] if not line.startswith(" " * 10)]) <= 5

    found = json.loads(kb(*asked, "--json", cwd=tmp_path).out)
    assert any(note.startswith("no version of vllm is stated") for note in found["target"]["notes"])
    verdict = next(each for each in found["verdicts"] if each["claim"] == "heavy-load-ttft")
    assert len([each for each in verdict["candidates"] if "vllm" in each["pin"]]) > 100, "JSON has every pair of builds"

    given = kb(*asked, "--at", "vllm=0.33.0", "--at", "nixl=1.5.1", cwd=tmp_path)
    assert "The target leaves versions open" not in given.out
    assert "no version of" not in given.err


BUILDS = """builds:
  - {commit: abcdef1234, version: "1.1.0", read_in: git tags}
  - {commit: beef567890, after: "1.1.0", before: "1.2.0", read_in: git tags}
"""


def test_a_target_given_by_its_commit(base: Path) -> None:
    """Placed by the component's builds: what it is judged as is said on stderr, and stands in `target.notes`."""
    record = base / "entries" / "components" / "orbit.yaml"
    record.write_text(record.read_text(encoding="utf-8") + BUILDS, encoding="utf-8")
    claim = "orbit-push-vs-pull/off-the-forward-thread"

    def asked(commit: str, *more: str) -> Ran:
        return kb(
            "audit", claim, "--at", f"orbit={commit}", "--at", "tether=0.5.0", "--fail-on", "none", *more, cwd=base
        )

    assert asked("abcdef1").err == "kb: orbit commit abcdef1 (1.1.0, by the record of orbit): judged as 1.1.0\n"
    between = json.loads(asked("beef5678", "--json").out)
    note = "orbit commit beef5678 (between 1.1.0 and 1.2.0, by the record of orbit): judged as 1.1.0 or 1.2.0"
    assert between["target"] == between["target"] | {"at": {"orbit": "commit:beef5678", "tether": "0.5.0"}}
    assert note in between["target"]["notes"]
    assert any(each["pin"].endswith("orbit 1.2.0") for each in between["verdicts"][0]["candidates"])
    nowhere = asked("fedcba9")
    assert "orbit commit fedcba9 is placed by no record" in nowhere.err
    assert f"{claim}: unknown" in nowhere.out.splitlines()[0] or "recheck" in nowhere.out.splitlines()[0]
    assert "asked at   orbit commit fedcba9" in nowhere.out
