"""Verdicts on a terminal: what needs somebody first, with its reasons; and one claim with all that was looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import groupby

from kb.audit import Audit
from kb.audited import Placed, in_groups, open_at_target, settling
from kb.candidates import in_tables
from kb.causes import deciding
from kb.finding import Finding
from kb.present.abroad import by_name
from kb.present.causes import by_cause
from kb.present.outcome import OUTCOMES
from kb.present.text import Page, bullets, heading, named, wrap
from kb.present.text import table as laid_out
from kb.target import Target
from kb.verdict import Ruling, Silent, Verdict, Why
from kb.vocabulary import Outcome

SILENT = 15
"""Silent things that are shown of one claim: those that somebody could have expected to speak first."""
_BY_BUILD = frozenset({Why.ALREADY_THERE.value, Why.DOES_NOT_SHIP.value})
FEW = 2
"""Reasons that are shown of a claim among others."""
MOST_UNREAD = 5
"""Things that could not be read of a target, shown without being asked for all."""
MOST_ROWS = 12
"""Rows of an open pin that are shown of one claim."""
MOST_OPEN = 4
"""Distributions whose version is asked for, those first on which most claims depend."""


def overview(audit: Audit, page: Page, own: AbstractSet[str] = frozenset()) -> list[str]:
    """How many claims have which outcome, and what led to it; `own` are evaluations to be told from mounted ones."""
    target, mine = _target(audit, page), _own(audit, own, page)
    gap = [""] if mine and "" in target else []
    return [*target, *gap, *mine, *by_cause(audit.verdicts, page, own)]


def _own(audit: Audit, own: AbstractSet[str], page: Page) -> list[str]:
    """The counts of evaluations that are no mounted ones."""
    mine = Audit(audit.target, tuple(each for each in audit.verdicts if each.evaluation in own))
    return wrap(f"Of this base's own (marked *): {summary(mine.counts)}.", page.width) if mine.verdicts else []


def by_claim(audit: Audit, page: Page, everything: bool = False) -> list[str]:
    """Every claim under its outcome, with the reasons that decided."""
    names = {each.evaluation for each in audit.verdicts}
    several = len(names) > 1
    lines = [*([] if several else map(page.style.bold, names)), *_target(audit, page, everything)]
    for outcome, group in in_groups(audit.verdicts):
        lines += heading(f"{outcome} ({len(group)}): {OUTCOMES[outcome].means}", page)
        for evaluation, claims in groupby(group, key=lambda each: each.evaluation):
            lines += ["", page.style.bold(evaluation)] if several else []
            lines += _claims(list(claims), page, everything)
    return lines


def _target(audit: Audit, page: Page, everything: bool = False) -> list[str]:
    """The counts with all claims in them, what was asked about, and what of that is open or could not be read."""
    target = audit.target
    what = f"for {target.name}" if target.name else "each evaluation's own setup"
    given = ", ".join(f"{side + ':' if side else ''}{name} {version}" for (side, name), version in target.at.items())
    moved = f", at {given}" if given else "" if target.name else ", moved to the newest known releases"
    asked = f"Asked {what}{moved}." if target.name else f"Asked at {what}{moved}."
    return [
        *map(page.style.bold, wrap(summary(audit.counts), page.width)),
        *wrap(asked, page.width),
        *_not_stated(audit, page),
        *_unread(target, page, everything),
    ]


def _not_stated(audit: Audit, page: Page) -> list[str]:
    """Versions that the target does not state and on which outcomes depend, with what to add."""
    open_pins = [each for verdict in audit.verdicts for each in open_at_target(verdict)]
    claims = Counter(name for name, _ in open_pins)
    newest = dict(open_pins)
    if not claims:
        return []
    total = len(audit.verdicts)
    listed = claims.most_common(MOST_OPEN)
    rows = [[f"{n} depend{'s' if n == 1 else ''} on {name}:", f"--at {name}={newest[name]}"] for name, n in listed]
    left = len(claims) - len(listed)
    lines = wrap(f"The target leaves versions open; of {total} claim{'' if total == 1 else 's'}", page.width)
    lines += [*laid_out(rows, page.width), *([f"  and fewer on {left} more"] if left else [])]
    how = "Add what runs there, like this (these are the newest known), or as pins of a deployment."
    return ["", *lines, *wrap(how, page.width)]


def _to_add(verdict: Verdict, page: Page) -> list[str]:
    """The same for a single claim."""
    given = [f"--at {name}={newest}" for name, newest in open_at_target(verdict)]
    said = f"The target leaves versions open. Add what runs there, like {' '.join(given)}, or as pins of a deployment."
    return ["", *wrap(said, page.width)] if given else []


def _unread(target: Target, page: Page, everything: bool) -> list[str]:
    if not target.unread:
        return []
    shown = target.unread if everything else target.unread[:MOST_UNREAD]
    left = len(target.unread) - len(shown)
    more = [f"  and {left} more (--all lists them)"] if left else []
    files = {each.partition(": ")[0].rpartition(":")[0] for each in target.unread}
    named_shortly = (by_name(each, files) for each in shown)
    return ["", *wrap("Not read of the target:", page.width), *bullets(named_shortly, page.width), *more]


def summary(counts: Mapping[str, int]) -> str:
    """`194 claims: 3 hold, 80 to recheck, ... 78 unknown`; those that hold and the unknown ones always among them."""
    words = {"holds": "hold", "recheck": "to recheck"}
    shown = [(name, number) for name, number in counts.items() if number or name in {"holds", "unknown"}]
    listed = ", ".join(f"{number} {words.get(name, name)}" for name, number in shown)
    total = sum(counts.values())
    return f"{total} claim{'' if total == 1 else 's'}: {listed}"


def _claims(verdicts: list[Verdict], page: Page, everything: bool) -> list[str]:
    lines: list[str] = []
    for reasons, alike in groupby(verdicts, key=lambda each: _reasons(each, everything)):
        claims = [f"{each.claim}{' (confirm)' if each.confirm else ''}" for each in alike]
        lines += wrap(", ".join(claims), page.width, "  ")
        for first, *rows in reasons:
            lines += wrap(first, page.width, "    - ")
            lines += [line for row in rows for line in wrap(row, page.width, "        ", "          ")]
    return lines


def _reasons(verdict: Verdict, everything: bool) -> tuple[tuple[str, ...], ...]:
    """The deciding rulings in words, the builds of an open pin in rows under them; the rest as a number."""
    decided = list(deciding(verdict))
    shown = decided if everything else decided[:FEW]
    told = tuple(each.lines or (each.message,) for each in shown)
    left = len(decided) - len(shown)
    return (*told, (f"and {left} more reason{'' if left == 1 else 's'} (--all)",)) if left else told


def single(audit: Audit, placed: Placed, page: Page, everything: bool = False) -> list[str]:
    """An audit of one claim: outcome, reasons with places, the table of an open pin, what would settle it, what was
    silent."""
    [verdict] = audit.verdicts
    claim = placed.claim(verdict)
    mark = " - a person must confirm it" if verdict.confirm else ""
    lines = [
        "",
        *map(page.style.bold, wrap(f"{verdict.evaluation}/{verdict.claim}: {verdict.outcome}{mark}", page.width)),
    ]
    lines += wrap(claim.says, page.width, "  ")
    lines += ["", *_facts(verdict, page), *_to_add(verdict, page), *_unread(audit.target, page, everything)]
    lines += _findings("Because", verdict.decided, verdict, placed, page)
    lines += _also_found(verdict, placed, page, everything)
    lines += _candidates(verdict, page, everything)
    if verdict.outcome is Outcome.UNKNOWN and (facts := settling(verdict)):
        lines += [*heading("What would settle it", page), *bullets(facts, page.width)]
    return [*lines, *_checked(verdict.checked, page, everything)]


def _facts(verdict: Verdict, page: Page) -> list[str]:
    asked = ", ".join(f"{name} {version}" for name, version in verdict.target.items())
    measured = ", ".join(f"{name} {version}" for name, version in verdict.measured_at.items())
    later = verdict.verified_at.items() - verdict.measured_at.items()
    reviewed = ", ".join(f"{name} {version}" for name, version in sorted(later))
    lines = named("asked at", asked, page.width, 12, "  ")
    lines += named("measured", measured, page.width, 12, "  ")
    lines += named("reviewed to", reviewed, page.width, 12, "  ")
    covers = verdict.covers
    if covers.envelope != "same":
        lines += named("envelope", covers.envelope, page.width, 12, "  ")
        for key, where in covers.parts.items():
            lines += named("", f"{key}: {where}", page.width, 12, "  ")
        lines += named("differs in", ", ".join(covers.differs), page.width, 12, "  ")
    return [*lines, *named("judged", covers.note or "", page.width, 12, "  ")]


def _findings(title: str, rulings: Iterable[Ruling], verdict: Verdict, placed: Placed, page: Page) -> list[str]:
    found = [(each, placed.finding(each, verdict)) for each in rulings]
    if not found:
        return []
    lines = heading(title, page)
    for ruling, finding in found:
        lines += _finding(_said(ruling, finding), finding, page)
    return lines


def _finding(said: str, finding: Finding, page: Page) -> list[str]:
    """What is said, where its reason is written, what to do."""
    lines = wrap(said, page.width, "  - ", "    ")
    lines += [page.style.dim(f"    {finding.path}:{finding.line}")]
    return [*lines, *(wrap(f"hint: {finding.hint}", page.width, "    ") if finding.hint else [])]


def _also_found(verdict: Verdict, placed: Placed, page: Page, everything: bool) -> list[str]:
    """What did not decide, by rule: the first few of each whole, of the others what they are about."""
    by_rule: dict[str, list[tuple[Ruling, Finding]]] = {}
    for each in verdict.rulings:
        if each.outcome is not verdict.outcome:
            finding = placed.finding(each, verdict)
            by_rule.setdefault(f"{finding.code} {finding.name}", []).append((each, finding))
    if not by_rule:
        return []
    lines = heading(f"Also found ({sum(map(len, by_rule.values()))})", page)
    for rule, found in by_rule.items():
        if len(found) == 1:
            lines += _finding(_said(*found[0]), found[0][1], page)
            continue
        lines.append(f"  {rule} ({len(found)})")
        shown = found if everything else found[:FEW]
        for ruling, finding in shown:
            lines += _finding(f"{_arm(ruling)}{finding.message}", finding, page)
        about = list(dict.fromkeys(_about(ruling) for ruling, _ in found[len(shown) :]))
        lines += wrap(f"and {', '.join(about)} (--all gives the reasons)", page.width, "  - ", "    ") if about else []
    return lines


def _about(ruling: Ruling) -> str:
    """What a ruling is about, by the name that other commands know."""
    return ruling.change or ruling.symbol or ruling.condition or ruling.message


def _arm(ruling: Ruling) -> str:
    return f"[{ruling.arm}] " if ruling.arm and ruling.arm != "all" else ""


def _said(ruling: Ruling, finding: Finding) -> str:
    arm = f" [{ruling.arm}]" if ruling.arm and ruling.arm != "all" else ""
    return f"{finding.code} {finding.name}{arm}: {finding.message}"


def _candidates(verdict: Verdict, page: Page, everything: bool) -> list[str]:
    lines: list[str] = []
    tables = in_tables(verdict.candidates)
    alone = ", as far as it alone decides" if len(tables) > 1 else ""
    for table in tables:
        which = f"{table.names} at the target" if table.asked else f"the {table.names} that was measured"
        lines += heading(f"If {which} were{alone}", page)
        shown = table.rows if everything else table.rows[:MOST_ROWS]
        rows = [[each.builds, each.answer, "" if each.changes else each.because] for each in shown]
        lines += laid_out(rows, page.width, ["build", "outcome", "because"], page=page)
        left = len(table.rows) - len(shown)
        lines += [f"  and {left} more (--all lists them)"] if left else []
    return lines


def _checked(checked: Iterable[Silent], page: Page, everything: bool) -> list[str]:
    listed = list(checked)
    if not listed:
        return []
    looked_at = {each.change or each.evaluation or each.symbol for each in listed}  # not once for every arm
    lines = heading(f"Looked at and silent ({len(looked_at)})", page)
    merged: dict[tuple[str, str, str], list[str]] = {}
    for each in listed:
        key = (each.change or each.evaluation or each.symbol or "", each.why.value, each.reason)
        merged.setdefault(key, []).extend([each.arm] if each.arm else [])
    told = sorted(merged.items(), key=lambda pair: pair[0][1] in _BY_BUILD)
    for (what, why, reason), arms in told if everything else told[:SILENT]:
        arm = f" [{', '.join(dict.fromkeys(arms))}]" if arms else ""
        lines += wrap(f"{what}{arm}: {why}: {reason}", page.width, "  - ", "    ")
    if not everything and len(told) > SILENT:
        lines.append(f"  and {len(told) - SILENT} more lines (--all)")
    return lines
