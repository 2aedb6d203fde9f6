"""In which releases something is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.change import Change
from kb.errors import KbError
from kb.scan.presence import Kind, Marker, first_and_last, looked_for, shipped, spans
from kb.scan.tree import Tree
from kb.versions import contains, parse
from kb.vocabulary import Artifact, Ships
from tests.scan.test_native import MANGLED, library
from tests.scan.trees import of

RELEASE = of(
    {
        "kv/worker.py": """
            import os
            class Worker:
                def start(self):
                    \"\"\"Talks of finish().\"\"\"
                    return config.get_from_extra_config("num_threads", os.getenv("VLLM_T", "4"))
            LIMIT = 3
        """,
        "nixl.libs/libplugin.so": library(MANGLED, texts=b"post thread pool\0"),
    }
)


@pytest.mark.parametrize(
    ("kind", "name", "globs", "there"),
    [
        (Kind.SYMBOL, "Worker.start", ("**",), True),
        (Kind.SYMBOL, "start", ("kv/*.py",), True),
        (Kind.SYMBOL, "LIMIT", ("**",), True),
        (Kind.SYMBOL, "finish", ("**",), False),
        (Kind.SYMBOL, "art", ("**",), False),
        (Kind.SYMBOL, "Other.start", ("**",), False),
        (Kind.SYMBOL, "reserveBaseOffset", ("**",), True),
        (Kind.SYMBOL, "reserveBaseOffset", ("kv/**",), False),
        (Kind.STRING, "finish()", ("**",), True),
        (Kind.STRING, "thread pool", ("nixl.libs/*",), True),
        (Kind.STRING, "thread pool", ("kv/**",), False),
        (Kind.OPTION, "num_threads", ("**",), True),
        (Kind.OPTION, "VLLM_T", ("**",), False),
        (Kind.ENV, "VLLM_T", ("**",), True),
        (Kind.ENV, "num_threads", ("**",), False),
    ],
)
def test_marker(kind: Kind, name: str, globs: tuple[str, ...], there: bool) -> None:
    """A symbol is defined, an option and a variable read, a string anywhere in the files looked in."""
    assert Marker(kind, name, globs).within(RELEASE) is there


def _away() -> Tree:
    raise KbError("gone")


def test_looked_for() -> None:
    """Yes and no come from opened releases; one that cannot be opened or lacks the files is not established."""
    with_it, without = of({"kv/a.py": "def f(): pass"}), of({"kv/a.py": "def g(): pass"})
    releases = [
        ("1.0", lambda: without),
        ("1.1", lambda: with_it),
        ("1.2", _away),
        ("1.3", lambda: of({"b.py": "def f(): pass"})),
    ]
    found = looked_for(Marker(Kind.SYMBOL, "f", ("kv/*.py",)), releases)
    assert [each.value for each in found.values()] == ["no", "yes", "not-established", "not-established"]


def test_ranges() -> None:
    """Releases in a row with one answer are a range from the first to the last opened; nothing is said beyond them."""
    found = {
        "0.9.0": Ships.NO,
        "0.10.0": Ships.NO,
        "0.11.0": Ships.YES,
        "0.9.1": Ships.NO,
        "0.12.0": Ships.YES,
        "0.13.0": Ships.NO,
    }
    facts = shipped("vllm", Artifact.SDIST, Marker(Kind.OPTION, "o", ("kv/**",)), found)
    assert [(each.versions, each.ships.value, each.checked) for each in facts] == [
        (">=0.9.0,<=0.10.0", "no", ("0.9.0", "0.9.1", "0.10.0")),
        (">=0.11.0,<=0.12.0", "yes", ("0.11.0", "0.12.0")),
        ("==0.13.0", "no", ("0.13.0",)),
    ]
    assert facts[0].marker == "option o in kv/**"
    change = Change.model_construct(ships=facts)
    assert [
        change.ships_in("vllm", each).value for each in ("0.9.5", "0.11.1", "0.13.0", "0.13.1", "0.8.0", "0.10.1")
    ] == [
        "no",
        "yes",
        "no",
        "not-established",
        "not-established",
        "not-established",
    ]
    assert change.ships_in("vllm", "0.11.0", Artifact.WHEEL) is Ships.NOT_ESTABLISHED


def test_not_established() -> None:
    """A release that could not be opened parts two ranges and names nothing as checked."""
    found = {"1.0": Ships.YES, "1.1": Ships.NOT_ESTABLISHED, "1.2": Ships.YES}
    facts = shipped("nixl", Artifact.WHEEL, Marker(Kind.STRING, "s"), found)
    assert [(each.versions, each.ships.value, each.checked) for each in facts] == [
        ("==1.0", "yes", ("1.0",)),
        ("==1.1", "not-established", ()),
        ("==1.2", "yes", ("1.2",)),
    ]


def test_first_and_last() -> None:
    """First and last release seen with it; none when no release was."""
    assert first_and_last({"1.10": Ships.YES, "1.9": Ships.YES, "1.8": Ships.NO, "1.11": Ships.NOT_ESTABLISHED}) == (
        "1.9",
        "1.10",
    )
    assert first_and_last({"1.0": Ships.NO}) == (None, None)
    assert first_and_last({}) == (None, None)


RELEASES = st.dictionaries(st.from_regex(r"\A[0-9]\.[0-9]{1,2}(rc1|\.post1)?\Z"), st.sampled_from(Ships), max_size=12)


@given(RELEASES)
def test_every_release_is_in_one_range(found: dict[str, Ships]) -> None:
    """Each release looked at lies in exactly one range, and that one has its answer."""
    unique = {str(parse(version)): value for version, value in found.items()}
    runs = spans(unique)
    for version, value in unique.items():
        assert [each.value for each in runs if contains(each.versions, version)] == [value]
