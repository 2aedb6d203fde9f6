"""What a package index lists for one distribution: artifacts, releases, days, read from the simple index's pages.

PEP 503 pages, PEP 691 JSON, PEP 700 upload times: https://packaging.python.org/specifications/simple-repository-api/
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)

from kb.component import Release
from kb.errors import NotFound
from kb.suggest import did_you_mean
from kb.versions import parse
from kb.vocabulary import Artifact

HASHES = ("sha256", "sha384", "sha512")


@dataclass(frozen=True)
class File:
    """One artifact as an index lists it."""

    name: str
    address: str
    version: str
    artifact: Artifact
    digest: str = ""
    """`sha256=...` as the index states it; empty where it states none."""
    uploaded: str | None = None
    """Day it was uploaded, YYYY-MM-DD, where the index says."""
    yanked: bool = False
    size: int | None = None
    metadata: str | None = None
    """Digest of a wheel's METADATA, which lies under the wheel's name plus `.metadata`; empty where none is stated."""


@dataclass(frozen=True)
class Listing:
    """All artifacts of a distribution."""

    distribution: str
    files: tuple[File, ...]
    kept: str | None = None
    """Day the list was fetched, when the index could not be reached now and the list kept from then is used."""

    def releases(self) -> tuple[Release, ...]:
        """Releases, oldest first; a release is as old as its first file and withdrawn when all of them are."""
        by_version: dict[str, list[File]] = defaultdict(list)
        for each in self.files:
            by_version[each.version].append(each)
        ordered = sorted(by_version, key=lambda version: parse(version) or version)
        return tuple(_release(version, by_version[version]) for version in ordered)

    def choose(self, version: str, artifact: Artifact | None = None) -> File:
        """The sdist of a release, else the wheel that suits most machines. Raises NotFound."""
        asked = parse(version)
        found = [each for each in self.files if asked and parse(each.version) == asked]
        if not found:
            hint = did_you_mean(version, {each.version for each in self.files}) or "`kb scan` compares two releases"
            raise NotFound(f"{self.distribution} has no release {version} on the package index", hint)
        fitting = [each for each in found if artifact in {None, each.artifact}]
        if not fitting:
            raise NotFound(f"{self.distribution} {version} has no {artifact} on the package index")
        return min(fitting, key=_preference)


def _release(version: str, files: list[File]) -> Release:
    days = [each.uploaded for each in files if each.uploaded]
    return Release(version=version, date=min(days, default=None), yanked=all(each.yanked for each in files))


def _preference(file: File) -> tuple[int, int, str]:
    """Smaller is better: sdist, pure wheel, x86-64 Linux, the rest; among them the newest Python."""
    if file.artifact == Artifact.SDIST:
        return (0, 0, file.name)
    tags = parse_wheel_filename(file.name)[3]
    places = [1 if tag.platform == "any" else 2 if re.search("linux.*_x86_64$", tag.platform) else 3 for tag in tags]
    pythons = [int(found[1]) for tag in tags if (found := re.fullmatch(r"cp3(\d+)", tag.interpreter))]
    return (min(places), -max(pythons, default=0), file.name)


Link = Mapping[str, object]
"""One file as PEP 691 writes it: filename, url, hashes, yanked, size, upload-time, core-metadata."""


def files(links: Iterable[Link], distribution: str) -> Iterator[File]:
    """Artifacts of a distribution among links; what is none (an old installer, another name) is passed over."""
    for link in links:
        name = str(link["filename"])
        parsed = _parsed(name)
        if parsed and parsed[0] == canonicalize_name(distribution) and "/" not in name:
            upload = link.get("upload-time")
            yield File(
                name=name,
                address=str(link["url"]),
                version=parsed[1],
                artifact=parsed[2],
                digest=_digest(link.get("hashes")),
                uploaded=str(upload)[:10] if upload else None,
                yanked=link.get("yanked", False) is not False,
                size=size if isinstance(size := link.get("size"), int) else None,
                metadata=_metadata(link),
            )


def _parsed(name: str) -> tuple[str, str, Artifact] | None:
    try:
        if name.endswith(".whl"):
            found, version = parse_wheel_filename(name)[:2]
            return found, str(version), Artifact.WHEEL
        found, version = parse_sdist_filename(name)
    except (InvalidWheelFilename, InvalidSdistFilename):
        return None
    return found, str(version), Artifact.SDIST


def _digest(hashes: object) -> str:
    known = hashes if isinstance(hashes, dict) else {}
    return next((f"{kind}={known[kind]}" for kind in HASHES if kind in known), "")


def _metadata(link: Link) -> str | None:
    stated = link.get("core-metadata", link.get("data-dist-info-metadata", False))
    return _digest(stated) if stated else None


def json_links(body: bytes, address: str) -> list[Link]:
    """Links of a PEP 691 page. Raises ValueError when it is none."""
    page = json.loads(body)
    if not isinstance(page, dict) or not isinstance(page.get("files"), list):
        raise ValueError("no list of files")
    return [{**each, "url": urljoin(address, each["url"])} for each in page["files"]]


def html_links(body: bytes, address: str) -> list[Link]:
    """Links of a PEP 503 page, or of any page that links files."""
    reader = _Anchors()
    reader.feed(body.decode("utf-8", "replace"))
    return [_link(each, urljoin(address, reader.base)) for each in reader.found]


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.base = ""
        self.found: list[dict[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "base":
            self.base = said.get("href", "")
        if tag == "a" and "href" in said:
            self.found.append(said)


def _link(anchor: dict[str, str], base: str) -> Link:
    address, fragment = urldefrag(urljoin(base, anchor["href"]))
    kind, _, value = fragment.partition("=")
    stated = anchor.get("data-core-metadata", anchor.get("data-dist-info-metadata"))
    return {
        "filename": unquote(urlsplit(address).path.rpartition("/")[2]),
        "url": address,
        "hashes": {kind: value},
        "yanked": "data-yanked" in anchor,
        "core-metadata": dict([stated.split("=", 1)]) if stated and "=" in stated else stated is not None,
    }
