"""The page of an evaluation, in every language it is there in, with its data beside it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from kb.evaluation import Evaluation, Source, Translation
from kb.model import Url
from kb.present import setup as in_words
from kb.present.evaluation import DEPTH, RELATION, watched
from kb.present.record import asked_for
from kb.shown import missing
from kb.signals import State
from kb.site import address
from kb.site.attached import MOST, Attached
from kb.site.gather import Gathered
from kb.site.page import File, Later, Note, Page
from kb.site.pages import drawings, points
from kb.site.pages.bodies import body
from kb.site.pages.claims import by_kind
from kb.site.pages.glance import glance
from kb.site.pages.listed import noted
from kb.site.pages.rerun import rerun
from kb.site.pages.since import since
from kb.site.pages.twins import twin
from kb.site.pages.verdicts import silent
from kb.translation import digest
from kb.vocabulary import UNKNOWN, Kind, SourceRelation

FEW = 5
"""Arms that are set beside each other; of more each gets a row."""


def pages(gathered: Gathered) -> Iterator[Later | File]:
    """Every evaluation in every language; its JSON, its points as CSV."""
    for record in gathered.of_kind(Kind.EVALUATION):
        assert isinstance(record, Evaluation)
        yield Later(
            f"evaluation {record.id}",
            gathered.keys.evaluations[record.id],
            partial(_made, record, gathered),
            alone=True,
            first=True,
        )
        folder = address.folder(Kind.EVALUATION, record.id)
        files = gathered.attached.get(record.id, ())
        yield from (File(f"{folder}/{each.target}", each.place) for each in files if each.target)


def _made(record: Evaluation, gathered: Gathered) -> Iterator[Page | File | Note]:
    yield from noted(record, gathered)
    yield _page(record, gathered, None)
    for translation in gathered.translations.get(record.id, ()):
        yield _page(record, gathered, translation)
    folder = address.folder(Kind.EVALUATION, record.id)
    yield twin(f"{folder}/record.json", record, gathered)
    if record.points:
        yield File(f"{folder}/points.csv", points.as_csv(record))


def _page(record: Evaluation, gathered: Gathered, translation: Translation | None) -> Page:
    lang = translation.language if translation else record.language
    folder = address.folder(Kind.EVALUATION, record.id)
    path = address.page(Kind.EVALUATION, record.id, translation.language if translation else None)
    twins = [("application/json", f"{folder}/record.json")]
    twins += [("text/csv", f"{folder}/points.csv")] if record.points else []
    title = translation.title if translation else record.title
    return Page(
        path,
        "evaluation",
        title,
        _values(record, gathered, translation),
        address.tag(lang),
        "evaluations",
        record.claims[0].says if record.claims else title,
        gathered.languages(record) if len(gathered.languages(record)) > 1 else (),
        twins=tuple(twins),
    )


def _values(record: Evaluation, gathered: Gathered, translation: Translation | None) -> dict[str, Any]:
    verdicts = list(gathered.own.get(record.id, ()))
    loaded = gathered.loaded(translation or record)
    common = list(in_words.grouped(in_words.common(record)).items())
    signals = list(_signals(record, gathered))
    again = rerun(record, verdicts, gathered)
    return {
        "id": record.id,
        "kind": record.kind.value,
        "date": record.date,
        "original": address.tag(record.language),
        "behind": _is_behind(record, translation),
        "question": _question(record, gathered, translation),
        "owner": record.owner,
        "source": source(record.source),
        "glance": glance(record, verdicts, common, signals, again, gathered),
        "groups": by_kind(record, gathered, translation),
        "arms": [_arm(arm) for arm in record.arms],
        "differing": _differing(record),
        "common": common,
        "measured": len(record.points),
        "points": points.table(record),
        "drawings": drawings.of_evaluation(record),
        "bands": drawings.bands(record, gathered),
        "body": body(loaded, gathered),
        "stages": [{"stage": each.stage.value, "says": each.says} for each in record.stages],
        "limits": list(translation.limits if translation and translation.limits else record.limits),
        "limits_translated": bool(translation and translation.limits),
        "noise": _noise(record),
        "decision": _decision(record),
        "signals": signals,
        "since": since(record, gathered),
        "silent": silent(verdicts, gathered),
        "relations": list(_relations(record, gathered)),
        "reviews": [_review(each, gathered) for each in record.reviews],
        "impacts": len(record.impacts),
        "not_stated": list(in_words.unknown_keys(record)),
        "missing": [{"key": asked_for(each), "why": each.why} for each in missing(record)],
        "rerun": again,
        "path": gathered.loaded(record).path,
        "files": [_file(each, record) for each in gathered.attached.get(record.id, ())[:MOST]],
        "more_files": max(0, len(gathered.attached.get(record.id, ())) - MOST),
        "cite": _cite(record, gathered),
        "compare": f"compare.html?a={record.id}",
    }


def _is_behind(record: Evaluation, translation: Translation | None) -> bool:
    return translation is not None and translation.of is not None and translation.of != digest(record)


def _question(record: Evaluation, gathered: Gathered, translation: Translation | None) -> dict[str, Any] | None:
    if not record.question:
        return None
    lang = translation.language if translation else record.language
    href = address.page(address.QUESTIONS, record.question) if record.question in gathered.asked else None
    return {"id": record.question, "asks": gathered.asks(record.question, lang), "href": href}


def source(found: Source | None) -> dict[str, Any] | None:
    """Where it comes from, and how much of it could be read."""
    if found is None:
        return None
    mine = found.relation is SourceRelation.OWN and not found.via  # nobody had to read it
    return {
        "relation": RELATION[found.relation] if found.relation else "who measured is not stated",
        "depth": DEPTH[found.depth] if found.depth else "" if mine else "how much was read is not stated",
        "by": found.by,
        "title": found.title if found.title != UNKNOWN else None,
        "url": web(found.url),
        "date": found.date,
        "via": list(found.via),
    }


def web(url: Url | None) -> str | None:
    """An address that may be a link."""
    return url if url and url.startswith(("https://", "http://")) else None


def _arm(arm: Any) -> dict[str, Any]:
    return {"id": arm.id, "title": arm.title or arm.id, "role": arm.role.value if arm.role else None}


TALLIES = ("sent", "completed", "failed", "recomputed", "rejected")


def _differing(record: Evaluation) -> dict[str, Any]:
    """What differs between arms, and what became of their requests; arms as columns, or as rows when they are many."""
    rows = [[key, *values] for key, values in in_words.differing(record).items()] if len(record.arms) > 1 else []
    stated = {name for arm in record.arms if arm.requests for name in arm.requests.model_fields_set}
    for name in TALLIES:
        if name in stated:
            counts = [getattr(arm.requests, name, None) for arm in record.arms]
            rows.append([f"requests {name}", *("–" if each is None else str(each) for each in counts)])
    if len(record.arms) <= FEW:
        return {"by": "key", "rows": rows}
    per_arm = [
        {"arm": arm.title or arm.id, "says": [f"{row[0]} {row[n + 1]}" for row in rows if row[n + 1] not in "-–"]}
        for n, arm in enumerate(record.arms)
    ]
    return {"by": "arm", "rows": per_arm}


def _decision(record: Evaluation) -> dict[str, Any] | None:
    if (made := record.decision) is None:
        return None
    reopened = list(made.reopened_by)
    return {"chose": made.chose, "because": made.because, "steps": list(made.steps), "reopened_by": reopened}


def _noise(record: Evaluation) -> str | None:
    if record.noise is None:
        return None
    if record.noise.value is not None:
        return f"Noise floor: {record.noise.value:g} {record.noise.unit or ''}".rstrip()
    return "Noise floor: the source states none." if record.noise.stated == "no" else "Noise floor: unknown."


STATES = {State.FIRED: "●", State.OVERDUE: "!", State.WAITING: "○", State.UNWATCHED: "◌"}


def _signals(record: Evaluation, gathered: Gathered) -> Iterator[dict[str, Any]]:
    for seen in gathered.signals_of(record.id):
        signal = seen.signal
        yield {
            "id": signal.id,
            "what": signal.what,
            "until": signal.until,
            "claims": [gathered.claim_link(record.id, claim) for claim in signal.claims],
            "state": seen.state.value,
            "sign": STATES[seen.state],
            "because": seen.because,
            "by": [gathered.link(id_) for id_ in seen.by],
            "watches": watched(signal) if signal.watches else None,
            "change": gathered.link(signal.watches.change) if signal.watches and signal.watches.change else None,
        }


def _relations(record: Evaluation, gathered: Gathered) -> Iterator[dict[str, Any]]:
    """Relations both ways."""
    for own in record.relations:
        yield {
            "says": own.relation.value,
            "out": True,
            "link": gathered.link(own.to, Kind.EVALUATION),
            "claims": [gathered.claim_link(own.to, claim) for claim in own.claims],
            "because": own.because,
        }
    for each in gathered.pointers.get(record.id, ()):
        yield {
            "says": each.relation,
            "out": False,
            "link": gathered.link(each.id, Kind.EVALUATION),
            "claims": [gathered.claim_link(record.id, claim) for claim in each.claims],
            "because": each.because,
        }


def _review(each: Any, gathered: Gathered) -> dict[str, Any]:
    return {
        "date": each.date,
        "by": each.by,
        "at": [[name, version] for name, version in each.at.items()],
        "because": each.because,
        "claims": list(each.claims),
        "seen": [gathered.link(id_) for id_ in each.seen],
        "code": [[name, ", ".join(releases)] for name, releases in each.code.items()],
    }


def _file(each: Attached, record: Evaluation) -> dict[str, Any]:
    """A file beside the record: to be downloaded, where it is not too large."""
    href = f"{address.folder(Kind.EVALUATION, record.id)}/{each.target}" if each.target else None
    return {"name": each.name, "href": href, "size": _size(each.size)}


def _size(many: int) -> str:
    return f"{many} B" if many < 1024 else f"{many / 1024:.0f} KiB" if many < 1 << 20 else f"{many / (1 << 20):.1f} MiB"


def _cite(record: Evaluation, gathered: Gathered) -> dict[str, str]:
    """How to point at it: the record, and one claim of it."""
    where = f"{gathered.settings.url}{address.page(Kind.EVALUATION, record.id)}" if gathered.settings.url else ""
    day = f" ({record.date})" if record.date and record.date != UNKNOWN else ""
    newest = gathered.today or "no day known"
    text = f"{record.title}{day}. {gathered.settings.title} {record.id}, judged on the records up to {newest}."
    return {"text": f"{text} {where}".strip(), "command": f"kb show {record.id}"}
