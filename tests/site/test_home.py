"""The first page: what a base has measured itself before what it mounts, and releases that lead somewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kb.config import read
from kb.library import open_library
from kb.site.gather import gather
from kb.site.page import Page
from kb.site.pages.home import pages
from tests.site.building import Elements, built, changed, copied, files

OWN = "orbit-push-vs-pull"


def _values(base: Path) -> dict[str, Any]:
    [later] = pages(gather(open_library(read(base))))
    [page] = later.make()
    assert isinstance(page, Page)
    return dict(page.values)


def _mounting(folder: Path, own: str | None = OWN) -> Path:
    """A base with one evaluation of its own and all others of another base."""
    mounted, base = copied(folder / "mounted"), copied(folder / "base")
    (base / "kb.toml").write_text(f'[base]\nmounts = ["{mounted}"]\n', encoding="utf-8")
    for each in (base / "entries/evaluations").glob("*.md"):
        if own is None or not each.name.startswith(own):
            each.unlink()
    return base


def test_what_a_base_has_measured_itself_stands_apart(tmp_path: Path) -> None:
    values = _values(_mounting(tmp_path))
    assert [row["link"]["id"] for row in values["own"]["rows"]] == [OWN]
    assert values["own"]["tally"]["total"] < values["tally"]["total"]
    others = [row["link"]["id"] for row in values["newest"]]
    assert others
    assert OWN not in others


def test_a_base_that_mounts_none_or_has_none_tells_nothing_apart(tmp_path: Path) -> None:
    for base in (copied(tmp_path / "alone"), _mounting(tmp_path / "none", None)):
        values = _values(base)
        assert values["own"] is None
        assert OWN in [row["link"]["id"] for row in values["newest"]]


def test_an_own_evaluation_that_changes_shows_on_the_first_page(tmp_path: Path) -> None:
    base, out, kept = _mounting(tmp_path), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    assert "Measured here" in Elements((out / "index.html").read_bytes()).text
    changed(base, f"evaluations/{OWN}.md", lambda text: text.replace("\ntitle: ", "\ntitle: Again, ", 1))
    built(base, out, kept)
    assert "Again, " in Elements((out / "index.html").read_bytes()).text
    built(base, tmp_path / "fresh")
    assert files(out) == files(tmp_path / "fresh")


def test_a_release_leads_to_the_component_that_ships_in_it(tmp_path: Path) -> None:
    """A distribution may have another name than its component."""
    base = copied(tmp_path / "base")
    for each in (base / "entries").rglob("*.*"):
        if each.suffix in {".md", ".yaml"}:
            renamed = each.read_text(encoding="utf-8").replace("ships_in: orbit\n", "ships_in: py-orbit\n")
            each.write_text(renamed.replace("distribution: orbit,", "distribution: py-orbit,"), encoding="utf-8")
    links = {each["link"]["text"]: each["link"]["href"] for each in _values(base)["releases"]}
    assert links["py-orbit"] == "components/orbit/index.html"
