"""The site on this machine, built again whenever a record changes; pages reload by themselves."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from markupsafe import escape

from kb.config import Config
from kb.errors import KbError
from kb.places import listing
from kb.site.render import POLICY

HOST = "127.0.0.1"
EVERY = 0.7
"""Seconds between looks at the disk."""
NUMBER = "/-/built"
SCRIPT = "/-/reload.js"
RELOAD = f"""(function () {{
  "use strict";
  var last = null;
  function look() {{
    fetch("{NUMBER}", {{cache: "no-store"}}).then(function (answer) {{ return answer.text(); }}).then(function (now) {{
      if (last !== null && last !== now) {{ location.reload(); }}
      last = now;
    }}).catch(function () {{}}).then(function () {{ setTimeout(look, 700); }});
  }}
  look();
}}());
"""


class Served:
    """What is shown: how often it was built."""

    def __init__(self) -> None:
        self.number = 0


class Handler(SimpleHTTPRequestHandler):
    """Files of the site; pages get a script that reloads them."""

    def __init__(self, *args: Any, served: Served, **kwargs: Any) -> None:
        self.served = served
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        """A file, the number of the build, or the reloading script."""
        if not self._is_local():
            self.send_error(403, "only this machine")
        elif self.path == NUMBER:
            self._send(str(self.served.number).encode(), "text/plain")
        elif self.path == SCRIPT:
            self._send(RELOAD.encode(), "text/javascript")
        elif (page := self._page()) is not None:
            self._send(with_reload(page.read_bytes()), "text/html; charset=utf-8")
        else:
            super().do_GET()

    def _is_local(self) -> bool:
        """Whether the request names this machine: another site's name that points here is no business of ours."""
        return self.headers.get("Host", "").rpartition(":")[0] in {"127.0.0.1", "localhost"}

    def _page(self) -> Path | None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() and self.path.partition("?")[0].endswith("/") else path
        return path if path.suffix == ".html" and path.is_file() else None

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not told."""


STRICT, ASKING = (escape(policy).encode() for policy in (POLICY, f"{POLICY}; connect-src 'self'"))
"""What a page allows, as its HTML has it, and what it allows while it is served: the script may ask this server."""


def with_reload(page: bytes) -> bytes:
    """A page that asks this server whether it was built anew."""
    asked = page.replace(STRICT, ASKING, 1)
    return asked.replace(b"</head>", f'<script defer src="{SCRIPT}"></script>\n</head>'.encode(), 1)


def serve(
    build: Callable[[], Any],
    config: Config,
    out: Path,
    port: int,
    say: Callable[[str], None],
    rounds: int | None = None,
) -> None:
    """Build, show, and build again when a record changes; until interrupted, or for some `rounds` of looking."""
    served = Served()
    before = _seen(config)  # what changes while it is built is built next
    _build(build, served, say)
    handler = partial(Handler, directory=str(out), served=served)
    try:
        server = ThreadingHTTPServer((HOST, port), handler)
    except OSError as error:
        raise KbError(f"port {port} cannot be used: {error.strerror}", "name another with --port") from None
    with server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        say(f"kb: http://{HOST}:{server.server_address[1]}/ (stop it with Ctrl-C)")
        try:
            _watch(build, config, before, served, say, rounds)
        finally:
            server.shutdown()


def _watch(
    build: Callable[[], Any],
    config: Config,
    before: list[Any],
    served: Served,
    say: Callable[[str], None],
    rounds: int | None,
) -> None:
    wait = threading.Event()
    while rounds is None or rounds > 0:
        wait.wait(EVERY)
        rounds = None if rounds is None else rounds - 1
        if (now := _seen(config)) != before:
            before = now
            _build(build, served, say)


def _build(build: Callable[[], Any], served: Served, say: Callable[[str], None]) -> None:
    """Build; what a record has wrong is said, and the last site stays."""
    try:
        done = build()
    except KbError as error:
        say(f"kb: {error}")
        return
    served.number += 1
    broken = f", {len(done.broken)} broken links" if done.broken else ""
    say(f"kb: {done.pages} pages, {done.rendered} rendered in {done.seconds:.1f} s{broken}")


def _seen(config: Config) -> list[Any]:
    return [listing(base) for base in config.bases]
