"""`python -m benchmarks site`: the site of a large base with charts: each part, builds after a change, weight of pages.

The base is synthetic (benchmarks.measured) and mounts the shipped one. Parts run one after another in one process and
are told in processor time; whole builds use both processors and are told in wall time, as `kb site build` tells it, the
first from nothing, verdicts included. The same bodies go through MkDocs in the same run, where it is installed
(`pip install -e '.[bench]'`).
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeVar

from benchmarks import measured
from benchmarks.timing import Row, p50
from kb.config import read
from kb.frontmatter import cut
from kb.library import open_library
from kb.site import build as building
from kb.site import gather as gathering
from kb.site import links, pages
from kb.site.body import html
from kb.site.census import taken
from kb.site.judged import judged
from kb.site.page import File, Later, Note, Page
from kb.site.pages import drawings
from kb.site.render import Renderer
from kb.site.write import write
from kb.store.kept import Kept
from kb.workspace import Workspace

T = TypeVar("T")


def measure(folder: Path, evaluations: int) -> tuple[list[Row], str]:
    """Rows, and a line on weight."""
    base = measured.write_base(folder / "base", evaluations)
    rows = list(_parts(base, folder / "parts"))
    built, more = _builds(base, folder / "out", evaluations)
    rows += more
    rows += _others(base, folder)
    return rows, built


# Part by part


class _Clock:
    """Processor time of parts, in ms."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def took(self, name: str, call: Callable[[], T], note: str = "") -> T:
        began = process_time()
        found = call()
        self.rows.append(Row(name, (process_time() - began) * 1000, note=note))
        return found


def _parts(base: Path, out: Path) -> Iterator[Row]:
    clock = _Clock()
    workspace = Workspace(read(base))
    library = clock.took("read the records (processor time)", lambda: open_library(workspace.config))
    kept = Kept(base / ".kb" / "site", building.follows)
    began, before = perf_counter(), os.times()
    stamp = building._symbols(workspace)
    registry, today = gathering.Registry(library), gathering.newest_day(library)
    verdicts = judged(library, registry, today, kept, stamp).verdicts
    kept.save()
    after = os.times()
    spent = sum(after[:1] + after[2:3]) - sum(before[:1] + before[2:3])
    claims = sum(len(each) for target in verdicts.values() for each in target.values())
    yield Row("judge", spent * 1000, note=f"{claims} verdicts, {perf_counter() - began:.0f} s wall on two processors")
    gathered = clock.took("gather, verdicts kept", lambda: building.gather(library, kept=kept, stamp=stamp))
    charts = clock.took(
        "of this, charts of evaluations", lambda: [drawings.of_evaluation(e) for e in _records(gathered)]
    )
    made = clock.took("values of pages, charts and data among them", lambda: list(_made(gathered)))
    laid = [each for each in made if isinstance(each, Page)]
    renderer = Renderer(building.shared(gathered))
    rendered = clock.took("templates and Markdown", lambda: [renderer.render(each) for each in laid])
    names = clock.took("links read", lambda: [links.read(each) for each in rendered])
    found = {page.path: each for page, each in zip(laid, names, strict=True)}
    searched = clock.took(
        "search files, the derived file among them", lambda: list(building._search(gathered, workspace))
    )
    fresh = {page.path: content for page, content in zip(laid, rendered, strict=True)}
    fresh |= {each.path: each.content for each in (*made, *searched) if isinstance(each, File)}
    clock.took("links checked", lambda: taken(found, fresh))
    clock.took("written", lambda: write(out, fresh))
    clock.rows[2] = Row(clock.rows[2].name, clock.rows[2].ms, note=f"{sum(map(len, charts))} charts")
    yield from clock.rows


def _records(gathered: gathering.Gathered) -> list[Any]:
    return gathered.of_kind(gathering.Kind.EVALUATION)


def _made(gathered: gathering.Gathered) -> Iterator[Page | File]:
    for each in pages.every(gathered):
        found = each.make() if isinstance(each, Later) else [each]
        yield from (one for one in found if not isinstance(one, Note))


