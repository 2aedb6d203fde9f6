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


LATE = "evaluations/orbit-late.md"
"""A later run of the same comparison: every one of its fields may be read by pages of others."""
STEPS: dict[str, tuple[str, Callable[[str], str]]] = {
    "runs behind a point": (LATE, _line("unit: ms, n: 3", "unit: ms, n: 5")),
    "a value behind a claim": (
        LATE,
        _line("where: {request_rate: 4}, value: 300", "where: {request_rate: 4}, value: 310"),
    ),
    "a value behind none": (LATE, _line("id: pull-tpot, (.*) value: 10", r"id: pull-tpot, \1 value: 11")),
    "a noise floor": (LATE, _line("^noise: .*", 'noise: {stated: yes, value: 5, unit: "%"}')),
    "the better arm": (LATE, _line("better: push}", "better: pull}")),
    "a sentence": (LATE, _line("^    says: .*", "    says: Pull was ahead.")),
    "a condition": (LATE, _line("key: topology, op: is, value: 1P1D", "key: topology, op: is, value: 2P1D")),
    "a fact of the setup": (LATE, _line("prefix_caching: off", "prefix_caching: on")),
    "a load": (LATE, _line(r"request_rate: \[1, 4\]", "request_rate: [1, 8]")),
    "what is not stated": (LATE, _line("^not_stated: .*", "not_stated: [client.name]")),
    "an arm's title": (LATE, _line("id: pull, role", "id: pull, title: Reading, role")),
    "requests that failed": (LATE, _line("failed: 1", "failed: 2")),
    "a component of an arm": (LATE, _line("component: orbit-pull,", "component: orbit,")),
    "limits": (LATE, _line("^limits: .*", "limits: [Two pairs.]")),
    "who measured": (LATE, _line("relation: vendor", "relation: own")),
    "tags": (LATE, _line("^tags: .*", "tags: [other]")),
    "a decision": (LATE, _line("chose: try push", "chose: wait")),
    "a signal": (LATE, _line("until: 2030-12-31", "until: 2030-05-31")),
    "a line more": (LATE, _line("^kind: ", "# nothing is said here\nkind: ")),
    "a review": (
        LATE,
        _line("^limits: ", "reviews:\n  - {date: 2030-06-01, at: {orbit: 1.3.0}, because: read}\nlimits: "),
    ),
    "a relation to the earlier": (
        LATE,
        _line("^kind: ", "relations:\n  - {relation: narrows, to: orbit-push-vs-pull, because: so}\nkind: "),
    ),
    "a release": ("components/orbit.yaml", _line("^title: ", "title: Once more ")),
}


def test_a_build_after_each_of_many_changes_is_the_build_from_nothing(tmp_path: Path) -> None:
    """Of an evaluation that others are judged beside, one sort of field after another."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    text = (base / "entries" / PUSH).read_text(encoding="utf-8")
    text = re.sub("^(aliases: .*\n)", "", text, flags=re.MULTILINE).replace("id: orbit-push-vs-pull", "id: orbit-late")
    (base / "entries" / LATE).write_text(_line("^date: .*", "date: 2030-05-01")(text), encoding="utf-8")
    built(base, out, kept)
    before = files(out)
    for name, (place, change) in STEPS.items():
        changed(base, place, change)
        built(base, out, kept)
        fresh = tmp_path / name
        built(base, fresh)
        now = files(out)
        assert now == files(fresh) != before, name
        before = now


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


def test_a_result_is_judged_and_shown_where_it_is_read(tmp_path: Path) -> None:
    """Runs behind a point that no claim cites: its own page is rendered, its own claims are judged, and no list is
    made again."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    verdicts, before = _judged(kept), files(out)
    changed(base, PUSH, _line("(id: pull-tpot, .*) unit: ms", r"\1 unit: ms, n: 4"))
    mine = [path for path in before if path.startswith("evaluations/orbit-push-vs-pull/") and path.endswith(".html")]
    assert built(base, out, kept).rendered == len(mine) > 1  # in each language
    now = _judged(kept)
    assert {name: len(set(now[name]) - set(verdicts[name])) for name in now} == dict.fromkeys(now, 1)


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


def test_a_record_beside_a_mounted_one_of_its_id_is_judged_again(tmp_path: Path) -> None:
    """What counts is the base's own, and its verdicts follow from its fields."""
    mounted, base, out, kept = (
        copied(tmp_path / "mounted"),
        copied(tmp_path / "base"),
        tmp_path / "out",
        tmp_path / "kept",
    )
    (base / "kb.toml").write_text(f'[base]\nmounts = ["{mounted}"]\n', encoding="utf-8")
    built(base, out, kept)
    before = _judged(kept)
    changed(base, PUSH, _line("better: push}", "better: pull}"))
    built(base, out, kept)
    assert all(before[name] != now for name, now in _judged(kept).items())
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
