"""Outcomes in the derived file: worked out when asked for, never shown of other records than there are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb import gist as judging
from kb.config import read
from kb.digests import SUFFIX
from kb.outcomes import asked_for, refresh
from kb.places import SYMBOLS
from kb.search import search
from kb.store import ReadOnly, Store
from kb.workspace import Workspace

from .cli.running import FIXTURE, kb

JUDGED = {
    "orbit-one-arm": {"unknown": 1},
    "orbit-push-vs-pull": {"recheck": 3, "unknown": 2},
    "orbit-reader-thread": {"holds": 1},
}
COUNTED = {"holds": 1, "recheck": 3, "narrowed": 0, "superseded": 0, "not-applicable": 0, "unknown": 3}
CHANGE = "entries/changes/orbit-7-reader-thread.md"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for each in FIXTURE.rglob("*"):
        if each.is_file() and ".kb" not in each.parts:
            there = tmp_path / each.relative_to(FIXTURE)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(each.read_bytes())
    return tmp_path


def opened(base: Path) -> Workspace:
    return Workspace(read(base))


def edit(base: Path, path: str, old: str, new: str) -> None:
    text = (base / path).read_text(encoding="utf-8")
    assert old in text
    (base / path).write_text(text.replace(old, new), encoding="utf-8")


def test_a_search_that_does_not_ask_does_not_wait(base: Path) -> None:
    """Outcomes are not known, are said not to be, and nothing is judged for them."""
    store = opened(base).store
    assert not store.outcomes_known
    found = search(store, "push").as_dict()
    assert not found["outcomes_known"]
    assert not any(hit["outcomes"] for hit in found["hits"])


def test_asked_for_they_are_worked_out(base: Path) -> None:
    """And kept for the searches after."""
    assert refresh(opened(base)).outcomes() == JUDGED
    store = opened(base).store
    assert store.outcomes_known
    assert {hit.head.id: hit.outcomes for hit in search(store, "kind:evaluation").hits} == JUDGED


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (CHANGE, "kind: performance", "kind: refactor"),
        ("entries/evaluations/orbit-one-arm.md", "title: ", "title: The "),
        ("entries/components/orbit.yaml", "2030-05-10", "2030-05-11"),
        ("entries/vocabulary.yaml", "schema_version: 1", "schema_version: 1 # other"),
        ("entries/deployments/our-cluster.yaml", "title: ", "title: The "),
    ],
)
def test_any_other_record_makes_them_unknown(path: str, old: str, new: str, base: Path) -> None:
    """In the transaction that takes the record in: a stale outcome is never shown as a fresh one."""
    refresh(opened(base))
    edit(base, path, old, new)
    store = opened(base).store
    assert not store.outcomes_known
    assert store.outcomes() == {}
    assert search(store, "outcome:recheck").total == 0


def test_a_change_that_alters_nothing_any_more_changes_them(base: Path) -> None:
    """The rechecks it made are gone when it is judged anew."""
    refresh(opened(base))
    edit(base, CHANGE, "kind: performance", "kind: refactor")
    assert "recheck" not in refresh(opened(base)).outcomes()["orbit-push-vs-pull"]


def test_a_record_that_went_or_cannot_be_read_makes_them_unknown(base: Path) -> None:
    """As one that changed."""
    refresh(opened(base))
    (base / "entries/changes/orbit-5-log-lines.md").unlink()
    assert not opened(base).store.outcomes_known
    refresh(opened(base))
    edit(base, CHANGE, "kind: performance", "kind: [")
    assert not opened(base).store.outcomes_known


def test_a_table_of_symbols_makes_them_unknown(base: Path) -> None:
    """It is no record, and verdicts rest on it."""
    assert SYMBOLS == SUFFIX
    refresh(opened(base))
    table = base / "entries/components" / f"orbit-pull{SYMBOLS}"
    table.write_text("a table", encoding="utf-8")
    assert not opened(base).store.outcomes_known
    opened(base).store.close()
    refreshed = Workspace(read(base))
    assert refreshed.store.outcomes() == {}


def test_a_touched_file_with_the_same_content_changes_nothing(base: Path) -> None:
    """Nothing is judged again."""
    refresh(opened(base))
    path = base / CHANGE
    path.write_bytes(path.read_bytes())
    assert opened(base).store.outcomes() == JUDGED


def test_records_that_change_while_they_are_judged(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was judged is not kept for other records: another process has taken them in meanwhile."""
    workspace = opened(base)
    store = workspace.store
    judge = judging.gists
    calls: list[int] = []

    def slow(*arguments: object) -> tuple[judging.Gist, ...]:
        calls.append(1)
        judged = judge(*arguments)  # type: ignore[arg-type]
        if len(calls) == 1:
            edit(base, CHANGE, "kind: performance", "kind: refactor")
            opened(base).store.close()
        return judged

    monkeypatch.setattr(judging, "gists", slow)
    found = refresh(workspace)
    assert found is store
    assert len(calls) == 2
    assert "recheck" not in found.outcomes()["orbit-push-vs-pull"]


def test_a_file_that_cannot_be_written(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are worked out for this process alone."""
    opened(base).store.close()
    workspace = opened(base)
    on_disk, writing = workspace.store, Store.writing

    def refusing(self: Store) -> object:
        if self is on_disk:
            raise ReadOnly("no")
        return writing(self)

    monkeypatch.setattr(Store, "writing", refusing)
    store = refresh(workspace)
    assert store.path is None
    assert store.outcomes() == JUDGED


@pytest.mark.parametrize(
    ("query", "facets", "asks"),
    [
        ("outcome:recheck", (), True),
        ("push -OUTCOME:holds", (), True),
        ("push", ("outcome",), True),
        ("outcome of the test", (), False),
        ("push", ("model",), False),
    ],
)
def test_what_asks_for_them(query: str, facets: tuple[str, ...], asks: bool) -> None:
    """A field or a facet, not the word."""
    assert asked_for(query, facets) is asks


def test_commands(base: Path) -> None:
    """`outcome:`, its facet and `kb stats` judge first; `kb search` says when it has not."""
    assert json.loads(kb("search", "--json", cwd=base).out)["outcomes_known"] is False
    found = json.loads(kb("search", "outcome:recheck", "--facet", "outcome", "--json", cwd=base).out)
    assert [(hit["id"], hit["outcomes"]) for hit in found["hits"]] == [
        ("orbit-push-vs-pull", {"recheck": 3, "unknown": 2})
    ]
    assert found["facets"]["outcome"] == {"recheck": 1, "unknown": 1}
    assert json.loads(kb("stats", "--json", cwd=base).out)["outcomes"] == COUNTED
    assert json.loads(kb("search", "--json", cwd=base).out)["outcomes_known"] is True
