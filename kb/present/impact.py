"""What changes touch, as text: how far they have got, the claims they touch and why, and those they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import groupby
from typing import TYPE_CHECKING

from kb.board import Row
from kb.change import Change
from kb.coverage import Cover
from kb.effects import Effect, Standing
from kb.impact import Impact
from kb.present.changes import changes
from kb.present.text import Page, bullets, clean, heading, wrap
from kb.verdict import Why
from kb.vocabulary import UNKNOWN, ChangeStatus, Ships

if TYPE_CHECKING:
    from kb.scan.report import Difference, FileDifference

MEANS = {
    Standing.TOUCHED: "Touches",
    Standing.OPEN: "May touch: one answer is not established",
    Standing.AHEAD: "Does not ship in what is asked about; touches once it does",
}
BOARD = "Proposed, merged, released, measured"
FEW = 3
"""Symbols without a record that are named; --json names all."""


def impact(
    found: Impact, title: str, page: Page, everything: bool = False, own: AbstractSet[str] = frozenset()
) -> list[str]:
    """One change with the claims it touches and why, or several in few lines; `everything` is the board, then each."""
    lines = list(map(page.style.bold, wrap(title, page.width)))
    if len(found.changes) > 1 and not everything:
        return [*lines, *changes(found, _summary(found), page, own)]
    lines += board(found.board, page)
    for change in found.changes:
        if len(found.changes) > 1:
            lines += _named(change, found.turns.get(change.id), page)
        lines += _of_change(change, found, page, everything)
    lines += [line for each in found.covers for line in _cover(each, page)]
    return [*lines, "", *wrap(_summary(found), page.width)]


def foreseen(
    found: Impact,
    differing: Iterable[Difference],
    files: Iterable[FileDifference],
    title: str,
    page: Page,
    everything: bool,
) -> list[str]:
    """The symbols that a diff touches and the files without any, then the claims that it would touch and why."""
    lines = list(map(page.style.bold, wrap(clean(title), page.width)))
    lines += _symbols(list(differing), page)
    lines += [line for each in files for line in wrap(clean(_unread(each)), page.width, "", "  ")]
    for change in found.changes:
        lines += _of_change(change, found, page, everything)
    if not found.changes:
        return [*lines, "", *wrap("Nothing behaves differently, as far as trees tell: no claim is touched", page.width)]
    return [*lines, "", *wrap(_summary(found), page.width)]


def _symbols(differing: list[Difference], page: Page) -> list[str]:
    loud = [each for each in differing if each.behaves_differently]
    lines = heading(f"Touched symbols ({len(loud)})", page) if loud else []
    for each in loud:
        guards = f", only where {' and '.join(map(str, each.guards))}" if each.guards else ""
        lines += wrap(clean(f"{each.status} {each.name}{guards}"), page.width, "  ", "    ")
    quiet = Counter(each.kind.value for each in differing if each.kind and not each.behaves_differently)
    told = ", ".join(f"{number} {kind}" for kind, number in quiet.most_common())
    return [*lines, *wrap(f"Quiet: {told}", page.width, "  " if loud else "")] if quiet else lines


def _unread(file: FileDifference) -> str:
    """One file that was compared by lines or by bytes only."""
    if file.old_path and file.new_path and file.old_path != file.new_path:
        return f"moved: {file.old_path} to {file.new_path}, {file.why}"
    changed = [line for line in (file.hunk or "").split("\n")[2:] if line[:1] in {"+", "-"}]
    size = f"{len(changed)} line{'' if len(changed) == 1 else 's'}" if changed else file.why or "by its bytes"
    if file.kind:
        return f"{file.kind.value}: {file.path} ({size})"
    return f"differs and cannot be read as symbols: {file.path} ({size})"


def board(rows: Iterable[Row], page: Page) -> list[str]:
    """How far each change has got; merged is not released, and released is not measured."""
    listed = list(rows)
    lines = heading(BOARD, page) if listed else []
    for each in listed:
        lines += [f"  {each.change.id}", *wrap("; ".join(states(each)), page.width, "    ")]
    return lines


def states(row: Row) -> Iterator[str]:
    """The four states of a change in words."""
    if row.proposed:
        yield f"proposed {row.proposed}"
    yield _merged(row)
    yield _released(row)
    yield f"measured by {', '.join(row.measured_by)}" if row.measured_by else "measured by nobody"
    if row.branch_measured_by:
        yield f"its branch measured by {', '.join(row.branch_measured_by)}"


def _merged(row: Row) -> str:
    if row.merged is None:
        return "not merged" if row.change.status is ChangeStatus.PROPOSED else row.change.status.value
    day = "merged, day unknown" if row.merged == UNKNOWN else f"merged {row.merged}"
    return f"{day}, reverted" if row.change.status is ChangeStatus.REVERTED else day


def _released(row: Row) -> str:
    if not any(fact.ships is Ships.YES for fact in row.change.ships):
        return "in no release" if row.in_newest is Ships.NO else "in no release that is known"
    since = f"released in {', '.join(row.introduced)}" if row.introduced else "released"
    gone = f", gone in {', '.join(row.removed)}" if row.removed else ""
    newest = {
        Ships.YES: "" if row.introduced and not row.removed else f", in {row.newest}",
        Ships.NO: "" if row.removed else f", not in {row.newest}",
        Ships.NOT_ESTABLISHED: f", {row.newest} not established" if row.newest else "",
    }[row.in_newest]
    return since + gone + newest


def _named(change: Change, turn: str | None, page: Page) -> list[str]:
    turned = f" ({turn.replace('-', ' ')})" if turn else ""
    lines = ["", *map(page.style.bold, wrap(f"{change.id}{turned}", page.width))]
    return [*lines, *map(page.style.dim, wrap(change.title, page.width, "  "))]


def touching(found: Impact, page: Page, everything: bool = False) -> list[str]:
    """How far a single change has got, and what it touches, on a page that names it already."""
    far = [line for each in found.board for line in wrap("; ".join(states(each)), page.width, "  ")]
    return [
        *heading(BOARD, page),
        *far,
        *(line for each in found.changes for line in _of_change(each, found, page, everything)),
    ]


def _of_change(change: Change, found: Impact, page: Page, everything: bool) -> list[str]:
    effects = [each for each in found.effects if each.change == change.id]
    lines: list[str] = []
    for standing, means in MEANS.items():
        group = [each for each in effects if each.standing is standing]
        lines += [*heading(f"{means} ({_claims(len(group))})", page), *_listed(group, page)] if group else []
    silent = [each for each in effects if each.standing is Standing.UNTOUCHED]
    return [*lines, *_silent(change, silent, found, page, everything)]


def _silent(change: Change, silent: list[Effect], found: Impact, page: Page, everything: bool) -> list[str]:
    """What a change does not touch: counted, or each with the reason."""
    far = found.far_claims(change.id)
    if not silent and not far:
        return []
    lines = heading(f"Does not touch ({_claims(len(silent) + far)})", page)
    if not everything:
        counts = Counter(str(each.reason) for each in silent)
        counts[Why.ARM_NOT_INVOLVED.value] += far
        told = ", ".join(f"{number} {reason}" for reason, number in counts.most_common() if number)
        return [*lines, *wrap(f"{told} (--all lists them)", page.width, "  ")]
    lines += _listed(silent, page)
    words = f"nothing that they ran ships {change.component}: {', '.join(found.far.get(change.id, ()))}"
    return [*lines, *wrap(f"{Why.ARM_NOT_INVOLVED}: {words}", page.width, "  ", "    ")] if far else lines


def _listed(effects: list[Effect], page: Page) -> list[str]:
    lines: list[str] = []
    for evaluation, group in groupby(effects, key=lambda each: each.evaluation):
        lines += wrap(evaluation, page.width, "  ")
        by_words: dict[str, list[str]] = {}
        for each in group:
            by_words.setdefault(in_words(each), []).append(each.claim)
        for words, claims in by_words.items():
            lines += wrap(f"{', '.join(claims)}: {words}", page.width, "    ", "      ")
    return lines


def in_words(effect: Effect) -> str:
    """Why, which outcome comes of it, for which arms, and whether it hangs on an open pin."""
    name = effect.outcome or (effect.reason if effect.standing is Standing.UNTOUCHED else None)
    outcome = f"{name}: " if name else ""
    arms = f" [{', '.join(effect.arms)}]" if effect.outcome and effect.arms and effect.arms != ("all",) else ""
    open_pin = "" if effect.certain else " (for some of the builds it can have been)"
    return f"{outcome}{effect.why}{arms}{open_pin}"


def _cover(cover: Cover, page: Page) -> list[str]:
    """What nobody has recorded of a component between the two releases."""
    if cover.complete:
        return []
    symbols = [each.anchor for each in (*cover.unrecorded, *cover.around)]
    more = f" and {len(symbols) - FEW} more" if len(symbols) > FEW else ""
    rows = [f"{each.since} to {each.until}: {each.why}" for each in cover.gaps]
    rows += [f"{len(symbols)} behave differently without a record: {', '.join(symbols[:FEW])}{more}"] if symbols else []
    rows += [f"{len(cover.open)} further differences are open: {cover.open[0]}"] if cover.open else []
    title = f"Not recorded of {cover.component}, {cover.since} to {cover.until}"
    return [*heading(title, page), *bullets(rows, page.width)]


def _summary(found: Impact) -> str:
    touched = {(each.evaluation, each.claim) for each in found.touched}
    ahead = {(each.evaluation, each.claim) for each in found.of(Standing.AHEAD)} - touched
    later = f", {len(ahead)} of them touched once it ships" if ahead else ""
    changes = f"{len(found.changes)} changes" if len(found.changes) != 1 else "1 change"
    return f"{changes}: {_claims(len(touched))} touched or open, {found.untouched} not{later}"


def _claims(number: int) -> str:
    return f"{number} claim{'' if number == 1 else 's'}"
