"""A base to a site: gather, render, write. What has not changed since the last build is not rendered again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
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
from kb.site.page import Page
from kb.site.render import STATIC, Renderer
from kb.site.search import SCRIPTS_BOX, STYLES, shards
from kb.site.write import check, write
from kb.store import Head
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
    library = open_library(workspace.config)
    beside = attached(workspace.config, library)
    gathered = gather(library, settings(workspace), kept, _symbols(workspace), tell, beside)
    fresh, same, state = _files(gathered, workspace, out, kept, tell or (lambda _what, _done, _all: None))
    size = write(out, fresh, same)
    _keep(kept, state)
    found = {path: links.Found(*map(tuple, row[1:])) for path, row in state["pages"].items()}
    return Built(
        out,
        len(found),
        sum(path in found for path in fresh),
        len(fresh) + len(same),
        size,
        perf_counter() - began,
        tuple(links.broken(found, [*fresh, *same])),
        tuple(links.external(found)),
        tuple(sorted({each.path for each in library.findings})),
    )


State = dict[str, Any]


def _files(
    gathered: Gathered, workspace: Workspace, out: Path, kept: Path | None, tell: Progress
) -> tuple[dict[str, bytes | Path], list[str], State]:
    """Files to write, files that stay, and what the next build needs to know of them."""
    before = _before(kept, out)
    renderer = Renderer(shared(gathered))
    made = list(pages.every(gathered))
    fresh: dict[str, bytes | Path] = {}
    same: list[str] = []
    known: dict[str, list[Any]] = {}
    for done, each in enumerate(made, 1):
        if not isinstance(each, Page):
            fresh[each.path] = each.content
            continue
        key = renderer.key(each)
        row = before.get(each.path)
        if row and row[0] == key and (out / each.path).is_file():
            same.append(each.path)
            known[each.path] = row
        else:
            content = fresh[each.path] = renderer.render(each)
            found = links.read(content)
            known[each.path] = [key, list(found.names), list(found.targets)]
        tell("rendering", done, len(made))
    fresh["feed.xml"] = feed(gathered).content
    for path in sorted(STATIC.iterdir()):
        fresh[f"static/{path.name}"] = path.read_bytes()
    tell("indexing", 0, 1)
    outcomes = {id_: gathered.counts(verdicts) for id_, verdicts in gathered.own.items()}
    fresh |= shards(workspace.store, address=_address, outcomes=outcomes)
    tell("indexing", 1, 1)
    return fresh, same, {"out": str(out.resolve()), "pages": known}


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


def _before(kept: Path | None, out: Path) -> dict[str, list[Any]]:
    """Pages of the last build by path: key, names, targets; none when it went elsewhere."""
    if kept is None:
        return {}
    try:
        state = json.loads(_state_file(kept).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = state.get("pages") if isinstance(state, dict) and state.get("out") == str(out.resolve()) else None
    return found if isinstance(found, dict) else {}


def _keep(kept: Path | None, state: State) -> None:
    if kept is not None:
        try:
            write_text(_state_file(kept), json.dumps(state, ensure_ascii=False))
        except OSError:
            return  # a base that cannot be written to is rendered anew each time


__all__ = ["Built", "Library", "build"]
