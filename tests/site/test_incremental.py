"""A build after a change is the build from nothing, byte for byte, whatever changed; and it makes only what must be."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kb.site.build import follows
from kb.site.judged import JUDGED, OWN, RELEASES
from kb.store.kept import Kept
from tests.site.building import built, changed, copied, files


def _line(pattern: str, into: str) -> Callable[[str], str]:
    """Rewrite the first place that a pattern finds; it must be there."""

    def change(text: str) -> str:
        new, number = re.subn(pattern, into, text, count=1, flags=re.MULTILINE)
        assert number == 1, pattern
        return new

    return change


PUSH, THREAD, ONE = (f"evaluations/orbit-{name}.md" for name in ("push-vs-pull", "reader-thread", "one-arm"))
CHANGES: dict[str, tuple[str, Callable[[str], str]]] = {
    "a title": (PUSH, _line("^title: ", "title: Renamed ")),
    "an alias": (PUSH, _line("^kind: ", "aliases: [an-old-name]\nkind: ")),
    "a question": (THREAD, _line("^question: .*", "question: another-one")),
    "no question": (PUSH, _line("^question: .*\n", "")),
    "a date": (PUSH, _line("^date: .*", "date: 2026-11-29")),
    "a claim's sentence": (PUSH, _line("^    says: .*", "    says: Something else was seen.")),
    "a claim's id": (ONE, _line("^  - id: (.*)\n    kind", "  - id: another-name\n    kind")),
    "a value": (PUSH, _line("value: ([0-9.]+)", "value: 77.25")),
    "a version": (PUSH, _line("version: [0-9.]+", "version: 1.2.0")),
    "the body": (PUSH, lambda text: f"{text}\nOne more sentence, see [it](orbit-one-arm.md).\n"),
    "a relation": (ONE, _line("^kind: ", "relations:\n  - {relation: related, to: orbit-push-vs-pull}\nkind: ")),
    "a translation": ("evaluations/orbit-push-vs-pull.ja.md", _line("^title: .*", "title: 別の題")),
    "a change's title": ("changes/orbit-7-reader-thread.md", _line("^title: ", "title: Renamed ")),
    "a change's releases": ("changes/orbit-7-reader-thread.md", _line('versions: "?[^,"]+"?', 'versions: ">=1.0"')),
    "a deployment": ("deployments/our-cluster.yaml", _line("^title: ", "title: Renamed ")),
    "a component": ("components/orbit.yaml", _line("^title: ", "title: Renamed ")),
    "a word": ("vocabulary.yaml", _line("^    goal: ", "    goal: rather ")),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_build_after_a_change_is_the_build_from_nothing(name: str, tmp_path: Path) -> None:
    """Whatever field of whatever record changed, and back again."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    before = files(out)
    place, change = CHANGES[name]
    text = (base / "entries" / place).read_text(encoding="utf-8")
    changed(base, place, change)
    built(base, out, kept)
    built(base, tmp_path / "fresh")
    assert files(out) == files(tmp_path / "fresh") != before
    (base / "entries" / place).write_text(text, encoding="utf-8")
    built(base, out, kept)
    assert files(out) == before


def _judged(kept: Path) -> dict[str, dict[str, str]]:
    """What is kept of verdicts: target -> key -> digest."""
    return {name: dict(Kept(kept, follows).digests(f"{JUDGED}{name}")) for name in (OWN, RELEASES, "our-cluster")}


def test_prose_is_judged_by_nobody_and_rendered_once(tmp_path: Path) -> None:
    """A sentence more in a body: one page is rendered, no claim is judged again, other files keep their time."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    verdicts = _judged(kept)
    times = {path: (out / path).stat().st_mtime_ns for path in files(out)}
    changed(base, ONE, lambda text: f"{text}\nOne more sentence.\n")
    assert built(base, out, kept).rendered == 1
    assert _judged(kept) == verdicts != {}
    new = {path for path, content in files(out).items() if times[path] != (out / path).stat().st_mtime_ns}
    assert "evaluations/orbit-one-arm/index.html" in new
    assert not {path for path in new if path.endswith(".html")} - {"evaluations/orbit-one-arm/index.html"}


def test_a_newcomer_on_the_question_is_seen_by_those_there(tmp_path: Path) -> None:
    """A later evaluation that compares other things is among what was looked at, also of verdicts that were kept."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    text = (base / "entries" / ONE).read_text(encoding="utf-8")
    late = _line("^question: .*", "question: push-or-pull")(_line("^date: .*", "date: 2026-11-29")(text))
    (base / "entries/evaluations/orbit-late.md").write_text(late.replace("id: orbit-one-arm", "id: orbit-late", 1))
    built(base, out, kept)
    built(base, tmp_path / "fresh")
    assert files(out) == files(tmp_path / "fresh")


def test_records_that_go_leave_no_field_behind(tmp_path: Path) -> None:
    """Neither in what the search page offers nor anywhere else."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    for name in ("changes/orbit-7-reader-thread.md", PUSH):
        (base / "entries" / name).unlink()
    built(base, out, kept)
    fresh = copied(tmp_path / "again")
    for name in ("changes/orbit-7-reader-thread.md", PUSH):
        (fresh / "entries" / name).unlink()
    built(fresh, tmp_path / "fresh")
    assert files(out) == files(tmp_path / "fresh")


@pytest.mark.parametrize("damage", [b"", b"tampered"], ids=["cut off", "written over"])
def test_a_damaged_page_is_made_again(damage: bytes, tmp_path: Path) -> None:
    """Also where nothing changed in the base."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    before = files(out)
    for path in ("index.html", "evaluations/orbit-one-arm/index.html"):
        (out / path).write_bytes(damage)
    assert built(base, out, kept).rendered > 0
    assert files(out) == before
