"""An evaluation on about one screen: what was compared, the figures that matter, how each claim stands and why, what
would settle it; and how to see the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from kb.audited import READING, settling
from kb.causes import Cause, first_causes
from kb.evaluation import Claim, Evaluation, Translation
from kb.library import Library
from kb.present import evaluation as whole
from kb.present import points, setup
from kb.present.text import Page, clean, cut, few_lines, heading, named, pad, table, width, wrap
from kb.verdict import AND, Verdict, asked_at
from kb.vocabulary import UNKNOWN, ClaimKind, Outcome

ON = ("model", "precision", "hardware", "topology", "engine", "stack", "transfer_library")
"""What all arms ran on, said in one breath."""
MOST_ARMS = 4
WIDEST_ARM = 100
"""Letters of what sets an arm apart."""
MOST_FIGURES = 5
NAME = 26
"""Columns of a claim's id; a longer one takes of its sentence."""
MOST_FACTS = 4
"""Facts that would settle something, those first on which most claims wait."""


def glance(
    record: Evaluation,
    library: Library,
    page: Page,
    translation: Translation | None = None,
    around: whole.Around = whole.NOTHING,
) -> list[str]:
    """The first screen."""
    return [
        *whole.titled(record, library, page, translation),
        *_source(record, page),
        *_compared(record, page),
        *points.cited(record, page, MOST_FIGURES),
        *_claims(record, around.verdicts, library, page, translation),
        *_settling(record, around.verdicts, page),
        *_rest(record, page, translation, around),
    ]


def _bounded(distribution: str, version: str, library: Library) -> str:
    """That a newer release is known which another component's requirement excludes (kb.together); what is asked about
    instead may be newer than the one required, where that was measured."""
    owners = (each for each in library.components.values() if each.releases)
    newest = next((each.newest() for each in owners if (each.ships_in or each.id) == distribution), None)
    beyond = newest and newest.version not in version.split(AND)
    return f" (a requirement excludes {newest.version})" if newest and beyond else ""


def _source(record: Evaluation, page: Page) -> list[str]:
    """Who says it, what they have to do with it, and how much of it could be read: how far to trust the figures."""
    if record.source is None:
        return named("Source", "not stated", page.width)
    relation, depth = record.source.relation, record.source.depth
    said = [record.source.by, relation and whole.RELATION[relation], depth and whole.DEPTH[depth]]
    return named("Source", "; ".join(filter(None, said)), page.width)


def _compared(record: Evaluation, page: Page) -> list[str]:
    rows = [
        [f"{arm.id} [{arm.role}]" if arm.role else arm.id, arm.title or _apart(record, number)]
        for number, arm in enumerate(record.arms[:MOST_ARMS])
    ]
    left = len(record.arms) - len(rows)
    more = [f"and {left} more arms"] if left > 0 else []
    shared = setup.grouped(setup.common(record))
    on = " · ".join(shared[each] for each in ON if each in shared)
    arms = [*table(rows, page.width - _GAP, indent=""), *more]
    name = "Compared" if len(record.arms) > 1 else "One arm"
    return [
        *(pad(name if not number else "", _GAP) + line for number, line in enumerate(arms)),
        *few_lines(on, 2, page.width, pad("On", _GAP), " " * _GAP),
    ]


def _apart(record: Evaluation, number: int) -> str:
    """What an arm without a title has that others have not."""
    values = {key: each[number] for key, each in setup.differing(record).items() if each[number] != "-"}
    return cut("; ".join(f"{part} {said}" for part, said in setup.grouped(values).items()), WIDEST_ARM)


_GAP = 11
"""Columns before the text of a named line."""


_NO_CLAIMS = "It claims nothing yet, so `kb audit` has nothing to judge: conclusions go under `claims:`."


