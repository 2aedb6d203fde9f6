"""A small world of documents, and what a query means said once more, slowly, over those documents."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from kb.document import Document, Term
from kb.search.fields import version_numbers
from kb.search.query import And, Facet, Not, Or, Query, Range, Text, Versions
from kb.search.spell import within
from kb.store import Store, open_store
from kb.store.days import day_range
from kb.tokens import GAP, Unit, analyse, squash, tokens, units, words

WORDS = tuple(
    word
    for line in (
        "push pull transfer latency latencies cache caches prefill decode block blocks handshake scheduler vLLM",
        "NixlPushConnector nixl_push Qwen3-32B v0.11.0 0.11 0.12.1 #35264 --kv-transfer-config 1P1D p99 C R 540ms 10.4",
        "サーバー キャッシュ 転送 初回トークン遅延 遅延 latência latencia conclusões conclusão",
    )
    for word in line.split()
)

MODELS = ("Qwen3-32B", "Llama-3.1-8B", "DeepSeek-V3")
CONNECTORS = ("vllm-nixl-pull", "vllm-nixl-push", "lmcache")


def store_of(documents: Iterable[Document], terms: Iterable[Term] = ()) -> Store:
    """A store in memory that holds them."""
    store = open_store(None)
    with store.writing() as writer:
        for document in documents:
            writer.document(document)
        for term in terms:
            writer.term(term)
    return store


def document(id_: str = "x", title: str = "A title", **more: object) -> Document:
    """A document about nothing much."""
    given: dict[str, object] = {"kind": "evaluation", "path": f"{id_}.md"} | more
    return Document(id=id_, title=title, **given)  # type: ignore[arg-type]


def documents(n: int, seed: int = 1) -> list[Document]:
    """Made-up documents, always the same for a seed; one in five has a translation."""
    chance = random.Random(seed)
    made = [_document(chance, i) for i in range(n)]
    translations = [_translation(chance, each) for each in made if chance.random() < 0.2]
    return made + translations


def _document(chance: random.Random, i: int) -> Document:
    low = chance.choice((100.0, 540.0, 1000.0, 1744.0))
    return Document(
        id=f"entry-{i}",
        kind=chance.choice(("evaluation", "change", "component")),
        title=_text(chance, 4),
        path=f"entry-{i}.md",
        date=chance.choice(("2026-10-19", "2026-10", "2025", "2026-06-01", None)),
        aliases=chance.choice(((), ("NixlConnector",))),
        claims=tuple(_text(chance, 5) for _ in range(chance.randint(0, 2))),
        tags=tuple(chance.sample(("push", "kv cache", "転送"), chance.randint(0, 2))),
        body=_text(chance, 12),
        facets={
            "model": (chance.choice(MODELS),),
            "connector": tuple(chance.sample(CONNECTORS, chance.randint(0, 2))),
            "version": (chance.choice(("0.11.0", "0.12.1", "1.0.11", "main")),),
            "source": (chance.choice(("vendor", "independent")),),
        },
        numbers=(("ttft", low, low), ("qps", 1.0, chance.choice((1.0, 4.0, 8.0)))),
    )


def _translation(chance: random.Random, of: Document) -> Document:
    return Document(
        id=of.id,
        kind=of.kind,
        title=_text(chance, 4),
        path=f"{of.id}.ja.md",
        lang="ja",
        original=False,
        body=_text(chance, 9),
    )


def _text(chance: random.Random, n: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(n)) + chance.choice((".", "。", ""))


# --- the meaning of a query, without an index ---


def hits(query: Query, documents: Sequence[Document]) -> set[str]:
    """Ids of the entries that match."""
    return {each.id for each in documents if matches(query, each, documents)}


def matches(query: Query, one: Document, all_: Sequence[Document]) -> bool:
    """Whether a document matches; its entry's other documents lend it their facts, and what is left out has to
    be in none of them.
    """
    if isinstance(query, And):
        return all(matches(part, one, all_) for part in query.parts)
    if isinstance(query, Or):
        return any(matches(part, one, all_) for part in query.parts)
    if isinstance(query, Text):
        return _text_matches(query, one, all_)
    entry = [each for each in all_ if each.id == one.id]
    if isinstance(query, Not):
        return not any(matches(query.part, each, all_) for each in entry)
    if isinstance(query, Range):
        return any(_overlaps(query, low, high) for each in entry for low, high in _numbers(each, query.field))
    if isinstance(query, Versions):
        return any(_inside(query, value) for each in entry for value in each.facets.get(query.field, ()))
    if query.field == "lang":
        return one.lang == query.value
    known = {value for each in all_ for value in _values(each, query.field)}
    return bool(_meant(query, known) & {value for each in entry for value in _values(each, query.field)})


def _values(one: Document, field: str) -> tuple[str, ...]:
    return {"kind": (one.kind,), "tag": one.tags}.get(field, one.facets.get(field, ()))


def _meant(query: Facet, known: set[str]) -> set[str]:
    key = squash(query.value)
    if query.how == "prefix":
        return {v for v in known if squash(v).startswith(key)}
    exact = {v for v in known if squash(v) == key}
    if query.field in ("kind", "source") or (exact and query.field == "component"):
        return exact
    asked = units(query.value)
    if len(asked) == 1 and asked[0].exact:
        return exact | {v for v in known if asked[0].name in analyse(v).names}
    return exact | {v for v in known if _holds(analyse(v).parts, tokens(query.value))}


def _numbers(one: Document, field: str) -> list[tuple[float, float]]:
    if field == "date":
        days = day_range(one.date or "")
        return [days] if days else []
    return [(low, high) for name, low, high in one.numbers if name == field]


def _overlaps(query: Range, low: float, high: float) -> bool:
    above = high > query.low if query.open_low else high >= query.low
    return above and (low < query.high if query.open_high else low <= query.high)


def _inside(query: Versions, value: str) -> bool:
    numbers = version_numbers(value)
    if numbers is None:
        return False
    above = query.low is None or (numbers > query.low if query.open_low else numbers >= query.low)
    return above and (query.high is None or (numbers < query.high if query.open_high else numbers <= query.high))


def _streams(one: Document, field: str | None) -> tuple[list[list[str]], set[str]]:
    """Token streams that a phrase may lie in, and the names beside them."""
    texts = {
        "title": [one.title],
        "id": [one.id, *one.aliases],
        "claim": list(one.claims),
        "tags": list(one.tags),
        "facts": _facts(one),
        "body": [one.body],
    }
    chosen = [t for name, all_ in texts.items() if field in (None, name) for t in all_]
    found = [analyse(t) for t in chosen]
    return [each.parts for each in found], {name for each in found for name in each.names}


def _text_matches(query: Text, one: Document, all_: Sequence[Document]) -> bool:
    streams, names = _streams(one, query.field)
    if query.how == "prefix":
        return _begins(query.text, streams, names)
    if query.how == "fuzzy":
        known = words(run for each in all_ for t in _all_text(each) for run in analyse(t).runs)
        key = squash(query.text)
        near = {w for w in known if w[0] == key[0] and within(w, key, query.distance)}
        held = [w in names or any(w in s for s in streams) for w in near]
        return any(held) or any(all(_unit(u, streams, names, query.field) for u in units(w)) for w in near)
    asked = units(query.text)
    if query.how == "phrase" and not (len(asked) == 1 and asked[0].exact):
        return any(_holds(stream, tokens(query.text)) for stream in streams)
    return all(_unit(each, streams, names, query.field) for each in asked)


def _facts(one: Document) -> list[str]:
    """Values that count as text: not words of ours, and not the many versions that carry a change."""
    silent = {"source", "version"} if one.kind == "change" else {"source"}
    return [v for name, values in one.facets.items() if name not in silent for v in values]


def _all_text(one: Document) -> list[str]:
    return [one.title, one.id, *one.aliases, *one.claims, *one.tags, *_facts(one), one.body]


def _unit(asked: Unit, streams: list[list[str]], names: set[str], field: str | None) -> bool:
    if (
        asked.name is not None
        and field in (None, "title")
        and (asked.name in names or any(asked.name in s for s in streams))
    ):
        return True
    if asked.exact and field in (None, "title"):
        return False
    if len(asked.parts) == 1:
        only = asked.parts[0]
        pool = names if field in (None, "title") else set()
        if len(only) == 1 and only > "\u1100":
            return any(t.startswith(only) for s in streams for t in s)
        return only in pool or any(only in s for s in streams)
    return any(_holds(s, list(asked.parts)) for s in streams)


def _begins(text: str, streams: list[list[str]], names: set[str]) -> bool:
    key = squash(text)
    return any(n.startswith(key) for n in names) or any(t.startswith(key) for s in streams for t in s if t != GAP)


def _holds(stream: list[str], phrase: Sequence[str]) -> bool:
    n = len(phrase)
    return n > 0 and any(stream[i : i + n] == list(phrase) for i in range(len(stream) - n + 1))
