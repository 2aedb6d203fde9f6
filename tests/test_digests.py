"""kb.digests: what became of a symbol between two scanned releases."""

from __future__ import annotations

from pathlib import Path

import pytest
from packaging.version import Version

from kb.digests import SUFFIX, Between, Digests, Outcome, Table, read, write
from kb.errors import KbError

HEAD = "# table: 1\n# component: courier\n# distribution: orbit\n# languages: python\n# releases: 1.0 1.1 2.0 2.1 3.0\n"
COLUMNS = "symbol digest first last how was stands_on"
ROWS = """
LIMIT a 1.0 3.0
Worker c 1.0 1.1
Worker.read r1 1.0 1.0
Worker.read r2 1.1 1.1 behaviour
Worker.log l1 1.0 1.1
Worker.stop s1 1.0 1.1
Worker x 2.0 3.0 - - =Pull
Base c 2.0 3.0 refactor
Base.stop s1 2.0 3.0 - Worker.stop
Base.renew n1 2.0 3.0 behaviour
Pull c2 2.0 3.0 refactor Worker Base
Pull.read r2 2.0 2.1 - Worker.read
Pull.read r3 3.0 3.0 behaviour
Pull.log l2 2.0 2.0 logging Worker.log
Pull.log l3 2.1 3.0 refactor
Push p 2.0 3.0 behaviour - Base
Push.renew n2 2.1 3.0 behaviour
gone g1 1.0 2.0
late t1 2.1 3.0 behaviour
twice w1 1.0 1.0
twice w2 1.1 1.1 behaviour
twice w1 2.0 3.0 behaviour
"""


def text(head: str = HEAD, columns: str = COLUMNS, rows: str = ROWS) -> str:
    lines = [columns, *rows.strip().splitlines()]
    return head + "".join("\t".join("" if cell == "-" else cell for cell in line.split(" ")) + "\n" for line in lines)


def table() -> Table:
    return read(text(), "courier.symbols.tsv")


@pytest.mark.parametrize(
    ("symbol", "first", "second", "outcome", "changed", "touched"),
    [
        ("LIMIT", "1.0", "3.0", "unchanged", "", ""),
        ("LIMIT", "1.0.0", "v3", "unchanged", "", ""),
        ("LIMIT", "1.1", "1.1", "unchanged", "", ""),
        ("Worker.read", "1.0", "1.1", "changed", "1.1", ""),
        ("Worker.read", "1.1", "2.0", "moved", "", ""),
        ("Worker.read", "1.0", "3.0", "changed", "1.1 3.0", ""),
        ("Pull.read", "2.0", "2.1", "unchanged", "", ""),
        ("Pull.read", "1.1", "2.1", "moved", "", ""),
        ("Pull.read", "3.0", "1.1", "changed", "3.0", ""),
        ("Worker.stop", "1.0", "3.0", "moved", "", ""),
        ("Pull.stop", "2.0", "3.0", "unchanged", "", ""),
        ("Worker.log", "1.1", "2.0", "moved", "", "2.0"),
        ("Pull.log", "2.0", "2.1", "unchanged", "", "2.1"),
        ("Push.renew", "2.0", "2.1", "changed", "2.1", ""),
        ("Base.renew", "2.0", "2.1", "unchanged", "", ""),
        ("gone", "1.0", "3.0", "absent at the second", "", ""),
        ("late", "1.0", "3.0", "absent at the first", "", ""),
        ("nothing", "1.0", "3.0", "absent at the first", "", ""),
        ("twice", "1.0", "3.0", "unchanged", "1.1 2.0", ""),
        ("twice", "1.1", "3.0", "changed", "2.0", ""),
        ("LIMIT", "1.0", "9.0", "not scanned", "", ""),
        ("LIMIT", "1.0.dev3", "3.0", "not scanned", "", ""),
        ("LIMIT", "main", "3.0", "not scanned", "", ""),
        ("Pull", "2.0", "3.0", "changed", "3.0", "2.1"),
        ("Base", "2.0", "3.0", "unchanged", "", ""),
        ("Worker", "2.1", "3.0", "changed", "3.0", ""),
    ],
)
def test_between(symbol: str, first: str, second: str, outcome: str, changed: str, touched: str) -> None:
    """Moves, inherited members, aliases and classes with their members are followed, either way in time."""
    found = table().between(symbol, first, second)
    assert (found.outcome.value, " ".join(found.changed_in), " ".join(found.touched_in)) == (outcome, changed, touched)


