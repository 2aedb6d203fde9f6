"""The data files of the search: what is in them, and that only records decide their bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality import build
from benchmarks.sitesearch import POLICY, address, first_load, write
from kb.document import Document, Term
from kb.search.rank import WEIGHTS
from kb.site.search import box, page, shards, tables
from kb.site.search.files import Row, content, cut
from kb.site.search.packing import ALPHABET, ENDS, pack, packed, rising
from kb.site.search.postings import COLUMN_BITS, filed
from kb.store import Head, Store, open_store


def unpacked(text: str) -> Iterator[int]:
    """Numbers out of their text, as search-data.js reads them."""
    number, scale = 0, 1
    for sign in map(ALPHABET.index, text):
        number += scale * sign
        scale *= len(ALPHABET) - ENDS
        if sign < ENDS:
            yield number
            number, scale = 0, 1


def data(files: dict[str, bytes], name: str) -> object:
    """What a data file hands over."""
    text = files[f"search/{name}.js"].decode()
    assert text.startswith(f'kbSearchData("{name}",')
    return json.loads(text.removeprefix(f'kbSearchData("{name}",').removesuffix(");\n"))


@given(st.lists(st.integers(0, 1 << 40)))
def test_numbers_come_back(numbers: list[int]) -> None:
    """Packed numbers are read as they were, in signs that a string needs no escape for."""
    text = pack(numbers)
    assert list(unpacked(text)) == numbers
    assert json.dumps(text) == f'"{text}"'


def test_small_numbers_take_one_sign() -> None:
    """Most numbers of an index are small."""
    assert [len(packed(n)) for n in (0, 63, 64, 1919, 1920)] == [1, 1, 2, 2, 3]
    assert list(unpacked(rising([3, 5, 9]))) == [3, 2, 4]


@given(st.lists(st.integers(1, 50), max_size=60), st.integers(1, 100))
def test_rows_are_cut_in_order(sizes: list[int], large: int) -> None:
    """Every row is in one group, in order, and no group is empty."""
    groups = cut([Row(n, n, size) for n, size in enumerate(sizes)], large)
    assert [row.key for group in groups for row in group] == list(range(len(sizes)))
    assert all(groups)


def documents() -> list[Document]:
    """An evaluation, a change and its translation."""
    facets = {"model": ("M1",)}
    return [
        Document("b", "evaluation", "Push beats pull", "b.md", date="2026-02", body="one two one", facets=facets),
        Document("a", "change", "初回 トークン", "a.md", date="2026", numbers=(("qps", 4, 8),), body="</script>\u2028"),
        Document("a", "change", "Tradução", "a.pt.md", lang="pt", original=False, body="latência"),
    ]


def filled(each: list[Document]) -> Store:
    store = open_store(None)
    with store.writing() as writer:
        writer.term(Term("ttft", "v.yaml", (("en", "ttft"), ("en", "first token"))))
        for document in each:
            writer.document(document)
    return store


def test_only_records_decide() -> None:
    """The same records give the same bytes, in whatever order they came into the derived file and however often."""
    once = filled(documents())
    again = filled([Document("z", "change", "Gone", "z.md"), *reversed(documents())])
    with again.writing() as writer:
        writer.remove("z.md")
    assert shards(once, address) == shards(again, address)


def test_another_record_is_another_build() -> None:
    """What changes changes its files and the mark of the build, and no file beside them."""
    before = shards(filled(documents()), address)
    after = shards(filled([*documents()[:1], *documents()[1:]]), lambda head: f"x/{head.id}")
    assert {name for name in before if before[name] != after[name]} == {"search/start.js", "search/heads/0.js"}


def test_outcomes_are_an_argument() -> None:
    """Counts given are a facet and stand with their hit; a zero is no value."""
    files = shards(filled(documents()), address, {"b": {"holds": 2, "recheck": 0}})
    start = data(files, "start")
    assert isinstance(start, dict)
    assert start["counts"]["outcome"] == [[["holds", 1]], 1]
    shown = data(files, "shown")
    assert isinstance(shown, dict)
    assert shown["outcome"] == {"values": ["holds"], "entries": ["!"]}


def test_heads_say_what_a_list_shows() -> None:
    """A line with title, id, date, form and outcomes for each document; line ends in a title are blanks."""
    change = Document("x", "change", "One\ttitle\nof three lines", "x.md", date="2026-02")
    store = filled([change, *documents()])
    found = data(shards(store, address, {"b": {"recheck": 2, "holds": 1}}), "heads/0")
    assert isinstance(found, list)
    forms, lines = found
    assert [line.split("\t") for line in lines.split("\n")] == [
        ["初回 トークン", "a", "2026", "0", ""],
        ["Tradução", "a", "", "1", ""],
        ["Push beats pull", "b", "2026-02", "2", "holds 1,recheck 2"],
        ["One title of three lines", "x", "2026-02", "3", ""],
    ]
    assert [kind for kind, *_ in forms] == ["change", "change", "evaluation", "change"]
    rows = [line.split("\t") for line in lines.split("\n")]
    addresses = [forms[int(form)][2] + id_ + forms[int(form)][3] for _, id_, _, form, _ in rows]
    assert addresses == ["changes/a.html", "changes/a.pt.html", "evaluations/b.html", "changes/x.html"]


def test_heads_of_a_large_base_are_small_files() -> None:
    """As long as all heads are a few large files a browser loads them at once; of more it needs small ones."""

    def groups(title: str) -> int:
        heads = [Head(16 * n, "b", "change", "en", title, None, f"{n}.md", "") for n in range(400)]
        return len(tables.heads(tables.Numbering(heads, {}, {}), address, {}))

    assert groups("x" * 3900) <= 5
    assert groups("x" * 4100) > 50


def test_only_the_block_of_what_changed_is_made_again(tmp_path: Path) -> None:
    """Of blocks that are kept one is made anew, and the files are those of a build from nothing."""
    kept: dict[str, str] = {}
    made: list[str] = []

    def known(digest: str, make: Callable[[], list[Any]]) -> list[Any]:
        if digest not in kept:
            made.append(digest)
            kept[digest] = json.dumps(make())
        return list(json.loads(kept[digest]))

    store = build(tmp_path, 60)
    assert shards(store, address, known=known) == shards(store, address)
    before = len(made)
    with store.writing() as writer:
        writer.document(Document("another", "change", "Another change", "changes/another.md", body="one more word"))
    assert shards(store, address, known=known) == shards(store, address)
    assert before > 3
    assert len(made) == before + 1


def test_postings_are_those_of_fts5(tmp_path: Path) -> None:
    """Every token has the documents, weights and places that FTS5's own index has."""
    store = build(tmp_path, 20)
    store.rows("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, text, instance)")
    order = {rid: n for n, (rid,) in enumerate(store.rows("SELECT rid FROM records ORDER BY id, rid & 15"))}
    expected: dict[str, dict[int, list[tuple[str, int]]]] = {}
    for term, rid, column, offset in store.rows("SELECT term, doc, col, offset FROM temp.vocabulary"):
        expected.setdefault(term, {}).setdefault(order[rid], []).append((column, offset))
    files = shards(store, address)
    assert {term: _found(*postings) for term, postings in _postings(files)} == {
        filed(term): {n: (sum(WEIGHTS[c] for c, _ in places), set(places)) for n, places in found.items()}
        for term, found in expected.items()
    }


