"""kb.rewrite: an edit changes only its own lines."""

from __future__ import annotations

from difflib import ndiff
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.errors import WriteRefused
from kb.frontmatter import cut, load
from kb.rewrite import edited, rewrite

ROOT = Path(__file__).parents[1]
RECORDS = sorted(
    [*(ROOT / "entries").rglob("*.md"), *(ROOT / "entries").rglob("*.yaml"), *(ROOT / "tests/fixtures").rglob("*.md")]
)
NAMES = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
VALUES = st.one_of(
    st.text(alphabet="abc: #'\"-{}[],&*!%@0.1初回é\n", max_size=30),
    st.sampled_from(["0.10", "no", "12e4567", "12:30", "unknown", "2026-10-19", "", "~", "null", ">=1.2,<2"]),
    st.lists(st.sampled_from(["a", "0.10", "no"]), min_size=1, max_size=3),
)

TEXT = """\
---
# why this record is here
id: x   # its name
title: "a: b"
setup:
  model: 'Qwen3-32B'
  engine: {component: vllm,
           version: 0.10}   # two lines
  both: {prefix_caching: no}
claims:
- id: a
  says: >-
    A long sentence that goes
    over two lines.
tags: [a,   b]
empty:
---
Body: with *marks*.
"""


def changed_lines(before: str, after: str) -> list[str]:
    return [line for line in ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]


@pytest.mark.parametrize("path", RECORDS[:: max(1, len(RECORDS) // 40)], ids=lambda path: path.name)
def test_untouched_record_is_identical(path: Path) -> None:
    """A record that no edit touches keeps every byte."""
    text = path.read_text(encoding="utf-8")
    assert edited(text, lambda _table: None, path.suffix == ".md") == text


def test_edit_changes_its_line() -> None:
    """Comments, quotes, odd layout and the body stay."""
    after = edited(TEXT, lambda table: table.__setitem__("id", "y"))
    assert changed_lines(TEXT, after) == ["- id: x   # its name", "+ id: y   # its name"]


@pytest.mark.parametrize("value", ["0.10", "no", "12e4567", "12:30", "~", "a: b", "# x", "- x", "初回"])
def test_text_stays_text(value: str) -> None:
    """What is written is read back as the same text."""
    after = edited(TEXT, lambda table: table.__setitem__("title", value))
    assert load(cut(after).front)["title"] == value


def test_list_is_added_to() -> None:
    """A review appended to a record adds lines and removes none."""

    def review(table: Any) -> None:
        table.setdefault("reviews", []).append({"date": "2026-11-29", "at": {"vllm": "0.33.0"}, "because": "looked"})

    once = edited(TEXT, review)
    twice = edited(once, review)
    assert all(line.startswith("+") for line in [*changed_lines(TEXT, once), *changed_lines(once, twice)])
    assert len(load(cut(twice).front)["reviews"]) == 2


def test_removed_key_takes_its_lines() -> None:
    """A key that is removed takes only its own lines with it."""
    after = edited(TEXT, lambda table: table.pop("claims"))
    assert all(line.startswith("-") for line in changed_lines(TEXT, after))
    assert "two lines\n" in after
    assert "claims" not in load(cut(after).front)


def test_edit_inside_odd_layout() -> None:
    """A value on a line that ruamel lays out anew takes that stretch along and nothing else."""
    after = edited(TEXT, lambda table: table["setup"]["engine"].__setitem__("version", "0.11"))
    assert load(cut(after).front)["setup"]["engine"]["version"] == "0.11"
    assert "tags: [a,   b]" in after
    assert len(changed_lines(TEXT, after)) <= 4


def test_windows_line_ends_stay() -> None:
    """A file with CRLF keeps it."""
    text = TEXT.replace("\n", "\r\n")
    after = edited(text, lambda table: table.__setitem__("id", "y"))
    assert after == edited(TEXT, lambda table: table.__setitem__("id", "y")).replace("\n", "\r\n")


@pytest.mark.parametrize("markdown", [True, False])
@pytest.mark.parametrize("last", ["", "z: 1", "z: 1\n"])
def test_both_kinds_of_line_ends_stay_where_they_are(markdown: bool, last: str) -> None:
    """A file that two systems have written: only the new lines have one of the two."""
    front = f"id: x\r\nlist:\n  - a # one\r\n  - b\ntext: |\r\n  c\n\n{last}"
    text = f"---\r\n{front}\n---\nbody\r\nmore\n" if markdown else front
    after = edited(text, lambda table: table["list"].append("c"), markdown)
    if last.endswith("\n") or markdown or not last:
        assert after == text.replace("  - b\n", "  - b\n  - c\r\n")
    assert "  - c\r\n" in after


LISTS = {
    "hyphens at the margin": "list:\n- a: b\n  c: d\nlast: 1\n",
    "with comments": "list:\n- a: b # one\n  # two\n  c: d\n# three\nlast: 1 # four\n",
    "deep hyphens": "list:\n    - a: b\n      c: >-\n        d\n        e\n    # one\nlast: 1\n",
    "hyphens alone": "list:\n  -\n    a: b\n  -   c: d\nlast: 1\n",
    "no list yet": "list: [] # none\nlast: 1\n",
}


@pytest.mark.parametrize("front", LISTS.values(), ids=LISTS)
def test_a_list_is_added_to_however_it_is_laid_out(front: str) -> None:
    """All that stood there is read back, and every comment is there."""
    after = edited(front, lambda table: table["list"].append({"new": "one", "more": "x"}), markdown=False)
    before = load(front)
    assert load(after) == {**before, "list": [*before["list"], {"new": "one", "more": "x"}]}
    assert [line.partition("#")[2] for line in after.splitlines() if "#" in line] == [
        line.partition("#")[2] for line in front.splitlines() if "#" in line
    ]


@pytest.mark.parametrize(
    ("front", "says"),
    [
        ("list: [\n  # in\n  {a: b}, # one\n  # two\n]\n", "comment"),
        ("list: [a]\nx: y\t# tab\n", "line 2 of its fields"),
    ],
)
def test_what_would_lose_something_is_refused(front: str, says: str) -> None:
    """Comments in a list in brackets; a tab that one reader of YAML takes and the
    other does not."""
    with pytest.raises(WriteRefused, match=says):
        edited(front, lambda table: table["list"].append("new"), markdown=False)


def test_rewrite_writes_only_changes(tmp_path: Path) -> None:
    """A file is written when something changed, and says so."""
    path = tmp_path / "x.md"
    path.write_text(TEXT, encoding="utf-8")
    before = path.stat().st_mtime_ns
    assert not rewrite(path, lambda _table: None)
    assert path.stat().st_mtime_ns == before
    assert rewrite(path, lambda table: table.__setitem__("id", "y"))
    assert "id: y" in path.read_text(encoding="utf-8")


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([path for path in RECORDS if path.suffix == ".md" and path.stat().st_size < 12_000]), NAMES, VALUES
)
def test_edits_of_our_records(path: Path, name: str, value: Any) -> None:
    """In any of our records a key can be set to anything: that is read back, and no other line changes."""
    text = path.read_text(encoding="utf-8")
    before = load(cut(text).front)
    after = edited(text, lambda table: table.__setitem__(f"zz_{name}", value))
    found = load(cut(after).front)
    assert {key: each for key, each in found.items() if key != f"zz_{name}"} == before
    assert found[f"zz_{name}"] == (None if value in ("", "~", "null") and found[f"zz_{name}"] is None else value)
    assert all(line.startswith("+") for line in changed_lines(text, after))
    assert cut(after).body == cut(text).body
