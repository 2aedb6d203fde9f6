"""`kb search` and `kb show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kb.cli.options import Json, Quiet, Root, language, print_json, reading
from kb.cli.options import kind as kind_of

if TYPE_CHECKING:
    from kb.errors import NotFound
    from kb.shown import Shown
    from kb.store import Store
    from kb.words import Word
    from kb.workspace import Workspace


def search(
    query: Annotated[list[str] | None, typer.Argument(help="Words and field:value; nothing lists everything.")] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", parser=kind_of, help="Only this kind of record.")
    ] = None,
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
    effect: the claimed ratio as it is printed; one below 1 is found from the other side, too
            (0.31x by effect:<0.5 and by effect:>=3)
    \b
    Of changes: version (every release that carries it), introduced, removed; of components:
            release
    outcome: of claims at the newest releases (recheck, holds...); all claims are judged first
            where a record has changed since, which takes a moment

    \b
    Examples:
      kb search "push ttft" connector:nixl
      kb search 'kind:change component:nixl introduced:[1.4.0 TO 1.5.0]'
      kb search 'ttft:<600 topology:1P1D' --facet model
      kb search 'outcome:recheck component:nixl'
    """
    text = " ".join(map(str.strip, query or ()))
    opened = reading(root, quiet)
    from kb.search import search

    store = _store(opened, text, facet or ())
    found = search(store, text, kind, limit, sort, facet or ())
    if json_out:
        print_json(found.as_dict())
        return
    from kb.present.hits import hits, nothing
    from kb.present.text import page

    lines = hits(found, page()) if found.total else nothing(found, store, page(), kind)
    typer.echo("\n".join(lines))


def _store(opened: Workspace, text: str, facets: list[str] | tuple[str, ...]) -> Store:
    """The derived file; every claim is judged first where outcomes are asked for and records have changed since."""
    # Most searches say nothing of outcomes; the module below costs them a millisecond.
    if "outcome" not in text.casefold() and "outcome" not in facets:
        return opened.store
    from kb.outcomes import asked_for, refresh

    return refresh(opened) if asked_for(text, facets) else opened.store


def show(
    id_: Annotated[
        str, typer.Argument(metavar="ID", help="Id, alias, class name or path of a record; a word of the vocabulary.")
    ],
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="LANG", help="Language to read it in: ja, pt, en...")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="The whole record, and also what does not touch it.")] = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Read one record, and what has changed since.

    An evaluation is shown on about one screen, the same in a terminal and in a pipe; --all prints it whole.

    \b
    Examples:
      kb show aws-push-vs-pull-efa
      kb show aws-push-vs-pull-efa --all
      kb show aws-push-vs-pull-efa --lang ja
      kb show NixlPushConnector
      kb show post-thread
    """
    opened = reading(root, quiet)
    from kb.present.text import page

    shown = _record(opened, id_, lang)
    if json_out:
        print_json(shown.as_dict())
        return
    from kb.present.record import record
    from kb.present.word import word
    from kb.shown import Shown

    typer.echo("\n".join(record(shown, page(), all_) if isinstance(shown, Shown) else word(shown, page())))


def _record(opened: Workspace, name: str, lang: str | None) -> Shown | Word:
    """The record of that name, else the word of the vocabulary. Raises NotFound."""
    from kb.errors import NotFound
    from kb.places import named_by
    from kb.shown import gather
    from kb.words import find

    try:
        return gather(opened, name, language(lang) or named_by(name)[1])
    except NotFound as error:
        if opened.store.resolve(name):
            raise
        if (word := find(opened, name)) is not None:
            return word
        raise _claim(opened, name) or error from None


def _claim(opened: Workspace, name: str) -> NotFound | None:
    """What to say to `EVALUATION/CLAIM`, or a claim's name alone; None where it is neither."""
    from kb.errors import NotFound

    evaluation, _, claim = name.rpartition("/")
    sql = "SELECT DISTINCT id FROM claims JOIN records USING (rid) WHERE claim = ? ORDER BY id"
    having = [id_ for (id_,) in opened.store.rows(sql, [claim])]
    if evaluation:
        having = [id_ for id_ in opened.store.resolve(evaluation) if id_ in having]
    if not having:
        return None
    hint = f"`kb show {having[0]}` shows it, `kb audit {having[0]}/{claim}` judges it"
    more = f" (of {len(having)} evaluations that have one)" if len(having) > 1 else ""
    return NotFound(f'"{claim}" is a claim of {having[0]}{more}, and claims are shown with their evaluation', hint)
