"""The derived file."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from kb.document import Document, Term
from kb.errors import KbError
from kb.search import search
from kb.store import Busy, Damaged, Head, Store, discard, open_store
from kb.store.reading import ReadOnly
from kb.store.schema import FORMAT, SLOTS

from .search.world import document, store_of

PUSH = document(
    "aws-push",
    "Push beats pull",
    aliases=("AWS post",),
    date="2026-10",
    claims=("Push lowers TTFT.",),
    tags=("push",),
    body="At heavy load.",
    facets={"connector": ("vllm-nixl-push",), "source": ("vendor",)},
    numbers=(("ttft", 540.0, 540.0), ("qps", 1.0, 8.0)),
    relations=(("replicates", "older"),),
    record={"id": "aws-push", "points": [1, 2]},
    points=({"metric": "ttft", "value": 540.0, "unit": "ms", "where": {"qps": 8}},),
    claim_rows=({"claim": "c1", "text": "Push lowers TTFT.", "kind": "measured"},),
)
TABLES = ("records", "stored", "texts", "points", "claims", "relations", "facets", "numbers", "names")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".kb" / "kb.sqlite"


def fill(store: Store, *documents: Document) -> Store:
    with store.writing() as writer:
        for each in documents:
            writer.document(each)
    return store


def test_a_document_is_kept_with_everything(path: Path) -> None:
    """What is written is there after the file is opened again."""
    fill(open_store(path), PUSH).close()
    with open_store(path) as store:
        (head,) = store.documents("aws-push")
        assert head == Head(16, "aws-push", "evaluation", "en", "Push beats pull", "2026-10", "aws-push.md", "")
        assert store.record(head.rid) == {"id": "aws-push", "points": [1, 2]}
        assert store.kinds() == {"evaluation": 1}
        assert store.relations_of("aws-push") == [("replicates", "older")]
        assert store.relations_to("older") == [("replicates", "aws-push")]
        assert store.rows("SELECT metric, value, data FROM points") == [("ttft", 540.0, '{"where":{"qps":8}}')]
        assert store.rows("SELECT claim, kind FROM claims") == [("c1", "measured")]
        assert store.rows("SELECT low, high FROM numbers WHERE field = 'date'") == [(20261001.0, 20261031.0)]


@pytest.mark.parametrize("name", ["aws-push", "AWS_push", "AWS Post", "aws post"])
def test_an_entry_is_found_by_any_of_its_names(name: str) -> None:
    """Ids and aliases resolve in any spelling."""
    assert store_of([PUSH]).resolve(name) == ["aws-push"]


@pytest.mark.parametrize("name", ["Push beats pull", "aws", "post", ""])
def test_titles_and_parts_of_names_do_not_resolve(name: str) -> None:
    """Only the whole id or alias is a name."""
    assert store_of([PUSH]).resolve(name) == []


def test_an_id_goes_before_an_alias() -> None:
    """When one entry's alias is another's id, the id is meant."""
    store = store_of([document("a", aliases=("b",)), document("b")])
    assert store.resolve("b") == ["b", "a"]


def test_nothing_of_a_removed_file_is_left() -> None:
    """Removing a file removes its rows from every table and its words from the index."""
    store = store_of([PUSH, document("other")], [Term("ttft", "aws-push.md", (("en", "time to first token"),))])
    with store.writing() as writer:
        writer.remove("aws-push.md")
    for table in TABLES:
        assert store.rows(f"SELECT count(*) FROM {table} WHERE rid = 16") == [(0,)], table
    assert store.rows("SELECT count(*) FROM terms") == [(0,)]
    assert search(store, "push").total == 0
    assert store.rows("SELECT count(*) FROM text WHERE text MATCH 'push'") == [(0,)]


def test_translations_share_an_entry() -> None:
    """Documents of one id are one entry, in whatever order they come; the original goes first."""
    translation = document("aws-push", "プッシュ", path="aws-push.ja.md", lang="ja", original=False)
    for order in ([PUSH, translation], [translation, PUSH]):
        store = store_of(order)
        assert [head.lang for head in store.documents("aws-push")] == ["en", "ja"]
        assert store.kinds() == {"evaluation": 1}
        assert store.has_translations


def test_an_entry_has_room_for_so_many_documents() -> None:
    """One document more than the slots is an error that names the file, and the others stay."""
    store = open_store(None)
    fill(store, *(document("x", path=f"{n}.md") for n in range(SLOTS)))
    with pytest.raises(KbError, match=r"17\.md"):
        fill(store, document("x", path="17.md"))
    assert len(store.documents("x")) == SLOTS


def _fail_half_way(store: Store) -> None:
    with store.writing() as writer:
        writer.remove("aws-push.md")
        for n in range(SLOTS + 1):
            writer.document(document("other", path=f"{n}.md"))


def test_a_failed_transaction_changes_nothing(path: Path) -> None:
    """An exception on the way leaves the file as it was."""
    store = fill(open_store(path), PUSH)
    with pytest.raises(KbError, match="more than"):
        _fail_half_way(store)
    assert store.ids() == ["aws-push"]
    assert search(store, "push").total == 1


def test_outcomes_are_replaced_as_a_whole() -> None:
    """What is known of verdicts is what was said last; a count of nothing is not kept."""
    store = store_of([PUSH])
    for said in (
        {"aws-push": {"holds": 1, "recheck": 2}, "gone": {"holds": 1}},
        {"aws-push": {"holds": 3, "recheck": 0}},
    ):
        with store.writing() as writer:
            writer.outcomes(said)
    assert store.outcomes() == {"aws-push": {"holds": 3}}
    assert store.outcomes(["other"]) == {}


DAMAGE = {
    "empty": lambda data: data[:0],
    "half": lambda data: data[: len(data) // 2],
    "text": lambda data: b"no database".ljust(len(data)),
    "zeros": lambda data: bytes(len(data)),
    "header": lambda data: b"\xff" * 100 + data[100:],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_made_anew(damage: str, path: Path) -> None:
    """A truncated, overwritten or foreign file is replaced by an empty, usable one."""
    fill(open_store(path), PUSH).close()
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    with open_store(path) as store:
        assert store.ids() == []
        assert fill(store, PUSH).ids() == ["aws-push"]


def test_a_file_of_another_version_is_made_anew(path: Path) -> None:
    """A file that another schema or tokenizer wrote is not read."""
    fill(open_store(path), PUSH).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT - 1}")
    connection.close()
    with open_store(path) as store:
        assert store.ids() == []


def test_half_a_schema_is_made_anew(path: Path) -> None:
    """A file whose making was interrupted has no format number yet."""
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE records (rid INTEGER PRIMARY KEY)")
    connection.close()
    with open_store(path) as store:
        assert store.ids() == []


def test_damage_found_on_the_way_says_so(path: Path) -> None:
    """Pages overwritten behind the header raise Damaged, so that the file can be made anew."""
    fill(open_store(path), *(document(f"d{n}", body="word " * 500) for n in range(200))).close()
    data = bytearray(path.read_bytes())
    data[len(data) // 2 :] = b"\xa5" * (len(data) - len(data) // 2)
    path.write_bytes(data)
    store = open_store(path)
    with pytest.raises(Damaged):
        store.rows("SELECT sum(length(body)) FROM texts")


def test_leftovers_of_another_file_are_not_replayed(path: Path) -> None:
    """A write-ahead log beside a damaged file is removed with it."""
    path.parent.mkdir()
    path.write_bytes(b"damaged")
    path.with_name(path.name + "-wal").write_bytes(b"leftover" * 1000)
    with open_store(path) as store:
        assert store.ids() == []


def test_a_link_in_the_lock_s_place_is_not_written_through(path: Path, tmp_path: Path) -> None:
    """A base can be cloned with a `.kb` whose lock leads to a file of its reader."""
    mine = tmp_path / "mine"
    mine.write_text("precious")
    path.parent.mkdir()
    path.with_name("lock").symlink_to(mine)
    with pytest.raises(ReadOnly):
        open_store(path)
    assert mine.read_text() == "precious"


def test_a_discarded_file_is_gone(path: Path) -> None:
    """Discarding removes the file with its companions, and does not mind that there is none."""
    open_store(path).close()
    discard(path)
    discard(path)
    assert not path.exists()


def test_a_long_wait_for_another_writer_is_an_error_with_a_hint(path: Path) -> None:
    """Two writers do not mix; the second says what to do when it has waited in vain."""
    first, second = open_store(path), open_store(path)
    second.rows("PRAGMA busy_timeout = 10")
    with first.writing(), pytest.raises(Busy, match="another process") as caught, second.writing():
        pass
    assert caught.value.hint
    assert fill(second, PUSH).ids() == ["aws-push"]


def test_readers_see_the_last_whole_state(path: Path) -> None:
    """A reader beside a writer sees nothing of what is not committed."""
    writing, reading = fill(open_store(path), PUSH), open_store(path)
    with writing.writing() as writer:
        writer.document(document("other"))
        assert reading.ids() == ["aws-push"]
    assert reading.ids() == ["aws-push", "other"]


def test_processes_that_start_together_make_one_file(path: Path) -> None:
    """Several processes that find no file all end with a usable one."""
    code = f"from pathlib import Path; from kb.store import open_store; print(open_store(Path({str(path)!r})).kinds())"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate()[0].strip() for process in started] == ["{}"] * 4
    assert [process.returncode for process in started] == [0] * 4


def test_new_terms_reach_documents_that_were_there() -> None:
    """A vocabulary that gets or loses a term is felt in all documents, not only in new ones."""
    store = store_of([document("a", "Time to first token"), document("b", "初回トークン遅延")])
    assert search(store, "初回トークン遅延").total == 1
    term = Term("ttft", "v.yaml", (("en", "time to first token"), ("ja", "初回トークン遅延")))
    with store.writing() as writer:
        writer.term(term)
    assert search(store, "初回トークン遅延").total == 2
    with store.writing() as writer:
        writer.remove("v.yaml")
    assert search(store, "初回トークン遅延").total == 1