# Whole builds


def _builds(base: Path, out: Path, evaluations: int) -> tuple[str, list[Row]]:
    scale = evaluations / 1000
    kept = base / ".kb" / "site"
    record = base / "entries" / "evaluations" / f"measured-{evaluations // 2:05}.md"

    def once(name: str, bound: float | None) -> Row:
        command = [sys.executable, "-m", "kb", "--root", str(base), "site", "build", "--out", str(out), "--json"]
        began = perf_counter()
        built = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        whole = perf_counter() - began
        assert not built["broken_links"], built["broken_links"][:3]
        note = f"{built['pages']} pages, {built['rendered']} rendered, {built['files']} files, "
        note += f"{built['bytes'] / 1e6:.0f} MB; {whole:.1f} s with its start"
        return Row(name, built["seconds"] * 1000, at_most_ms=bound, note=note)

    shutil.rmtree(kept)  # of the parts
    rows = [once("whole build from nothing, judged (wall)", 60_000 * scale)]
    rows.append(once("again, nothing changed (wall)", 2_000.0))
    with record.open("a", encoding="utf-8") as file:
        file.write("\nOne more sentence.\n")
    rows.append(once("again, one body changed (wall)", 3_000.0))
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("n: 3, ", "n: 4, ", 1), encoding="utf-8")
    rows.append(once("again, runs behind one result changed, judged (wall)", 3_000.0))
    text = record.read_text(encoding="utf-8")
    record.write_text(_another_value(text), encoding="utf-8")
    rows.append(once("again, one value behind a claim changed, judged (wall)", 3_000.0))
    sizes = [path.stat().st_size for path in out.glob("evaluations/measured-*/index.html")]
    page = next(out.glob("evaluations/measured-*/index.html")).read_bytes()
    frame = sum(path.stat().st_size for path in (out / "static").iterdir())
    weight = (
        f"a page of an evaluation {p50(sizes) / 1e3:.0f} kB ({len(gzip.compress(page)) / 1e3:.0f} kB as gzip), "
        f"styles and scripts of all pages together {frame / 1e3:.0f} kB"
    )
    return weight, rows


def _another_value(text: str) -> str:
    """One that a claim cites: its figure stands in lists, overviews and the review queue."""
    point = rf"(id: {measured.cited('ttft', 1).split(',')[0]}, .*? value: )([0-9.]+)"
    found, number = re.subn(point, lambda each: f"{each[1]}{float(each[2]) + 1:.1f}", text, count=1)
    assert number == 1
    return found


# Beside a well-known generator


def _others(base: Path, folder: Path) -> list[Row]:
    """The bodies alone: through our Markdown, and as a site of MkDocs."""
    paths = sorted((base / "entries" / "evaluations").glob("*.md"))
    bodies = {path.name: cut(path.read_text(encoding="utf-8")).body for path in paths}
    began = process_time()
    for body in bodies.values():
        html(body)
    ours = Row(f"{len(bodies)} bodies: Markdown, cleaned (processor time)", (process_time() - began) * 1000)
    if find_spec("mkdocs") is None:
        return [ours]
    docs = folder / "mkdocs" / "docs"
    docs.mkdir(parents=True)
    for name, body in bodies.items():
        (docs / name).write_text(f"# {name}\n\n{body}", encoding="utf-8")
    shutil.copy(docs / next(iter(bodies)), docs / "index.md")
    (folder / "mkdocs" / "mkdocs.yml").write_text(
        "site_name: bodies\nmarkdown_extensions: [tables, fenced_code, footnotes]\n", encoding="utf-8"
    )
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet"], cwd=folder / "mkdocs", check=True, capture_output=True
    )
    after = os.times()
    spent = (after.children_user + after.children_system - before.children_user - before.children_system) * 1000
    beside = Row(f"{len(bodies)} bodies: a site of MkDocs (processor time)", spent, "our Markdown of the same", ours.ms)
    return [ours, beside]
