"""A base to a site: gather, render, write. What has not changed since the last build is not rendered again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from kb.collector import patient_collector
from kb.errors import BadConfig
from kb.library import Library
from kb.site import address, pages, records
from kb.site.attached import attached
from kb.site.census import Census, after, taken
from kb.site.feed import feed
from kb.site.gather import Gathered, Settings, gather
from kb.site.judged import JUDGED, form, program
from kb.site.links import Broken, Found
from kb.site.making import Files, files, stamps
from kb.site.page import File, Later, Note, Page
from kb.site.pages.listed import NAMES as LISTED
from kb.site.render import STATIC, Renderer
from kb.site.search import SCRIPTS_BOX, STYLES, shards
from kb.site.write import check, write
from kb.store import Head
from kb.store.kept import FILE, Kept, Lost
from kb.vocabulary import Kind
from kb.workspace import Workspace

Progress = Callable[[str, int, int], None]
"""What is going on, how much of it is done, how much there is."""

SITE, LINKS, POSTINGS, OUTCOMES = "site", "links", "postings", "outcomes"
"""Names under which is kept what lies where, names and targets of pages; of the search its blocks and outcomes."""
NAVIGATION = (
    ("evaluations", "evaluations/index.html", "Evaluations"),
    ("questions", "questions/index.html", "Questions"),
    ("components", "components/index.html", "Components"),
    ("changes", "changes/index.html", "Changes"),
    ("deployments", "deployments/index.html", "Deployments"),
    ("reviews", "reviews.html", "Reviews"),
    ("compare", "compare.html", "Compare"),
)


@dataclass(frozen=True)
class Built:
    """What a build made."""

    out: Path
    pages: int
    rendered: int
    """Pages that were not as before."""
    files: int
    bytes: int
    seconds: float
    broken: tuple[Broken, ...]
    external: tuple[str, ...]
    unread: tuple[str, ...]
    """Records that cannot be read, and are not on the site."""

    def as_dict(self) -> dict[str, Any]:
        """The keys of cli.md, and what else was counted."""
        return {
            "out": str(self.out),
            "pages": self.pages,
            "rendered": self.rendered,
            "files": self.files,
            "bytes": self.bytes,
            "seconds": round(self.seconds, 3),
            "broken_links": [each._asdict() for each in self.broken],
            "external_links": list(self.external),
            "unread": list(self.unread),
        }


def build(workspace: Workspace, out: Path, kept: Path | None = None, tell: Progress | None = None) -> Built:
    """Build the site of a base in a folder. `kept` is where verdicts and digests are kept between builds.

    Raises WriteRefused where the folder holds something else.
    """
    check(out)
    with patient_collector():
        try:
            return _built(workspace, out, Kept(kept, follows), tell)
        except Lost:
            gone = kept is not None and not (kept / FILE).exists()
            return _built(workspace, out, Kept(kept if gone else None, follows), tell)


def follows(name: str) -> str:
    """What is kept follows from the program; of verdicts their keys say from which parts of it, their form aside."""
    return form() if name.startswith(JUDGED) else program()


def _built(workspace: Workspace, out: Path, kept: Kept, tell: Progress | None) -> Built:
    began = perf_counter()
    library = records.library(workspace.config, kept)
    beside = attached(workspace.config, library)
    gathered = gather(library, settings(workspace), kept, _symbols(workspace), tell, beside, out)
    _ = gathered.measured, gathered.packed_briefs  # here, for both processes and to be kept
    kept.save()  # judging takes long: whatever comes between, it is done
    before = _before(kept, out)
    renderer = Renderer(shared(gathered))
    found = files(_every(gathered, workspace), renderer, before, out, tell or _silent, partial(_noted, kept=kept))
    size = write(out, found.fresh, found.same)
    _keep(found.notes, kept, dict.fromkeys(LISTED, gathered.keys.evaluations.values()))
    census = _census(found, before, kept)
    paths = [*found.fresh, *found.same]
    state = {"pages": found.pages, "later": found.later, "files": sorted(paths), "census": census.as_row()}
    kept.put(SITE, str(out.resolve()), {**state, "stamps": stamps(out, paths)})
    kept.only(SITE, [str(out.resolve())])
    kept.save()
    return Built(
        out,
        len(found.pages),
        len(found.found),
        len(paths),
        size,
        perf_counter() - began,
        census.broken,
        census.external,
        tuple(sorted({each.path for each in library.findings})),
    )


def _census(found: Files, before: Mapping[str, Any], kept: Kept) -> Census:
    """Who points at what, and what of it leads nowhere."""
    old = {
        path: _links(path, kept) for path in before.get("pages", ()) if path in found.found or path not in found.pages
    }
    for path, page in found.found.items():
        kept.put(LINKS, path, [page.names, page.targets])
    kept.only(LINKS, found.pages)
    there = frozenset([*found.fresh, *found.same])

    def known(path: str) -> Found | None:
        return found.found.get(path) or (_links(path, kept) if path in found.pages else None)

    def whole() -> dict[str, Found]:
        return {path: page for path in found.pages if (page := known(path))}

    if not before:
        return taken(found.found, there)
    lost = set(before["files"]) - there
    return after(Census.of(before["census"]), old, found.found, there, lost, known, whole)


def _links(path: str, kept: Kept) -> Found:
    """Names and targets of a page, as they were when it was rendered."""
    if path not in kept.digests(LINKS):
        kept.discard()
        raise Lost(path)
    names, targets = kept.value(LINKS, path)
    return Found(tuple(names), tuple(targets))


def _silent(_what: str, _done: int, _all: int) -> None:
    return


def _every(gathered: Gathered, workspace: Workspace) -> Iterator[Page | File | Later]:
    """Everything on the site; what takes longest first, so that two processors end together."""
    yield Later("search", gathered.keys.everything, partial(_search, gathered, workspace), heavy=True)
    yield from pages.every(gathered)
    yield feed(gathered)
    for path in sorted(STATIC.iterdir()):
        yield File(f"static/{path.name}", path.read_bytes())


def _search(gathered: Gathered, workspace: Workspace) -> Iterator[File | Note]:
    known_outcomes = gathered.answers in gathered.kept.digests(OUTCOMES)
    outcomes = gathered.kept.value(OUTCOMES, gathered.answers) if known_outcomes else gathered.outcomes()
    yield Note(OUTCOMES, gathered.answers, outcomes)
    notes: dict[str, Note] = {}

    def known(digest: str, make: Callable[[], list[Any]]) -> list[Any]:
        if digest in gathered.kept.digests(POSTINGS):
            notes[digest] = Note(POSTINGS, digest, None)
            return list(gathered.kept.value(POSTINGS, digest))
        notes[digest] = Note(POSTINGS, digest, made := make())
        return made

    for path, content in shards(workspace.store, _address, outcomes, known).items():
        yield File(path, content)
    yield from notes.values()


def _address(head: Head) -> str:
    """The page of a document, translations in their own language's folder."""
    translated = head.path.count(".") > 1 and head.path.endswith(f".{head.lang}.md")
    return address.page(Kind(head.kind), head.id, head.lang if translated else None)


