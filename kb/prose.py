"""Figures in prose: numbers with a unit, a factor or a percentage, and whether known numbers stand behind them.

Precision goes before recall: versions, token lengths, pull request numbers, dates, "1P1D", "P99", "8x H200" and
figures of something else (timeouts, hit rates, shares of requests) are no figures of a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kb.evidence import Computed, Effect, Point, compute
from kb.units import convert, kind
from kb.vocabulary import Reported

FACTOR, PERCENT = "x", "%"

_UNITS = {
    "x": FACTOR, "×": FACTOR, "times": FACTOR, "fold": FACTOR, "-fold": FACTOR, "vezes": FACTOR, "倍": FACTOR,
    "%": PERCENT, "percent": PERCENT, "per cent": PERCENT, "por cento": PERCENT, "パーセント": PERCENT,
    "us": "us", "µs": "us", "μs": "us", "microseconds": "us", "マイクロ秒": "us",
    "ms": "ms", "milliseconds": "ms", "milissegundos": "ms", "ミリ秒": "ms",
    "s": "s", "seconds": "s", "segundos": "s", "秒": "s",
    "tok/s": "tok/s", "tokens/s": "tok/s", "tokens per second": "tok/s",
    "req/s": "req/s", "requests per second": "req/s", "GB/s": "GB/s", "MB/s": "MB/s", "Gb/s": "Gb/s",
}  # fmt: skip
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_FIGURE = re.compile(
    rf"(?<![A-Za-z0-9_.,/#:+\-–])(?P<low>\d[\d,.]*?)(?:\s?(?:–|-|to|a|～|から)\s?(?P<high>\d[\d,.]*?))?"
    rf"(?P<space>\s?)(?P<unit>{_UNIT})(?![A-Za-z/²³])"
)
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:,\d+)?")
COMMA_DECIMALS = frozenset({"pt", "de", "fr", "es"})

_NOT_A_FACTOR = re.compile(
    r"^\s*(?:[A-Z0-9]|(?:more |as many |as much |the )?"
    r"(?i:gpu|node|request|prompt|token|instance|load|rate|concurren|session|replica)s?)"
)
_OTHER_AFTER = re.compile(
    r"^\s*(?:of (?:the |all )?(?:requests|prompts|tokens|traffic|time|blocks|cases|runs)|"
    r"(?:cache |prefix |token )*hit|hits|reuse|utili[sz]ation|load\b|confidence|CI\b|percentile|timeout|"
    r"lease|TTL|interval|SLO|limit|deadline|budget|window|sleep|heartbeat)",
    re.IGNORECASE,
)
_OTHER_BEFORE = re.compile(
    r"(?:hit rate(?: of)?|reuse(?: of)?|timeout(?: of)?|lease(?: of)?|TTL(?: of)?|every|SLO(?: of)?|limits?(?: of)?|"
    r"budget(?: of)?|deadline(?: of)?|interval(?: of)?|noise(?: floor)?(?: of)?|spread(?: of)?|margin(?: of)?|"
    r"utili[sz]ation(?: of)?|±|\+/-|after)\s*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:about|around|roughly|some|nearly|almost|close to|approximately|"
    r"~|≈|約|ほぼ|cerca de|quase|aproximadamente)\s*$",
    re.I,
)
_ABOVE = re.compile(r"(?:over|above|more than|at least|beyond|>=?|≥|mais de|pelo menos)\s*$", re.I)
_BELOW = re.compile(r"(?:under|below|less than|at most|within|up to|as much as|<=?|≤|menos de|até|最大)\s*$", re.I)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number as written: its ends, its unit in canonical spelling, how finely it is given, and where it stands."""

    low: float
    high: float
    unit: str
    step: float
    start: int
    end: int
    text: str


def figures(text: str, language: str = "en") -> Iterator[Figure]:
    """Numbers with a unit that may be a result."""
    for match in _FIGURE.finditer(text):
        low = _number(match["low"], language)
        high = _number(match["high"], language) if match["high"] else low
        if low is None or high is None or high < low or _is_other(text, match):
            continue
        unit = _UNITS[match["unit"]]
        step = _step(match["high"] or match["low"], language)
        yield Figure(low, high, unit, step, match.start(), match.end(), match[0].strip())


def _is_other(text: str, match: re.Match[str]) -> bool:
    before, after = text[max(0, match.start() - 24) : match.start()], text[match.end() : match.end() + 40]
    if _UNITS[match["unit"]] == FACTOR and _NOT_A_FACTOR.search(after):
        return True
    if match["unit"] == "s" and not match["space"] and re.fullmatch(r"(19|20)\d\d", match["low"]):
        return True
    return bool(_OTHER_AFTER.search(after) or _OTHER_BEFORE.search(before))


