"""Numbers as people read them: few digits, the source's own qualifier, never without a unit."""

from __future__ import annotations

from collections.abc import Callable

from kb.evidence import Computed, Point
from kb.vocabulary import Qualifier, Reported

_BEFORE = {
    Qualifier.ABOUT: "≈",
    Qualifier.UP_TO: "up to ",
    Qualifier.AT_LEAST: "at least ",
    Qualifier.MORE_THAN: "> ",
    Qualifier.LESS_THAN: "< ",
}
_REPORTED = {
    Reported.IMPROVEMENT_FACTOR: "{}x better",
    Reported.RATIO: "{}x of it",
    Reported.PERCENT_CHANGE: "{}% change",
    Reported.PERCENT_IMPROVEMENT: "{}% better",
    Reported.DIFFERENCE: "{} {unit} apart",
}


def plain(value: float) -> str:
    """A number as it was given, without a needless `.0` or an exponent."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.10f}".rstrip("0").rstrip(".") if 1e-4 <= abs(value) < 1e15 else f"{value:g}"


def few(value: float) -> str:
    """The same in about four digits, where a tool wrote down more than anybody could have measured."""
    text = plain(value)
    if sum(map(str.isdigit, text)) <= WRITTEN:
        return text
    return f"{value:.0f}" if abs(value) >= 1000 else f"{float(f'{value:.4g}'):g}"


WRITTEN = 6
"""Digits that a person writes; a number with more comes out of a program."""


def rounded(value: float) -> str:
    """A computed number with three digits."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{float(f'{value:.3g}'):g}"


def stated(point: Point, digits: Callable[[float], str] = plain) -> str:
    """The number of a point with its qualifier, without its unit."""
    number = point.number
    if number is None:
        return "?"
    text = f"{digits(number[0])} to {digits(number[1])}" if isinstance(number, tuple) else digits(number)
    return _BEFORE[point.qualifier] + text if point.qualifier else text


def with_unit(number: str, unit: str) -> str:
    """`540 ms`, `30%`, `3x`; a count has no unit."""
    return number if unit == "count" else number + unit if unit in {"%", "x"} else f"{number} {unit}"


def reported(point: Point) -> str:
    """A comparison in the source's own direction, e.g. `up to 3x better`."""
    if point.reported is None or point.reported is Reported.ORDER:
        return "better (no figure)"
    return _REPORTED[point.reported].format(stated(point), unit=point.unit)


def computed(number: Computed) -> str:
    """A number computed from points, e.g. `≈0.31x`; a range stays one."""
    ends = [number.low] if number.low == number.high else [number.low, number.high]
    digits = plain if len(number.points) == 1 else rounded
    text = " to ".join(map(digits, ends))
    return with_unit((_BEFORE[number.qualifier] if number.qualifier else "") + text, number.unit)
