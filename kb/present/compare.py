"""A comparison in a terminal: the answer and what is in the way, setup, then numbers, then what the claims say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kb.compare import ClaimPair, Comparison, Named
from kb.conditions import Truth
from kb.differences import Difference
from kb.directions import Direction
from kb.disagreement import Disagreement, Modifier
from kb.matching import Reason
from kb.present.numbers import plain, rounded, with_unit
from kb.present.text import Page, bullets, heading, named, table, wrap
from kb.ratios import Metric, number

MOST = 40
"""Rows of numbers and pairs of claims shown; the rest is counted."""
FEW = 3
"""Disagreements shown."""


def compare(found: Comparison, page: Page, every: bool = False) -> list[str]:
    """The whole page; `every` also shows what is the same and what differs without mattering."""
    return [
        *_head(found, page),
        *_setup(found, page, every),
        *_numbers(found, page, every),
        *_claims(found.claims, page, every),
        *_disagreements(found.disagreements, page, every),
    ]


def _head(found: Comparison, page: Page) -> list[str]:
    one, other = (_name(each, found, end) for end, each in enumerate((found.a, found.b)))
    against = [each for each in found.reasons if each.truth is Truth.NO]
    unknown = [each for each in found.reasons if each.truth is Truth.UNKNOWN]
    return [
        *named("A", one, page.width),
        *named("B", other, page.width),
        *named("Comparable", _ANSWER[found.comparable], page.width),
        *(["", "In the way of a ratio"] if against else []),
        *bullets((f"{each.says} ({each.one} | {each.other})" for each in against), page.width),
        *_needed(unknown, page),
    ]


def _needed(unknown: list[Reason], page: Page) -> list[str]:
    fields = ", ".join(dict.fromkeys(map(_field, unknown)))
    return (
        ["", *wrap(f"Not known on at least one side, and needed for a ratio: {fields}", page.width)] if fields else []
    )


def _field(each: Reason) -> str:
    return "load point" if each.field == "where" else each.field


_ANSWER = {
    Truth.YES: "yes: their numbers may be divided, row by row",
    Truth.NO: "no: their numbers may not be divided",
    Truth.UNKNOWN: "unknown: nobody can say as long as this is not known",
}


def _name(each: Named, found: Comparison, end: int) -> str:
    arms = dict.fromkeys(pair[end].id for pair in found.pairs if pair[end].arm)
    shown = f" ({', '.join(arms)})" if arms else ""
    return f"{each.evaluation.id}{shown}: {each.evaluation.title}"


def _setup(found: Comparison, page: Page, every: bool) -> list[str]:
    by = {state: [each for each in found.differences if each.material == state] for state in ("yes", "no", "unknown")}
    lines = [*_table("Setup: differs and matters", by["yes"], page)]
    if by["unknown"]:
        lines += heading("Setup: not known on at least one side", page)
        lines += _unknown(((_key(each), each.a, each.b) for each in by["unknown"]), page)
    if every:
        lines += _table("Setup: differs and does not matter", by["no"], page)
        lines += heading("Setup: the same", page) if found.alike else []
        lines += wrap("; ".join(f"{each.key} {each.value}" for each in found.alike), page.width, "  ")
        return lines
    hidden = [(len(by["no"]), "differ and do not matter"), (len(found.alike), "are the same")]
    said = " and ".join(f"{count} {words}" for count, words in hidden if count)
    return [*lines, "", *wrap(f"{said} (--all shows them).", page.width)] if said else lines


def _unknown(rows: Iterable[tuple[str, str, str]], page: Page) -> list[str]:
    """What only A states, what only B states, what neither does."""
    listed = list(rows)
    only_a = [f"{key} {a}" for key, a, b in listed if a not in _OPEN and b in _OPEN]
    only_b = [f"{key} {b}" for key, a, b in listed if b not in _OPEN and a in _OPEN]
    neither = [key for key, a, b in listed if a in _OPEN and b in _OPEN]
    unclear = [f"{key} {a} | {b}" for key, a, b in listed if a not in _OPEN and b not in _OPEN]
    parts = (("only A", only_a), ("only B", only_b), ("neither", neither), ("unclear", unclear))
    return [line for name, texts in parts for line in named(name, "; ".join(texts), page.width, 9, "  ")]


_OPEN = frozenset({"unknown", "not stated"})


def _key(each: Difference) -> str:
    return f"{each.key} ({each.arm})" if each.arm else each.key


def _table(title: str, rows: list[Difference], page: Page) -> list[str]:
    if not rows:
        return []
    cells = [[_key(each), each.a, each.b, _why(each)] for each in rows]
    return [*heading(title, page), *table(cells, page.width, ["", "A", "B", "why"], page=page)]


def _why(each: Difference) -> str:
    return f"{each.why}: {', '.join(each.changes)}" if each.changes else each.why


def _numbers(found: Comparison, page: Page, every: bool) -> list[str]:
    if not found.metrics:
        return [
            *heading("Numbers", page),
            *wrap("No number of the one stands beside one of the other.", page.width, "  "),
        ]
    rows = found.metrics if every else found.metrics[:MOST]
    arms = any(each.arm for each in rows)
    refusals = list(dict.fromkeys(each.refused for each in rows if each.refused))
    cells = [[*([each.arm or ""] if arms else []), *_row(each, refusals)] for each in rows]
    head = [*(["arms"] if arms else []), "metric", "stat", "at", "A", "B", "A / B"]
    lines = [*heading("Numbers", page), *table(cells, page.width, head, page=page)]
    notes = [f"[{count}] no ratio: {text}" for count, text in enumerate(refusals, 1)]
    rest = len(found.metrics) - len(rows)
    return [*lines, *bullets(notes, page.width, ""), *([f"  {rest} more rows (--all shows them)."] if rest else [])]


def _row(each: Metric, refusals: Sequence[str | None]) -> list[str]:
    ratio = "" if each.ratio is None else f"{'≈' if each.about else ''}{rounded(each.ratio)}x"
    mark = f"[{refusals.index(each.refused) + 1}]" if each.refused else ""
    values = [_value(number(point, each.unit), each.unit) for point in (each.a, each.b)]
    return [each.metric, "" if each.stat == "unknown" else each.stat, each.where, *values, ratio + mark]


def _value(value: float | list[float] | None, unit: str) -> str:
    if value is None:
        return "?"
    return with_unit(" to ".join(map(plain, value)) if isinstance(value, list) else plain(value), unit)


def _claims(pairs: tuple[ClaimPair, ...], page: Page, every: bool) -> list[str]:
    if not pairs:
        return []
    rows = pairs if every else [each for each in pairs if each.agree is not Truth.UNKNOWN][:MOST]
    said = [f"{each.a.claim.id} | {each.b.claim.id}: say {_AGREE[each.agree]}; {_fields(each)}" for each in rows]
    rest = len(pairs) - len(rows)
    note = [f"  {rest} more pairs of claims (--all shows them)."] if rest else []
    return [*heading("Claims on this question", page), *bullets(said, page.width), *note]


_AGREE = {Truth.YES: "the same", Truth.NO: "different things", Truth.UNKNOWN: "cannot be told"}


def _fields(pair: ClaimPair) -> str:
    against = ", ".join(dict.fromkeys(map(_field, pair.comparability.against)))
    count = len({each.field for each in pair.comparability.open})
    unknown = f"{count} field{'s' if count > 1 else ''} unknown"
    if against:
        return f"not comparable: {against}" + (f"; {unknown}" if count else "")
    return f"perhaps comparable: {unknown}" if count else "comparable"


def _disagreements(found: tuple[Disagreement, ...], page: Page, every: bool) -> list[str]:
    shown = found if every else found[:FEW]
    rest = len(found) - len(shown)
    note = ["", *wrap(f"{rest} more disagreements (--all shows them).", page.width)] if rest else []
    return [*(line for each in shown for line in disagreement(each, page)), *note]


def disagreement(found: Disagreement, page: Page) -> list[str]:
    """Two claims that say different things, and what separates their runs."""
    said = [f"{at} says {_direction(each)}" for at, each in zip((found.one, found.other), found.said, strict=True)]
    open_ = [(each.key, each.one, each.other) for each in found.unknown]
    return [
        *heading("Disagreement", page),
        *bullets(said, page.width),
        *(["  separated by"] if found.material else wrap("Nothing that is known separates them.", page.width, "  ")),
        *bullets(map(_modifier, found.material), page.width, "  - "),
        *(wrap("not known on at least one side, and could separate them as well", page.width, "  ") if open_ else []),
        *_unknown(open_, page),
    ]


def _direction(said: Direction) -> str:
    if said.kind == "better":
        return f"{said.better} is better" + (f" than {said.worse}" if said.worse else "")
    return "the arms are about equal" if said.kind == "parity" else "nothing of the kind"


def _modifier(each: Modifier) -> str:
    return f"{each.name}: {each.key} {each.one} | {each.other} ({each.why})"
