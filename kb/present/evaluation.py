"""An evaluation in a terminal: setup, result and conclusion side by side, and what has changed since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from kb import anchors
from kb.evaluation import Arm, Evaluation, Impact, Review, Signal, Source, Translation
from kb.library import Library
from kb.present import claims, points, setup, since
from kb.present.text import Page, bullets, heading, named, table, wrap
from kb.verdict import Verdict
from kb.vocabulary import Outcome, SourceDepth, SourceRelation

RELATION = {
    SourceRelation.VENDOR: "vendor (made the thing)",
    SourceRelation.MAINTAINER: "maintainer of the code",
    SourceRelation.INDEPENDENT: "independent",
    SourceRelation.OWN: "our own measurement",
    SourceRelation.UNKNOWN: "who measured is not stated",
}
DEPTH = {
    SourceDepth.FULL: "read in full",
    SourceDepth.TABLE: "only its table could be read",
    SourceDepth.EXCERPT: "only an excerpt could be read",
    SourceDepth.SECOND_HAND: "read second-hand only",
}


class Around(NamedTuple):
    """What is shown of an evaluation beside its fields."""

    body: tuple[str, ...] = ()
    """Lines of its text, which stand right after the claims."""
    relations_in: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    """Facts a reviewer will ask for."""
    verdicts: tuple[Verdict, ...] = ()
    """What the audit makes of its claims, at the newest releases."""


NOTHING = Around()


def evaluation(
    record: Evaluation,
    library: Library,
    page: Page,
    translation: Translation | None = None,
    around: Around = NOTHING,
) -> list[str]:
    """The whole page."""
    return [
        *titled(record, library, page, translation),
        *(named("Source", _source(record.source), page.width) if record.source else ["Source     not stated"]),
        *(named("Owner", record.owner, page.width) if record.owner else []),
        *_now(record, around.verdicts, page),
        *_arms(record, page),
        *points.section(record, page),
        *claims.section(record, page, translation, anchors.since(record, library), around.verdicts),
        *around.body,
        *_stages(record, page),
        *_limits(record, page, translation),
        *_decision(record, page),
        *_signals(record, page),
        *since.section(record, library, page, around.verdicts),
        *_relations(record, around.relations_in, page),
        *_judged(record, page),
        *_not_stated(record, page),
        *_missing(around.missing, page),
    ]


def titled(record: Evaluation, library: Library, page: Page, translation: Translation | None) -> list[str]:
    """Title, id and question."""
    language = translation.language if translation else record.language
    languages = sorted(language for id_, language in library.translations if id_ == record.id)
    also = f" (also {', '.join(languages)})" if languages else ""
    line = f"{record.id} · {record.kind} evaluation · {record.date or 'no date'} · {record.language}{also}"
    asked = [_question(record, library, language)] if record.question else []
    return [
        *map(page.style.bold, wrap(translation.title if translation else record.title, page.width)),
        *wrap(line, page.width),
        "",
        *(line for text in asked for line in named("Question", text, page.width)),
    ]


def _now(record: Evaluation, verdicts: Iterable[Verdict], page: Page) -> list[str]:
    """How many claims have which outcome."""
    counts = Counter(each.outcome.value for each in verdicts)
    listed = ", ".join(f"{counts[each]} {each.value}" for each in Outcome if counts[each])
    told = f"{listed}, at the newest releases (`kb audit {record.id}` gives every reason)"
    return named("Now", told, page.width) if listed else []


def _question(record: Evaluation, library: Library, language: str) -> str:
    found = next((each for each in library.vocabulary.questions if each.id == record.question), None)
    asks = (getattr(found.asks, language, ()) or found.asks.en) if found else ()
    return f"{asks[0]} ({record.question})" if asks else str(record.question)


def _source(source: Source) -> str:
    title = f"“{source.title}”" if source.title and source.title != "unknown" else None
    address = "address unknown" if source.url in (None, "unknown") else source.url
    said = [
        source.by,
        RELATION[source.relation] if source.relation else None,
        title,
        DEPTH[source.depth] if source.depth else None,
        source.date,
        address,
        f"through {'; '.join(source.via)}" if source.via else None,
    ]
    return "; ".join(str(each) for each in said if each)


def _arms(record: Evaluation, page: Page) -> list[str]:
    shared = setup.grouped(setup.common(record))
    lines = heading("Setup", page)
    if len(record.arms) > 1:
        lines += _side_by_side(record, page)
        lines += ["", "  common to all arms"] if shared else []
    elif record.arms:
        lines += [f"  one arm: {_arm(record.arms[0])}"]
    lines += table(list(shared.items()), page.width, indent="    " if len(record.arms) > 1 else "  ")
    return lines if len(lines) > 2 else []


def _side_by_side(record: Evaluation, page: Page) -> list[str]:
    rows = [[key, *values] for key, values in setup.differing(record).items()]
    head = ["differs", *(_arm(arm) for arm in record.arms)]
    if len(record.arms) <= 4:
        return table(rows + _requests(record), page.width, head, page=page)
    per_arm = [
        [_arm(arm), ", ".join(f"{row[0]} {row[number + 1]}" for row in rows if row[number + 1] != "-")]
        for number, arm in enumerate(record.arms)
    ]
    return table(per_arm, page.width, ["arm", "differs in"], page=page)


def _requests(record: Evaluation) -> list[list[str]]:
    """Rows of completed, failed and recomputed requests, where any arm states them."""
    names = ("sent", "completed", "failed", "recomputed", "rejected")
    rows = [[f"requests {name}", *(_tally(getattr(arm.requests, name, None)) for arm in record.arms)] for name in names]
    stated = {name for arm in record.arms if arm.requests for name in arm.requests.model_fields_set}
    return [row for row, name in zip(rows, names, strict=True) if name in stated]


def _tally(count: int | str | None) -> str:
    return "-" if count is None else str(count)


def _arm(arm: Arm) -> str:
    return f"{arm.title or arm.id} [{arm.role}]" if arm.role else (arm.title or arm.id)


def _stages(record: Evaluation, page: Page) -> list[str]:
    if not record.stages:
        return []
    rows = [[note.stage, f"{note.says}{_see(note.points)}"] for note in record.stages]
    return [*heading("Where the wait is", page), *table(rows, page.width)]


def _see(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f" ({listed})" if listed else ""


def _limits(record: Evaluation, page: Page, translation: Translation | None) -> list[str]:
    limits = translation.limits if translation and translation.limits else record.limits
    noise = []
    if record.noise and record.noise.value is not None:
        noise = [f"Noise floor: {record.noise.value:g} {record.noise.unit or ''}".rstrip()]
    elif record.noise:
        noise = ["Noise floor: the source states none." if record.noise.stated == "no" else "Noise floor: unknown."]
    return [*heading("Limits", page), *bullets([*limits, *noise], page.width)] if limits or noise else []


def _decision(record: Evaluation, page: Page) -> list[str]:
    if (decision := record.decision) is None:
        return []
    reopened = ", ".join(decision.reopened_by)
    return [
        *heading("Decision", page),
        *named("chose", decision.chose, page.width, 11, "  "),
        *named("because", decision.because, page.width, 11, "  "),
        *(line for step in decision.steps for line in named("how", step, page.width, 11, "  ")),
        *(named("reopened", f"by {reopened}", page.width, 11, "  ") if reopened else []),
    ]


def _signals(record: Evaluation, page: Page) -> list[str]:
    if not record.signals:
        return []
    lines = heading("What would change it", page)
    for signal in record.signals:
        until = f"by {signal.until}" if signal.until else "no horizon stated"
        lines += [f"  {page.style.bold(signal.id)}, {until}"]
        lines += wrap(signal.what, page.width, "    ")
        lines += wrap(watched(signal), page.width, "    watches ") if signal.watches else []
    return lines


def watched(signal: Signal) -> str:
    watch = signal.watches
    assert watch is not None
    if watch.change:
        return f"the change {watch.change}" + (f" until it is {watch.reaches}" if watch.reaches else "")
    on = f" on {', '.join(map(str, watch.conditions))}" if watch.conditions else ""
    what = f"a further evaluation of {watch.question}" if watch.question else "a further evaluation"
    return f"{what}{f' that {watch.relation} this one' if watch.relation else ''}{on}"


def _relations(record: Evaluation, into: Iterable[tuple[str, str]], page: Page) -> list[str]:
    own = [
        [f"{each.relation} →", f"{each.to}{_see(each.claims)}{f': {each.because}' if each.because else ''}"]
        for each in record.relations
    ]
    others = [[f"{relation} ←", id_] for relation, id_ in into]
    return [*heading("Related", page), *table(own + others, page.width)] if own or others else []


def _judged(record: Evaluation, page: Page) -> list[str]:
    rows = [[each.date, _impact(each)] for each in record.impacts]
    rows += [[each.date, _review(each)] for each in record.reviews]
    return [*heading("Reviews and impact statements", page), *table(rows, page.width)] if rows else []


def _impact(each: Impact) -> str:
    why = f" ({each.justification})" if each.justification else ""
    return f"{each.about} on {each.claim}: {each.status}{why}. {_reason(each)}"


def _review(each: Review) -> str:
    about = f"{', '.join(each.claims)}: " if each.claims else ""
    code = [f"{symbol} in {', '.join(releases)}" for symbol, releases in each.code.items()]
    seen = f"; saw {', '.join((*each.seen, *code))}" if each.seen or code else ""
    return f"{about}looked at up to {', '.join(f'{c} {v}' for c, v in each.at.items())}{seen}. {_reason(each)}"


def _reason(each: Impact | Review) -> str:
    return f"{each.because} ({each.by})" if each.by else each.because


def _not_stated(record: Evaluation, page: Page) -> list[str]:
    unknown = setup.unknown_keys(record)
    return [*heading("Not stated by the source", page), *wrap(", ".join(unknown), page.width, "  ")] if unknown else []


def _missing(missing: Iterable[str], page: Page) -> list[str]:
    listed = ", ".join(missing)
    lines = wrap(f"{listed}. `kb lint` says why.", page.width, "  ")
    return [*heading("What a reviewer will ask for", page), *lines] if listed else []
