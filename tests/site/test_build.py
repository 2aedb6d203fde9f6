"""A base becomes a site: the same bytes each time, only what changed made anew, nothing of others replaced."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kb.config import read
from kb.errors import BadConfig, WriteRefused
from kb.library import open_library
from kb.site.render import POLICY
from kb.translation import digest
from tests.cli.running import kb
from tests.site.building import Elements, built, changed, copied, files

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("site")
    done = built(copied(folder / "base"), folder / "out")
    assert done.broken == ()
    return files(folder / "out")


def pages(site: dict[str, bytes]) -> dict[str, bytes]:
    return {path: content for path, content in site.items() if path.endswith(".html")}


def test_same_base_same_bytes(site: dict[str, bytes], tmp_path: Path) -> None:
    """Two builds of one base in two folders are the same, byte for byte."""
    built(copied(tmp_path / "elsewhere"), tmp_path / "out")
    assert files(tmp_path / "out") == site


def test_every_record_has_a_page_and_a_twin(site: dict[str, bytes]) -> None:
    """Evaluations, changes, components and deployments; a twin holds the record and its verdicts."""
    for folder in (
        "evaluations/orbit-one-arm",
        "changes/orbit-5-log-lines",
        "components/orbit",
        "deployments/our-cluster",
    ):
        assert f"{folder}/index.html" in site
        assert json.loads(site[f"{folder}/record.json"])["id"] == folder.rpartition("/")[2]
    twin = json.loads(site["evaluations/orbit-push-vs-pull/record.json"])
    assert {each["claim"] for each in twin["verdicts"]} == {each["id"] for each in twin["claims"]}
    assert {"outcome", "findings", "checked", "covers", "candidates"} <= set(twin["verdicts"][0])


def test_a_page_says_what_the_audit_says(site: dict[str, bytes], tmp_path: Path) -> None:
    """The outcome beside a claim is that of `kb audit`."""
    base = copied(tmp_path / "base")
    audited = json.loads(kb("audit", "--json", cwd=base).out)["verdicts"]
    for verdict in audited:
        twin = json.loads(site[f"evaluations/{verdict['evaluation']}/record.json"])
        found = next(each for each in twin["verdicts"] if each["claim"] == verdict["claim"])
        assert found["outcome"] == verdict["outcome"]
        page = Elements(site[f"evaluations/{verdict['evaluation']}/index.html"])
        claim = next(
            each for tag, each in page.found if tag == "article" and each.get("id") == f"claim-{verdict['claim']}"
        )
        assert f"edge-{verdict['outcome']}" in claim["class"].split()


def test_kinds_of_claims_are_apart(site: dict[str, bytes]) -> None:
    """Measured, mechanism and hypothesis have a section each, and every claim lies in that of its kind."""
    record = json.loads(site["evaluations/orbit-push-vs-pull/record.json"])
    text = site["evaluations/orbit-push-vs-pull/index.html"].decode()
    for kind in {each["kind"] for each in record["claims"]}:
        section = text.partition(f'id="claims-{kind}"')[2].partition("</section>")[0]
        for claim in record["claims"]:
            assert (f'id="claim-{claim["id"]}"' in section) == (claim["kind"] == kind)


def test_nothing_inline_and_nothing_from_elsewhere(site: dict[str, bytes]) -> None:
    """Every page has the policy, and needs no exception from it: no inline script, style or handler, no other host."""
    for path, content in pages(site).items():
        page = Elements(content)
        policy = [each["content"] for each in page.named("meta") if each.get("http-equiv") == "Content-Security-Policy"]
        assert policy == [POLICY], path
        assert not page.named("style"), path
        assert all("src" in each for each in page.named("script")), path
        for tag, attributes in page.found:
            assert not any(name.startswith("on") or name == "style" for name in attributes), (path, tag)
        loaded = [each.get("src", "") for each in (*page.named("script"), *page.named("img"))]
        loaded += [each["href"] for each in page.named("link") if each["rel"] in {"stylesheet", "icon"}]
        assert not [each for each in loaded if "//" in each], path


def test_pages_name_their_language_and_others(site: dict[str, bytes]) -> None:
    """A translation has its own page; both name each other, and what stays in the original's language says so."""
    page = Elements(site["evaluations/orbit-push-vs-pull/ja/index.html"])
    assert page.named("html")[0]["lang"] == "ja"
    others = {each["hreflang"] for each in page.named("link") if "hreflang" in each}
    assert others == {"en", "ja", "pt"}
    assert any(each.get("lang") == "en" for _, each in page.found)
    assert not [
        each for each in Elements(site["evaluations/orbit-one-arm/index.html"]).named("link") if "hreflang" in each
    ]


