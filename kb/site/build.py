"""A base to a site: gather, render, write. What has not changed since the last build is not rendered again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from kb.errors import BadConfig
from kb.files import write_text
from kb.library import Library, open_library
from kb.site import address, links, pages
from kb.site.attached import attached
from kb.site.feed import feed
from kb.site.gather import Gathered, Settings, gather
from kb.site.judged import program
from kb.site.making import files, stamps
from kb.site.page import File, Later, Page
from kb.site.render import STATIC, Renderer
from kb.site.search import SCRIPTS_BOX, STYLES, shards
from kb.site.write import check, write
from kb.store import Head
from kb.sync import patient_collector
from kb.vocabulary import Kind
from kb.workspace import Workspace

Progress = Callable[[str, int, int], None]
"""What is going on, how much of it is done, how much there is."""

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
    broken: tuple[links.Broken, ...]
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
    began = perf_counter()
    check(out)
    with patient_collector():
        library = open_library(workspace.config)
        beside = attached(workspace.config, library)
        gathered = gather(library, settings(workspace), kept, _symbols(workspace), tell, beside)
        found = files(_every(gathered, workspace), Renderer(shared(gathered)), _before(kept, out), out, tell or _silent)
        size = write(out, found.fresh, found.same)
        lying = stamps(out, [*found.pages, *(path for _, paths in found.later.values() for path in paths)])
        _keep(kept, {"out": str(out.resolve()), "pages": found.pages, "later": found.later, "stamps": lying})
        names = {path: links.Found(*map(tuple, row[1:])) for path, row in found.pages.items()}
        return Built(
            out,
            len(names),
            sum(path in names for path in found.fresh),
            len(found.fresh) + len(found.same),
            size,
            perf_counter() - began,
            tuple(links.broken(names, [*found.fresh, *found.same])),
            tuple(links.external(names)),
            tuple(sorted({each.path for each in library.findings})),
        )


def _silent(_what: str, _done: int, _all: int) -> None:
    return


def _every(gathered: Gathered, workspace: Workspace) -> Iterator[Page | File | Later]:
    """Everything on the site; what takes longest first, so that two processors end together."""
    yield Later("search", gathered.everything, partial(_search, gathered, workspace))
    yield from pages.every(gathered)
    yield feed(gathered)
    for path in sorted(STATIC.iterdir()):
        yield File(f"static/{path.name}", path.read_bytes())


def _search(gathered: Gathered, workspace: Workspace) -> Iterator[File]:
    counts = {id_: gathered.counts(verdicts) for id_, verdicts in gathered.own.items()}
    outcomes = {id_: {name: number for name, number in each.items() if number} for id_, each in counts.items()}
    for path, content in shards(workspace.store, address=_address, outcomes=outcomes).items():
        yield File(path, content)


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


# Between builds


def _state_file(kept: Path) -> Path:
    return kept / "pages.json"


def _before(kept: Path | None, out: Path) -> dict[str, Any]:
    """What the last build kept; nothing when it went elsewhere."""
    if kept is None:
        return {}
    try:
        state = json.loads(_state_file(kept).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) and state.get("out") == str(out.resolve()) else {}


def _keep(kept: Path | None, state: dict[str, Any]) -> None:
    if kept is not None:
        try:
            write_text(_state_file(kept), json.dumps(state, ensure_ascii=False))
        except OSError:
            return  # a base that cannot be written to is rendered anew each time


__all__ = ["Built", "Library", "build"]
