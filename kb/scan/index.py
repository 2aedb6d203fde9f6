"""Releases and artifacts on the package index that pip is configured with, kept between runs.

Nothing is built or run: pages are read, files are fetched whole and checked against the hash that the index states.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import date
from functools import cached_property, partial
from pathlib import Path

from packaging.utils import canonicalize_name

from kb.component import Release
from kb.errors import KbError, NotFound
from kb.scan import pipconfig, source
from kb.scan.listing import File, Link, Listing, files, html_links, json_links
from kb.scan.tree import Tree
from kb.scan.web import Offline, Page, Web, copy, local
from kb.versions import contains, parse
from kb.vocabulary import Artifact

MAX_FILE = 4 << 30
"""Bytes of one artifact."""


def cache_folder() -> Path:
    """Where lists and artifacts are kept between runs (https://specifications.freedesktop.org/basedir-spec/)."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".cache") / "evalkb" / "index"


class Index:
    """The package index as pip is configured here; nothing is asked of it before a method is called."""

    def __init__(
        self,
        cache: Path | None = None,
        settings: pipconfig.Settings | None = None,
        tell: Callable[[File], None] = lambda _file: None,
    ) -> None:
        self.cache = cache or cache_folder()
        self.tell = tell
        """Called before a file is fetched; a large one takes a while."""
        self._settings = settings
        self._listed: dict[str, Listing] = {}

    @cached_property
    def settings(self) -> pipconfig.Settings:
        return self._settings or pipconfig.settings()

    @cached_property
    def web(self) -> Web:
        return Web(self.settings)

    def releases(self, distribution: str) -> tuple[Release, ...]:
        """Releases of a distribution, oldest first. Raises KbError."""
        return self.listing(distribution).releases()

    def tree(self, distribution: str, version: str, artifact: Artifact | None = None) -> Tree:
        """Files of a release, from its sdist where it has one. Raises KbError."""
        return source.read(self.file(distribution, version, artifact), version)

    def each(
        self, distribution: str, versions: str = "*", artifact: Artifact | None = None
    ) -> Iterator[tuple[str, Callable[[], Tree]]]:
        """Final releases in a range that were not withdrawn, each with what opens it, oldest first. Raises KbError."""
        for release in self.releases(distribution):
            final = not release.yanked and not getattr(parse(release.version), "is_prerelease", True)
            if final and contains(versions, release.version):
                yield release.version, partial(self.tree, distribution, release.version, artifact)

    def listing(self, distribution: str) -> Listing:
        """All artifacts of a distribution. Raises NotFound, or Offline when no list is kept."""
        name = _name(distribution)
        if name not in self._listed:
            self._listed[name] = self._list(name)
        return self._listed[name]

    def _list(self, name: str) -> Listing:
        try:
            found = self._ask(name)
        except Offline:
            if kept := self._kept(name):
                return kept
            raise
        if not found:
            raise NotFound(
                f'no distribution "{name}" on the package index that pip is configured with', "check its name"
            )
        page = {"day": date.today().isoformat(), "files": [asdict(each) for each in found]}
        _put(self.cache / name / "list.json", json.dumps(page).encode())
        return Listing(name, found)

    def _kept(self, name: str) -> Listing | None:
        """The list of an earlier run."""
        try:
            page = json.loads((self.cache / name / "list.json").read_bytes())
            return Listing(name, tuple(File(**each) for each in page["files"]), kept=page["day"])
        except (OSError, ValueError, TypeError, KeyError):
            return None  # none, or one that another version of the tool wrote: it is only a cache

    def _ask(self, name: str) -> tuple[File, ...]:
        """Files of everywhere pip looks; a place that cannot be reached only matters when no other has any."""
        found: dict[str, File] = {}
        unreached: Offline | None = None
        for address in (*(f"{each.rstrip('/')}/{name}/" for each in self.settings.indexes), *self.settings.links):
            try:
                for each in self._listed_at(address, name):
                    have = found.setdefault(each.name, each)
                    found[each.name] = replace(have, uploaded=have.uploaded or each.uploaded)
            except Offline as error:
                unreached = error
        if unreached and not found:
            raise unreached
        return tuple(found.values())

    def _listed_at(self, address: str, name: str) -> Iterator[File]:
        place = local(address)
        if place is None:
            page = self.web.page(address)
            # a page from the network may not point at files of this machine
            yield from (each for each in files(_links(page), name) if local(each.address) is None)
        elif (page := _page_of(place)) is not None:
            yield from files(_links(page), name)
        elif place.is_dir():
            found = sorted(place.resolve().iterdir())
            yield from files(({"filename": each.name, "url": each.as_uri()} for each in found), name)

    def file(self, distribution: str, version: str, artifact: Artifact | None = None) -> Path:
        """An artifact of a release on this machine: kept from before, else fetched and checked. Raises KbError."""
        name = _name(distribution)
        if (kept := self._kept(name)) and (have := self._have(kept, version, artifact)):
            return have
        return self.fetch(name, self.listing(name).choose(version, artifact))

    def _have(self, kept: Listing, version: str, artifact: Artifact | None) -> Path | None:
        """A file fetched before: a release never changes, so the index is not asked again."""
        try:
            file = kept.choose(version, artifact)
        except NotFound:
            return None
        place = self._place(kept.distribution, file)
        return place if place.is_file() and _fits(place, file.digest) else None

    def _place(self, name: str, file: File) -> Path:
        return self.cache / name / file.version / file.name

    def fetch(self, distribution: str, file: File) -> Path:
        """Fetch a file, check it and keep it; one of this machine is used where it lies. Raises KbError."""
        if (place := local(file.address)) is not None:
            return _checked(place, file.name, file.digest)
        kept = self._place(_name(distribution), file)
        if not (kept.is_file() and _fits(kept, file.digest)):
            self.tell(file)
            self._download(file.address, file.name, file.digest, kept)
        return kept

    def metadata(self, distribution: str, file: File) -> str | None:
        """METADATA of a wheel where the index offers it beside the wheel, which is not fetched. Raises KbError."""
        if file.metadata is None or local(file.address) is not None:
            return None
        kept = self._place(_name(distribution), file).with_name(f"{file.name}.metadata")
        if not (kept.is_file() and _fits(kept, file.metadata)):
            self._download(f"{file.address}.metadata", kept.name, file.metadata, kept)
        return kept.read_text(encoding="utf-8", errors="replace")

    def _download(self, address: str, name: str, digest: str, kept: Path) -> None:
        with _aside(kept) as aside, self.web.open(address) as answer:
            if answer is None:
                raise NotFound(f"{name} is listed by the package index but cannot be fetched from it")
            with aside.open("wb") as into:
                if copy(answer, into, MAX_FILE) > MAX_FILE:
                    raise KbError(f"{name} is larger than {MAX_FILE >> 30} GiB")
            _checked(aside, name, digest)


def _name(distribution: str) -> str:
    name = canonicalize_name(distribution)
    if not re.fullmatch(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", name):
        raise NotFound(f'"{distribution}" is no name of a distribution')
    return name


def _links(page: Page | None) -> list[Link]:
    if page is None:
        return []
    try:
        return json_links(page.body, page.address) if "json" in page.kind else html_links(page.body, page.address)
    except (ValueError, KeyError, TypeError) as error:
        raise KbError(f"{page.address} is no page of a package index ({error})") from None


def _page_of(place: Path) -> Page | None:
    """A page on this machine: a file, or a folder's index.html."""
    file = place / "index.html" if place.is_dir() else place
    return Page(file.resolve().as_uri(), "text/html", file.read_bytes()) if file.is_file() else None


def _fits(place: Path, digest: str) -> bool:
    kind, _, value = digest.partition("=")
    if not value:
        return True
    with place.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest() == value.lower()


def _checked(place: Path, name: str, digest: str) -> Path:
    if not place.is_file():
        raise NotFound(f"{name} is listed by the package index but is not there")
    if not _fits(place, digest):
        raise KbError(f"{name} is not the file that the package index lists: its hash differs", "fetch it again later")
    return place


@contextmanager
def _aside(kept: Path) -> Iterator[Path]:
    """A file beside the one to keep, moved into place when all went well: a run cut short leaves nothing half."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=kept.parent, prefix=".", suffix=".part")
    os.close(handle)
    aside = Path(name)
    try:
        yield aside
        aside.replace(kept)
    finally:
        aside.unlink(missing_ok=True)


def _put(kept: Path, data: bytes) -> None:
    with _aside(kept) as aside:
        aside.write_bytes(data)
