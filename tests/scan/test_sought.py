"""kb.scan.sought: first and last release with something, per distribution and kind of artifact, from a local index."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kb.component import Component
from kb.errors import KbError
from kb.present.sought import sought as shown
from kb.present.text import page
from kb.scan import pipconfig
from kb.scan.index import Index
from kb.scan.presence import Kind
from kb.scan.sought import marker, sought
from kb.vocabulary import Artifact, Ships
from tests.scan.made import component
from tests.scan.test_native import MANGLED, library

READS = 'class W:\n    def go(self):\n        return config.get_from_extra_config("deep", 4)\n'
OTHER = "class W:\n    def go(self):\n        return 4\n"


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """`dist` as sdists, with the option from 1.1 to 1.2; its libraries in the wheels of `dist-native`."""
    place = tmp_path / "links"
    place.mkdir()
    for version, text in (("1.0", OTHER), ("1.1", READS), ("1.2", READS), ("1.3", OTHER)):
        with tarfile.open(place / f"dist-{version}.tar.gz", "w:gz") as tar:
            for path, data in (("PKG-INFO", b"Name: x\n"), ("pkg/w.py", text.encode()), ("aside/x.py", READS.encode())):
                info = tarfile.TarInfo(f"dist-{version}/{path}")
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    for version, data in (("1.2", library("other")), ("1.3", library(MANGLED))):
        with zipfile.ZipFile(place / f"dist_native-{version}-py3-none-any.whl", "w") as archive:
            archive.writestr("dist_native.libs/libplugin.so", data)
    return Index(tmp_path / "cache", pipconfig.Settings((), (str(place),), timeout=5))


def of() -> Component:
    return component(also_ships_in=["dist-native"])


def rows(text: str, index: Index, versions: str = ">=1.0,<=1.3") -> dict[str, dict[str, Any]]:
    return {each.distribution: each.as_dict() for each in sought([marker(text)], of(), index, versions)}


def test_an_option(index: Index) -> None:
    """Its own files are looked in where a release has them: the same option read elsewhere is another's."""
    found = rows("option:deep", index)["dist"]
    assert (found["artifact"], found["first"], found["last"]) == ("sdist", "1.1", "1.2")
    assert [(each["versions"], each["ships"]) for each in found["ships"]] == [
        ("==1.0", "no"),
        (">=1.1,<=1.2", "yes"),
        ("==1.3", "no"),
    ]
    assert found["ships"][1]["checked"] == ["1.1", "1.2"]


def test_a_native_library(index: Index) -> None:
    """A wheel of libraries is looked in as a whole, by their symbols."""
    found = rows("symbol:reserveBaseOffset", index)
    assert (found["dist-native"]["artifact"], found["dist-native"]["first"]) == ("wheel", "1.3")
    assert found["dist"]["first"] is None


def test_only_the_range_is_opened(index: Index) -> None:
    """A distribution that has nothing there is left out."""
    assert rows("symbol:W.go", index, ">=1.0,<=1.1").keys() == {"dist"}


def test_a_release_without_an_sdist(index: Index, tmp_path: Path) -> None:
    """Its wheel is another witness: a row of its own, and among sdists it is not established."""
    for version, text in (("1.0", READS), ("1.4", READS), ("1.5", OTHER)):
        with zipfile.ZipFile(tmp_path / "links" / f"dist-{version}-py3-none-any.whl", "w") as archive:
            archive.writestr("pkg/w.py", text)
    found = [each.as_dict() for each in sought([marker("option:deep")], of(), index, ">=1.0,<=1.5")]
    told = {
        (row["distribution"], row["artifact"]): [(each["versions"], each["ships"]) for each in row["ships"]]
        for row in found
    }
    assert told["dist", "sdist"] == [
        ("==1.0", "no"),
        (">=1.1,<=1.2", "yes"),
        ("==1.3", "no"),
        (">=1.4,<=1.5", "not-established"),
    ]
    assert told["dist", "wheel"] == [("==1.4", "yes"), ("==1.5", "no")]
    assert all(each["artifact"] == row["artifact"] for row in found for each in row["ships"])
    assert ("dist-native", "sdist") not in told


def test_a_wheel_that_hands_on(index: Index, tmp_path: Path) -> None:
    """One that requires the distribution with the libraries is no witness of absence; what it has, it has."""
    for version, requires in (("2.0", "Requires-Dist: Dist_Native==2.0\n"), ("2.1", "Requires-Dist: other\n")):
        with zipfile.ZipFile(tmp_path / "links" / f"dist-{version}-py3-none-any.whl", "w") as archive:
            archive.writestr("shim/__init__.py", "def forward():\n    return 1\n")
            archive.writestr(f"dist-{version}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: dist\n{requires}\n")
    wheels = {each.artifact: each for each in sought([marker("string:gone")], of(), index, ">=2.0,<=2.1")}
    found = wheels[Artifact.WHEEL]
    assert found.found == {"2.0": Ships.NOT_ESTABLISHED, "2.1": Ships.NO}
    assert found.hands_on == ("dist-native",)
    assert "Where it requires dist-native" in "\n".join(shown([found], page()))
    (has,) = sought([marker("string:def forward")], of(), index, ">=2.0,<=2.1")
    assert (set(has.found.values()), has.hands_on) == ({Ships.YES}, ())


def test_several_at_once(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is told as it is alone, distribution by distribution, and no release is opened twice for it."""
    texts = ("option:deep", "symbol:reserveBaseOffset", "string:def go", "option:none")
    alone = [each for text in texts for each in sought([marker(text)], of(), index, ">=1.0,<=1.3")]
    opened: list[str] = []
    tree = Index.tree
    monkeypatch.setattr(Index, "tree", lambda *given: (opened.append(f"{given[1]} {given[2]}"), tree(*given))[1])
    together = list(sought([marker(text) for text in texts], of(), index, ">=1.0,<=1.3"))
    assert sorted(map(repr, together)) == sorted(map(repr, alone))
    assert [each.distribution for each in together] == ["dist"] * 4 + ["dist-native"] * 4
    assert {opened.count(each) for each in opened if each.startswith("dist 1")} == {1}


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("symbol:W.go", Kind.SYMBOL, "W.go"),
        ("symbol:nixl::W::go", Kind.SYMBOL, "nixl::W::go"),
        ("string:post thread: on", Kind.STRING, "post thread: on"),
        ("env:VLLM_T", Kind.ENV, "VLLM_T"),
    ],
)
def test_marker(text: str, kind: Kind, name: str) -> None:
    """A kind before a colon."""
    assert (marker(text).kind, marker(text).name) == (kind, name)


@pytest.mark.parametrize("text", ["option:", "env: "])
def test_nothing_named(text: str) -> None:
    """One sentence."""
    with pytest.raises(KbError, match="nothing to look for"):
        marker(text)


@pytest.mark.parametrize("text", ["num_threads", "nixl::W::go"])
def test_no_kind(text: str) -> None:
    """A name alone may be any: the kinds are said, and an example."""
    with pytest.raises(KbError, match="one of symbol:NAME, string:NAME, option:NAME, env:NAME") as told:
        marker(text)
    assert told.value.hint == f"for example option:{text}"


def test_in_words(index: Index) -> None:
    """Ranges as a record states them; of a stripped library absence alone says little."""
    told = "\n".join(shown(sought([marker("symbol:go_away")], of(), index, ">=1.0,<=1.3"), page()))
    assert "symbol go_away in dist (sdist, 4 opened): seen in none" in told
    assert "stripped" in told
    assert "stripped" not in "\n".join(shown(sought([marker("option:deep")], of(), index, ">=1.0,<=1.3"), page()))
