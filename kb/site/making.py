"""Pages to files, on two processors where that is worth it; what follows from the same as last time is not made again.

Making is pure, so which process makes a page, and in which order, decides no byte.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from kb.processes import forks, in_order
from kb.site import links
from kb.site.page import File, Later, Note, Page
from kb.site.render import Renderer

ENOUGH = 60
"""Pieces of work from which on a second processor is worth its start."""
FEW = 4
"""Pieces that note something up to which nothing waits for them."""


class Made(NamedTuple):
    """A file that was made."""

    path: str
    content: bytes | Path | None
    """None where the file stays as it lies."""
    key: str | None = None
    """Of a page, what it follows from."""
    found: links.Found | None = None
    """Of a page that was rendered, its names and targets."""


class Work(NamedTuple):
    """A page, or what is made later, to be made."""

    make: Callable[[], list[Made | Note]]
    name: str = ""
    """Of what is made later."""
    key: str = ""
    heavy: bool = False
    first: bool = False


@dataclass
class Files:
    """The files of a site: those with new content, those that stay, and what the next build needs to know of them."""

    fresh: dict[str, bytes | Path] = field(default_factory=dict)
    same: list[str] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    """Page -> its key."""
    found: dict[str, links.Found] = field(default_factory=dict)
    """Page that was rendered -> names and targets."""
    notes: list[Note] = field(default_factory=list)
    later: dict[str, list[Any]] = field(default_factory=dict)
    """Name of what was made later -> its key and paths."""


Progress = Callable[[str, int, int], None]


def files(
    made: Iterable[Page | File | Later],
    renderer: Renderer,
    before: Mapping[str, Any],
    out: Path,
    tell: Progress,
    note: Callable[[Iterable[Note]], None],
) -> Files:
    """Every file. `before` is what the last build that went to `out` kept: `pages` and `later` of its Files, and
    `stamps` of what it wrote. What pages note is given to `note` before those are made that read it.
    """
    found = Files()
    work: list[Work] = []
    pages, kept, lying = (before.get(name, {}) for name in ("pages", "later", "stamps"))

    def as_before(path: str, key: str) -> bool:
        """Whether a page lies there as the same values made it."""
        return _stays(pages.get(path), key, [path], out, lying)

    for each in made:
        if isinstance(each, File):
            found.fresh[each.path] = each.content
        elif isinstance(each, Page):
            key = renderer.key(each)
            if as_before(each.path, key):
                found.same.append(each.path)
                found.pages[each.path] = key
            else:
                work.append(Work(partial(_page, each, key, renderer)))
        else:
            key = renderer.whole(each.key)
            was, paths = kept.get(each.name, (None, []))
            if _stays(was, key, paths, out, lying):
                found.same += paths
                found.pages |= {path: pages[path] for path in paths if path in pages}
                found.later[each.name] = [was, paths]
            else:
                work.append(Work(partial(_later, each, renderer, as_before), each.name, key, each.heavy, each.first))
    number = 0
    for part in _parts(work):
        for piece, each_done in zip(part, _done(part), strict=True):
            notes = [each for each in each_done if isinstance(each, Note)]
            note(notes)
            found.notes += [each._replace(value=None) for each in notes]
            done = [each for each in each_done if isinstance(each, Made)]
            found.fresh |= {each.path: each.content for each in done if each.content is not None}
            found.same += [each.path for each in done if each.content is None]
            found.pages |= {each.path: each.key for each in done if each.key is not None}
            found.found |= {each.path: each.found for each in done if each.found is not None}
            if piece.name:
                found.later[piece.name] = [piece.key, [each.path for each in done]]
            number += 1
            tell("rendering", number, len(work))
    return found


def _parts(work: list[Work]) -> tuple[list[Work], ...]:
    """What is made first, and what may read its notes, of this heavy pieces first: two processors then end together.
    What few would note whoever reads it works out again sooner than it waits for them."""
    first = [each for each in work if each.first]
    heavy = [each for each in work if each.heavy and not each.first]
    rest = [each for each in work if not each.heavy and not each.first]
    return ([*heavy, *first, *rest],) if len(first) <= FEW else (first, [*heavy, *rest])


def stamps(out: Path, paths: Iterable[str]) -> dict[str, list[int]]:
    """Path -> size and time of a file as it lies there now; a file that is gone has none."""
    return {path: found for path in paths if (found := _stamp(f"{out}/{path}"))}


def _stamp(path: str) -> list[int] | None:
    try:
        found = os.lstat(path)  # a Path takes longer to make than this
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns] if stat.S_ISREG(found.st_mode) else None


def _stays(was: str | None, key: str, paths: Iterable[str], out: Path, known: Mapping[str, list[int]]) -> bool:
    """Whether what was made of the same lies there still; what was cut off or written over since does not."""
    return was == key and all((now := _stamp(f"{out}/{path}")) and now == known.get(path) for path in paths)


def _page(page: Page, key: str, renderer: Renderer) -> list[Made | Note]:
    content = renderer.render(page)
    return [Made(page.path, content, key, links.read(content))]


def _later(later: Later, renderer: Renderer, as_before: Callable[[str, str], bool]) -> list[Made | Note]:
    made: list[Made | Note] = []
    for each in later.make():
        if isinstance(each, File | Note):
            made.append(Made(each.path, each.content) if isinstance(each, File) else each)
            continue
        key = "" if later.alone else renderer.key(each)
        made += [Made(each.path, None, key)] if key and as_before(each.path, key) else _page(each, key, renderer)
    return made


def _done(work: list[Work]) -> Iterator[list[Made | Note]]:
    """The work done, in its order."""
    shared = len(work) >= ENOUGH or (len(work) > 1 and any(each.heavy for each in work))
    if shared and forks():
        return in_order(_make, work, 8 if len(work) >= ENOUGH else 1)
    return map(_make, work)


def _make(work: Work) -> list[Made | Note]:
    return work.make()
