"""A plan for many evaluations in few lines: what to look up, then the runs in their order, each with what it decides.
A run with its commands is `kb.present.plan`."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from kb.plan import Plan, Run
from kb.present.text import Page, bullets, few_lines, heading, pad, wrap
from kb.present.whose import fitting, marked
from kb.ratios import place

MOST = 10
"""Runs that are shown; the rest is counted."""
FACTS = 5
"""Facts to look up that are shown."""


def runs(found: Plan, page: Page, own: AbstractSet[str] = frozenset()) -> list[str]:
    """The whole page. Evaluations that are `own` stand first, with a mark."""
    claims = {(run.evaluation, claim) for run in found.runs for claim in run.claims}
    says = (
        f"{_counted(len(found.runs), 'run')} would decide {_counted(len(claims), 'claim')}; "
        f"{_counted(len(found.look_up), 'fact')} to look up; "
        f"{_counted(len(found.left), 'claim')} not settled by a number."
    )
    ordered = sorted(found.runs, key=lambda run: run.evaluation not in own)
    facts = sorted(found.look_up, key=lambda each: each.evaluation not in own)
    looked = [
        f"{marked(each.evaluation, own)}: {each.fact} ({_counted(len(each.claims), 'claim')})" for each in facts[:FACTS]
    ]
    mine = own & {*(each.evaluation for each in found.runs), *(each.evaluation for each in found.look_up)}
    mark = "* is this base's own. " if mine else ""
    return [
        *wrap(says, page.width),
        *(heading("To look up first: settles without a measurement", page) if looked else []),
        *bullets(looked, page.width),
        *_more(len(facts) - len(looked), page),
        *(heading("Runs, what most rests on first, then the cheaper", page) if ordered else []),
        *(line for n, run in enumerate(ordered[:MOST], 1) for line in _run(n, run, page, own)),
        *_more(len(ordered) - len(ordered[:MOST]), page),
        "",
        *wrap(
            f"{mark}`kb plan EVALUATION` gives its runs whole: the commands, what "
            "to hold, how often, and how to record what they give; `--all` every run.",
            page.width,
        ),
    ]


def _run(number: int, run: Run, page: Page, own: AbstractSet[str]) -> list[str]:
    """Where, what for, and what it costs."""
    first = pad(str(number), 3, right=True) + "  "
    rest = " " * len(first)
    where = place(dict(run.load)) or "load point not stated"
    decides = f"decides {fitting(list(run.claims), page.width - len(rest) - 30)}; {_cost(run)}"
    return [
        *few_lines(f"{marked(run.evaluation, own)} at {where}", 2, page.width, first, rest),
        *map(page.style.dim, few_lines(decides, 2, page.width, rest)),
    ]


def _cost(run: Run) -> str:
    """Commands and how often each."""
    return f"{_counted(len(run.commands), 'command')}, each {_counted(run.repeats.times, 'time')}"


def _more(number: int, page: Page) -> list[str]:
    return wrap(f"and {number} more", page.width, "  ") if number > 0 else []


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