def test_names_of_both_releases_are_given() -> None:
    """A symbol has the name of its release, whichever name was asked for."""
    named = [table().between(name, "1.1", "2.0") for name in ("Worker.read", "Pull.read")]
    assert {(each.first_name, each.second_name) for each in named} == {("Worker.read", "Pull.read")}
    assert table().named_at("Pull.read", "1.0") == "Worker.read"
    assert table().named_at("Worker.read", "3.0") == "Worker.read"  # an alias keeps it alive
    assert table().named_at("late", "1.0") is None
    assert table().named_at("LIMIT", "8.0") is None


@pytest.mark.parametrize("symbol", ["LIMIT", "Worker.read", "Pull.read", "Pull.stop", "Push.stop", "Worker.renew"])
def test_a_symbol_exists_by_any_name(symbol: str) -> None:
    """Own, former, inherited, and through an alias."""
    assert table().exists(symbol)


@pytest.mark.parametrize("symbol", ["limit", "Worker.raed", "Push.read", "Pull.Pull", "read", ""])
def test_a_symbol_that_is_nowhere_does_not_exist(symbol: str) -> None:
    """Neither a last name alone nor a member of a sister class."""
    assert not table().exists(symbol)


def test_when_it_changed() -> None:
    """Quiet differences are told apart from behaviour; a symbol that came is no change of it."""
    assert table().changes("Pull.log") == (("2.0", "logging"), ("2.1", "refactor"))
    assert table().last_changed("Pull.log") is None
    assert table().last_changed("Pull.read") == "3.0"
    assert table().last_changed("late") is None
    assert (table().span("gone"), table().span("Pull.read"), table().span("nothing")) == (
        ("1.0", "2.0"),
        ("1.0", "3.0"),
        None,
    )


def test_a_name_that_stands_on_itself_ends() -> None:
    """A damaged table is walked to an end."""
    looped = read(text(rows="A a 1.0 3.0 - - B\nB b 1.0 3.0 - - A\nC c 1.0 3.0 - - =C"), "t")
    assert looped.between("A.x", "1.0", "3.0").outcome is Outcome.ABSENT_AT_FIRST
    assert looped.between("C", "1.0", "3.0").outcome is Outcome.ABSENT_AT_FIRST
    assert looped.between("A", "1.0", "3.0").outcome is Outcome.UNCHANGED


@pytest.mark.parametrize("mark", ["", "="])
def test_a_long_line_of_bases_is_walked_to_its_end(mark: str) -> None:
    """However deep one stands on the other."""
    rows = [f"C{n} a 1.0 3.0 - - {mark}C{n + 1}" for n in range(3000)]
    deep = read(text(rows="\n".join([*rows, "C3000 a 1.0 3.0", "C3000.m b 1.0 3.0"])), "t")
    assert deep.defining("C0.m" if not mark else "C0", 0) == ("C3000.m" if not mark else "C3000")


def test_shared_bases_are_walked_once() -> None:
    """Forty levels of two classes that both stand on both below: a trillion ways, eighty names."""
    rows = [f"{each}{n} a 1.0 3.0 - - A{n + 1},B{n + 1}" for n in range(40) for each in "AB"]
    assert read(text(rows="\n".join(rows)), "t").defining("A0.m", 0) is None


def test_written_and_read_again() -> None:
    """The text is the same again, sorted, without empty ends of lines."""
    again = read(write(table()), "t")
    assert sorted(again.runs, key=str) == sorted(table().runs, key=str)
    assert write(again) == write(table())
    rows = [line for line in write(table()).splitlines() if not line.startswith("#")][1:]
    assert [row.split("\t")[0] for row in rows] == sorted(row.split("\t")[0] for row in rows)
    assert not any(row.endswith("\t") for row in rows)


