"""The fields of the query language, and what the text after `field:` means in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kb.errors import QueryError
from kb.search.query import And, Facet, How, Query, Range, Text, Versions
from kb.store import FieldKind
from kb.store.days import day_range

TEXT_FIELDS = ("title", "id", "claim", "body")
FACET_FIELDS = (
    "kind", "tag", "component", "version", "model", "hardware", "interconnect", "topology", "engine", "connector",
    "metric", "prefix_caching", "source", "outcome", "status", "dimension", "release", "introduced", "removed", "lang",
)  # fmt: skip
VERSION_FIELDS = ("version", "release", "introduced", "removed")
NUMBER_FIELDS = (
    "ttft", "tpot", "itl", "e2el", "request_throughput", "goodput", "input_throughput", "output_throughput",
    "total_throughput", "completed", "failed", "duration", "effect", "input_tokens", "output_tokens", "qps",
    "concurrency",
)  # fmt: skip
DATE_FIELDS = ("date",)
FIELDS: dict[str, FieldKind] = {
    **dict.fromkeys(TEXT_FIELDS, "text"),
    **dict.fromkeys(FACET_FIELDS, "facet"),
    **dict.fromkeys((*NUMBER_FIELDS, *DATE_FIELDS), "number"),
}

OTHER_WORDS = {
    "hardware": "gpu gpus gpu_type gpu_model accelerator device machine instance",
    "component": "library package project repo",
    "engine": "framework server runtime",
    "connector": "kv_connector",
    "interconnect": "network fabric nic",
    "model": "llm model_name",
    "topology": "layout disaggregation",
    "prefix_caching": "prefix_cache cache caching apc",
    "dimension": "rests_on rests",
    "outcome": "verdict",
    "status": "state",
    "source": "relation vendor",
    "lang": "language",
    "date": "day year month",
    "tag": "label topic",
    "qps": "request_rate rate rps rr",
    "concurrency": "batch batch_size users clients max_concurrency",
    "input_tokens": "isl input_len prompt_len prompt_tokens",
    "output_tokens": "osl output_len max_tokens",
    "e2el": "e2e latency",
    "output_throughput": "throughput tps",
}
"""Field -> what else people call it; asked before the nearest spelling."""
NO_FIELD = {
    "tp": "tensor parallel",
    "pp": "pipeline parallel",
    "dp": "data parallel",
    "ep": "expert parallel",
}
"""What records state and no field holds -> the words that find it in their text."""

Extra = Callable[[], Mapping[str, FieldKind]]
"""Further fields, which the store knows; asked only for a field that is not among ours."""

_COMPARISON = re.compile(r"(>=|<=|>|<|=|≥|≤)(.*)")
_NUMBER = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(ms|s|k|K|x|%)?")
_SPAN = re.compile(r"(.+?)\.\.(.+)")
_FIELD_ALONE = re.compile(r"([A-Za-z_][\w.-]*):")
_MILLISECONDS = frozenset({"ttft", "tpot", "itl", "e2el"})
_INF = float("inf")


def leaf(field: str | None, text: str, position: int, extra: Extra) -> Query:
    """An unquoted `text`, after `field:` or alone. Raises QueryError."""
    if field is None:
        return _bare(text, position, extra)
    kind = known(field, position, extra)
    if kind == "text":
        return Text(_without_stars(text, position), field, "word", 0, position)
    if kind == "facet":
        return _facet(field, text, position)
    low, high, open_low, open_high = _comparison(field, text, position)
    return Range(field, low, high, open_low, open_high)


def quoted(field: str | None, text: str, position: int, extra: Extra) -> Query:
    """A `"text"` in quotes, after `field:` or alone."""
    kind = known(field, position, extra) if field else "text"
    if kind == "text":
        return Text(text, field, "phrase", 0, position)
    if field and kind == "facet":
        return Facet(field, text, "phrase", 0, position)
    return leaf(field, text, position, extra)


def shaped(field: str | None, text: str, how: How, distance: int, position: int, extra: Extra) -> Query:
    """`text*` or `text~`, after `field:` or alone."""
    kind = known(field, position, extra) if field else "text"
    if kind == "text":
        return Text(text, field, how, distance, position)
    if field and kind == "facet":
        return Facet(field, text, how, distance, position)
    raise QueryError(f"{field} holds numbers; * and ~ are for words", position, f"try {field}:>=8 or {field}:[1 TO 8]")


def between(
    field: str | None, low: str, high: str, open_low: bool, open_high: bool, position: int, extra: Extra
) -> Query:
    """`field:[low TO high]`; an empty or `*` end is open."""
    if field is None:
        raise QueryError("a range needs a field", position, "for example input_tokens:[1000 TO 16000]")
    kind = known(field, position, extra)
    low, high = ("" if end in ("", "*") else end for end in (low.strip(), high.strip()))
    if field in VERSION_FIELDS:
        return Versions(field, _version(field, low, position), _version(field, high, position), open_low, open_high)
    if kind != "number":
        raise _not_a_number(field, position)
    first = _value(field, low, position) if low else (-_INF, -_INF)
    last = _value(field, high, position) if high else (_INF, _INF)
    return Range(field, first[1 if open_low else 0], last[0 if open_high else 1], open_low, open_high)


def known(field: str, position: int, extra: Extra) -> FieldKind:
    """What the field holds, or an error that names the nearest field."""
    kind = FIELDS.get(field) or (more := extra()).get(field)
    if kind:
        return kind
    hint = _meant(field, sorted({**FIELDS, **more}))
    raise QueryError(f'unknown field "{field}"', max(0, position - len(field) - 1), hint)


def _meant(field: str, names: list[str]) -> str:
    """The field of that meaning, then the one that is spelt alike."""
    from kb.suggest import did_you_mean

    word = field.casefold()
    if word in NO_FIELD:
        return f'no field holds it; search for the words: "{NO_FIELD[word]}"'
    if ours := next((each for each, others in OTHER_WORDS.items() if word in others.split()), None):
        return f'did you mean "{ours}"?'
    return did_you_mean(field, names) or "to search for the text itself, put it in quotes"


def is_date(field: str) -> bool:
    """Whether a number field holds days."""
    return field in DATE_FIELDS or field.endswith("_date")


def _bare(text: str, position: int, extra: Extra) -> Query:
    alone = _FIELD_ALONE.fullmatch(text)
    if alone and (alone[1] in FIELDS or alone[1] in extra()):
        raise QueryError(f"nothing after {text}", position, f"write {text}value without a space")
    return Text(_without_stars(text, position), None, "word", 0, position) if text != "*" else And(())


def _without_stars(text: str, position: int) -> str:
    if "*" in text and text.strip("*"):
        raise QueryError("* is understood only at the end of a word", position, "for the text itself, put it in quotes")
    return text


def _facet(field: str, text: str, position: int) -> Query:
    comparison = _COMPARISON.fullmatch(text)
    if not comparison:
        return Facet(field, text, "word", 0, position)
    sign, operand = comparison[1], comparison[2]
    if sign == "=":
        return Facet(field, operand, "word", 0, position)
    if field not in VERSION_FIELDS:
        raise _not_a_number(field, position)
    end = _version(field, operand, position)
    if end is None:
        raise QueryError(f"nothing after {field}:{sign}", position, f"write {field}:{sign}0.11")
    upward, strict = sign in (">", ">=", "≥"), sign in ("<", ">")
    return Versions(field, end if upward else None, None if upward else end, strict and upward, strict and not upward)


def _comparison(field: str, text: str, position: int) -> tuple[float, float, bool, bool]:
    comparison, span = _COMPARISON.fullmatch(text), _SPAN.fullmatch(text)
    if span and not comparison:
        return _value(field, span[1], position)[0], _value(field, span[2], position)[1], False, False
    if not comparison:
        return (*_value(field, text, position), False, False)
    low, high = _value(field, comparison[2], position)
    return {
        ">": (high, _INF, True, False),
        ">=": (low, _INF, False, False),
        "≥": (low, _INF, False, False),
        "<": (-_INF, low, False, True),
        "<=": (-_INF, high, False, False),
        "≤": (-_INF, high, False, False),
        "=": (low, high, False, False),
    }[comparison[1]]


def _value(field: str, text: str, position: int) -> tuple[float, float]:
    """First and last number that a text stands for; a month stands for its days."""
    text = text.strip()
    if is_date(field):
        days = day_range(text)
        if days is None:
            raise QueryError(
                f'"{text}" is not a date', position, f"write {field}:2026-10-19, {field}:2026-10 or {field}:2026"
            )
        return days
    number = _NUMBER.fullmatch(text)
    if number is None:
        hint = f"write {field}:>=8 or {field}:[1 TO 8], without spaces after the sign"
        raise QueryError(f'"{text}" is not a number', position, hint)
    value = float(number[1]) * _scale(field, number[2])
    return value, value


def _scale(field: str, suffix: str | None) -> float:
    if suffix in ("k", "K"):
        return 1000.0
    return 1000.0 if suffix == "s" and field in _MILLISECONDS else 1.0


def _version(field: str, text: str, position: int) -> tuple[int, ...] | None:
    if not text:
        return None
    numbers = version_numbers(text.strip())
    if numbers is None:
        raise QueryError(f'"{text}" is not a version', position, f"write {field}:>=0.11.0")
    return numbers


def version_numbers(text: str) -> tuple[int, ...] | None:
    """Numbers by which versions are compared, as PEP 440 orders them: trailing zeros say nothing (0.11 = 0.11.0), a
    pre-release lies just below its release, a post-release just above.
    """
    match = re.match(r"[vV]?(\d+(?:\.\d+)*)(?:[-_.]?(dev|a|b|rc|post)[-_.]?(\d*))?", text)
    if match is None:
        return None
    numbers = [int(n) for n in match[1].split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    stage, count = match[2], int(match[3] or 0)
    if stage == "post":
        return (*numbers, 0, 0, count)
    below = (*numbers[:-1], numbers[-1] - 1, 10**9, _STAGES.index(stage), count) if stage else ()
    return below or tuple(numbers)


_STAGES = ("dev", "a", "b", "rc")
"""Pre-releases in their order."""


def _not_a_number(field: str, position: int) -> QueryError:
    return QueryError(f"{field} holds words, not numbers", position, f"write {field}:value")