def _claims(
    record: Evaluation, verdicts: Iterable[Verdict], library: Library, page: Page, translation: Translation | None
) -> list[str]:
    """Claims under the outcome and the one reason that decided, a line for each."""
    listed = list(verdicts)
    if not record.claims:
        return ["", *wrap(_NO_CLAIMS, page.width)]
    if not listed:
        return []
    counts = Counter(each.outcome for each in listed)
    lines = heading(f"Claims now: {', '.join(f'{counts[each]} {each}' for each in READING if counts[each])}", page)
    at = {name: version for name, version in asked_at(each.target for each in listed).items() if version != UNKNOWN}
    builds = ", ".join(f"{name} {version}{_bounded(name, version, library)}" for name, version in at.items())
    newest = "the newest that go together" if "(" in builds else "the newest known"
    lines += few_lines(f"at {builds}, {newest}", 2, page.width, "  ", "  ") if builds else []
    claims = {each.id: each for each in record.claims}
    said = {each.id: each.says for each in translation.claims} if translation else {}
    columns = min(max(map(len, claims)) + 2, NAME)
    for outcome in READING:
        for cause in first_causes(each for each in listed if each.outcome is outcome):
            lines += _cause(outcome, cause, page)
            for verdict in cause.verdicts:
                claim = claims[verdict.claim]
                lines.append(_claim(claim, said.get(claim.id, claim.says), columns, page))
    return lines


def _cause(outcome: Outcome, cause: Cause, page: Page) -> list[str]:
    confirm = " (confirm)" if any(each.confirm for each in cause.verdicts) else ""
    return few_lines(f"{outcome}{confirm}: {cause.told}", 2, page.width, "  ", "    ")


def _claim(claim: Claim, says: str, columns: int, page: Page) -> str:
    kind = "" if claim.kind is ClaimKind.MEASURED else f"({claim.kind}) "
    name = pad(f"{claim.id}  ", columns)
    return f"    {page.style.bold(name)}{cut(clean(' '.join(f'{kind}{says}'.split())), page.width - 4 - width(name))}"


def _settling(record: Evaluation, verdicts: Iterable[Verdict], page: Page) -> list[str]:
    """Facts that are missing, what to measure again, and what its author said would change it."""
    listed = list(verdicts)
    facts = Counter(fact for each in listed if each.outcome is Outcome.UNKNOWN for fact in settling(each))
    said = [f"{fact} ({_of(number)})" for fact, number in facts.most_common(MOST_FACTS)]
    left = len(facts) - len(said)
    said += [f"{left} more"] if left else []
    again = sum(each.outcome is Outcome.RECHECK for each in listed)
    signals = [each.id + (f" (by {each.until})" if each.until else "") for each in record.signals]
    first = pad("  facts", _GAP) + " "
    lines = few_lines(", ".join(said), 3, page.width, first, " " * len(first)) if said else []
    lines += named("measure", f"{_of(again)} again (`kb plan {record.id}`)" if again else "", page.width, _GAP, "  ")
    lines += named("signals", ", ".join(signals), page.width, _GAP, "  ")
    return [*heading("What would settle it", page), *lines] if lines else []


def _of(number: int) -> str:
    return f"{number} claim{'' if number == 1 else 's'}"


def _rest(record: Evaluation, page: Page, translation: Translation | None, around: whole.Around) -> list[str]:
    language = f" --lang {translation.language}" if translation else ""
    reasons = f"; `kb audit {record.id}` gives every reason" if around.verdicts else ""
    how = f"`kb show {record.id}{language} --all` prints it whole{reasons}."
    return ["", *wrap(f"Not shown: {', '.join(_left(record, around))}.", page.width), *wrap(how, page.width)]


def _left(record: Evaluation, around: whole.Around) -> Iterator[str]:
    """What the whole page has beyond this one."""
    yield "the whole setup"
    counted = (
        (len(record.points), "point"),
        (sum(len(each.conditions) for each in record.claims), "condition of claims"),
        (len(record.limits), "limit"),
        (len(record.stages), "stage"),
        (len(record.impacts) + len(record.reviews), "review"),
        (len(record.relations) + len(around.relations_in), "relation"),
    )
    for number, noun in counted:
        first, _, rest = noun.partition(" ")
        yield from [f"{number} {first}{'' if number == 1 else 's'} {rest}".rstrip()] if number else []
    yield from ["the decision"] if record.decision else []
    yield from ["its text"] if around.body else []
    yield "changes since the pins"
    unknown = len(setup.unknown_keys(record)) + len(around.missing)
    yield from [f"{unknown} fact{' that is' if unknown == 1 else 's that are'} not stated"] if unknown else []
