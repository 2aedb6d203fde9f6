"""kb.coverage: what an audit may say of an interval between two releases of a component."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.change import Change
from kb.component import Component
from kb.config import read as config
from kb.coverage import Accounts, Cover
from kb.digests import Digests, Table, read
from kb.errors import KbError
from kb.library import Library, open_library
from kb.reading import Loaded
from kb.versions import parse

ENTRIES = Path(__file__).parents[1] / "entries"

RELEASES = "# releases: 1.0 1.1 2.0 3.0\n"
COLUMNS = "symbol digest first last how was stands_on gone file"
OWN = """
Worker c 1.0 3.0
Worker.read r1 1.0 1.0
Worker.read r2 1.1 3.0 behaviour
Worker.log l1 1.0 1.1
Worker.log l2 2.0 3.0 logging
Worker.old o1 1.0 1.1 - - - behaviour
Worker.inlined i1 1.0 1.1 - - - refactor
renamed a1 2.0 3.0 behaviour before
before a0 1.0 1.1
Fresh f 3.0 3.0 behaviour
Fresh.go f 3.0 3.0 behaviour
fetch g 3.0 3.0 refactor
"""
HOST = """
Scheduler.step s1 1.0 1.1 - - - - 0
Scheduler.step s2 2.0 3.0 behaviour - - - 0
Pool.take p1 1.0 1.1 - - - - 1
Pool.take p2 2.0 3.0 behaviour - - - 1
"""


def text(component: str, rows: str, head: str = RELEASES, columns: str = COLUMNS) -> str:
    lines = [columns, *rows.strip().splitlines()]
    table = "".join("\t".join("" if cell == "-" else cell for cell in line.split(" ")) + "\n" for line in lines)
    return f"# component: {component}\n{head}# files: core/sched.py core/pool.py\n{table}"


def stated(since: str, until: str, by: str = "scan", **more: object) -> dict[str, object]:
    return {"since": since, "until": until, "date": "2026-11-29", "by": by, "because": "Looked", **more}


def record(**fields: object) -> dict[str, object]:
    ships = [
        {"distribution": "host", "artifact": "sdist", "versions": "<1.1", "ships": "no"},
        {"distribution": "host", "artifact": "sdist", "versions": ">=1.1", "ships": "yes"},
    ]
    told = {"id": "c", "title": "C", "component": "own", "kind": "behaviour", "status": "merged", "summary": "S"}
    return {**told, "ships": ships, **fields}


def asked(
    first: str,
    second: str,
    *coverage: dict[str, object],
    changes: tuple[dict[str, object], ...] = (),
    own: str | None = text("own", OWN),
    host: str | None = text("host", HOST),
) -> Cover:
    tables = {"own": own, "host": host}

    def table(name: str) -> Table:
        if tables[name] is None:
            raise KbError("damaged")
        return read(str(tables[name]), name)

    paths = ({"glob": "own/**"}, {"glob": "core/sched.py", "neighbour": True})
    ours = {"id": "own", "title": "O", "kind": "connector", "ships_in": "host", "paths": paths, "coverage": coverage}
    engine = {"id": "host", "title": "H", "kind": "engine", "paths": ({"glob": "core/**"},)}
    records: list[Component | Change] = [Component.model_validate(each) for each in (ours, engine)]
    records += [Change.model_validate({**each, "id": f"c{n}"}) for n, each in enumerate(changes)]
    loaded = tuple(Loaded(each, f"{each.id}.md", "", 1, "", 1) for each in records)
    library = Library(loaded, digests=Digests(table))
    return Accounts(library).cover(library.components["own"], first, second)


ALL = stated("1.0", "3.0")


def names(found: Cover) -> set[str]:
    return {f"{each.status} {each.symbol} {each.release}" for each in found.unrecorded}


def test_what_differs_is_listed() -> None:
    """By the release in which it is so first; logging, refactorings and inlined helpers are none; members with their
    class; a new name of an old symbol is the symbol."""
    found = asked("1.0", "3.0", ALL)
    assert names(found) == {
        "changed Worker.read 1.1",
        "removed Worker.old 2.0",
        "changed renamed 2.0",
        "added Fresh 3.0",
    }
    assert {each.after for each in found.unrecorded} == {"1.0", "1.1", "2.0"}
    assert found.gaps == ()
    assert not found.complete


@pytest.mark.parametrize(
    ("first", "second", "there"),
    [
        ("1.0", "1.1", {"changed Worker.read 1.1"}),
        ("1.1", "1.0", {"changed Worker.read 1.1"}),
        ("2.0", "3.0", {"added Fresh 3.0"}),
        ("1.1", "1.1", set()),
        ("v1.1.0", "2", {"removed Worker.old 2.0", "changed renamed 2.0"}),
        ("1.1.post1", "2.0", {"removed Worker.old 2.0", "changed renamed 2.0"}),
        ("1.0", "1.0.post1", {"changed Worker.read 1.1"}),
    ],
)
def test_only_the_interval_counts(first: str, second: str, there: set[str]) -> None:
    """Either way; releases that were not scanned stand for the scanned ones around them."""
    found = asked(first, second, ALL)
    assert names(found) == there
    assert found.gaps == ()


@pytest.mark.parametrize(
    ("fields", "accounted"),
    [
        ({"symbols": ["own:Worker.read"]}, True),
        ({"symbols": ["own:Worker.read"], "component": "host", "also": ["own"]}, True),
        ({"symbols": ["own:Worker.read"], "component": "host"}, True),
        ({"symbols": ["own:Worker.read"], "ships": []}, True),
        ({"symbols": ["own:Worker.log"]}, False),
        ({"symbols": ["own:Worker"]}, False),
        ({"symbols": ["host:Worker.read"], "component": "host"}, False),
        ({"symbols": []}, False),
        ({"symbols": ["own:Worker.read"], "proposed_by": "scan"}, False),
    ],
)
def test_a_record_accounts_for_what_it_names(fields: dict[str, object], accounted: bool) -> None:
    """Of this component, by this name, by a person; its shipping turns there, or is judged as not established."""
    found = asked("1.0", "1.1", ALL, changes=(record(**fields),))
    assert names(found) == (set() if accounted else {"changed Worker.read 1.1"})


def test_a_record_of_another_time_accounts_for_nothing() -> None:
    """A change that shipped all along is not the one."""
    always = [{"distribution": "host", "artifact": "sdist", "versions": "*", "ships": "yes"}]
    assert names(asked("1.0", "1.1", ALL, changes=(record(symbols=["own:Worker.read"], ships=always),)))


def test_an_old_name_and_a_class_account() -> None:
    """A record may use the name before; one that names a class that came whole speaks of its members."""
    turns = [
        {"distribution": "host", "artifact": "sdist", "versions": "<2.0", "ships": "no"},
        {"distribution": "host", "artifact": "sdist", "versions": ">=2.0", "ships": "yes"},
    ]
    later = [
        {"distribution": "host", "artifact": "sdist", "versions": "<3.0", "ships": "no"},
        {"distribution": "host", "artifact": "sdist", "versions": ">=3.0", "ships": "yes"},
    ]
    records = record(symbols=["own:before"], ships=turns), record(symbols=["own:Fresh"], ships=later)
    assert names(asked("1.1", "3.0", ALL, changes=records)) == {"removed Worker.old 2.0"}


def test_a_draft_is_named_and_still_open() -> None:
    """Nobody has read a draft by scan."""
    (only,) = asked("1.0", "1.1", ALL, changes=(record(symbols=["own:Worker.read"], proposed_by="scan"),)).unrecorded
    assert (only.draft, only.anchor) == ("c0", "own:Worker.read")


def test_neighbours_are_read_off_the_host() -> None:
    """Only files that the component calls its neighbours."""
    assert [each.anchor for each in asked("1.1", "2.0", ALL).around] == ["host:Scheduler.step"]
    assert asked("2.0", "3.0", ALL).around == ()
    missing = asked("1.1", "2.0", ALL, host=None)
    assert [(each.component, each.since, each.until) for each in missing.gaps] == [("host", "1.1", "2.0")]


@pytest.mark.parametrize(
    ("coverage", "gaps"),
    [
        ((), [("1.0", "3.0")]),
        ((stated("1.0", "2.0"),), [("2.0", "3.0")]),
        ((stated("2.0", "3.0"),), [("1.0", "2.0")]),
        ((stated("1.0", "1.1"), stated("2.0", "3.0")), [("1.1", "2.0")]),
        ((stated("2.0", "3.0"), stated("1.0", "2.0")), []),
        ((stated("0.5", "3.5", by="person"),), []),
        ((stated("1.0", "3.0"), stated("1.0", "1.1")), []),
        ((stated("3.0", "4.0"),), [("1.0", "3.0")]),
    ],
)
def test_gaps(coverage: tuple[dict[str, object], ...], gaps: list[tuple[str, str]]) -> None:
    """Parts that no statement reaches over; statements may touch, overlap and stand in any order."""
    assert [(each.since, each.until) for each in asked("1.0", "3.0", *coverage).gaps] == gaps


def test_a_person_is_believed() -> None:
    """Nothing is listed below a statement by a person; what it leaves open counts."""
    found = asked("1.0", "3.0", stated("1.0", "3.0", by="person"))
    assert found.complete
    assert not asked("1.0", "3.0", stated("1.0", "3.0", by="person", open=["the sidecar"])).complete


def test_a_statement_without_a_table_is_a_gap() -> None:
    """What cannot be listed is not known: no table, a damaged one, or one of other releases."""
    assert [each.component for each in asked("1.0", "3.0", ALL, own=None).gaps] == ["own"]
    beyond = asked("1.0", "4.0", stated("1.0", "4.0"))
    assert {(each.component, each.until) for each in beyond.gaps} == {("own", "4.0"), ("host", "4.0")}


def test_open_points_of_the_interval() -> None:
    """They begin with their release; one that does not counts everywhere."""
    open_ = ["1.1: requirement nixl 1 -> 2", "3.0: file a.c changed", "all of it"]
    assert asked("1.0", "2.0", stated("1.0", "3.0", open=open_)).open == (open_[0], open_[2])


def test_what_is_no_release_is_not_known() -> None:
    """A branch or an unknown pin."""
    assert [each.why for each in asked("main", "3.0", ALL).gaps] == ["no release"]


def test_tables_without_removals_count_every_end() -> None:
    """The first tables did not say what became of a name: a removal is then taken for one that counts."""
    rows, columns = (
        "\n".join(" ".join(line.split(" ")[:6]) for line in each.strip().splitlines()) for each in (OWN, COLUMNS)
    )
    old = text("own", rows, columns=columns)
    assert "removed Worker.inlined 2.0" in names(asked("1.1", "2.0", ALL, own=old))
    assert "removed before 2.0" not in names(asked("1.1", "2.0", ALL, own=old))


SHIPPED = open_library(config(ENTRIES.parent))
ACCOUNTS = Accounts(SHIPPED)
STATED = [name for name, each in sorted(SHIPPED.components.items()) if any(one.by == "scan" for one in each.coverage)]


@pytest.mark.parametrize("name", STATED)
def test_shipped_statements_can_be_listed(name: str) -> None:
    """What a scan states in our own entries stands in tables, neighbours too; each open point names its release."""
    component = SHIPPED.components[name]
    for each in component.coverage:
        found = ACCOUNTS.cover(component, each.since, each.until)
        assert found.gaps == ()
        assert found.unrecorded
        assert all(parse(text.partition(":")[0]) for text in each.open)


def test_a_release_in_which_only_others_changed() -> None:
    """Between vLLM 0.27.0 and 0.27.1 nothing of the pull connector or its neighbours differs; in 0.33.0 much does."""
    pull = SHIPPED.components["vllm-nixl-pull"]
    assert ACCOUNTS.cover(pull, "0.27.0", "0.27.1").complete
    later = ACCOUNTS.cover(pull, "0.32.0", "0.33.0")
    assert not later.complete
    assert later.around
    assert ACCOUNTS.cover(pull, "0.33.0", "0.34.0").gaps
