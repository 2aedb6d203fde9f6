"""Reading addresses of a package index, with the certificates, proxy and passwords that pip would use."""

from __future__ import annotations

import base64
import http.client
import netrc
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit, urlunsplit

from kb.errors import KbError
from kb.scan.pipconfig import Settings

ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01"
MAX_PAGE = 64 << 20


class Offline(KbError):
    """An address could not be reached."""


@dataclass(frozen=True)
class Page:
    """One answer."""

    address: str
    """Where it came from in the end; relative links start there."""
    kind: str
    body: bytes


class Web:
    """Opens addresses the way pip is configured to."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.passwords = {urlsplit(each).netloc.rpartition("@")[2]: _basic(each) for each in settings.indexes}

    def page(self, address: str) -> Page | None:
        """A page, or None when the server has none there. Raises Offline."""
        with self.open(address) as answer:
            if answer is None:
                return None
            body = answer.read(MAX_PAGE)
            return Page(answer.geturl(), answer.headers.get_content_type(), body)

    @contextmanager
    def open(self, address: str) -> Iterator[http.client.HTTPResponse | None]:
        """An answer to read from, or None when the server has nothing there. Raises Offline."""
        plain, host = _plain(address)
        asked = urllib.request.Request(plain, headers={"Accept": ACCEPT, "User-Agent": "evalkb"})
        if password := self.passwords.get(host) or _from_netrc(host):
            asked.add_unredirected_header("Authorization", password)
        try:
            with self._opener(host).open(asked, timeout=self.settings.timeout) as answer:
                yield answer
        except urllib.error.HTTPError as error:
            if error.code not in {404, 410}:
                raise Offline(f"the package index answered {error.code} for {plain}", _HINT) from None
            yield None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise Offline(f"the package index could not be reached at {host} ({reason})", _HINT) from None

    def _opener(self, host: str) -> urllib.request.OpenerDirector:
        context = ssl.create_default_context(cafile=self.settings.cert)
        if {host, host.partition(":")[0]} & set(self.settings.trusted):
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        proxy = self.settings.proxy
        proxies = urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy else None)
        return urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), proxies)


_HINT = "`pip config list` shows where pip looks; without a network name artifacts with --old and --new"


def _plain(address: str) -> tuple[str, str]:
    """An address without user and password, and its host. Raises KbError for anything but http(s)."""
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"}:
        raise KbError(f"{address} is no address of a package index")
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, parts.query, "")), host


def _basic(address: str) -> str | None:
    parts = urlsplit(address)
    return _header(parts.username, parts.password or "") if parts.username else None


def _header(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()


def _from_netrc(host: str) -> str | None:
    try:
        found = netrc.netrc().authenticators(host.partition(":")[0])
    except (OSError, netrc.NetrcParseError):
        return None
    return _header(found[0], found[2] or "") if found else None


def local(address: str) -> Path | None:
    """The path that a `file:` address or a bare path stands for, or None for an address on the network."""
    parts = urlsplit(address)
    if parts.scheme == "file":
        return Path(urllib.request.url2pathname(parts.path))
    return None if parts.scheme in {"http", "https"} else Path(address).expanduser()


def copy(stream: IO[bytes] | http.client.HTTPResponse, into: IO[bytes], most: int) -> int:
    """Copy a stream; stops after `most` bytes and says how many there were."""
    count = 0
    while data := stream.read(1 << 20):
        count += len(data)
        if count > most:
            break
        into.write(data)
    return count
