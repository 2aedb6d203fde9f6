"""Pages to files, on two processors where that is worth it; what follows from the same as last time is not made again.

Making is pure, so which process makes a page, and in which order, decides no byte.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from kb.site import links
from kb.site.page import File, Later, Page
from kb.site.render import Renderer

Row = list[Any]
"""What is kept of a page: its key, the names in it, its targets."""
ENOUGH = 60
"""Pieces of work from which on a second processor is worth its start."""


class Made(NamedTuple):
    """A file that was made."""

    path: str
    content: bytes | Path
    row: Row | None
    """Of a page only."""


@dataclass
class Files:
    """The files of a site: those with new content, those that stay, and what the next build needs to know of them."""

    fresh: dict[str, bytes | Path] = field(default_factory=dict)
    same: list[str] = field(default_factory=list)
    pages: dict[str, Row] = field(default_factory=dict)
    later: dict[str, list[Any]] = field(default_factory=dict)
    """Name of what was made later -> its key and paths."""


Progress = Callable[[str, int, int], None]


def files(
    made: Iterable[Page | File | Later], renderer: Renderer, before: Mapping[str, Any], out: Path, tell: Progress
) -> Files:
    """Every file. `before` is what the last build that went to `out` kept: `pages` and `later` of its Files, and
    `stamps` of what it wrote.
    """
    found = Files()
    work: list[Callable[[], list[Made]]] = []
    laters: dict[int, tuple[str, str]] = {}
    pages, kept, lying = (before.get(name, {}) for name in ("pages", "later", "stamps"))
    for each in made:
        if isinstance(each, File):
            found.fresh[each.path] = each.content
        elif isinstance(each, Page):
            key = renderer.key(each)
            if _stays(pages.get(each.path, [None])[0], key, [each.path], out, lying):
                found.same.append(each.path)
                found.pages[each.path] = pages[each.path]
            else:
                work.append(partial(_page, each, key, renderer))
        else:
            key = renderer.whole(each.key)
            was, paths = kept.get(each.name, (None, []))
            if _stays(was, key, paths, out, lying):
                found.same += paths
                found.pages |= {path: pages[path] for path in paths if path in pages}
                found.later[each.name] = [was, paths]
            else:
                laters[len(work)] = (each.name, key)
                work.append(partial(_later, each, renderer))
    for number, done in enumerate(_done(work)):
        found.fresh |= {each.path: each.content for each in done}
        found.pages |= {each.path: each.row for each in done if each.row is not None}
        if number in laters:
            name, key = laters[number]
            found.later[name] = [key, [each.path for each in done]]
        tell("rendering", number + 1, len(work))
    return found


def stamps(out: Path, paths: Iterable[str]) -> dict[str, list[int]]:
    """Path -> size and time of a file as it lies there now; a file that is gone has none."""
    return {path: found for path in paths if (found := _stamp(out / path))}


def _stamp(path: Path) -> list[int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns] if path.is_file() else None


def _stays(was: str | None, key: str, paths: Iterable[str], out: Path, known: Mapping[str, list[int]]) -> bool:
    """Whether what was made of the same lies there still; what was cut off or written over since does not."""
    return was == key and all((now := _stamp(out / path)) and now == known.get(path) for path in paths)


def _page(page: Page, key: str, renderer: Renderer) -> list[Made]:
    content = renderer.render(page)
    found = links.read(content)
    return [Made(page.path, content, [key, list(found.names), list(found.targets)])]


def _later(later: Later, renderer: Renderer) -> list[Made]:
    made: list[Made] = []
    for each in later.make():
        made += [Made(each.path, each.content, None)] if isinstance(each, File) else _page(each, "", renderer)
    return made


# On two processors

_work: list[Callable[[], list[Made]]] = []
"""What the processes that help were started with; set before they begin, never sent."""


def _done(work: list[Callable[[], list[Made]]]) -> Iterator[list[Made]]:
    """The work done, in its order."""
    global _work
    if len(work) < ENOUGH or threading.active_count() > 1:  # forking beside a running server may never end
        yield from (each() for each in work)
        return
    _work = work
    gc.freeze()  # what is there stays there: the helpers need not copy it to look at it
    try:
        with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
            yield from pool.map(_piece, range(len(work)), chunksize=8)
    finally:
        gc.unfreeze()
        _work = []


def _piece(number: int) -> list[Made]:
    return _work[number]()
