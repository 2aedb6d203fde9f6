"""Words on charts: metrics, statistics, quantities and signs as engineers write them."""

from __future__ import annotations

from collections.abc import Iterable

from kb.evaluation import Arm, Evaluation
from kb.evidence import Point
from kb.present.numbers import plain, stated, with_unit
from kb.present.points import place
from kb.vocabulary import UNKNOWN, Qualifier, Statistic

NOT_STATED = "statistic not stated"
NO_ARM = "no arm named"

METRICS = {
    "ttft": "TTFT",
    "tpot": "TPOT",
    "itl": "ITL",
    "e2el": "End-to-end latency",
    "slo_attainment": "SLO attainment",
}
QUANTITIES = {
    "request_rate": "request rate (req/s)",
    "concurrency": "requests in flight",
    "input_tokens": "input length (tokens)",
    "output_tokens": "output length (tokens)",
    "num_prompts": "requests in the run",
    "burstiness": "burstiness",
}
SIGNS = {
    Qualifier.ABOUT: "≈",
    Qualifier.UP_TO: "≤",
    Qualifier.AT_LEAST: "≥",
    Qualifier.MORE_THAN: ">",
    Qualifier.LESS_THAN: "<",
}
MEANS = {
    Qualifier.ABOUT: "≈ about",
    Qualifier.UP_TO: "≤ up to",
    Qualifier.AT_LEAST: "≥ at least",
    Qualifier.MORE_THAN: "> more than",
    Qualifier.LESS_THAN: "< less than",
}


def metric(name: str) -> str:
    """A metric as people write it."""
    return METRICS.get(name) or name.replace("_", " ").capitalize().replace(" gpu", " GPU")


def inside(name: str) -> str:
    """A metric within a sentence."""
    said = metric(name)
    return said if said[:2].isupper() else said[:1].lower() + said[1:]


def statistic(stat: Statistic) -> str:
    """A statistic; said also where it is not known, empty for what is one number by nature (a throughput)."""
    if stat is Statistic.UNKNOWN:
        return NOT_STATED
    return "" if stat is Statistic.VALUE else stat.value.replace("_", ".")


def quantity(name: str) -> str:
    """A load key, or a sweep's own factor, as the title of an axis."""
    return QUANTITIES.get(name, name.removeprefix("factors."))


def brief(name: str) -> str:
    """A load key in few letters, as load points are written everywhere."""
    short = {"input_tokens": "in", "output_tokens": "out", "request_rate": "req/s", "concurrency": "conc"}
    return short.get(name, name.removeprefix("factors."))


def sign(point: Point) -> str:
    """The qualifier of a number as a sign beside its mark."""
    return SIGNS[point.qualifier] if point.qualifier else ""


def value(point: Point) -> str:
    """A number as its source states it, with its unit."""
    return with_unit(stated(point), point.unit)


def spread(point: Point) -> str:
    """How a number scatters, and what the figures are; empty when nothing is stated."""
    found = point.spread
    if found is None:
        return ""
    said = [f"std {plain(found.std)}"] if found.std is not None else []
    if found.low is not None or found.high is not None:
        ends = " to ".join("?" if end is None else plain(end) for end in (found.low, found.high))
        said.append(f"{found.kind or 'ends of an unnamed kind'} {ends}")
    return ", ".join(said)


def count(point: Point) -> str:
    """Runs or samples behind a number, and whether the best was picked."""
    said = [] if point.n in {None, UNKNOWN} else [str(point.n)]
    return ", ".join([*said, *([f"best of {point.best_of}"] if point.best_of else [])])


def told(point: Point) -> str:
    """A point in a sentence, for the tip of its mark."""
    where, scatter = place(point.where), spread(point)
    parts = [point.arm or NO_ARM, f"{value(point)} {statistic(point.stat)}".strip(), where, scatter]
    return ", ".join(filter(None, parts))


def listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def losses(arm: Arm) -> str:
    """What went wrong with an arm's requests; empty when nothing is known to have."""
    found = arm.requests
    if found is None:
        return ""
    said = [
        f"{number} {word}"
        for word in ("failed", "rejected", "recomputed")
        if isinstance(number := getattr(found, word), int) and number
    ]
    of = f" of {found.sent} requests" if isinstance(found.sent, int) else " requests"
    return f"{', '.join(said)}{of}" if said else ""


def only_in_table(number: int, what: str = "further number") -> list[str]:
    """How many are not drawn; nothing where all are."""
    if number <= 0:
        return []
    return [
        f"{number} {what} stands in the table only." if number == 1 else f"{number} {what}s stand in the table only."
    ]


def arms_said(record: Evaluation, drawn: Iterable[str]) -> list[str]:
    """Sentences on arms without a mark, and on arms that lost requests."""
    shown = set(drawn)
    missing = [arm.id for arm in record.arms if arm.id not in shown]
    said = [f"No figure for {listed(missing)}."] if missing and shown else []
    return said + [f"{arm.id}: {lost}." for arm in record.arms if arm.id in shown and (lost := losses(arm))]


def signs_said(points: Iterable[Point]) -> list[str]:
    """What the signs beside marks mean."""
    used = {point.qualifier for point in points}
    said = [text for qualifier, text in MEANS.items() if qualifier in used]
    return [f"{', '.join(said)}."] if said else []


def bars_said(points: Iterable[Point]) -> list[str]:
    """What bars on marks are: the source's own kind of spread, never another."""
    kinds = dict.fromkeys(kind for point in points if (kind := _kind(point)))
    ranged = any(isinstance(point.number, tuple) for point in points)
    said = [f"Thin bars: {listed(kinds)}."] if kinds else []
    return said + (["Thick bars: a range as the source gives it, without a middle."] if ranged else [])


def _kind(point: Point) -> str:
    found = point.spread
    if found is None:
        return ""
    if found.low is not None and found.high is not None:
        return found.kind or "ends of an unnamed kind"
    return "one standard deviation to either side" if found.std is not None else ""
