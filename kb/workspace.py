"""An opened base: its configuration, and its derived file kept in step with the record files.

Nothing here imports models; what reads records is imported when a file has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from kb.config import Base, Config
from kb.errors import NotFound
from kb.files import read_regular
from kb.places import (
    VOCABULARY,
    Listed,
    Stamp,
    is_translation,
    listing,
    named_by,
    results_of,
    shown_path,
    stamps,
    symbols_of,
)
from kb.store import Head, Store
from kb.sync import UNREAD, File, Synced, content_hash, current, refresh, seen
from kb.sync import rebuild as made_anew

if TYPE_CHECKING:
    from kb.document import Loaded as Indexed
    from kb.library import Library
    from kb.reading import Loaded

DERIVED = Path(".kb") / "kb.sqlite"
NOTICEABLE = 0.5
"""Seconds after which keeping the derived file in step is worth a word."""
MANY = 300
"""Changed files from which on a word comes before the work."""

Say = Callable[[str], None]
_Found = tuple[str, dict[str, Listed]]


def cache() -> Path:
    """Where the derived file of a base lies that is not ours to write into: in the user's cache folder."""
    import os
    from zlib import crc32

    from kb import __version__
    from kb.config import shipped_root

    home = os.environ.get("XDG_CACHE_HOME", "")
    if not home.startswith("/"):  # the specification: a relative path is to be ignored
        home = os.path.expanduser("~/.cache")  # noqa: PTH111  never raises
    return Path(home) / "evalkb" / f"{__version__}-{crc32(str(shipped_root()).encode()):08x}" / "kb.sqlite"