def test_a_translation_that_is_behind_says_so(tmp_path: Path) -> None:
    """One whose original has changed since; one that is level says nothing."""
    base = copied(tmp_path / "base")
    of = digest(open_library(read(base)).evaluations["orbit-push-vs-pull"])
    changed(base, "evaluations/orbit-push-vs-pull.ja.md", lambda text: text.replace("title:", f"of: {of}\ntitle:", 1))
    built(base, tmp_path / "before")
    page = "evaluations/orbit-push-vs-pull/ja/index.html"
    assert "note warn" not in [each.get("class") for _, each in Elements(files(tmp_path / "before")[page]).found]
    changed(base, "evaluations/orbit-push-vs-pull.md", lambda text: text.replace("title: ", "title: Newer ", 1))
    built(base, tmp_path / "after")
    assert "note warn" in [each.get("class") for _, each in Elements(files(tmp_path / "after")[page]).found]


def test_an_alias_leads_to_its_record(tmp_path: Path) -> None:
    """By refresh and by link; an alias that is no folder's name, or another record's id, leads nowhere."""
    base = copied(tmp_path / "base")
    aliases = "aliases: [old-name, ../../escape, 'with blank', orbit-one-arm]\n"
    changed(base, "evaluations/orbit-reader-thread.md", lambda text: text.replace("title:", f"{aliases}title:", 1))
    done = built(base, tmp_path / "out")
    site = files(tmp_path / "out")
    page = Elements(site["evaluations/old-name/index.html"])
    assert "0; url=../../evaluations/orbit-reader-thread/index.html" in [
        each.get("content") for each in page.named("meta")
    ]
    assert page.named("a")[0]["href"] == "../../evaluations/orbit-reader-thread/index.html"
    assert b'http-equiv="refresh"' not in site["evaluations/orbit-one-arm/index.html"]
    assert not [path for path in site if "escape" in path or "with blank" in path]
    assert not (tmp_path / "escape").exists()
    assert done.broken == ()


def test_feed_is_atom_with_days_of_records(site: dict[str, bytes]) -> None:
    """Well-formed, every entry with an id of its own and the day of its record; nothing of today."""
    feed = ElementTree.fromstring(site["feed.xml"])
    entries = feed.findall(f"{ATOM}entry")
    ids = [each.findtext(f"{ATOM}id") for each in entries]
    assert len(ids) == len(set(ids)) > 3
    assert feed.findtext(f"{ATOM}updated") == max(str(each.findtext(f"{ATOM}updated")) for each in entries)


def test_feed_has_changes_of_outcome_by_claim_and_release(tmp_path: Path) -> None:
    """Dated by the release at which the outcome first differs; a further release at which a claim's outcome stays adds
    none for it and leaves the others as they were."""
    base = copied(tmp_path / "base")
    changed(
        base,
        "evaluations/orbit-push-vs-pull.md",
        lambda text: text.replace("tether, version: unknown", "tether, version: 0.5.0"),
    )
    built(base, tmp_path / "before")
    before = outcomes_in(files(tmp_path / "before")["feed.xml"])
    turned = [each for name, each in before.items() if name.endswith("orbit-push-vs-pull/heavy-load/orbit/1.2.0")]
    assert [day for day, _, _ in turned] == ["2030-05-10T00:00:00Z"]
    assert "at orbit 1.2.0" in turned[0][1]
    assert turned[0][2] == "evaluations/orbit-push-vs-pull/index.html#claim-heavy-load"
    more = '  - {version: "1.3.0", date: 2030-06-10}\n'
    changed(base, "components/orbit.yaml", lambda text: text + more)
    changed(
        base,
        "changes/orbit-7-reader-thread.md",
        lambda text: text.replace("checked: [1.2.0]", "checked: [1.2.0, 1.3.0]"),
    )
    built(base, tmp_path / "after")
    after = outcomes_in(files(tmp_path / "after")["feed.xml"])
    assert not [name for name in after if name.endswith("heavy-load/orbit/1.3.0")]
    assert before.items() <= after.items()


