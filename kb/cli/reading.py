"""`kb search` and `kb show`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from kb.cli.options import Json, KindName, Quiet, Root, print_json, workspace


def search(
    query: Annotated[list[str] | None, typer.Argument(help="Words and field:value; nothing lists everything.")] = None,
    kind: Annotated[KindName | None, typer.Option("--kind", help="Only this kind of record.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Hits shown.")] = 10,
    sort: Annotated[Literal["relevance", "date"], typer.Option("--sort", help="Order of the hits.")] = "relevance",
    facet: Annotated[
        list[str] | None, typer.Option("--facet", metavar="FIELD", help="Count the hits by this field; repeatable.")
    ] = None,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Find what is known, in any language, by words or fields.

    Words are AND-ed; "a phrase", OR, -word, prefix*, word~ (misspelt), (brackets); field:value, field:>=8,
    field:[1000 TO 16000]. Any name finds any other: NixlPushConnector, nixl push, 初回トークン遅延, ttft.

    \b
    Fields: kind id title tag component version model hardware interconnect topology engine
            connector metric dimension source status outcome lang date effect ttft tpot (any
            metric) input_tokens output_tokens qps concurrency prefix_caching
    \b
    Of changes: version (every release that carries it), introduced, removed; of components:
            release

    \b
    Examples:
      kb search "push ttft" connector:nixl
      kb search 'kind:change component:nixl introduced:[1.4.0 TO 1.5.0]'
      kb search 'ttft:<600 topology:1P1D' --facet model
    """
    text = " ".join(query or ())
    opened = workspace(root, quiet)
    from kb.search import search

    found = search(opened.store, text, kind, limit, sort, facet or ())
    if json_out:
        print_json(found.as_dict())
        return
    from kb.present.hits import hits, nothing
    from kb.present.text import page

    lines = hits(found, page()) if found.total else nothing(found, opened.store, page(), kind)
    typer.echo("\n".join(lines))


def show(
    id_: Annotated[str, typer.Argument(metavar="ID", help="Id, alias or class name of a record.")],
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="LANG", help="Language to read it in: ja, pt, en...")
    ] = None,
    json_out: Json = False,
    root: Root = None,
) -> None:
    """Read one record, and what has changed since.

    \b
    Examples:
      kb show aws-push-vs-pull-efa
      kb show aws-push-vs-pull-efa --lang ja
      kb show NixlPushConnector
    """
    opened = workspace(root)
    from kb.shown import gather

    shown = gather(opened, id_, lang)
    if json_out:
        print_json(shown.as_dict())
        return
    from kb.present.record import record
    from kb.present.text import page

    typer.echo("\n".join(record(shown, page())))
