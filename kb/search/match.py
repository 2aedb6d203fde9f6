"""Text of a query -> FTS5 MATCH expressions. Every token is quoted; tokens hold no quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kb.search.query import Text
from kb.search.spell import near_words
from kb.search.terms import Segment, long_keys_of, segments, windows
from kb.store import Store
from kb.store.fulltext import about
from kb.tokens import Unit, fold, spans, squash, tokens, units

_FIELD_COLUMNS = {"title": "{title title_names}", "id": "ident", "claim": "claims", "body": "body"}
CONCEPT = re.compile('\ue001[^"]+')
"""A token that stands for a term (see kb.store.fulltext)."""
_LONGEST_NAME = 6
"""Parts of an identifier that is looked for in words side by side."""
_LONG_NAME = 14
"""Characters of an expression from which on the typed name of a term is a sharper question than the term."""
_NAMELESS = ("id", "claim", "body")
"""Fields whose names are not kept apart: a version is looked up by its parts there."""


def words(store: Store, text: str) -> list[str]:
    """Expressions of free words, all of which must match; a term of the vocabulary matches by any of its names."""
    found = [each for segment in (segments(store, text) if text else ()) for each in _segment(segment, store)]
    names = _spelt_together(store, text) if len(found) > 1 else []
    return [any_of((all_of(found), all_of([any_of(names), *found])))] if names else found


def _spelt_together(store: Store, text: str) -> list[str]:
    """Identifiers that words side by side spell ("nixl push connector"): they raise the entries that have them."""
    found = spans(text)
    several = [(a, b) for a, b in windows(found) if b - a <= _LONGEST_NAME and found[a].run != found[b - 1].run]
    names = {squash(text[found[a].start : found[b - 1].end]): (a, b) for a, b in several}
    marks = ",".join("?" * len(names))
    known = [word for (word,) in store.rows(f"SELECT word FROM words WHERE word IN ({marks})", list(names))]
    return [any_of((phrase([name]), phrase([t.text for t in found[slice(*names[name])]]))) for name in known]


def text(store: Store, node: Text) -> str | None:
    """The expression of one leaf; None when nothing in it can be searched for."""
    inner = _inner(store, node)
    if inner is None or node.field is None:
        return inner
    return f"{_FIELD_COLUMNS[node.field]} : ({inner})"


def phrase(parts: Sequence[str]) -> str:
    """Tokens one after another."""
    return f'"{" ".join(parts)}"'


def any_of(expressions: Iterable[str]) -> str:
    """At least one of them."""
    found = list(dict.fromkeys(expressions))
    return found[0] if len(found) == 1 else f"({' OR '.join(found)})"


def all_of(expressions: Sequence[str]) -> str:
    """Every one of them."""
    return expressions[0] if len(expressions) == 1 else f"({' AND '.join(expressions)})"


def _inner(store: Store, node: Text) -> str | None:
    if node.how == "phrase":
        return _quoted(store, node)
    if node.how == "prefix":
        return _prefix(node.text)
    if node.how == "fuzzy":
        return _fuzzy(store, node)
    found = words(store, node.text) if node.field is None else [unit(u, node.field) for u in units(node.text)]
    return all_of(found) if found else None


def _segment(segment: Segment, store: Store) -> list[str]:
    """What was typed, or the term it names."""
    typed = [unit(each) for each in units(segment.text)]
    if not segment.concepts:
        return typed
    return [_term(store, segment, typed[0] if len(typed) == 1 else phrase(tokens(segment.text)))]


def _term(store: Store, segment: Segment, typed: str) -> str:
    """A term under any name. What follows adds no hit: documents about the term count it again, and so does a long name
    as it was typed. Of several words it is a sharper question than the term, in any language: `lista de descritores`
    asks rather for a descriptor list than for descriptors.
    """
    names = (phrase(key.split()) for key in long_keys_of(store, segment.concepts)) if " " in segment.text else ()
    return any_of(
        (
            *map(_token, segment.concepts),
            *(_token(about(each)) for each in segment.concepts),
            *([typed] if len(typed) > _LONG_NAME else []),
            *names,
        )
    )


def _token(concept: str) -> str:
    return f'"{concept}"'


def unit(each: Unit, field: str | None = None) -> str:
    """One run of a query: its name, or its parts one after another."""
    if each.name is None:
        return _single(each.parts[0]) if len(each.parts) == 1 else phrase(each.parts)
    if field in _NAMELESS:
        return phrase(each.parts)
    if each.exact:
        return phrase([each.name])
    return any_of((phrase([each.name]), phrase(each.parts)))


def _single(part: str) -> str:
    """A Japanese character alone stands for every pair it begins."""
    return f'"{part}"*' if len(part) == 1 and part > "\u1100" else phrase([part])


def _quoted(store: Store, node: Text) -> str | None:
    found = tokens(node.text)
    if not found:
        return None
    if node.field is None:
        whole = [segment for segment in segments(store, node.text) if segment.concepts and segment.whole]
        if whole:
            return _term(store, whole[0], phrase(found))
    each = units(node.text)
    return unit(each[0], node.field) if len(each) == 1 and each[0].exact else phrase(found)


def _prefix(text: str) -> str | None:
    """The parts as a phrase whose last is a beginning (as written, not folded), or the whole form as a beginning."""
    found = spans(text)
    if not found:
        return None
    last = found[-1].text
    if last > "\u1100":
        return phrase([t.text for t in found]) + ("*" if len(last) == 1 else "")
    last = fold(text[found[-1].start : found[-1].end])
    return any_of(f"{phrase(parts)}*" for parts in ([*(t.text for t in found[:-1]), last], [squash(text)]))


def _fuzzy(store: Store, node: Text) -> str | None:
    near = near_words(store, node.text, node.distance)
    if near is None:
        found = units(node.text)
        return all_of([unit(each) for each in found]) if found else None
    words = near or [squash(node.text)]
    return any_of(
        (*(phrase([word]) for word in words), *(all_of([unit(each) for each in units(word)]) for word in words))
    )