def outcomes_in(feed: bytes) -> dict[str, tuple[str, str, str]]:
    """Id -> day, title, address of the entries on outcomes."""
    found = {}
    for each in ElementTree.fromstring(feed).findall(f"{ATOM}entry"):
        category, link = each.find(f"{ATOM}category"), each.find(f"{ATOM}link")
        assert category is not None
        assert link is not None
        if category.get("term") == "outcome":
            said = [str(each.findtext(f"{ATOM}{name}")) for name in ("id", "updated", "title")]
            found[said[0]] = (said[1], said[2], str(link.get("href")))
    return found


def test_without_scripts_everything_is_there(site: dict[str, bytes]) -> None:
    """Claims, reasons, numbers and relations are in the page itself; search and compare say what they need."""
    text = Elements(site["evaluations/orbit-push-vs-pull/index.html"]).text
    for claim in json.loads(site["evaluations/orbit-push-vs-pull/record.json"])["claims"]:
        assert " ".join(claim["says"].split()) in " ".join(text.split())
    assert b"<noscript>" in site["compare.html"]
    assert b"<noscript>" in site["search.html"]


def test_only_what_depends_on_a_change_is_rendered(tmp_path: Path) -> None:
    """Nothing changed: nothing is rendered. One title changed: its page and those that name it; the bytes are those
    of a build from nothing."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    first = built(base, out, kept)
    assert first.rendered == first.pages
    assert built(base, out, kept).rendered == 0
    changed(base, "changes/orbit-5-log-lines.md", lambda text: text.replace("title: ", "title: Renamed ", 1))
    again = built(base, out, kept)
    assert 0 < again.rendered < first.pages / 2
    built(base, tmp_path / "fresh")
    assert files(out) == files(tmp_path / "fresh")


def test_a_record_that_goes_takes_its_page_along(tmp_path: Path) -> None:
    """No page stays of what is no longer there."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    (base / "entries/changes/orbit-5-log-lines.md").unlink()
    built(base, out, kept)
    assert not [path for path in files(out) if path.startswith("changes/orbit-5-log-lines/")]