def test_what_is_not_known_is_passed_over() -> None:
    """Further keys, columns and a newer layout are no obstacle as long as the needed columns are there."""
    newer = text(HEAD.replace("table: 1", "table: 9") + "# signed: yes\n", f"{COLUMNS} more", "LIMIT a 1.0 3.0 - - - x")
    assert read(newer, "t").between("LIMIT", "1.0", "3.0").outcome is Outcome.UNCHANGED
    shuffled = text(columns="last first digest symbol", rows="3.0 1.0 a LIMIT")
    assert read(shuffled, "t").exists("LIMIT")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (text(HEAD.replace("table: 1", "table: 9"), "name hash", "LIMIT a"), "use a newer one"),
        ("", "component, releases, symbol"),
        ("\0\1\2", "missing"),
        (text(rows="LIMIT a 1.0 8.0"), "no releases of the header"),
        (text(rows="LIMIT a"), "damaged"),
        (text(rows="LIMIT a 1.0 3.0\nLIMIT a"), f"courier.symbols.tsv:{text(rows='').count(chr(10)) + 2}: "),
        (text(HEAD.replace("table: 1", f"table: {'9' * 5000}"), "name hash", "LIMIT a"), "take it back"),
        (text(rows=f"{'a.' * 1000} a 1.0 3.0"), "has 2000 characters"),
    ],
)
def test_what_cannot_be_read_is_said(content: str, says: str) -> None:
    """One sentence and what to do."""
    with pytest.raises(KbError) as caught:
        read(content, "courier.symbols.tsv")
    assert says in f"{caught.value.message} {caught.value.hint}"
    assert "courier.symbols.tsv" in caught.value.message


def test_other_languages_are_said() -> None:
    """A table of a component that has C++ speaks of its Python only."""
    assert not table().partial
    assert read(text(HEAD.replace("python", "python, others not listed")), "t").partial


def test_tables_are_read_once_and_when_asked() -> None:
    """No table, or one that cannot be read, is `not scanned`."""
    asked: list[str] = []

    def open_(component: str) -> Table | None:
        asked.append(component)
        if component == "damaged":
            raise KbError("damaged")
        return table() if component == "courier" else None

    tables = Digests(open_)
    assert asked == []
    assert [tables.between("courier", "LIMIT", "1.0", "3.0").outcome for _ in range(2)] == [Outcome.UNCHANGED] * 2
    assert tables.between("damaged", "LIMIT", "1.0", "3.0") == Between(Outcome.NOT_SCANNED)
    assert tables.between("other", "LIMIT", "1.0", "3.0") == Between(Outcome.NOT_SCANNED)
    assert asked == ["courier", "damaged", "other"]


SHIPPED = sorted((Path(__file__).parents[1] / "entries" / "components").glob(f"*{SUFFIX}"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_tables(path: Path) -> None:
    """Each is its component's, as written by this tool, small, and of releases in order."""
    content = path.read_text(encoding="utf-8")
    shipped = read(content, path.name)
    assert shipped.component == path.name.removesuffix(SUFFIX)
    assert path.with_name(f"{shipped.component}.yaml").exists()
    assert write(shipped) == content
    assert len(content) < 1_500_000  # 1 MB until LMCache came, all of whose v1/ is its own code, over 34 releases
    assert list(shipped.releases) == sorted(shipped.releases, key=Version)
    assert shipped.artifacts


def test_the_shipped_pull_connector_is_followed_through_its_moves() -> None:
    """Module to package (0.20), worker split into base, pull and push (0.24)."""
    pull = next(path for path in SHIPPED if path.name.startswith("vllm-nixl-pull"))
    shipped = read(pull.read_text(encoding="utf-8"), pull.name)
    moved = shipped.between("NixlConnectorWorker._read_blocks", "0.23.0", "0.24.0")
    assert (moved.outcome, moved.second_name) == (Outcome.MOVED, "NixlPullConnectorWorker._read_blocks")
    assert shipped.between("NixlConnectorWorker._read_blocks", "0.20.2", "0.33.0").outcome is Outcome.CHANGED
    assert shipped.between("NixlPullConnectorWorker._read_blocks", "0.30.0", "0.33.0").outcome is Outcome.UNCHANGED
    assert shipped.named_at("NixlPullConnectorWorker._read_blocks", "0.9.0") == "NixlConnectorWorker._read_blocks"