def _number(text: str, language: str) -> float | None:
    text = text.rstrip(".,")
    if language in COMMA_DECIMALS and _EUROPEAN.fullmatch(text):
        return float(text.replace(".", "").replace(",", "."))
    return float(text.replace(",", "")) if _NUMBER.fullmatch(text) else None


def _step(text: str, language: str) -> float:
    """The last place that is given: 0.1 for 3.2, 1 for 3, 100 for 1700."""
    point = "," if language in COMMA_DECIMALS else "."
    whole, _, part = text.rstrip(".,").partition(point)
    if part:
        return float(10 ** -len(part))
    digits = re.sub(r"\D", "", whole)
    zeros = len(digits) - len(digits.rstrip("0"))
    return float(10**zeros) if zeros < len(digits) else 1.0


def stands_behind(figure: Figure, text: str, known: Iterable[tuple[float, str]]) -> bool:
    """Whether one of the known numbers, rounded as the figure is, gives it."""
    before = text[max(0, figure.start - 20) : figure.start]
    return any(_gives(figure, before, value, unit) for value, unit in known)


def _gives(figure: Figure, before: str, value: float, unit: str) -> bool:
    here = convert(value, unit, figure.unit)
    if here is None:
        return False
    here = abs(here)
    slack = figure.step / 2 + 1e-9
    if figure.low - slack <= here <= figure.high + slack or figure.low <= here < figure.low + figure.step:
        return True
    if _ABOUT.search(before):
        return figure.low * 0.88 <= here <= figure.high * 1.12
    if _ABOVE.search(before):
        return here >= figure.low - slack
    return bool(_BELOW.search(before)) and here <= figure.high + slack


def numbers_of(points: Sequence[Point], effect: Effect | None = None) -> list[tuple[float, str]]:
    """Every number that the points give: their values, and ratios, differences and percentages between any two."""
    known = [pair for point in points for pair in _of_point(point)]
    for i, a in enumerate(points):
        for b in points[i + 1 :]:
            known += _of_pair(a, b)
    if effect is not None:
        typed = (effect.value, effect.margin, effect.at_least, effect.at_most)
        known += [(value, effect.unit or "x") for value in typed if value is not None]
        known += _of_computed(compute(effect, {point.id: point for point in points if point.id}))
    return known


def _of_point(point: Point) -> list[tuple[float, str]]:
    values = [value for value in (point.value, point.low, point.high) if value is not None]
    if point.spread:
        values += [value for value in (point.spread.std, point.spread.low, point.spread.high) if value is not None]
    known = [(value, point.unit) for value in values]
    for value in values if point.reported else ():
        known += _of_reported(point.reported, value)
    return known


def _of_reported(reported: Reported | None, value: float) -> list[tuple[float, str]]:
    if reported in {Reported.IMPROVEMENT_FACTOR, Reported.RATIO} and value > 0:
        return _factors(value)
    if reported is Reported.PERCENT_CHANGE and value > -100:
        return _factors(1 + value / 100)
    if reported is Reported.PERCENT_IMPROVEMENT and value < 100:
        return [*_factors(1 - value / 100), *_factors(1 + value / 100)]
    return []


def _of_pair(a: Point, b: Point) -> list[tuple[float, str]]:
    known: list[tuple[float, str]] = []
    for left in (a.low, a.high, a.value):
        for right in (b.low, b.high, b.value):
            other = convert(right, b.unit, a.unit) if left is not None and right is not None else None
            if left is not None and other is not None:
                known.append((abs(left - other), a.unit))
                known += _factors(left / other) if other and left else []
    return known


def _of_computed(computed: Computed | None) -> list[tuple[float, str]]:
    return [] if computed is None else [(computed.low, computed.unit), (computed.high, computed.unit)]


def _factors(ratio: float) -> list[tuple[float, str]]:
    """A ratio as it may be worded: itself, turned round, as a share, and as a change in percent."""
    ratio = abs(ratio)
    turned = 1 / ratio
    return [
        (ratio, FACTOR), (turned, FACTOR),
        (ratio * 100, PERCENT), (turned * 100, PERCENT),
        (abs(ratio - 1) * 100, PERCENT), (abs(turned - 1) * 100, PERCENT),
    ]  # fmt: skip


def speaks_of(figure: Figure, unit: str) -> bool:
    """Whether a figure can be one of a metric with this unit: of the same kind, a factor or a percentage."""
    return figure.unit in {FACTOR, PERCENT} or kind(figure.unit) == kind(unit)
