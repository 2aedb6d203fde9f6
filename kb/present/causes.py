"""An audit of many claims on a terminal: what led to the outcomes, what concerns most claims first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from kb.audited import in_groups
from kb.causes import Cause, causes
from kb.present.outcome import OUTCOMES
from kb.present.text import Page, few_lines, heading, pad, wrap
from kb.present.whose import whose
from kb.verdict import Verdict
from kb.vocabulary import Outcome

MOST = 5
"""Causes of an outcome that are shown."""
FEWER = {Outcome.NOT_APPLICABLE: 2, Outcome.HOLDS: 3}
"""The same where nobody has to do anything."""
MOST_LINES = 3
"""Lines of a reason: what a person wrote of two evaluations can be a paragraph."""


def by_cause(verdicts: Iterable[Verdict], page: Page, own: AbstractSet[str] = frozenset()) -> list[str]:
    """Each outcome with its causes in few lines; what is left is counted. Evaluations that are `own` stand first in
    their lines, with a mark."""
    lines: list[str] = []
    more = 0
    for outcome, group in in_groups(verdicts):
        found = causes(group)
        shown = found[: FEWER.get(outcome, MOST)]
        lines += heading(f"{outcome} ({_of(group)}): {OUTCOMES[outcome].means}", page)
        columns = max(len(_counted(each)) for each in shown) + 4
        lines += [line for each in shown for line in _cause(each, columns, page, own)]
        lines += _left(found[len(shown) :], group, shown, page)
        more += len(found) - len(shown)
    return [*lines, "", *_how(more, page)]


def _of(group: Sequence[Verdict]) -> str:
    """How many, and how many of them are judgement."""
    confirm = sum(each.confirm for each in group)
    return f"{len(group)}, {'all' if confirm == len(group) else confirm} to confirm" if confirm else str(len(group))


def _counted(cause: Cause) -> str:
    number = len(cause.verdicts)
    return f"{number} claim{'' if number == 1 else 's'}"


def _cause(cause: Cause, columns: int, page: Page, own: AbstractSet[str]) -> list[str]:
    """How many claims, why, and whose they are."""
    lines = few_lines(cause.told, MOST_LINES, page.width, pad(f"  {_counted(cause)}", columns), " " * columns)
    names = whose([(each.evaluation, each.claim) for each in cause.verdicts], page.width - columns, own)
    return [*lines, *map(page.style.dim, wrap(names, page.width, " " * columns))]


def _left(hidden: Sequence[Cause], group: Sequence[Verdict], shown: Sequence[Cause], page: Page) -> list[str]:
    """What is not shown of an outcome, and how many claims stand under that alone."""
    if not hidden:
        return []
    told = {(each.evaluation, each.claim) for cause in shown for each in cause.verdicts}
    untold = sum((each.evaluation, each.claim) not in told for each in group)
    reasons = f"{len(hidden)} more reason{'' if len(hidden) == 1 else 's'}"
    only = f"; {untold} claim{' has' if untold == 1 else 's have'} no other" if untold else ""
    return wrap(f"and {reasons}{only}", page.width, "  ")


def _how(more: int, page: Page) -> list[str]:
    left = f", also the {more} reason{'' if more == 1 else 's'} left out here" if more else ""
    return wrap(
        f"A claim stands under each of its reasons. `--all` lists every claim with every reason{left}; `kb audit "
        "EVALUATION` those of one, `kb audit EVALUATION/CLAIM` what would settle one, "
        "`kb impact CHANGE` whom a change touches.",
        page.width,
    )
