"""`kb site build` and `kb site serve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.options import Json, Quiet, Root, print_json, reading, say
from kb.errors import KbError

if TYPE_CHECKING:
    from kb.site.build import Built, Progress

site = typer.Typer(
    help="The base as web pages.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder of the site; without it `site`.")]


@site.command()
def build(out: Out = None, json_out: Json = False, quiet: Quiet = False, root: Root = None) -> int:
    """Write the base as web pages into a folder.

    Any web server, any folder below one, or a browser that opens index.html shows them. Exit 1 when a link within the
    site leads nowhere. The folder is replaced as a whole; one that holds anything but a site made by kb is refused.
    kb.toml may say [site] title = "..." and url = "https://..." (for canonical links).

    \b
    Examples:
      kb site build
      kb site build --out /srv/www/evaluations
    """
    done = built(out, quiet or json_out, root)
    if json_out:
        print_json(done.as_dict())
    else:
        from kb.present.site import summary

        typer.echo("\n".join(summary(done.as_dict())))
        if not quiet:
            say(f"next: open {done.as_dict()['out']}/index.html in a browser, or kb site serve")
    return 1 if done.broken else 0


@site.command()
def serve(
    out: Out = None,
    port: Annotated[int, typer.Option("--port", help="Port on this machine; 0 takes a free one.")] = 8000,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Show the site on this machine, always as the records are.

    Only this machine can reach it. A record that changes builds it again.

    \b
    Examples:
      kb site serve
      kb site serve --port 0
    """
    from kb.site.serve import serve as served

    opened = reading(root, quiet)
    place = _place(out, opened.config.base.root, bool(opened.config.base.name))
    served(lambda: built(out, quiet, root), opened.config, place, port, say)


def built(out: Path | None, quiet: bool, root: Path | None) -> Built:
    """Build once."""
    from kb.site.build import build as made

    opened = reading(root, quiet)
    base = opened.config.base
    kept = None if base.read_only else base.root / ".kb" / "site"
    place = _place(out, base.root, base.read_only)
    try:
        return made(opened, place, kept, _progress(quiet))
    except PermissionError as error:
        raise KbError(f"{place} cannot be written", "name another folder: --out DIR") from error


def _place(out: Path | None, root: Path, read_only: bool) -> Path:
    return (out or (Path.cwd() if read_only else root) / "site").absolute()


def _progress(quiet: bool) -> Progress | None:
    """A line that grows, on a terminal alone."""
    import sys

    if quiet or not sys.stderr.isatty():
        return None
    from kb.present.site import bar

    def tell(what: str, done: int, whole: int) -> None:
        sys.stderr.write(f"\r{bar(what, done, whole)}\x1b[K" if done < whole else "\r\x1b[K")
        sys.stderr.flush()

    return tell
