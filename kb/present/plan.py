"""A plan in a terminal: facts to look up, runs with their commands, what neither settles."""

from __future__ import annotations

import re
from itertools import pairwise

from kb.plan import LookUp, Plan, PlannedPoint, Run
from kb.present.text import Page, bullets, clean, heading, named, wrap
from kb.ratios import place
from kb.recorded import Recording

MOST = 10
"""Runs shown; the rest is counted."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_OPTION = re.compile(r" --")


def plan(found: Plan, page: Page, every: bool = False) -> list[str]:
    """The whole page."""
    if not (found.runs or found.look_up or found.left):
        return ["Nothing asks for a measurement."]
    shown = found.runs if every else found.runs[:MOST]
    rest = len(found.runs) - len(shown)
    lines = [line for n, run in enumerate(shown, 1) for line in _run(n, run, _same_before(shown, run), page)]
    more = ["", f"{rest} more runs (--all shows them)."] if rest else []
    left = [f"{each.evaluation}/{each.claim}: {each.why}" for each in found.left]
    told = left if every else left[:MOST]
    return [
        *_look_ups(found.look_up if every else found.look_up[:MOST], len(found.look_up), page),
        *lines,
        *more,
        *_records([each for each in found.record if any(run.evaluation == each.evaluation for run in shown)], page),
        *(heading("Not settled by a number", page) if told else []),
        *bullets(told, page.width),
        *([f"  {len(left) - len(told)} more (--all shows them)."] if len(left) > len(told) else []),
    ]


def _look_ups(shown: tuple[LookUp, ...], total: int, page: Page) -> list[str]:
    if not shown:
        return []
    texts = [f"{each.evaluation} ({', '.join(each.claims)}): {each.fact}" for each in shown]
    rest = [f"  {total - len(shown)} more (--all shows them)."] if total > len(shown) else []
    return [*heading("To look up first: settles without a measurement", page), *bullets(texts, page.width), *rest]


def _same_before(shown: tuple[Run, ...], run: Run) -> int:
    """Number of the first run that holds the same."""
    return 1 + next(n for n, each in enumerate(shown) if (each.hold, each.open) == (run.hold, run.open))


def _run(number: int, run: Run, same: int, page: Page) -> list[str]:
    where = place(dict(run.load)) or "load point not stated"
    hold = "; ".join(f"{key} {value}" for key, value in run.hold.items())
    parts = (
        ("decides", "; ".join(run.why)),
        ("measure", "; ".join(_point(each) for each in run.points)),
        ("repeat", _repeat(run)),
        ("rests", ", ".join(run.rests)),
        ("hold", hold if same == number else f"as in run {same}"),
        ("unknown", _unknown(run) if same == number else ""),
    )
    return [
        *heading(f"Run {number}: {run.evaluation} at {where}", page),
        *(line for name, text in parts for line in named(name, text, page.width, 9, "  ")),
        *(line for each in run.commands for line in _command(each.arm, each.serves, each.command, page)),
    ]


def _repeat(run: Run) -> str:
    """How often, and how the results of one command stay apart."""
    if run.repeats.times == 1:
        return ""
    return (
        f"run each command {run.repeats.times} times, each result in a file of its own (-1, -2... before the ending): "
        f"{run.repeats.why}"
    )


def _records(found: list[Recording], page: Page) -> list[str]:
    """How to record what the runs give."""
    lines = heading("To record it", page) if found else []
    for each in found:
        lines += wrap(
            f"{each.evaluation} ({', '.join(each.claims)}): an evaluation of its own", page.width, "  # ", "  # "
        )
        lines += [
            *_copied(each.new, page),
            *wrap("and in it, replicates or what it turns out to be (fails-to-replicate, narrows, contradicts):",
                  page.width, "  # ", "  # "),
            f"    {clean(each.relations)}",
            *wrap("or, where these are repeats on the builds of the record:", page.width, "  # ", "  # "),
            *_copied(each.into, page),
        ]  # fmt: skip
    return lines


def _unknown(run: Run) -> str:
    return f"{', '.join(run.open)}: hold and write down" if run.open else ""


def _point(point: PlannedPoint) -> str:
    stat = "" if point.stat == "unknown" else f"{point.stat} "
    metric = point.definition or point.metric
    was = f" (was {point.was})" if point.was else ""
    return f"{stat}{metric} of {point.arm}{was}"


def _command(arm: str, serves: str, command: str, page: Page) -> list[str]:
    return [*wrap(f"{arm}: {serves}" if serves else arm, page.width, "  # ", "  # "), *_copied(command, page)]


def _copied(command: str, page: Page) -> list[str]:
    """One command, broken at its options so that it can be copied."""
    pieces = _at_options(clean(command))
    lines = [f"    {piece if not n else f'  --{piece}'}" for n, piece in enumerate(pieces)]
    return _packed(lines, page.width)


def _at_options(command: str) -> list[str]:
    """A command cut where an option begins; what stands in quotes stays whole."""
    quoted = [found.span() for found in _QUOTED.finditer(command)]
    cuts = [at.start() for at in _OPTION.finditer(command) if not any(a < at.start() < b for a, b in quoted)]
    ends = [*cuts, len(command)]
    return [command[: ends[0]], *(command[start + len(" --") : end] for start, end in pairwise(ends))]


def _packed(lines: list[str], columns: int) -> list[str]:
    packed = lines[:1]
    for line in lines[1:]:
        longer = f"{packed[-1]} {line.strip()}"
        if len(longer) + 2 <= columns:
            packed[-1] = longer
        else:
            packed[-1] += " \\"
            packed.append(line)
    return packed
