"""Hits of a search in a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kb.places import is_mounted
from kb.present.text import Page, clean, cut, table, wrap
from kb.search import Hit, Results, search
from kb.search.snippet import Wanted
from kb.store import Store
from kb.tokens import spans

MOST = 20
"""Values of a facet shown."""


def hits(found: Results, page: Page) -> list[str]:
    """Every hit with its place and a snippet, then counts."""
    both = len({is_mounted(hit.head.path) for hit in found.hits}) > 1
    lines = [line for hit in found.hits for line in [*_hit(hit, found.wanted, page, both), ""]]
    shown = len(found.hits)
    more = f", {shown} shown (--limit {min(found.total, 1000)} shows more)" if shown < found.total else ""
    counted = f"{found.total} {'entry' if found.total == 1 else 'entries'}{more}"
    return [*lines, *_facets(found.facets, page), *wrap(counted, page.width)]


def _hit(hit: Hit, wanted: Wanted, page: Page, both: bool) -> list[str]:
    """A hit; whose it is is said where there are `both`, those of the base and mounted ones."""
    head = hit.head
    own = "own" if both and not is_mounted(head.path) else ""
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in hit.outcomes.items())
    about = " · ".join(
        filter(None, (head.id, own, head.kind, outcomes, head.date, head.lang if head.lang != "en" else ""))
    )
    return [
        *(page.style.bold(line) for line in wrap(head.title, page.width)),
        *wrap(about, page.width, "  "),
        page.style.dim(f"  {cut(clean(head.path), page.width - 2)}"),
        *(marked(line, wanted, page) for line in wrap(hit.snippet, page.width, "  ") if hit.snippet),
    ]


def marked(text: str, wanted: Wanted, page: Page) -> str:
    """Text with the words that were searched for in bold; as it is where there is no style."""
    if not page.style.on:
        return text
    out, end = [], 0
    for token in spans(text):
        if wanted.holds(token.text) and token.start >= end:
            out += [text[end : token.start], page.style.bold(text[token.start : token.end])]
            end = token.end
    return "".join([*out, text[end:]])


def _facets(facets: Mapping[str, Mapping[str, int]], page: Page) -> list[str]:
    lines: list[str] = []
    for field, counts in facets.items():
        rows = [[str(count), value] for value, count in list(counts.items())[:MOST]]
        more = [f"  and {len(counts) - MOST} more (--json names all)"] if len(counts) > MOST else []
        shown = table(rows, page.width, right=[0]) or ["  no value among the hits"]
        lines += [page.style.bold(field), *shown, *more, ""]
    return lines


def nothing(found: Results, store: Store, page: Page, kind: str | None = None) -> list[str]:
    """What to try when nothing was found."""
    kinds = store.kinds()
    if not kinds:
        return ["nothing found: the base is empty", "try: kb new evaluation my-test"]
    lines = [f"nothing found for {cut(clean(found.query), page.width - 18)}"]
    lines += _instead(found, store, kind)
    for hint in _without(found.query, kind, store):
        lines += wrap(hint, page.width)
    lines += [line for each in _ranges(found.query, store) for line in wrap(each, page.width)]
    if counts := _each_word(found.query, store):
        lines += wrap(f"Each word alone: {counts}.", page.width)
    held = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in kinds.items())
    tips = f"All words must occur: leave some out, or join them with OR. The base holds {held}."
    return [*lines, *wrap(tips, page.width)]


_SIGNS = frozenset('"()*~:')
"""What makes a query more than words."""


def _instead(found: Results, store: Store, kind: str | None) -> list[str]:
    """A query that finds something: what was meant, else the words of it that entries have."""
    meant = found.did_you_mean or found.query
    only = f" --kind {kind}" if kind else ""
    if found.did_you_mean and search(store, meant, kind, limit=0).total:
        return [f"did you mean: kb search {_quoted(meant)}{only}"]
    for query in dict.fromkeys((found.query, meant)):  # as it was typed first: a spelling is a guess
        if rest := _known_words(query, store, kind):
            return [f"without what no entry has: kb search {_quoted(rest)}{only}"]
    return []


def _known_words(query: str, store: Store, kind: str | None) -> str:
    """The words of a plain query that entries have, where they are found together; empty where all are known."""
    words = query.split()
    if not 2 <= len(words) <= MOST_WORDS or _SIGNS & set(query) or _JOINING & set(words):
        return ""
    kept = [word for word in words if search(store, word, kind, limit=0).total]
    rest = " ".join(kept)
    return rest if 0 < len(kept) < len(words) and search(store, rest, kind, limit=0).total else ""


_JOINING = frozenset({"OR", "NOT", "AND"})
MOST_WORDS = 8
"""Words of a query that are looked up one by one."""


def _without(query: str, kind: str | None, store: Store) -> Iterator[str]:
    """Fields asked for that no record of the kind asked for has."""
    asked = _ASKED.findall(query)
    wanted = re.search(r"(?<![^\s(])kind:([a-z]+)", query)
    name = kind or (wanted[1] if wanted else None)
    if name not in store.kinds() or not asked:
        return
    sql = "SELECT DISTINCT field FROM {} JOIN records USING (rid) WHERE records.kind = ?"
    held = {field for table in ("facets", "numbers") for (field,) in store.rows(sql.format(table), [name])}
    for field in dict.fromkeys(asked):
        if field in store.fields() and field not in held and field not in _EVERYWHERE:
            others = ", ".join(each for each in _VERSIONS if each in held)
            yield f"No {name} has a {field}" + (f"; use {others}." if field in _VERSIONS and others else ".")


def _ranges(query: str, store: Store) -> Iterator[str]:
    """For each number that is asked for, what the base has of it."""
    for field in dict.fromkeys(_ASKED.findall(query)):
        if store.fields().get(field) != "number" or field == "date":
            continue
        sql = "SELECT MIN(low), MAX(high), COUNT(DISTINCT rid) FROM numbers WHERE field = ?"
        low, high, entries = next(iter(store.rows(sql, [field])))
        yield f"{field} is known of {entries} {'entry' if entries == 1 else 'entries'}, from {low:.4g} to {high:.4g}."


_ASKED = re.compile(r"(?<![^\s(-])([a-z_]+):(?=\S)")
_EVERYWHERE = ("kind", "lang", "outcome", "date")
_VERSIONS = ("version", "introduced", "removed", "release")


def _each_word(query: str, store: Store) -> str:
    """How many entries hold each word of a plain query of several words."""
    words = query.split()
    if not 2 <= len(words) <= MOST_WORDS or _SIGNS & set(query) or _JOINING & set(words):
        return ""
    return ", ".join(f"{word} {search(store, word, limit=0).total}" for word in words)


def _quoted(query: str) -> str:
    return f"'{query}'" if any(sign in query for sign in ' "*~()<>|&;') and "'" not in query else query
