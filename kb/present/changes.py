"""Several changes at once, in few lines: those that touch claims, most claims first; those that touch none; and what
nobody has recorded. Each change with its claims and the reasons is `kb.present.impact`."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from kb.change import Change
from kb.coverage import Cover
from kb.effects import Effect, Standing
from kb.impact import Impact
from kb.present.text import Page, heading, table, wrap
from kb.present.whose import fitting, whose

MOST = 8
"""Changes with claims that are shown; the rest is named."""
VERBS = {Standing.TOUCHED: "touches", Standing.OPEN: "may touch", Standing.AHEAD: "once it ships touches"}


def changes(found: Impact, summary: str, page: Page, own: AbstractSet[str] = frozenset()) -> list[str]:
    """The answer in a sentence, then what it rests on. Evaluations that are `own` stand first, with a mark."""
    by_change: dict[str, list[Effect]] = {}
    for each in found.effects:
        if each.standing in VERBS:
            by_change.setdefault(each.change, []).append(each)
    loud = [each for each in found.changes if each.id in by_change]
    loud.sort(key=lambda each: _weight(by_change[each.id], own), reverse=True)
    silent = [each.id for each in found.changes if each.id not in by_change]
    lines = wrap(summary, page.width)
    if loud:
        lines += heading(f"Touch claims, or may ({len(loud)})", page)
        lines += [line for each in loud[:MOST] for line in _change(each, by_change[each.id], found, page, own)]
        lines += _named("and with fewer claims", [each.id for each in loud[MOST:]], page)
    if silent:
        lines += heading(f"Touch no claim ({len(silent)})", page)
        lines += wrap(fitting(silent, 2 * page.width), page.width, "  ")
    lines += _unrecorded([each for each in found.covers if not each.complete], page)
    mine = {each.evaluation for effects in by_change.values() for each in effects} & own
    return [*lines, "", *_how("* is this base's own. " if mine else "", page)]


def _weight(effects: Sequence[Effect], own: AbstractSet[str]) -> tuple[int, int, int]:
    """Own claims count before others, touched ones before those that may be."""
    touched = sum(each.standing is Standing.TOUCHED for each in effects)
    return sum(each.evaluation in own for each in effects), touched, len(effects)


def _change(change: Change, effects: Sequence[Effect], found: Impact, page: Page, own: AbstractSet[str]) -> list[str]:
    """What it is, and whose claims it touches."""
    turn = found.turns.get(change.id)
    turned = f" ({turn.replace('-', ' ')})" if turn else ""
    lines = wrap(f"{change.id}{turned}: {change.title}", page.width, "  ", "    ")
    for standing, verb in VERBS.items():
        claims = list(dict.fromkeys((each.evaluation, each.claim) for each in effects if each.standing is standing))
        first = f"    {verb} {len(claims)}: "
        names = whose(claims, page.width - len(first), own) if claims else ""
        lines += map(page.style.dim, wrap(names, page.width, first)) if claims else []
    return lines


def _named(before: str, ids: Sequence[str], page: Page) -> list[str]:
    return wrap(f"{before} {fitting(ids, 2 * page.width - len(before))}", page.width, "  ") if ids else []


def _unrecorded(covers: Sequence[Cover], page: Page) -> list[str]:
    """What behaves differently, and nobody has written down what of it matters."""
    if not covers:
        return []
    rows = []
    for each in covers:
        symbols = len(each.unrecorded) + len(each.around)
        unseen = f"{each.gaps[0].why}" if each.gaps else ""
        rows.append([each.component, str(symbols or ""), str(len(each.open) or ""), unseen])
    head = ["component", "symbols that behave differently", "other differences", "not looked at"]
    columns = [place for place in range(4) if place == 0 or any(row[place] for row in rows)]
    laid = table(
        [[row[place] for place in columns] for row in rows],
        page.width,
        [head[place] for place in columns],
        right=[columns.index(place) for place in (1, 2) if place in columns],
        page=page,
    )
    one = {(each.since, each.until) for each in covers}
    between = f", {covers[0].since} to {covers[0].until}" if len(one) == 1 else ""
    return [*heading(f"Not recorded{between}: nobody has said what of this matters", page), *laid]


def _how(mark: str, page: Page) -> list[str]:
    return wrap(
        f"{mark}`--all` gives each change with its claims and reasons, and how far it has got; `kb impact CHANGE` one "
        "of them; `kb state CHANGE --claim ID/CLAIM` says what it means for a claim.",
        page.width,
    )
