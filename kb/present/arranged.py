"""What was made of result files: what differs between the runs, the arms, what is to be known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.present.text import Page, bullets, table, wrap

if TYPE_CHECKING:
    from kb.arranging.arms import Group
    from kb.arranging.begin import Begun
    from kb.arranging.factors import Factor

MOST = 8
"""Values, factors or sentences named of a kind."""
_KINDS = {"load": "the load", "arm": "may tell arms apart", "label": "tells runs apart"}


def begun(made: Begun, page: Page) -> list[str]:
    """Everything that was understood of the results, for confirmation."""
    arranged = made.arranged
    lines = [*factor_table(made.factors, page), *arm_table(arranged.groups, page)]
    if len(arranged.groups) > 1:
        counted = f"{made.proposed or 'no'} claim{'' if made.proposed == 1 else 's'}"
        what = "; each is a direction, with its ratios in a comment" if made.proposed else ""
        lines.append(f"Proposed against {arranged.base}: {counted}{what}.")
    lines += notes("Left out, or not agreed on:", arranged.said, page)
    lines += notes("Hinted at by names only (comments of the record):", arranged.suggested, page)
    return lines


def unsplit(made: Begun, command: str, page: Page) -> list[str]:
    """What to do where all runs became one arm, and something may tell two apart; nothing where nothing does."""
    could = [each for each in made.factors if each.kind == "arm" and len(each.values) > 1]
    if len(made.arranged.groups) > 1 or not could:
        return []
    drafted = " and ".join([made.path, *made.files])
    says = f"All runs are one arm. If {_values(could[0].values)} are arms: remove {drafted}, then"
    return [*wrap(says, page.width), f"  {command} --arm-by {could[0].key}"]


def factor_table(factors: Sequence[Factor], page: Page) -> list[str]:
    """What differs between the runs, and who says so."""
    shown = [each for each in factors if each.kind != "label"][:MOST]
    if not shown:
        return ["Nothing differs between the runs but their numbers."]
    rows = [
        [each.key, _values(each.values), _KINDS[each.kind] + ("" if each.stated else ", by names only")]
        for each in shown
    ]
    rest = len([each for each in factors if each.kind != "label"]) - len(shown)
    more = [f"  … and {rest} more (--json has all)"] if rest > 0 else []
    return ["What differs between the runs:", *table(rows, page.width), *more]


def _values(values: Sequence[str]) -> str:
    named = [each or "(not stated)" for each in values[:MOST]]
    return ", ".join(named) + (f" … {len(values)} in all" if len(values) > MOST else "")


def arm_table(groups: Sequence[Group], page: Page) -> list[str]:
    """The arms with their runs, and what told them apart."""
    rows = [[each.id, f"{len(each.runs)} run{'s' * (len(each.runs) != 1)}", each.said] for each in groups]
    return ["Arms:", *table(rows, page.width)]


def notes(head: str, sentences: Sequence[str], page: Page) -> list[str]:
    """Sentences below a heading; none without sentences."""
    if not sentences:
        return []
    more = [f"  … and {len(sentences) - MOST} more (--json has all)"] if len(sentences) > MOST else []
    return [head, *bullets(list(sentences[:MOST]), page.width), *more]