def _postings(files: dict[str, bytes]) -> Iterator[tuple[str, tuple[str, str]]]:
    for name in files:
        if match := re.fullmatch(r"search/terms/(\d+).js", name):
            terms, places = data(files, f"terms/{match[1]}"), data(files, f"places/{match[1]}")
            for term, place in zip(str(terms).split("\n")[1:-1], str(places).split("\n")[1:-1], strict=True):
                assert term.partition("\t")[0] == place.partition("\t")[0]
                yield term.partition("\t")[0], (term.partition("\t")[2], place.partition("\t")[2])


def _found(terms: str, places: str) -> dict[int, tuple[int, set[tuple[str, int]]]]:
    numbers, signs, document = unpacked(terms), unpacked(places), 0
    found = {}
    for step in numbers:
        document += step
        code = next(numbers)
        where = set(_places(signs))
        assert code & 1 == any(column in ("title", "title_names") for column, _ in where)
        found[document] = (code >> 1, where)
    return found


def _places(signs: Iterator[int]) -> Iterator[tuple[str, int]]:
    bits = next(signs)
    for column, bit in COLUMN_BITS.items():
        if bits & bit:
            count, place = next(signs), next(signs)
            yield column, place
            for _ in range(count):
                place += next(signs)
                yield column, place


def test_a_data_file_is_one_call() -> None:
    """What a record says stays a string, whatever it is."""
    hostile = '"});alert(1);//</script><!--\u2028\u2029'
    text = content("texts/0", [hostile]).decode()
    assert text.count("\n") == 1
    assert not set("\u2028\u2029") & set(text)
    assert json.loads(text.removeprefix('kbSearchData("texts/0",').removesuffix(");\n")) == [hostile]


def test_the_search_page_is_light(tmp_path: Path) -> None:
    """Opening it loads less than 150 kB, before anything is asked."""
    write(tmp_path, build(tmp_path / "base", 0))
    assert first_load(tmp_path) < 150_000


@pytest.mark.parametrize("html", [box("../"), page("../")])
def test_fragments_hold_a_strict_policy(html: str) -> None:
    """No script, style or handler stands in the page, and every link and form leads below the root."""
    assert "unsafe" not in POLICY
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=", html)
    assert all(each.startswith("../search.html") for each in re.findall(r'(?:href|action)="([^"]*)"', html))