class Workspace:
    """A base and what it mounts, searched through its derived file."""

    def __init__(self, config: Config, say: Say | None = None, derived: Path | None = None) -> None:
        """`derived` is where the derived file is, when it cannot be beside the records."""
        self.config = config
        self._derived = derived or config.base.root / DERIVED
        self._say = say or (lambda _text: None)
        self._places: dict[str, tuple[str, Base]] = {}

    @cached_property
    def store(self) -> Store:
        """The derived file, brought up to date once."""
        store, _ = self.sync()
        return store

    def sync(self, rebuild: bool = False) -> tuple[Store, Synced]:
        """Bring the derived file up to date; what cannot be read is said."""
        began = perf_counter()
        for kept in ("releases", "_releases_hash"):
            self.__dict__.pop(kept, None)
        listed, path = self._listed(), self._derived
        mark = seen(listed)
        store, done = None if rebuild else current(path, mark), Synced()
        if store is None:
            on_disk = dict(self._files(listed))
            if not path.exists() and len(on_disk) > MANY:
                self._say(f"kb: reading {len(on_disk)} records, once")
            make = made_anew if rebuild else refresh
            store, done = make(path, on_disk, self._load, self._digest, mark)
        self._tell(store, done, perf_counter() - began)
        return store, done

    def in_memory(self) -> Store:
        """A derived file of its own for this process, where the one on disk cannot be written."""
        listed = self._listed()
        store, _ = refresh(None, dict(self._files(listed)), self._load, self._digest, seen(listed))
        self.__dict__["store"] = store
        return store

    def tell(self, what: str, seconds: float) -> None:
        """Say what was done, where it took noticeable time."""
        if seconds > NOTICEABLE:
            self._say(f"kb: {what} in {seconds:.1f} s")

    def find(self, name: str) -> Head:
        """The entry of that id, alias, class name or path. Raises NotFound with the nearest name, or, for a record
        that is there and cannot be read, RecordError."""
        id_, _ = named_by(name)
        ids = self.store.resolve(name) or self.store.resolve(id_)
        if not ids:
            self._complain_if_unreadable(id_)
            raise NotFound(f'nothing is called "{name}"', self._nearest(id_))
        return self.store.documents(ids[0])[0]

    def original(self, name: str) -> Loaded:
        """The record that `find` finds, never a translation of it. Raises NotFound, and RecordError as `find` does."""
        head = self.find(name)
        written = (each.path for each in self.store.documents(head.id) if not is_translation(each.path))
        if path := next(written, None):
            return self.read(path)
        self._complain_if_unreadable(head.id)
        raise NotFound(f"the original of {head.path} is not there", "a translation needs the record it translates")

    def read(self, shown: str) -> Loaded:
        """Read the record file of a shown path. Raises Unreadable."""
        from kb.library import read_file

        return read_file(self._place(shown)[0], shown)

    def library(self, ids: Iterable[str]) -> Library:
        """A library of some records with their translations, and the vocabulary; unknown ids are left out."""
        from kb.library import Library, digests

        heads = [head for id_ in dict.fromkeys(ids) for head in self.store.documents(id_)]
        words = [shown for shown in self.store.files() if shown.endswith(VOCABULARY)]
        loaded = tuple(self._readable([*dict.fromkeys(head.path for head in heads), *words]))
        return Library(loaded, digests=digests(self.config))

    def whole_library(self) -> Library:
        """Every record that can be read, models and all."""
        from kb.library import open_library

        return open_library(self.config)

    def _readable(self, paths: Iterable[str]) -> Iterator[Loaded]:
        from kb.reading import Unreadable

        for shown in paths:
            try:
                yield self.read(shown)
            except Unreadable:
                continue  # sync has said so

    def _complain_if_unreadable(self, name: str) -> None:
        """A record that is there and cannot be read is not an unknown one."""
        for shown, row in self.store.files().items():
            if row.hash == UNREAD and named_by(shown)[0].casefold() == name.casefold():
                self._load(shown)

    def _nearest(self, name: str) -> str:
        from kb.suggest import did_you_mean

        words = self.library([]).words
        known = [*self.store.ids(), *(each for sort in ("question", "metric", "dimension") for each in words[sort])]
        return did_you_mean(name, known) or "`kb search WORDS` finds entries by what they say"

    def _listed(self) -> list[_Found]:
        """What the disk says of each base: the beginning of its shown paths, and its files with sizes and times."""
        return [(shown_path(base.entries / "x", base)[:-1], listing(base)) for base in self.config.bases]

    def _files(self, listed: list[_Found]) -> Iterator[tuple[str, File]]:
        """Every record file by shown path; an own record hides a mounted one of the same place. The stamps of changes
        take in those of all components, whose releases they may be in.
        """
        taken: set[str] = set()
        found = [(shown, list(stamps(folders))) for shown, folders in listed]
        components = sum(_of_component(stamp) for _, each in found for stamp in each)
        for base, (shown, each) in zip(self.config.bases, found, strict=True):
            for place, size, mtime_ns in each:
                if place in taken:
                    continue
                if place != VOCABULARY:
                    taken.add(place)
                self._places[shown + place] = (place, base)
                also = components if place[:8] == "changes/" else 0
                yield shown + place, File(size, (mtime_ns + also) & _LARGEST)

    def _place(self, shown: str) -> tuple[Path, Base]:
        if shown not in self._places:
            list(self._files(self._listed()))
        place, base = self._places[shown]
        return base.entries / place, base

    def _load(self, shown: str) -> Iterable[Indexed]:
        """What one file holds for the derived file. Raises RecordError."""
        from kb.errors import RecordError
        from kb.indexing import indexed
        from kb.reading import Unreadable

        try:
            base = self._place(shown)[1].name
            return indexed(self.read(shown), base, self.releases if _is_change(shown) else None)
        except Unreadable as error:
            first = error.findings[0]
            raise RecordError(first.code, first.path, first.line, first.message, first.hint) from None

    def _digest(self, shown: str) -> str:
        path = self._place(shown)[0]
        beside = {"evaluations": results_of, "components": symbols_of}.get(path.parent.name)
        table = Path(beside(str(path))) if beside else None
        own = content_hash([path, table] if table and table.is_file() else [path])
        return f"{own}{self._releases_hash}" if _is_change(shown) else own

    @cached_property
    def releases(self) -> dict[str, tuple[str, ...]]:
        """Distribution -> versions of its releases, from the component that owns it, read once for each sync."""
        from kb.component import Component
        from kb.library import Library

        listing = [
            shown
            for shown, (place, base) in self._places.items()
            if place.startswith("components/") and b"\nreleases:" in _bytes(base.entries / place)
        ]
        components = [each for each in self._readable(listing) if isinstance(each.record, Component)]
        owned = Library(tuple(components)).releases
        return {name: tuple(each.version for each in found) for name, found in owned.items()}

    @cached_property
    def _releases_hash(self) -> str:
        from zlib import crc32

        return f"-{crc32(repr(sorted(self.releases.items())).encode()):08x}"

    def _tell(self, store: Store, done: Synced, seconds: float) -> None:
        if seconds > NOTICEABLE and done.changed:
            count = done.added + done.updated
            self._say(f"kb: {count} record{'' if count == 1 else 's'} read in {seconds:.1f} s")
        if store.path is None:
            folder = self._derived.parent
            why = "cannot be written" if folder.is_dir() or not folder.exists() else "is no folder"
            self._say(f"kb: {folder} {why}; every command reads all records again")
        if unread := len(store.unread()):
            what = "1 record cannot be read and is" if unread == 1 else f"{unread} records cannot be read and are"
            self._say(f"kb: {what} not searched; `kb lint` says what is wrong")


_LARGEST = (1 << 62) - 1
"""Times are kept within what SQLite's whole numbers hold."""


def _of_component(stamp: Stamp) -> int:
    return stamp.size + stamp.mtime_ns if stamp.place[:11] == "components/" else 0


def _is_change(shown: str) -> bool:
    return "changes/" in shown and shown.rpartition("/")[0].endswith("changes")


def _bytes(path: Path) -> bytes:
    try:
        return read_regular(path)
    except OSError:
        return b""