def shared(gathered: Gathered) -> dict[str, Any]:
    """What every page is given."""
    site = {
        "title": gathered.settings.title,
        "url": gathered.settings.url,
        "day": gathered.today,
        "nav": NAVIGATION,
        "scripts": list(SCRIPTS_BOX),
        "styles": [*STYLES, "charts.css"],
    }
    return {"site": site, "program": program()}


def settings(workspace: Workspace) -> Settings:
    """[site] of kb.toml. Raises BadConfig."""
    table = workspace.config.site
    for key, value in table.items():
        if key not in Settings._fields or not isinstance(value, str):
            raise BadConfig(f"[site] has no text called {key}", f"it takes {', '.join(Settings._fields)}")
    url = table.get("url", "")
    if url and not url.startswith(("https://", "http://")):
        raise BadConfig(f"[site] url is no web address: {url}", 'write url = "https://..."')
    title = table.get("title", "").strip() or Settings().title
    return Settings(title, f"{url.rstrip('/')}/" if url else "")


def _symbols(workspace: Workspace) -> str:
    """Sizes and times of the tables of symbols, which verdicts follow from, too."""
    files = [path for base in workspace.config.bases for path in (base.entries / "components").glob("*.symbols.tsv")]
    return str(sorted((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files))


def _noted(notes: Iterable[Note], kept: Kept) -> None:
    for each in notes:
        if each.value is not None:
            kept.put(each.name, each.key, each.value)


def _keep(notes: Iterable[Note], kept: Kept, needed: Mapping[str, Iterable[str]]) -> None:
    """Of each name what is noted stays, and nothing else, unless it is said what is needed."""
    used: dict[str, set[str]] = {name: set(keys) for name, keys in needed.items()}
    for each in notes:
        used.setdefault(each.name, set()).add(each.key)
    for name, keys in used.items():
        kept.only(name, keys)


def _before(kept: Kept, out: Path) -> dict[str, Any]:
    """What the last build kept; nothing when it went elsewhere."""
    place = str(out.resolve())
    return dict(kept.value(SITE, place)) if place in kept.digests(SITE) else {}


__all__ = ["Built", "Library", "build"]