def test_verdicts_are_not_kept_too_long(tmp_path: Path) -> None:
    """A change that comes in speaks on the next build, whatever was kept."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    for each in (base / "entries/changes").iterdir():
        each.unlink()
    built(base, out, kept)
    built(base, tmp_path / "fresh")
    assert files(out) == files(tmp_path / "fresh")


@pytest.mark.parametrize("name", ["notes.txt", "index.html"])
def test_a_folder_of_others_is_not_replaced(tmp_path: Path, name: str) -> None:
    """What holds anything but a site of ours is refused, and stays as it is."""
    base, out = copied(tmp_path / "base"), tmp_path / "out"
    out.mkdir()
    (out / name).write_text("mine")
    with pytest.raises(WriteRefused):
        built(base, out)
    assert files(out) == {name: b"mine"}


def test_nothing_is_left_aside(tmp_path: Path) -> None:
    """After a build, and after one that replaces it, only the site is there."""
    base = copied(tmp_path / "base")
    for _ in range(2):
        built(base, tmp_path / "sites" / "out")
    assert [each.name for each in (tmp_path / "sites").iterdir()] == ["out"]


def test_addresses_are_whole_where_the_site_has_one(tmp_path: Path) -> None:
    """kb.toml may name the address; canonical links and the feed use it, links between pages do not."""
    base = copied(tmp_path / "base")
    with (base / "kb.toml").open("a") as file:
        file.write('[site]\ntitle = "Ours"\nurl = "https://example.org/kb"\n')
    built(base, tmp_path / "out")
    page = Elements(files(tmp_path / "out")["components/orbit/index.html"])
    canonical = [each["href"] for each in page.named("link") if each["rel"] == "canonical"]
    assert canonical == ["https://example.org/kb/components/orbit/index.html"]
    assert not [each for each in page.named("a") if each.get("href", "").startswith("https://example.org/kb")]
    assert b"https://example.org/kb/evaluations/" in files(tmp_path / "out")["feed.xml"]


@pytest.mark.parametrize("line", ['url = "ftp://x"', "title = 3", 'colour = "red"'])
def test_bad_settings_are_refused(tmp_path: Path, line: str) -> None:
    """[site] takes a title and a web address."""
    base = copied(tmp_path / "base")
    with (base / "kb.toml").open("a") as file:
        file.write(f"[site]\n{line}\n")
    with pytest.raises(BadConfig):
        built(base, tmp_path / "out")


def test_command(tmp_path: Path) -> None:
    """`kb site build --json` has the promised keys; a broken link makes it end with 1 and is named."""
    base = copied(tmp_path / "base")
    ran = kb("site", "build", "--json", cwd=base)
    done = json.loads(ran.out)
    assert ran.code == 0
    assert {"pages", "seconds", "bytes", "broken_links"} <= set(done)
    assert (base / "site" / "index.html").is_file()
    changed(base, "evaluations/orbit-one-arm.md", lambda text: f"{text}\n[gone](no-such-thing.md)\n")
    ran = kb("site", "build", "--json", cwd=base)
    assert ran.code == 1
    assert [each["href"] for each in json.loads(ran.out)["broken_links"]] == ["no-such-thing.md"]


def test_what_to_open_is_said(tmp_path: Path) -> None:
    """The page to open stands there to be copied; a script that asked for quiet, or for JSON, is not told."""
    base = copied(tmp_path / "base")
    assert f"open {base / 'site' / 'index.html'} in a browser" in kb("site", "build", cwd=base).err
    assert "open" not in kb("site", "build", "--quiet", cwd=base).err + kb("site", "build", "--json", cwd=base).err


def test_a_folder_that_cannot_be_written_names_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A base may be read-only; its site goes elsewhere."""

    def refused(*_: object) -> None:
        raise PermissionError(13, "permission denied")

    base = copied(tmp_path / "base")
    monkeypatch.setattr("kb.site.build.build", refused)
    ran = kb("site", "build", cwd=base)
    assert ran.code == 2
    assert "cannot be written" in ran.err
    assert "--out DIR" in ran.err


def test_download_is_the_whole_base(site: dict[str, bytes], tmp_path: Path) -> None:
    """kb.sqlite holds every record."""
    (tmp_path / "kb.sqlite").write_bytes(site["kb.sqlite"])
    with sqlite3.connect(tmp_path / "kb.sqlite") as connection:
        ids = {row[0] for row in connection.execute("select id from records")}
    assert {"orbit-push-vs-pull", "orbit-5-log-lines", "tether", "our-cluster"} <= ids


def test_a_component_names_the_claims_that_rest_on_it(site: dict[str, bytes]) -> None:
    """Those of which an arm that counts runs it; none of an arm that does not."""
    page = Elements(site["components/orbit-push/index.html"])
    named = {each["href"].partition("#")[2] for each in page.named("a") if "#claim-" in each.get("href", "")}
    assert {"claim-heavy-load", "claim-best-case"} <= named
    assert "claim-bound" not in named  # of an evaluation that runs pull alone
    assert "claim-bound" in site["components/orbit-pull/index.html"].decode()


def test_a_change_that_may_speak_is_not_said_to_speak(tmp_path: Path) -> None:
    """Where a guard cannot be answered the claim is counted apart, on the change's page and in lists."""
    base = copied(tmp_path / "base")
    guard = "  - {key: precision, op: is, value: fp8, why: only quantised}\n"
    changed(base, "changes/orbit-7-reader-thread.md", lambda text: text.replace("guards:\n", f"guards:\n{guard}"))
    built(base, tmp_path / "out")
    page = Elements(files(tmp_path / "out")["changes/orbit-7-reader-thread/index.html"])
    ids = [each["id"] for each in page.named("section") if "id" in each]
    assert "open" in ids
    assert "touched" not in ids
    assert "0 claims in 0 evaluations at the newest known releases; against" in " ".join(page.text.split())
